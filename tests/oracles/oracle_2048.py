"""2048 the obvious way: rows as lists, boards as tuples, chances by recursion."""

from functools import lru_cache

Board = tuple[tuple[int, ...], ...]


def slide_row(row: tuple[int, ...]) -> tuple[int, ...]:
    """Tiles move to the left; the first two that are equal grow together, once."""
    tiles = [tile for tile in row if tile]
    for i in range(len(tiles) - 1):
        if tiles[i] and tiles[i] == tiles[i + 1]:
            tiles[i], tiles[i + 1] = 2 * tiles[i], 0
    tiles = [tile for tile in tiles if tile]
    return tuple(tiles + [0] * (len(row) - len(tiles)))


def turned(board: Board) -> Board:
    """Columns become rows."""
    return tuple(zip(*board, strict=True))


def slid(board: Board, direction: str) -> Board:
    if direction in ("up", "down"):
        side = {"up": "left", "down": "right"}[direction]
        return turned(slid(turned(board), side))
    if direction == "right":
        return tuple(slide_row(row[::-1])[::-1] for row in board)
    return tuple(slide_row(row) for row in board)


def moves(board: Board) -> dict[str, Board]:
    """The directions that change anything, and what they lead to."""
    after = {side: slid(board, side) for side in ("up", "right", "down", "left")}
    return {side: found for side, found in after.items() if found != board}


def new_tiles(board: Board) -> list[tuple[float, Board]]:
    """Every board after one more tile, with its chance."""
    empty = [(y, x) for y, row in enumerate(board) for x, t in enumerate(row) if not t]
    return [
        (chance / len(empty), put(board, y, x, tile))
        for y, x in empty
        for tile, chance in ((2, 0.9), (4, 0.1))
    ]


def put(board: Board, y: int, x: int, tile: int) -> Board:
    rows = [list(row) for row in board]
    rows[y][x] = tile
    return tuple(map(tuple, rows))


def win_probability(size: int, goal: int) -> float:
    """The chance to reach the goal under best play, from an empty board."""

    @lru_cache(None)
    def to_move(board: Board) -> float:
        if any(goal in row for row in board):
            return 1.0
        return max(map(drawn, moves(board).values()), default=0.0)

    @lru_cache(None)
    def drawn(board: Board) -> float:
        if any(goal in row for row in board):
            return 1.0
        return sum(chance * to_move(after) for chance, after in new_tiles(board))

    empty: Board = ((0,) * size,) * size
    first = new_tiles(empty)
    return sum(chance * drawn(board) for chance, board in first)


def count_paths(board: Board, coming: int, depth: int) -> int:
    """Sequences of so many actions, where nothing ends the game."""
    if depth == 0:
        return 1
    if coming:
        after = [b for _, b in new_tiles(board)]
        return sum(count_paths(b, coming - 1, depth - 1) for b in after)
    return sum(count_paths(b, 1, depth - 1) for b in moves(board).values())
