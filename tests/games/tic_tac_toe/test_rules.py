"""Tic-tac-toe and m,n,k-games against counts, an oracle, and themselves."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from playout.core.errors import IllegalMoveError, PositionError, UsageError
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.positions.counting import perft, random_play
from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import MNK, TicTacToe
from tests.oracles.mnk_oracle import MNKOracle

DATA = Path(__file__).parents[2] / "data"
KNOWN = json.loads((DATA / "tic_tac_toe.json").read_text(encoding="utf-8"))
SHAPES = [(3, 3, 3), (3, 4, 3), (6, 5, 4), (8, 8, 5)]
ODD_SHAPES = [(1, 7, 3), (3, 3, 1)]


@kernel
def apply_natively(game, states, action):
    game.apply(states[0], action)


@kernel
def urgent_natively(game, states, actions):
    return game.urgent_actions(states[0], actions)


@pytest.mark.optimised
def test_perft_counts_every_ply():
    counts = [perft(TicTacToe(), depth) for depth in range(10)]
    assert counts == KNOWN["nodes_at_ply"]


@cache
def look(text: str) -> tuple[float | None, list[str]]:
    """The first player's return in a position, if it is over, and what can follow."""
    position = Position(TicTacToe(), text)
    following = []
    for action in position.legal_actions():
        following.append(position.play(action).to_text())
        position.undo()
    return position.returns(0) if position.is_terminal else None, following


def test_every_game_and_position_counted():
    """All games by outcome and length, all positions, all classes."""
    game = TicTacToe()
    outcomes = {1.0: 0, -1.0: 0, 0.0: 0}
    lengths = [0] * 10
    ways = {Position(game).to_text(): 1}
    seen: set[str] = set()
    value: dict[str, float] = {}
    for ply in range(10):
        seen |= set(ways)
        assert len(ways) == KNOWN["positions_at_ply"][ply]
        following: dict[str, int] = {}
        for text, count in ways.items():
            result, texts = look(text)
            if result is not None:
                value[text] = result
                outcomes[result] += count
                lengths[ply] += count
            for after in texts:
                following[after] = following.get(after, 0) + count
        ways = following
    assert outcomes == {
        1.0: KNOWN["x_wins"],
        -1.0: KNOWN["o_wins"],
        0.0: KNOWN["draws"],
    }
    assert sum(outcomes.values()) == KNOWN["games"]
    assert lengths == KNOWN["games_ending_at_ply"]
    assert len(seen) == KNOWN["positions"]
    assert len({canonical(text) for text in seen}) == KNOWN["classes"]
    ends = [list(value.values()).count(result) for result in (1.0, -1.0, 0.0)]
    assert ends == KNOWN["terminal_x_o_draw"]
    assert len({canonical(text) for text in value}) == KNOWN["terminal_classes"]


def canonical(text: str) -> str:
    """The same for all eight turned and mirrored forms of a position."""
    rows = text.split()[0].split("/")
    forms = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        forms += ["/".join(rows), "/".join(row[::-1] for row in rows)]
    return min(forms)


def test_chances_of_random_play_are_exact():
    """By expectation over all moves, without drawing a single number."""

    @cache
    def chances(text: str) -> tuple[Fraction, ...]:
        result, following = look(text)
        if result is not None:
            return tuple(Fraction(result == r) for r in (1.0, -1.0, 0.0))
        parts = zip(*map(chances, following), strict=True)
        return tuple(sum(column) / len(following) for column in parts)

    expected = tuple(map(Fraction, KNOWN["uniform_random_play_x_o_draw"]))
    assert chances("/".join(["..."] * 3) + " X") == expected


@pytest.mark.optimised
@pytest.mark.parametrize("generic", [False, True])
def test_random_play_frequencies(generic):
    """Chi-squared with 2 degrees of freedom; 30 has a false-alarm rate of 3e-7."""
    games = 1_000_000
    play = random_play(TicTacToe(), games, seed=11, generic=generic)
    chances = [float(Fraction(p)) for p in KNOWN["uniform_random_play_x_o_draw"]]
    counts = [*play.wins, play.draws]
    terms = [
        (n - games * p) ** 2 / (games * p) for n, p in zip(counts, chances, strict=True)
    ]
    assert sum(terms) < 30.0, (counts, math.exp(-sum(terms) / 2))


