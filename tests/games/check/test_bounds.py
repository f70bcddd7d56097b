"""Rules of others are played with every index checked before they run compiled.

What may be found is in `games/check/faults.py`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import MCTS, Game, RulesError, UsageError, perft, static
from playout.games.check import bounds
from playout.games.check.bounds import check_bounds, expect_bounds
from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from playout.games.positions.counting import divide, random_play
from playout.games.positions.native_position import NativePosition
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.players.registry import make_player
from tests.toys import Coins, Nim, Wheel


@dataclass(frozen=True)
class Urges(Nim):
    """Says that one action is urgent, or that so many are."""

    action: int = 1
    count: int = 1

    def urgent_actions(self, state, actions):
        actions[0] = self.action
        return self.count


@dataclass(frozen=True)
class Pays(Nim):
    """Both players get this."""

    value: float = 0.0

    def returns(self, state, player):
        return self.value


@dataclass(frozen=True)
class Shared(Pays):
    zero_sum = False


@dataclass(frozen=True)
class Rolls(Nim):
    """A rollout that says so many actions, with so many stones left."""

    plies: int = 7
    rest: int = 0

    def rollout(self, state, actions, rng):
        state.left = self.rest
        return self.plies


@dataclass(frozen=True)
class Estimates(Nim):
    """It gives this value to all states and this prior to all actions."""

    value: float = 0.0
    weight: float = 1.0

    def evaluate(self, state, player):
        return self.value

    def prior(self, state, action):
        return self.weight


@dataclass(frozen=True)
class Dislikes(Nim):
    """One action has a prior below 0, though all have one above it."""

    def prior(self, state, action):
        return -0.5 if action == 1 and state.left > 1 else 2.0


@dataclass(frozen=True)
class Certain(Coins):
    """A throw has one outcome that comes, and one that does not."""

    def chance_probability(self, state, action):
        return float(action)


@dataclass(frozen=True)
class Fill(Game):
    """Cells are filled in turn; a game has more of them than it may be long."""

    cells: int = static(30)

    def num_actions(self):
        return self.cells

    def state_dtype(self):
        return np.dtype([("filled", "i1", (self.cells,)), ("count", "i4")])

    def initial_state(self, state):
        state.count = 0

    def current_player(self, state):
        return state.count % 2

    def legal_actions(self, state, actions):
        count = 0
        for cell in range(self.cells):
            if state.filled[cell] == 0:
                actions[count] = cell
                count += 1
        return count

    def apply(self, state, action):
        state.filled[action] = 1
        state.count += 1

    def is_terminal(self, state):
        return state.count == self.cells

    def returns(self, state, player):
        return 0.0

    def max_game_length(self):
        return 10

    def fills(self):
        return True


@dataclass(frozen=True)
class Stuck(Nim):
    """At one number of stones, for one player, there is no move; it has no rollout."""

    stones: int = 200

    def legal_actions(self, state, actions):
        count = min(3, state.left)
        for i in range(count):
            actions[i] = i + 1
        return -3 if state.left == 10 and state.player == 0 else count


@dataclass(frozen=True)
class Many(Nim):
    """At the end there are more legal actions than actions."""

    def legal_actions(self, state, actions):
        count = min(3, state.left)
        for i in range(count):
            actions[i] = i + 1
        return 200 if state.left == 1 else count


@dataclass(frozen=True)
class Endless(Nim):
    """One can take from nothing, as in many a first draft of rules."""

    def legal_actions(self, state, actions):
        for i in range(3):
            actions[i] = i + 1
        return min(3, max(1, state.left))


@dataclass(frozen=True)
class HidesOnce(Nim):
    """What is hidden already, these rules cannot hide."""

    has_hidden = True

    def hide(self, state, player):
        if state.left < 0:
            raise ValueError("hidden already")
        state.left = -1

    def determinize(self, state, player, rng):
        state.left = 1


@dataclass(frozen=True)
class DrawsHidden(HidesOnce):
    """They draw for what is hidden, and not in the true state."""

    def hide(self, state, player):
        state.left = -1

    def determinize(self, state, player, rng):
        if state.left >= 0:
            raise ValueError("the true state")
        state.left = 1


@pytest.mark.parametrize(
    ("game", "said"),
    [(HidesOnce(), "hidden already"), (DrawsHidden(), "the true state")],
    ids=str,
)
def test_hiding_twice_and_drawing_in_the_true_state(game: Game, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        fault(game)


def fault(game: Game) -> str:
    """What a walk by the interpreted rules finds."""
    with np.errstate(over="ignore"):
        return bounds.FAULTS[bounds._walk(*bounds._walk_arguments(game, seed=0))]


@pytest.mark.parametrize(
    ("game", "law"),
    [
        (Nim(), ""),
        (Coins(), ""),
        (Urges(), ""),
        (Urges(action=0), "law 2: urgent"),
        (Urges(action=-5), "law 2: urgent"),
        (Urges(action=1_000_000), "law 2: urgent"),
        (Urges(count=1000), "law 2: urgent"),
        (Urges(count=-7), "law 2: urgent"),
        (Urges(count=2), "law 2: urgent"),
        (Pays(), ""),
        (Pays(value=1.0), "law 4: the returns of a zero-sum"),
        (Pays(value=np.nan), "law 4: returns are not all"),
        (Shared(value=1.0), ""),
        (Shared(value=1.5), "law 4"),
        (Shared(value=-1.5), "law 4"),
        (Rolls(), ""),
        (Rolls(rest=1), "law 13"),
        (Rolls(rest=1, plies=10_000), ""),
        (Rolls(plies=0), "law 13"),
        (Rolls(plies=-3), "law 13"),
        (Rolls(plies=10_001), "law 13"),
        (Estimates(), ""),
        (Estimates(value=0.5), "law 12"),
        (Estimates(value=-1.5), "law 12"),
        (Estimates(weight=0.0), "law 12"),
        (Estimates(weight=-1.0), "law 12"),
        (Dislikes(), "law 12"),
        (Certain(), "law 10: the probabilities"),
        (Wheel(), ""),  # it never ends, and a walk does
        (Nim(stones=0), ""),
        (PhantomTicTacToe(), ""),
        (Fill(), ""),
        (Stuck(), "law 1: legal_actions returned 0 or less"),
        (Endless(), "law 1: legal_actions returned more than 0"),
        (Many(), "law 2: legal_actions returned more"),
    ],
    ids=str,
)
def test_what_a_walk_finds(game: Game, law: str) -> None:
    assert fault(game).startswith(law)
    assert bool(fault(game)) == bool(law)


USES: dict[str, Any] = {
    "search": lambda game: MCTS(game).compile(),
    "perft": lambda game: perft(game, 5),
    "divide": lambda game: divide(game, 5),
    "random_play": lambda game: random_play(game, 1),
    "alphabeta": lambda game: make_player("alphabeta", game).prepare(),
    "native position": NativePosition,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_nothing_runs_rules_compiled_that_were_not_looked_at(use: Any) -> None:
    """Run unchecked, these rules have the program read far outside its arrays."""
    with pytest.raises(RulesError, match=r"Many breaks law 2: .* than num_actions"):
        use(Many())


def test_a_game_is_looked_at_once_and_ours_never(monkeypatch) -> None:
    looks: list[Game] = []
    monkeypatch.setattr(bounds, "check_bounds", looks.append)
    game = Nim()
    for _ in range(3):
        expect_bounds(game)
        expect_bounds(TicTacToe())
    assert looks == [game]


def test_a_game_that_was_refused_is_refused_again() -> None:
    game = Many()
    for _ in range(2):
        with pytest.raises(RulesError, match="law 2"):
            expect_bounds(game)


def test_rollouts_that_fill_end_where_a_game_is_too_long() -> None:
    played = random_play(Fill(), 5)
    assert (played.mean_plies, played.draws) == (10, 5)


@pytest.mark.parametrize("use", [perft, random_play])
def test_what_is_no_game_is_not_looked_at(use: Any) -> None:
    with pytest.raises(UsageError, match="'tic-tac-toe' is not a game"):
        use("tic-tac-toe", 1)


def test_laws_can_be_left_to_others() -> None:
    check_bounds(Many(), laws=False)
