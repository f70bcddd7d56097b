"""Alpha-beta and negamax against their slow, obvious twin.

Also of `players/minimax.py`.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from playout import ConnectFour, Position, TicTacToe
from playout.core.jit.fallback import interpreting
from playout.players.alphabeta import Deepening
from playout.players.minimax import run
from playout.players.player import Allowance
from playout.players.registry import make_player

from ..toys import Nim, PassNim, TwiceNim, solve

SMALL_FOUR = ConnectFour(rows=4, columns=4, line=3)


@dataclass(frozen=True)
class Sized(Nim):
    """Nim with an evaluation (higher with fewer stones) and a hash of its own."""

    def evaluate(self, state, player):
        worth = 0.5 - state.left / 100
        return worth if state.player == player else -worth

    def hash(self, state):
        return state.left * 2 + state.player


def negamax(position: Position, depth: int) -> float:
    """The value for the player to move, looking so many actions ahead."""
    game, mover = position.game, position.current_player
    if depth == 0:
        return game.evaluate(position.state, mover) if hasattr(game, "evaluate") else 0
    best = -2.0
    for action in position.legal_actions():
        position.play(action)
        if position.is_terminal:
            value = position.returns(mover)
        else:
            same = position.current_player == mover
            value = negamax(position, depth - 1) * (1 if same else -1)
        position.undo()
        best = max(best, value)
    return best


def random_positions(game, count: int, most: int) -> list[Position]:
    """Positions of random games that are not over, after up to so many moves."""
    player, found = make_player("random", game), []
    for seed in range(count):
        player.new_game(seed)
        position = Position(game)
        for _ in range(seed % (most + 1)):
            position.play(player.choose(position.copy(), Allowance()).action)
            if position.is_terminal:
                position.undo()
                break
        found.append(position)
    return found


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(
    ("game", "depth", "most"),
    [
        (TicTacToe(), 3, 7),
        (SMALL_FOUR, 4, 12),
        (Nim(stones=9), 4, 3),
        (TwiceNim(), 5, 4),
        (PassNim(), 5, 2),
        (Sized(stones=12), 3, 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_it_agrees_with_plain_negamax_at_every_depth(game, depth, most, plain):
    """Pruning and the transposition table save positions and never change the value."""
    deepening = Deepening(game, plain=plain, urgent=False)
    for position in random_positions(game, 12, most):
        for ahead in range(1, depth + 1):
            found = deepening.search(position, ahead)
            if not found.complete:
                assert found.depth == ahead
            assert found.value == pytest.approx(negamax(position, found.depth))
            position.play(found.action).undo()  # is legal


def values_of_tic_tac_toe() -> dict[bytes, tuple[Position, float, int]]:
    """Every position not over: itself, its value, and how long best play lasts."""
    found: dict[bytes, tuple[Position, float, int]] = {}

    def visit(position: Position) -> tuple[float, int]:
        key = position.array.tobytes()
        if key in found:
            return found[key][1:]
        options = []
        for action in position.legal_actions():
            position.play(action)
            if position.is_terminal:
                options.append((position.returns(1 - position.current_player), 1))
            else:
                value, length = visit(position)
                options.append((-value, length + 1))
            position.undo()
        best = max(options, key=lambda option: (option[0], -option[0] * option[1]))
        found[key] = (position.copy(), *best)
        return best

    visit(Position(TicTacToe()))
    return found


tic_tac_toe = cache(values_of_tic_tac_toe)


def test_there_are_as_many_positions_as_counted_elsewhere():
    """5478 can be reached, and in 958 of them the game is over."""
    assert len(tic_tac_toe()) == 5478 - 958


@pytest.mark.parametrize("urgent", [True, False])
def test_it_agrees_with_minimax_over_tic_tac_toe(urgent):
    """Values are exact, wins the shortest, losses the longest there are."""
    deepening = Deepening(TicTacToe(), urgent=urgent)
    table = tic_tac_toe()
    for position, value, length in list(table.values())[::9]:
        found = deepening.search(position)
        assert found.complete
        assert found.value == value
        if value != 0:
            assert found.depth == length
        position.play(found.action)
        if not position.is_terminal:
            _, after, left = table[position.array.tobytes()]
            assert -after == value
            assert value == 0 or left == length - 1
        position.undo()


def test_theory_of_nim():
    for stones in range(1, 25):
        position = Position(Nim(stones=stones))
        found = Deepening(position.game).search(position)
        assert found.complete
        assert found.value == (-1.0 if stones % 4 == 0 else 1.0)
        if stones % 4:
            assert found.action == stones % 4


@pytest.mark.parametrize("game", [TwiceNim(), PassNim()], ids=["TwiceNim", "PassNim"])
def test_players_who_move_twice_or_pass(game):
    for position in random_positions(game, 10, 3):
        assert Deepening(game).search(position).value == solve(position)


@pytest.mark.parametrize("game", [Nim(stones=6), TwiceNim(stones=5)], ids=["1", "2"])
def test_interpreted_and_compiled_search_alike(game, monkeypatch):
    compiled = Deepening(game)
    compiled.reset(5)
    expected = compiled.search(Position(game))
    monkeypatch.setattr("playout.players.alphabeta.TABLE_BITS", 6)
    interpreted = Deepening(game)
    interpreted.reset(5)
    interpreted.prepare()
    interpreted._native = run.function
    with np.errstate(over="ignore"):
        found = interpreted.search(Position(game))
    assert (found.action, found.value, found.depth) == (
        expected.action,
        expected.value,
        expected.depth,
    )


def test_plain_negamax_sees_every_line():
    """Nine first moves, 72 of two, 504 of three; depths 1, 2 and 3 in turn."""
    found = Deepening(TicTacToe(), plain=True).search(Position(TicTacToe()), 3)
    assert found.nodes == 9 + (9 + 72) + (9 + 72 + 504)


def test_pruning_sees_less():
    start = Position(ConnectFour())
    plain = Deepening(ConnectFour(), plain=True).search(start, 6)
    pruned = Deepening(ConnectFour(), urgent=False).search(start, 6)
    assert pruned.nodes < plain.nodes / 10


def test_what_the_game_says_of_its_states_is_asked():
    position = Position(Sized(stones=21))
    found = Deepening(position.game).search(position, 1)
    assert found.action == 1  # the opponent, who moves next, likes few stones
    assert found.value == pytest.approx(-(0.5 - 20 / 100))


# -- limits ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Walk(Nim):
    """One player, who pays for every stone."""

    zero_sum = False
    return_range = (-100.0, -10.0)

    def num_players(self):
        return 1

    def apply(self, state, action):
        state.left -= action

    def current_player(self, state):
        return 0

    def returns(self, state, player):
        return -20.0


def test_beyond_the_horizon_the_return_nearest_to_0_counts():
    position = Position(Walk(stones=9))
    with interpreting():
        deepening = Deepening(position.game)
        assert deepening.search(position, 1).value == -10.0
        assert deepening.search(position, 1, stopped=lambda: True).value == -10.0
        assert (
            deepening.search(position.play("3").play("3").play("2"), 2).value == -20.0
        )


class Ticking:
    """A clock that moves on whenever it is read."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.now = seconds, 0.0

    def __call__(self) -> float:
        self.now += self.seconds
        return self.now