@pytest.mark.parametrize("shape", SHAPES + ODD_SHAPES)
def test_rollout_plays_as_the_generic_one_does(shape):
    """The same chances of every result (two-sample chi-squared, 3 classes).

    `exp(-30 / 2)` is 3e-7 a shape: a false alarm in some 300,000 runs of the suite.
    """
    own = random_play(MNK(*shape), 5_000, seed=3)
    generic = random_play(MNK(*shape), 5_000, seed=4, generic=True)
    pairs = zip([*own.wins, own.draws], [*generic.wins, generic.draws], strict=True)
    statistic = sum((a - b) ** 2 / (a + b) for a, b in pairs if a + b)
    assert statistic < 30.0, (own, generic)
    assert own.mean_plies == pytest.approx(generic.mean_plies, rel=0.05)


@pytest.mark.optimised
@pytest.mark.parametrize("shape", SHAPES + ODD_SHAPES)
def test_random_games_against_oracle(shape):
    """Interpreted, compiled and the oracle agree at every ply."""
    game = MNK(*shape)
    rng = random.Random(str(shape))
    states = np.zeros(1, dtype=game.state_dtype())
    buffer = np.zeros(game.num_actions(), dtype=np.int32)
    apply = apply_natively.compile(game, Rows(states), 0)
    urgent = urgent_natively.compile(game, Rows(states), buffer)
    for _ in range(3 if game.num_actions() < 20 else 1):
        position, oracle = Position(game), MNKOracle(*shape)
        while True:
            legal = position.legal_actions()
            assert legal == oracle.legal()
            assert position.is_terminal == (not legal)
            assert position.to_text().split()[0] == "/".join(map("".join, oracle.rows))
            again = Position(game, position.to_text())
            assert again.array.tobytes() == position.array.tobytes()
            if not legal:
                break
            wanted = oracle.wins_at(oracle.mover) or oracle.wins_at(1 - oracle.mover)
            count = urgent(game, Rows(position.array), buffer)
            assert buffer[:count].tolist() == wanted
            assert game.urgent_actions(position.state, buffer) == count
            action = rng.choice(legal)
            states[:] = position.array
            apply(game, Rows(states), action)
            oracle.play(action)
            position.play(action)
            assert states.tobytes() == position.array.tobytes()
        for player in (0, 1):
            assert position.returns(player) == oracle.returns(player)


@pytest.mark.parametrize("shape", [(2, 5, 3), (3, 3, 3)])
def test_values_of_small_boards(shape):
    value = KNOWN["mnk_values"][",".join(map(str, shape))]
    assert solve(shape) == {"draw": 0.0, "first": 1.0}[value]


def solve(shape: tuple[int, int, int]) -> float:
    """The first player's value, by plain negamax on the game's own rules."""
    game = MNK(*shape)
    buffer = np.zeros(game.num_actions(), dtype=np.int32)
    known: dict[bytes, float] = {}

    def value(states) -> float:
        """For the player to move."""
        key, state = states.tobytes(), Rows(states)[0]
        if key in known:
            return known[key]
        if game.is_terminal(state):
            return game.returns(state, game.current_player(state))
        best = -1.0
        for action in buffer[: game.legal_actions(state, buffer)].tolist():
            after = states.copy()
            game.apply(Rows(after)[0], action)
            best = max(best, -value(after))
            if best == 1.0:
                break
        known[key] = best
        return best

    with np.errstate(over="ignore"):
        return value(Position(game).array)


def test_longer_lines_win_too():
    position = Position(MNK(2, 5, 3), "XX.XX/OO.O. X")
    assert position.play("c2").is_terminal
    assert position.returns(0) == 1.0
    assert len(position.game.board(position.state).winning) == 5


