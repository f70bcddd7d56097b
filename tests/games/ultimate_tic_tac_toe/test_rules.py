"""Ultimate tic-tac-toe against counts, an oracle, and itself, in every variant.

Also of `games/ultimate_tic_tac_toe/cells.py`, `games/ultimate_tic_tac_toe/text.py` and
`games/ultimate_tic_tac_toe/threats.py`.
"""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path

import numpy as np
import pytest

from playout.core.errors import IllegalMoveError, PositionError, UsageError
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.positions.counting import perft, random_play
from playout.games.positions.position import Position
from playout.games.registry import game_spec, make_game
from playout.games.ultimate_tic_tac_toe.cells import nth_cell
from playout.games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
from tests.oracles.ultimate_oracle import UltimateOracle

DATA = Path(__file__).parents[2] / "data"
KNOWN = json.loads((DATA / "ultimate.json").read_text(encoding="utf-8"))
POSITIONS = KNOWN["positions"]["positions"]
VARIANTS = [
    ("classic", False),
    ("first-board", False),
    ("first-board", True),
    ("count", False),
    ("play-on", False),
]
EMPTY = "/".join(["." * 9] * 9)
#: Larger counts take more than a few seconds.
MOST = 300_000_000


def test_the_nth_cell_of_every_mask():
    for mask in range(512):
        cells = [cell for cell in range(9) if mask >> cell & 1]
        assert [nth_cell(np.uint64(mask), n) for n in range(len(cells))] == cells


@kernel
def apply_natively(game, states, action):
    game.apply(states[0], action)


@kernel
def urgent_natively(game, states, actions):
    return game.urgent_actions(states[0], actions)


@pytest.mark.optimised
@pytest.mark.parametrize("variant", ["classic", "first-board", "play-on"])
def test_perft_from_the_start(variant):
    counts = [n for n in KNOWN["perft"][variant] if n <= MOST]
    game = UltimateTicTacToe(variant=variant)
    assert [perft(game, depth) for depth in range(len(counts))] == counts


@pytest.mark.optimised
def test_nine_board_counts_as_first_board_so_early():
    counts = [n for n in KNOWN["perft"]["first-board"] if n <= MOST]
    game = UltimateTicTacToe(variant="first-board", nine_board=True)
    assert perft(game, len(counts) - 1) == counts[-1]


@pytest.mark.optimised
@pytest.mark.parametrize("known", POSITIONS, ids=lambda known: known["boards"])
def test_perft_of_published_positions(known):
    text = f"{known['boards']} {known['target']} {known['to_move']}"
    game = UltimateTicTacToe()
    for depth, count in enumerate(known["perft"]):
        if count <= MOST:
            assert perft(game, depth, Position(game, text)) == count


def test_perft_of_count_against_oracle():
    """From the start, and from the middle of a game, where its end matters."""
    game, oracle = UltimateTicTacToe(variant="count"), UltimateOracle("count")
    assert perft(game, 3) == oracle.perft(3)
    position = play_along(game, oracle, random.Random(5), plies=45)
    assert perft(game, 3, position) == oracle.perft(3)


def play_along(game, oracle, rng, plies):
    """A random game, in both, up to some plies or its end."""
    position = Position(game)
    while len(position.actions) < plies and oracle.moves():
        move = rng.choice(oracle.moves())
        oracle.play(*move)
        position.play(9 * move[0] + move[1])
    return position