def test_time_ends_a_search():
    deepening = Deepening(ConnectFour())
    deepening.prepare()
    deepening.clock = clock = Ticking(0.01)
    found = deepening.search(Position(ConnectFour()), seconds=1)
    assert not found.complete
    assert found.depth >= 1
    assert clock.now <= 1 + 0.04


def test_without_any_time_the_answer_is_legal():
    position = Position(ConnectFour())
    found = Deepening(ConnectFour()).search(position, seconds=-1)
    assert found.depth == 0
    assert found.action in position.legal_actions()


def test_stop_and_progress_end_a_search():
    player = make_player("alphabeta", ConnectFour())
    player.prepare()
    start = Position(ConnectFour())
    player.deepening.clock = Ticking(0.1)
    told = []

    def progress(result):
        told.append(result)
        return len(told) < 3

    player.choose(start, Allowance(seconds=1000, progress=progress))
    assert told == [None] * 3
    player.choose(start, Allowance(seconds=1000, progress=lambda result: player.stop()))


def test_an_interrupt_leaves_it_usable():
    player = make_player("alphabeta:depth=5", ConnectFour())
    start = Position(ConnectFour())

    def interrupt(result):
        raise KeyboardInterrupt

    player.deepening.clock = Ticking(0.2)
    with pytest.raises(KeyboardInterrupt):
        player.choose(start, Allowance(progress=interrupt))
    assert "depth 5" in player.choose(start, Allowance()).comment


def test_the_only_move_is_played_at_once():
    start = Position(Nim(stones=9, most=1))
    decision = make_player("alphabeta", start.game).choose(start, Allowance())
    assert decision.action == 1
    assert decision.comment.startswith("depth 1")