def test_lines_do_not_run_around_the_edge():
    position = Position(MNK(3, 4, 3), "..XX/X.../OO.O X")
    assert not position.is_terminal


def test_last_stone_may_win():
    position = Position(TicTacToe(), "XOX/OXO/OX. X").play("c1")
    assert position.returns(0) == 1.0


def test_playthrough():
    lines = []
    position = Position(TicTacToe())
    for move in ("", "b2", "a1", "a3", "c1", "b1", "b3", "c2", "a2", "c3"):
        if move:
            position.play(move)
        names = [position.game.action_name(a) for a in position.legal_actions()]
        lines += [f"move: {move or 'none'}", position.render(), position.to_text()]
        lines += [f"legal: {' '.join(names) or 'none'}"]
    lines += [f"returns: {position.returns(0)} {position.returns(1)}"]
    expected = DATA / "playthroughs" / "tic-tac-toe.txt"
    assert lines_of("\n".join(lines)) == lines_of(expected.read_text(encoding="utf-8"))


def lines_of(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("text", ["a1", "A1", " a1 ", "2,0", "2, 0", "7"])
def test_moves_are_read_in_three_ways(text):
    assert TicTacToe().parse_action(text) == 6


def test_names_read_back():
    for shape in SHAPES + ODD_SHAPES:
        game = MNK(*shape)
        for action in range(game.num_actions()):
            assert game.parse_action(game.action_name(action)) == action


@pytest.mark.parametrize(
    "text",
    ["", "d1", "a4", "a0", "0", "10", "3,0", "0,3", "-1,0", "1,", "aa", "é1", "²"],
)
def test_bad_moves_say_what_is_accepted(text):
    with pytest.raises(UsageError, match=r"a1 .bottom left. to c3.*telephone"):
        TicTacToe().parse_action(text)


def test_telephone_keys_are_for_nine_cells():
    with pytest.raises(UsageError, match="is not a cell"):
        MNK(4, 4, 4).parse_action("7")


@pytest.mark.parametrize(
    "text",
    ["", "...", ".../.../...", ".../.../... Z", ".../..../.. X", "..a/.../... X"],
)
def test_bad_positions_say_what_is_accepted(text):
    with pytest.raises(PositionError, match="expected 3 rows of 3 cells"):
        Position(TicTacToe(), text)


def test_two_winners_are_refused():
    with pytest.raises(PositionError, match="2 players have a line"):
        Position(TicTacToe(), "XXX/OOO/... X")


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((9, 8, 5), "64 at most; for larger boards there is the game gomoku"),
        ((0, 3, 3), "m .rows. must be 1 or more"),
        ((1, 27, 3), "n .columns. must be 1 to 26"),
        ((3, 3, 4), "must be 1 to 3 on this board"),
    ],
)
def test_bad_sizes_say_what_is_accepted(shape, message):
    with pytest.raises(UsageError, match=message):
        MNK(*shape)


def test_taken_cells_and_finished_games_are_refused():
    position = Position.from_moves(TicTacToe(), ["b2", "a1"])
    with pytest.raises(IllegalMoveError):
        position.play("b2")
    position = Position(TicTacToe(), "XXX/OO./... O")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        position.play("a1")


def test_the_heuristic_counts_open_lines():
    """After X in the centre and O in a corner X has one open line more."""
    position = Position.from_moves(TicTacToe(), ["b2", "a1"])
    lines = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}]
    lines += [{0, 4, 8}, {2, 4, 6}]
    mine = sum(not line & {6} for line in lines)
    theirs = sum(not line & {4} for line in lines)
    game, state = position.game, position.state
    assert game.evaluate(state, 0) == (mine - theirs) / 8 == 1 / 8
    assert game.evaluate(state, 1) == -1 / 8


def test_open_lines_of_a_wide_board():
    game = MNK(m=4, n=6, k=3)
    assert game.open_lines(np.uint64(0)) == 4 * 4 + 2 * 6 + 2 * 2 * 4
    assert game.open_lines(game.cells) == 0
