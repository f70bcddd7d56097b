"""Gomoku's five rules against a slow oracle, known frequencies and textbook shapes."""

from __future__ import annotations

import json
import math
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from playout import check_game
from playout.core.errors import IllegalMoveError, PositionError, UsageError
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.contract.game import uniform_rollout
from playout.games.gomoku.rules import RULES, Gomoku
from playout.games.positions.counting import perft, random_play
from playout.games.positions.position import Position
from playout.games.registry import make_game
from tests.oracles.gomoku_oracle import Oracle

DATA = Path(__file__).parents[2] / "data"
KNOWN = json.loads((DATA / "gomoku.json").read_text(encoding="utf-8"))

#: A normal deviate beyond this comes up once in a million (both sides).
DEVIATIONS = 4.9


@kernel
def play_natively(game, states, action, actions, seen):
    """Play an action, unless it is negative, and look at the state."""
    if action >= 0:
        game.apply(states[0], action)
    seen[0] = game.legal_actions(states[0], actions)
    seen[1] = game.is_terminal(states[0])
    seen[2] = game.current_player(states[0])
    seen[3] = game.returns(states[0], 0) if seen[1] else 0
    seen[4] = game.returns(states[0], 1) if seen[1] else 0


@kernel
def urgent_natively(game, states, actions):
    return game.urgent_actions(states[0], actions)


@kernel
def rollout_natively(game, states, actions, rng):
    return game.rollout(states[0], actions, rng)


@kernel
def legal_natively(game, states, actions):
    return game.legal_actions(states[0], actions)