@pytest.mark.parametrize(("variant", "nine_board"), VARIANTS)
def test_random_games_against_oracle(variant, nine_board):
    """Interpreted, compiled and the oracle agree at every ply."""
    game = UltimateTicTacToe(variant=variant, nine_board=nine_board)
    rng = random.Random(variant)
    states = np.zeros(1, dtype=game.state_dtype())
    buffer = np.zeros(81, dtype=np.int32)
    apply = apply_natively.compile(game, Rows(states), 0)
    for _ in range(12):
        position, oracle = Position(game), UltimateOracle(variant, nine_board)
        while moves := oracle.moves():
            check_same(position, oracle)
            move = rng.choice(moves)
            action = 9 * move[0] + move[1]
            states[:] = position.array
            apply(game, Rows(states), action)
            position.play(action)
            oracle.play(*move)
            assert states.tobytes() == position.array.tobytes()
        check_same(position, oracle)
        value = {"X": 1.0, "O": -1.0, "": 0.0}[oracle.winner()]
        assert (position.returns(0), position.returns(1)) == (value, -value)
        assert game.urgent_actions(position.state, buffer) == 0


def check_same(position: Position, oracle: UltimateOracle) -> None:
    legal = [9 * board + cell for board, cell in oracle.moves()]
    assert position.legal_actions() == legal
    assert position.is_terminal == (not legal)
    assert position.current_player == "XO".index(oracle.mover)
    text = position.to_text()
    assert text.split()[0] == "/".join(map("".join, oracle.boards))
    again = Position(position.game, text)
    assert again.array.tobytes() == position.array.tobytes()
    assert again.to_text() == text


@pytest.mark.parametrize(("variant", "nine_board"), VARIANTS)
def test_urgent_actions_against_oracle(variant, nine_board):
    game = UltimateTicTacToe(variant=variant, nine_board=nine_board)
    buffer = np.zeros(81, dtype=np.int32)
    start = Position(game)
    native = urgent_natively.compile(game, Rows(start.array), buffer)
    rng = random.Random(7)
    restricted = 0
    for _ in range(6):
        actions = play_along(game, UltimateOracle(variant, nine_board), rng, 81).actions
        for plies in range(len(actions) - 5, len(actions)):
            position = Position.from_moves(game, actions[:plies])
            oracle = UltimateOracle(variant, nine_board)
            for action in actions[:plies]:
                oracle.play(*divmod(action, 9))
            wanted = [9 * board + cell for board, cell in oracle.urgent()]
            count = native(game, Rows(position.array), buffer)
            assert buffer[:count].tolist() == wanted
            assert game.urgent_actions(position.state, buffer) == count
            assert buffer[:count].tolist() == wanted
            restricted += bool(wanted)
    assert restricted >= 5


@pytest.mark.parametrize(("variant", "nine_board"), VARIANTS)
def test_rollout_draws_as_the_generic_one_does(variant, nine_board):
    """The same seed gives the same games: the two differ in speed alone."""
    game = UltimateTicTacToe(variant=variant, nine_board=nine_board)
    own = random_play(game, 20_000, seed=3)
    generic = random_play(game, 20_000, seed=3, generic=True)
    assert (own.wins, own.draws, own.mean_plies) == (
        generic.wins,
        generic.draws,
        generic.mean_plies,
    )


@pytest.mark.parametrize("generic", [False, True])
@pytest.mark.parametrize("variant", ["classic", "first-board", "play-on"])
def test_random_play_frequencies(variant, generic):
    """Every share within 5.5 standard errors: false alarms below 1e-6 in all.

    The known shares were counted over 3,000,000 games and rounded to four places,
    which the standard error allows for.
    """
    games, counted = 300_000, 3_000_000
    known = KNOWN["random_play"][variant]
    play = random_play(UltimateTicTacToe(variant=variant), games, 17, generic)
    shares = zip(
        (*play.wins, play.draws), (known[k] for k in ("x", "o", "draw")), strict=True
    )
    for count, share in shares:
        error = math.sqrt(share * (1 - share) * (1 / games + 1 / counted))
        assert abs(count / games - share) <= 5.5 * error + 0.00005
    assert abs(play.mean_plies - known["plies"]) < 5.5 * 20 / math.sqrt(games) + 0.005


