"""Tic-tac-toe by a search as it comes: every position is proven, and well played."""

from collections.abc import Iterator

from playout import MCTS, Limit, Position, TicTacToe
from tests.search.support import minimax

SIGN = {"win": 1, "draw": 0, "loss": -1}
#: Where the cells of a board go by its eight symmetries.
TURNED = (6, 3, 0, 7, 4, 1, 8, 5, 2)
MIRRORED = (2, 1, 0, 5, 4, 3, 8, 7, 6)


def cells(position: Position) -> str:
    return position.to_text().split()[0].replace("/", "")


def canonical(board: str) -> str:
    images = []
    for _ in range(4):
        board = "".join(board[i] for i in TURNED)
        images += [board, "".join(board[i] for i in MIRRORED)]
    return min(images)


def positions() -> Iterator[Position]:
    """All that are not terminal, one of each that are alike by symmetry."""
    seen, waiting = set(), [Position(TicTacToe())]
    while waiting:
        position = waiting.pop()
        key = canonical(cells(position))
        if key in seen or position.is_terminal:
            continue
        seen.add(key)
        yield position
        waiting += [position.copy().play(a) for a in position.legal_actions()]


def test_every_position_is_played_perfectly() -> None:
    """Also soon: the empty board takes the most, a few thousand simulations."""
    search, count = MCTS(TicTacToe(), seed=1), 0
    for position in positions():
        value = minimax(cells(position))
        limit = Limit(simulations=20_000)
        result = search.search(position, limit, forced_too=True)
        assert SIGN[result.proven] == value
        after = position.copy().play(result.action)
        assert -minimax(cells(after)) == value
        count += 1
    assert count == 627