def choose(
    oracle: Oracle, legal: list[int], rng: random.Random, clustered: bool
) -> int:
    """A random legal action; if clustered, next to a stone where there is one."""
    near = [
        cell
        for cell in legal
        if any(
            oracle.at(cell // oracle.size + dy, cell % oracle.size + dx) in "XO"
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
        )
    ]
    return rng.choice(near if clustered and near else legal)


def oracle_from_text(text: str, rule: str) -> Oracle:
    board, mover = text.split()
    grid = [list(row) for row in board.split("/")]
    return Oracle(len(grid), rule, grid, mover)


# -- rules -----------------------------------------------------------------------------

CASES = [
    *((5, rule, 6) for rule in RULES),
    *((9, rule, 4) for rule in RULES),
    (7, "renju", 6),
    (15, "freestyle", 4),
    (15, "renju", 1),
    (16, "standard", 1),
    (22, "caro", 1),
]


@pytest.mark.parametrize(("size", "rule", "games"), CASES)
def test_random_games_against_oracle(size, rule, games):
    """Compiled rules and the oracle agree at every ply."""
    game = Gomoku(size, rule)
    states = np.zeros(1, dtype=game.state_dtype())
    buffer = np.zeros(size * size, dtype=np.int32)
    seen = np.zeros(5, dtype=np.int64)
    native = play_natively.compile(game, Rows(states), -1, buffer, seen)
    for number in range(games):
        rng = random.Random(f"{size} {rule} {number}")
        states[:] = Position(game).array
        oracle, action = Oracle(size, rule), -1
        while True:
            native(game, Rows(states), action, buffer, seen)
            legal = oracle.legal()
            assert buffer[: seen[0]].tolist() == legal
            assert seen[1] == (not legal)
            assert seen[2] == "XO".index(oracle.mover)
            if not legal:
                break
            action = choose(oracle, legal, rng, clustered=number % 2 == 1)
            oracle.play(action)
        assert tuple(seen[3:]) == (oracle.result(0), oracle.result(1))


@pytest.mark.parametrize("rule", RULES)
def test_interpreted_games_against_oracle(rule):
    """Interpreted rules agree too, and the text form gives the state back."""
    game, oracle, rng = Gomoku(5, rule), Oracle(5, rule), random.Random(3)
    position = Position(game)
    while legal := oracle.legal():
        assert position.legal_actions() == legal
        assert not position.is_terminal
        text = position.to_text()
        assert text.split() == ["/".join(map("".join, oracle.grid)), oracle.mover]
        assert Position(game, text).array.tobytes() == position.array.tobytes()
        action = rng.choice(legal)
        oracle.play(action)
        position.play(action)
    assert position.is_terminal
    assert position.returns(0) == oracle.result(0)
    again = Position(game, position.to_text())
    assert again.array.tobytes() == position.array.tobytes()


@pytest.mark.parametrize(
    ("size", "rule"), [(6, "freestyle"), (7, "renju"), (16, "caro")]
)
def test_laws(size, rule):
    check_game(Gomoku(size, rule), games=1)


def test_perft_from_the_start():
    assert [perft(Gomoku(5), depth) for depth in range(4)] == [1, 25, 600, 13800]


@pytest.mark.parametrize("rule", RULES)
def test_perft_near_the_end_against_oracle(rule):
    """Depth 3 from a position where both can win, so that paths end early."""
    text = "XXXX..O/OOOO..X/X.O.X.O/O.X.O.X/.XO.XX./O.XO.O./X.O.X.O X"
    assert perft(Gomoku(7, rule), 3, Position(Gomoku(7, rule), text)) == oracle_perft(
        oracle_from_text(text, rule), 3
    )


def oracle_perft(oracle: Oracle, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for action in oracle.legal():
        grid = [row[:] for row in oracle.grid]
        following = Oracle(oracle.size, oracle.rule, grid, oracle.mover)
        following.play(action)
        count += oracle_perft(following, depth - 1)
    return count


# -- what wins -------------------------------------------------------------------------

#: A row of 9 with an empty cell (_) to play on; the rules by which the mover then wins.
ROWS = [
    ("XXXX_....", "X", RULES),
    ("OOOO_....", "O", RULES),
    ("XX_XX....", "X", RULES),
    (".XXX_XX..", "X", ("freestyle", "caro-8")),
    (".OOO_OO..", "O", ("freestyle", "renju", "caro-8")),
    ("OXX_XXO..", "X", ("freestyle", "standard", "renju")),
    ("XOO_OOX..", "O", ("freestyle", "standard", "renju")),
    ("OXX_XX.O.", "X", RULES),
    ("XX_XXO...", "X", RULES),
    ("OXXX_XXO.", "X", ("freestyle", "caro-8")),
    ("XXXX_XXXX", "X", ("freestyle", "caro-8")),
    # played at one end: what closes the five may stand at the other, or not at all
    ("OXXXX_O..", "X", ("freestyle", "standard", "renju")),
    ("OXXXX_...", "X", RULES),
    ("O_XXXXO..", "X", ("freestyle", "standard", "renju")),
    ("._XXXXO..", "X", RULES),
    ("_XXXXO...", "X", RULES),
    ("...O_XXXX", "X", RULES),
    (".XX_X....", "X", ()),
]


@pytest.mark.parametrize("rule", RULES)
def test_rows_that_win(rule):
    """Every row of the table, across, down, and along both diagonals, at all edges."""
    game = Gomoku(9, rule)
    for row, mover, winners in ROWS:
        for cells in lines():
            grid = [["."] * 9 for _ in range(9)]
            for (y, x), mark in zip(cells, row, strict=True):
                grid[y][x] = mark.replace("_", ".")
            text = "/".join(map("".join, grid)) + " " + mover
            y, x = cells[row.index("_")]
            oracle = oracle_from_text(text, rule)
            assert oracle.winning(9 * y + x, mover) == (rule in winners)
            position = Position(game, text)
            if 9 * y + x in position.legal_actions():
                position.play(9 * y + x)
                won = (
                    position.is_terminal and position.returns("XO".index(mover)) == 1.0
                )
                assert won == (rule in winners)
            else:
                assert (rule, mover, winners) == ("renju", "X", ("freestyle", "caro-8"))


def lines() -> list[list[tuple[int, int]]]:
    """Lines of nine cells on the board of nine, in four directions."""
    straight = [[(k, i) for i in range(9)] for k in (0, 4, 8)]
    straight += [[(i, k) for i in range(9)] for k in (0, 4, 8)]
    return [*straight, [(i, i) for i in range(9)], [(i, 8 - i) for i in range(9)]]


def test_the_last_cell():
    """A full board is a draw; a line made by the last stone wins."""
    drawn = "XXOXO/OOXOX/XXOXO/OOXOX/XXOX. X"
    assert Position(Gomoku(5), drawn).play("E1").returns(0) == 0.0
    won = "XXOXX/OOXOX/XXOOX/OOXOX/XXOX. X"
    assert Position(Gomoku(5), won).play("E1").returns(0) == 1.0


# -- renju -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", KNOWN["fouls"])
def test_renju_shapes(name):
    """Textbook shapes: the cells marked b are forbidden, those marked w are not."""
    rows = KNOWN["fouls"][name]
    marked = {(y, x): c for y, row in enumerate(rows) for x, c in enumerate(row)}
    text = "/".join(rows).replace("b", ".").replace("w", ".")
    game, oracle = Gomoku(9, "renju"), oracle_from_text(text + " X", "renju")
    forbidden = game.forbidden(Position(game, text + " X").state)
    assert {cell for cell in forbidden if marked[cell] == "w"} == set()
    assert {cell for cell, mark in marked.items() if mark == "b"} <= forbidden
    empties = [divmod(cell, 9) for cell in oracle.empties()]
    assert forbidden == {cell for cell in empties if oracle.foul(*cell)}
    assert game.forbidden(Position(game, text + " O").state) == frozenset()


def test_renju_fouls_on_crowded_boards():
    """Random boards, many of whose fouls hang on fouls two and three stones later."""
    game = Gomoku(9, "renju")
    buffer = np.zeros(81, dtype=np.int32)
    native = legal_natively.compile(game, Rows(Position(game).array), buffer)
    rng = random.Random(11)
    deeper = 0
    for _ in range(60):
        cells = rng.choices(".XO", weights=(12, 5, 2), k=81)
        text = "/".join("".join(cells[i : i + 9]) for i in range(0, 81, 9)) + " X"
        oracle = oracle_from_text(text, "renju")
        if any(oracle.wins_at(*divmod(i, 9)) for i in range(81) if cells[i] != "."):
            continue
        count = native(game, Rows(Position(game, text).array), buffer)
        assert buffer[:count].tolist() == oracle.legal(), text
        deeper += oracle.excused
    assert deeper > 20  # threes that only a foul further on made unreal


def test_renju_black_without_a_move_draws():
    """Every empty cell is forbidden: the game ends, and nobody has won."""
    game = Gomoku(7, "renju")
    text = "XXX.XXX/OOOXOOO/OXOXOXO/XOXOXOX/OOXOXOO/XOXOXOX/OXOXOXO X"
    position = Position(game, text)
    assert position.is_terminal
    assert position.returns(0) == position.returns(1) == 0.0
    assert position.legal_actions() == []


# -- what must be played ---------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_urgent_actions_against_oracle(rule):
    game = Gomoku(9, rule)
    states = np.zeros(1, dtype=game.state_dtype())
    buffer = np.zeros(81, dtype=np.int32)
    native = urgent_natively.compile(game, Rows(states), buffer)
    rng = random.Random(f"urgent {rule}")
    lengths = []
    for _ in range(3 if rule == "renju" else 6):
        oracle, position = Oracle(9, rule), Position(game)
        while legal := oracle.legal():
            states[:] = position.array
            count = native(game, Rows(states), buffer)
            assert states.tobytes() == position.array.tobytes()
            assert buffer[:count].tolist() == oracle.urgent(), position.to_text()
            lengths.append(count)
            wise = count > 0 and rng.random() < 0.8
            action = (
                int(buffer[0]) if wise else choose(oracle, legal, rng, clustered=True)
            )
            oracle.play(action)
            position = Position(game, position.to_text()).play(action)
    assert {0, 1, 2} < set(lengths)


URGENT = [
    ("H8 A1 H9 C1 H10 E1", "H7 H11"),  # Black makes an open four
    ("H8 A1 H9 C1 H10 E1 A15", "B1 D1 H7 H11"),  # White stops it, or makes a four
    ("H8 A1 H9 C1 H10 E1 H11", "H7 H12"),  # both ends of the four, though too late
    ("H8 A1 H9 C1 H10 E1 H11 A2", "H7 H12"),  # Black wins
    ("H8 A1", ""),
]


@pytest.mark.parametrize(("moves", "expected"), URGENT)
def test_urgent_actions_by_hand(moves, expected):
    position = Position.from_moves(Gomoku(), moves.split())
    buffer = np.zeros(225, dtype=np.int32)
    with np.errstate(over="ignore"):
        count = position.game.urgent_actions(position.state, buffer)
    names = [position.game.action_name(action) for action in buffer[:count]]
    assert sorted(names) == sorted(expected.split())


@pytest.mark.parametrize("rule", RULES)
def test_urgent_actions_keep_the_value(rule):
    """Where the list is not empty, its best move is as good as the best of all."""
    game, rng, checked = Gomoku(6, rule), random.Random(f"value {rule}"), 0
    buffer = np.zeros(36, dtype=np.int32)
    states = np.zeros(1, dtype=game.state_dtype())
    native = urgent_natively.compile(game, Rows(states), buffer)
    while checked < 6:
        text = crowded(rng)
        oracle = oracle_from_text(text, rule)
        if any(oracle.wins_at(*divmod(i, 6)) for i in stones(oracle)):
            continue
        states[:] = Position(game, text).array
        count = native(game, Rows(states), buffer)
        legal = oracle.legal()
        if 0 < count < len(legal):
            values = {action: -value_after(oracle, action) for action in legal}
            best = max(values[int(action)] for action in buffer[:count])
            assert best == max(values.values()), text
            checked += 1


def stones(oracle: Oracle) -> list[int]:
    return sorted(set(range(oracle.size**2)) - set(oracle.empties()))


def crowded(rng: random.Random) -> str:
    """A board of six whose empty cells are one line and a few more."""
    cells = [rng.choice("XO") for _ in range(36)]
    k = rng.randrange(6)
    line = rng.choice([[6 * k + i for i in range(6)], [k + 6 * i for i in range(6)]])
    mark = rng.choice("XO")
    for cell in line:
        cells[cell] = "."
    for cell in rng.sample(line, 2):
        cells[cell] = mark
    for cell in rng.sample(range(36), 4):
        cells[cell] = "."
    rows = ["".join(cells[i : i + 6]) for i in range(0, 36, 6)]
    return "/".join(rows) + " " + rng.choice("XO")


def value_after(oracle: Oracle, action: int) -> int:
    """The value, for the player then to move, of the position after an action."""

    @cache
    def value(text: str) -> int:
        found = -1
        here = oracle_from_text(text, oracle.rule)
        legal = here.legal()
        for move in legal:
            if here.winning(move, here.mover):
                return 1
        for move in legal:
            found = max(found, -value(here.text_after(move)))
            if found == 1:
                break
        return found if legal else 0

    if oracle.winning(action, oracle.mover):
        return -1
    return value(oracle.text_after(action))


# -- random play -----------------------------------------------------------------------


@pytest.mark.parametrize("generic", [False, True])
@pytest.mark.parametrize(("size", "games"), [(15, 60_000), (9, 100_000)])
def test_random_play_frequencies(size, games, generic):
    """Published frequencies within 4.9 deviations, 5e-5 for their own rounding.

    False alarms: under one in a million for each figure, and the seed is fixed.
    """
    known = KNOWN["uniform_random_play"][str(size)]
    played = random_play(Gomoku(size), games, seed=1, generic=generic)
    for name, number in zip(
        ("black", "white", "draw"), (*played.wins, played.draws), strict=True
    ):
        share = known[name]
        deviation = math.sqrt(share * (1 - share) / games)
        assert abs(number / games - share) <= DEVIATIONS * deviation + 5e-5
    spread = {15: 40.0, 9: 16.5}[size]  # of a game's length; measured, rounded up
    assert abs(played.mean_plies - known["plies"]) < DEVIATIONS * spread / games**0.5


@pytest.mark.parametrize("rule", RULES)
def test_a_rollout_of_a_finished_game_changes_nothing(rule):
    game = Gomoku(5, rule)
    position = Position(game, "XXXXX/OOOO./...../...../..... O")
    before, buffer = position.array.tobytes(), np.zeros(25, dtype=np.int32)
    assert game.rollout(position.state, buffer, make_rng(1)) == 0
    assert position.array.tobytes() == before
    assert position.returns(0) == 1.0


@kernel
def roll_out_generically(game, states, actions, rng):
    return uniform_rollout(game, states[0], actions, rng)


@pytest.mark.parametrize(
    ("size", "rule"),
    [(15, "freestyle"), (16, "standard"), (9, "caro"), (17, "caro-8"), (5, "caro-8")],
)
def test_a_rollout_plays_the_game_of_the_generic_one(size, rule):
    """From the start and after some moves; from the same seed the same state."""
    game, draw = Gomoku(size, rule), random.Random(size)
    buffer = np.zeros(size**2, dtype=np.int32)
    blank = Rows(np.zeros(1, dtype=game.state_dtype()))
    own = rollout_natively.compile(game, blank, buffer, make_rng(0))
    generic = roll_out_generically.compile(game, blank, buffer, make_rng(0))
    for seed in range(3000):
        position = Position(game)
        for cell in draw.sample(range(size**2), seed % 4):
            position.play(cell)
        ends = [Rows(position.array.copy()) for _ in range(2)]
        plies = own(game, ends[0], buffer, make_rng(seed))
        assert generic(game, ends[1], buffer, make_rng(seed)) == plies
        assert ends[0].array.tobytes() == ends[1].array.tobytes()


@pytest.mark.parametrize(
    ("size", "rule"), [(15, "freestyle"), (9, "standard"), (9, "caro")]
)
def test_rollout_leaves_a_finished_state(size, rule):
    """The state after a rollout is that of its board, byte for byte."""
    game = Gomoku(size, rule)
    states = np.zeros(1, dtype=game.state_dtype())
    buffer, rng = np.zeros(size * size, dtype=np.int32), make_rng(2)
    native = rollout_natively.compile(game, Rows(states), buffer, rng)
    for _ in range(10):
        states[:] = Position(game).array
        plies = native(game, Rows(states), buffer, rng)
        finished = Rows(states)[0]
        text = game.state_to_text(finished)
        assert sum(text.count(mark) for mark in "XO") == plies + 1  # and the mover's
        assert Position(game, text).array.tobytes() == states.tobytes()
        assert game.is_terminal(finished)


def test_interpreted_rollout_is_the_compiled_one():
    game = Gomoku(5)
    states = np.zeros(2, dtype=game.state_dtype())
    states[:] = Position(game).array
    buffer = np.zeros(25, dtype=np.int32)
    native = rollout_natively.compile(game, Rows(states), buffer, make_rng(1))
    with np.errstate(over="ignore"):
        plies = game.rollout(Rows(states)[1], buffer, make_rng(1))
    assert native(game, Rows(states), buffer, make_rng(1)) == plies
    assert states[0].tobytes() == states[1].tobytes()


@pytest.mark.parametrize("size", [5, 15, 16, 17, 22])
def test_a_rollout_draws_several_stones_from_each_number(size):
    golden = 0x9E3779B97F4A7C15  # what one number adds to the stream's state
    game = Gomoku(size)
    states = np.zeros(2, dtype=game.state_dtype())
    states[:] = Position(game).array
    buffer, streams = np.zeros(size**2, dtype=np.int32), [make_rng(7), make_rng(7)]
    native = rollout_natively.compile(game, Rows(states), buffer, streams[0])
    plies = native(game, Rows(states), buffer, streams[0])
    with np.errstate(over="ignore"):
        assert game.rollout(Rows(states)[1], buffer, streams[1]) == plies
    assert states[0].tobytes() == states[1].tobytes()
    assert streams[0].state == streams[1].state
    used = (int(streams[0].state[0]) - int(make_rng(7).state[0])) % 2**64
    stones = min(12 * math.ceil(plies / 12), size**2)  # blocks of twelve
    each = 4 if size <= 16 else 2
    assert used * pow(golden, -1, 2**64) % 2**64 == math.ceil(stones / each)


@pytest.mark.parametrize("size", [5, 8, 9, 15, 16, 17, 22])
def test_empty_cells_are_listed_within_the_buffer(size):
    """Compiled, eight places are written at once; there may be no more than cells."""
    game = Gomoku(size, rule="standard")
    draw = random.Random(size)
    for stones in (0, 1, 5, size**2 // 2, size**2 - 3):
        position, free = Position(game), list(range(size**2))
        while not position.is_terminal and size**2 - len(free) < stones:
            position.play(free.pop(draw.randrange(len(free))))
        expected = [] if position.is_terminal else free
        guarded = np.full(size**2 + 16, -7, dtype=np.int32)
        states, buffer = Rows(position.array.copy()), guarded[: size**2]
        count = legal_natively.compile(game, states, buffer)(game, states, buffer)
        assert buffer[:count].tolist() == expected == list(position.legal_actions())
        assert (guarded[size**2 :] == -7).all()


# -- for people ------------------------------------------------------------------------


def test_names_of_cells():
    game = Gomoku()
    for text in ("H8", "h8", "7,7", " 7, 7 "):
        assert game.parse_action(text.replace(" ", "")) == 112
    assert [game.action_name(action) for action in (0, 8, 14, 210, 224)] == [
        "A15", "I15", "O15", "A1", "O1",
    ]  # fmt: skip
    for action in range(225):
        assert game.parse_action(game.action_name(action)) == action


@pytest.mark.parametrize(
    "text",
    ["", "H", "8", "H0", "H16", "P1", "15,0", "0,15", "-1,0", "1,2,3", "H8x", "é1"],
)
def test_what_is_no_cell(text):
    with pytest.raises(UsageError, match="cells are A1 to O15"):
        Gomoku().parse_action(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 5 rows"),
        ("...../...../...../...../..... Z", "expected 5 rows"),
        ("...../...../...../...../....#  X", "expected 5 rows"),
        ("XXXXX/OOOOO/...../...../..... X", "both players"),
    ],
)
def test_texts_that_are_no_position(text, message):
    with pytest.raises(PositionError, match=message):
        Position(Gomoku(5), text)


def test_parameters():
    assert make_game("gomoku:size=19,rule=renju") == Gomoku(19, "renju")
    for spec, message in [
        ("gomoku:size=4", "size must be 5 to 22"),
        ("gomoku:size=23", "size must be 5 to 22"),
        ("gomoku:rule=pente", "rule must be one of freestyle, standard, renju, caro"),
    ]:
        with pytest.raises(UsageError, match=message):
            make_game(spec)


def test_illegal_moves():
    position = Position(Gomoku()).play("H8")
    with pytest.raises(IllegalMoveError, match="H8 cannot be played"):
        position.play("H8")
    rows = KNOWN["fouls"]["overline"]
    text = "/".join(rows).replace("b", ".") + " X"
    with pytest.raises(IllegalMoveError, match="E5 cannot be played"):
        Position(Gomoku(9, "renju"), text).play("E5")


def test_board_points_out_what_matters():
    moves = ["H8", "A1", "H9", "B1", "H10", "C1", "H11", "D1", "H12"]
    position = Position.from_moves(Gomoku(), moves)
    board = position.game.board(position.state, position.last_action)
    assert board.winning == {(row, 7) for row in range(3, 8)}
    assert board.last == (3, 7)
    assert (board.row_labels[0], board.column_labels[-1]) == ("15", "O")


def test_playthrough():
    expected = DATA / "playthroughs" / "gomoku.txt"
    assert playthrough() == expected.read_text(encoding="utf-8").splitlines()


def playthrough() -> list[str]:
    """A game of renju on 9 x 9 in which Black is denied a cell and loses."""
    position = Position(Gomoku(9, "renju"))
    lines: list[str] = []
    for move in ("", *["F5", "B1", "G5", "B2", "E6", "B3", "E7", "B4", "I9", "B5"]):
        if move:
            position.play(move)
        lines += [f"move: {move or 'none'}", position.render(), position.to_text()]
        fouls = sorted(position.game.forbidden(position.state))
        names = [position.game.action_name(9 * row + column) for row, column in fouls]
        lines += [f"forbidden: {' '.join(names) or 'none'}"]
        lines += [f"legal: {len(position.legal_actions())}"]
    lines += [f"returns: {position.returns(0)} {position.returns(1)}"]
    return [line.rstrip() for line in "\n".join(lines).splitlines()]