def test_a_finished_game_of_classic():
    known = KNOWN["finished_game"]
    game = UltimateTicTacToe()
    position = Position(game)
    for board, cell in known["moves"]:
        assert not position.is_terminal
        position.play(9 * board + cell)
    assert position.is_terminal
    assert position.returns("XO".index(known["winner"])) == 1.0
    marks = position.to_text().split()[0].split("/")
    for mark in "XO":
        stones = [[b, c] for b in range(9) for c in range(9) if marks[b][c] == mark]
        assert stones == sorted(known[mark])


def test_that_game_is_none_of_play_on():
    """Sent to a won board, its player chooses freely; play-on must play there."""
    position = Position(UltimateTicTacToe(variant="play-on"))
    moves = [9 * board + cell for board, cell in KNOWN["finished_game"]["moves"]]
    with pytest.raises(IllegalMoveError):
        Position.from_moves(position.game, moves)


def test_second_move_has_eight_choices_after_a_move_into_its_own_board():
    game = UltimateTicTacToe()
    assert len(Position(game).legal_actions()) == 81
    for action in range(81):
        board, cell = divmod(action, 9)
        after = Position(game).play(action).legal_actions()
        assert len(after) == (8 if board == cell else 9)


def test_full_target_by_variant():
    """X has just sent O to board a, which is full and nobody's."""
    full = "/".join(["XOXXOOOXX", "X........", *["." * 9] * 7]) + " a O"
    for variant, nine_board in VARIANTS:
        position = Position(UltimateTicTacToe(variant, nine_board), full)
        assert len(position.legal_actions()) == (0 if nine_board else 71)
        assert position.is_terminal == nine_board
        if nine_board:
            assert position.returns(0) == 0.0


def test_won_target_by_variant():
    """X has just sent O to board a, which X has won and which is not full."""
    won = "/".join(["XXXOO....", "X........", *["." * 9] * 7]) + " a O"
    choices = {"classic": 71, "count": 71, "play-on": 4, "first-board": 0}
    for variant, count in choices.items():
        position = Position(UltimateTicTacToe(variant), won)
        assert len(position.legal_actions()) == count


def test_play_on_keeps_the_first_owner():
    text = "/".join(["XXXOO....", *["." * 9] * 8]) + " a O"
    position = Position(UltimateTicTacToe("play-on"), text).play("af")
    assert position.to_text().endswith("f X X........")
    with pytest.raises(PositionError, match="board a has lines of both players"):
        Position(position.game, position.to_text().rpartition(" ")[0])


def test_count_compares_boards_when_no_line_is_left():
    x, o, full = "XXX......", "OOO......", "XOXXOOOX."
    boards = "/".join([x, x, o, o, o, x, x, x, full]) + " i X"
    game = UltimateTicTacToe("count")
    assert Position(game, boards).play("ii").returns(0) == 1.0
    even = Position(UltimateTicTacToe("classic"), boards).play("ii")
    assert even.is_terminal
    assert even.returns(0) == 0.0


def test_playthrough():
    expected = DATA / "playthroughs" / "ultimate-tic-tac-toe.txt"
    assert playthrough() == expected.read_text(encoding="utf-8").splitlines()


def playthrough() -> list[str]:
    """The finished game of the data file, with what is legal after every move."""
    position = Position(UltimateTicTacToe())
    lines = []
    for move in (None, *KNOWN["finished_game"]["moves"]):
        if move is not None:
            position.play(9 * move[0] + move[1])
        names = [position.game.action_name(a) for a in position.legal_actions()]
        lines += [f"move: {position.moves[-1] if move else 'none'}", position.render()]
        lines += [position.to_text(), f"legal: {' '.join(names) or 'none'}"]
    lines += [f"returns: {position.returns(0)} {position.returns(1)}"]
    return [line.rstrip() for line in "\n".join(lines).splitlines()]


def test_board_points_out_what_matters():
    position = Position.from_moves(UltimateTicTacToe(), ["ee", "ea"])
    board = position.game.board(position.state, position.last_action)
    assert board.block == 3
    assert board.last == (3, 3)
    assert board.playable == {(row, column) for row in range(3) for column in range(3)}
    assert board.text_below() == "boards a to i; won: none; X plays in a"
    assert board.text_below(over=True) == "boards a to i; won: none"


def test_the_drawing_shows_what_to_type():
    """Every move that is legal stands where it would be played, and nothing else."""
    for moves in ([], ["ae"], ["ae", "ea"]):
        position = Position.from_moves(UltimateTicTacToe(), moves)
        board = position.game.board(position.state, position.last_action)
        legal = position.legal_actions()
        for action in legal:
            assert board.names[position.game.cell(action)] == (
                position.game.action_name(action)
            )
        drawn = position.render().rpartition("\n")[0]
        shown = re.findall(r"[a-i]+", drawn)
        assert sorted(shown) == sorted(map(position.game.action_name, legal))
        assert all(len(line) <= 30 for line in drawn.splitlines())


def test_winning_cells_are_those_of_the_three_boards():
    position = Position(UltimateTicTacToe())
    for board, cell in KNOWN["finished_game"]["moves"]:
        position.play(9 * board + cell)
    board = position.game.board(position.state)
    assert len(board.winning) == 9
    assert {3 * (y // 3) + x // 3 for y, x in board.winning} == {0, 4, 8}
    assert board.text_below() == "boards a to i; won: X g, O a e i"


@pytest.mark.parametrize("text", ["bg", "BG", "2 3", "3,2", "3, 2"])
def test_moves_are_read_in_three_ways(text):
    assert UltimateTicTacToe().parse_action(text) == 15


def test_names_read_back():
    game = UltimateTicTacToe()
    for action in range(81):
        row, column = game.cell(action)
        for text in (game.action_name(action), f"{row} {column}", f"{column},{row}"):
            assert game.parse_action(text) == action


@pytest.mark.parametrize(
    "text", ["", "a", "aj", "abc", "9 0", "0 9", "0,9", "1 2 3", "-1 0", "00", "² 1"]
)
def test_bad_moves_say_what_is_accepted(text):
    with pytest.raises(UsageError, match=r"moves are ae .board a, cell e"):
        UltimateTicTacToe().parse_action(text)


@pytest.mark.parametrize(
    "text",
    ["", EMPTY, EMPTY + " j X", EMPTY + " a Z", EMPTY[:-1] + " - X", EMPTY + " - X a"],
)
def test_bad_positions_say_what_is_accepted(text):
    with pytest.raises(PositionError, match="expected nine boards of nine cells"):
        Position(UltimateTicTacToe(), text)


@pytest.mark.parametrize(
    ("variant", "text", "message"),
    [
        ("classic", "XXXOOO.../" + EMPTY[10:] + " - X", "board a has lines of both"),
        ("play-on", "XXX....../" + EMPTY[10:] + " - X O........", "line of its owner"),
        ("play-on", EMPTY + " - X X........", "line of its owner"),
        (
            "first-board",
            "XXX....../OOO....../" + EMPTY[20:] + " - X",
            "both players have won",
        ),
    ],
)
def test_impossible_positions_are_refused(variant, text, message):
    with pytest.raises(PositionError, match=message):
        Position(UltimateTicTacToe(variant), text)


def test_bad_parameters_say_what_is_accepted():
    with pytest.raises(UsageError, match="one of classic, first-board, count, play-on"):
        UltimateTicTacToe("classical")
    with pytest.raises(UsageError, match="nine_board belongs to variant=first-board"):
        UltimateTicTacToe("count", nine_board=True)


@pytest.mark.parametrize(
    ("mode", "variant"), [("mode-1", "first-board"), ("mode-2", "classic")]
)
def test_modes_are_names_of_variants(mode, variant):
    game = make_game(f"ultimate-tic-tac-toe:variant={mode}")
    assert game == UltimateTicTacToe(variant=variant)
    assert game_spec(game) == game_spec(UltimateTicTacToe(variant=variant))
