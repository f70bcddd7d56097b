"""`check_game`: every bundled game keeps the laws; every broken law is found.

Also of `games/check/hidden_information.py`, `games/check/side_by_side.py`,
`games/check/notation.py` and `games/contract/game.py`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MNK,
    ConnectFour,
    Game,
    Gomoku,
    Position,
    PositionError,
    RulesError,
    TicTacToe,
    UltimateTicTacToe,
    check_game,
)
from tests.toys import Corridor, Nim, PassNim, ThreeWays, TwiceNim, Wheel

COMPILED: list[tuple[Game, int]] = [
    (TicTacToe(), 10),
    (MNK(m=4, n=5, k=4), 5),
    (UltimateTicTacToe(), 2),
    (UltimateTicTacToe(variant="count"), 2),
    (ConnectFour(), 5),
    (ConnectFour(rows=9, columns=12, forbidden=(4, 3)), 2),
    (Gomoku(size=7), 2),
    (Gomoku(size=7, rule="renju"), 2),
    (Nim(), 20),
    (PassNim(), 20),
    (TwiceNim(), 20),
    (ThreeWays(), 20),
    (Corridor(length=50), 2),
]
INTERPRETED: list[tuple[Game, int]] = [
    (UltimateTicTacToe(variant="first-board"), 2),
    (UltimateTicTacToe(variant="first-board", nine_board=True), 2),
    (UltimateTicTacToe(variant="play-on"), 1),
    (ConnectFour(rows=4, columns=4, forbidden=(2, 1)), 5),
    (ConnectFour(rows=12, columns=12, line=5), 1),
    (Gomoku(size=5), 2),
    (Gomoku(size=6, rule="standard"), 2),
    (Gomoku(size=6, rule="caro"), 2),
    (Gomoku(size=6, rule="caro-8"), 2),
]


@pytest.mark.parametrize(("game", "games"), COMPILED, ids=str)
def test_laws_hold_interpreted_and_compiled(game: Game, games: int) -> None:
    report = check_game(game, games=games)
    assert report.games == games
    assert report.positions > games


@pytest.mark.parametrize(("game", "games"), INTERPRETED, ids=str)
def test_laws_hold_interpreted(game: Game, games: int) -> None:
    assert check_game(game, games=games, compiled=False).games == games


@dataclass(frozen=True)
class NotTerminal(Nim):
    def is_terminal(self, state):
        return state.left <= 1


@dataclass(frozen=True)
class Descending(Nim):
    def legal_actions(self, state, actions):
        count = min(3, state.left)
        for i in range(count):
            actions[i] = count - i
        return count


@dataclass(frozen=True)
class TooLarge(Nim):
    def num_actions(self):
        return 3


@dataclass(frozen=True)
class Remembers(Nim):
    """Counts its calls in an array of its own: a second result for one state."""

    calls: Any = None

    def apply(self, state, action):
        state.left -= action
        state.player = (1 - state.player + self.calls[0]) % 2
        self.calls[0] = self.calls[0] + 1


@dataclass(frozen=True)
class WinsTwice(Nim):
    def returns(self, state, player):
        return 1.0


@dataclass(frozen=True)
class WinsBig(Nim):
    def returns(self, state, player):
        return 3.0 if state.player != player else -3.0


@dataclass(frozen=True)
class WrongPlayer(Nim):
    def current_player(self, state):
        return state.player + 1


@dataclass(frozen=True)
class ForgetsInText(Nim):
    def state_to_text(self, state):
        return f"left={state.left} player=0"


@dataclass(frozen=True)
class NamesWrong(Nim):
    def action_name(self, action):
        return str(action - 1)

    def parse_action(self, text):
        return int(text)


@dataclass(frozen=True)
class Disagrees(Nim):
    """A sum of two bytes: it wraps around in Python, and not when compiled."""

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1"), ("odd", "i4")])

    def apply(self, state, action):
        state.odd = np.uint8(250) + np.uint8(state.left)  # wraps in Python only
        state.left -= action
        state.player = 1 - state.player


@dataclass(frozen=True)
class DoesNotFill(Nim):
    def fills(self):
        return True


@dataclass(frozen=True)
class UrgentNonsense(Nim):
    def urgent_actions(self, state, actions):
        actions[0] = 0
        return 1


@dataclass(frozen=True)
class LovesBoth(Nim):
    def evaluate(self, state, player):
        return 0.5


@dataclass(frozen=True)
class IsOversure(Nim):
    def evaluate(self, state, player):
        return 2.0 if player == state.player else -2.0


@dataclass(frozen=True)
class SeesNothing(Nim):
    def prior(self, state, action):
        return 0.0


@dataclass(frozen=True)
class TriesItOut(Nim):
    def prior(self, state, action):
        self.apply(state, action)
        return 1.0


@dataclass(frozen=True)
class AlikeInName(Nim):
    def action_name(self, action):
        return "x"


@dataclass(frozen=True)
class StopsEarly(Nim):
    def rollout(self, state, actions, rng):
        return 3


@dataclass(frozen=True)
class DoesNotCount(Nim):
    def rollout(self, state, actions, rng):
        state.left = 0
        return 0


@dataclass(frozen=True)
class NeverBegins(DoesNotCount):
    """Seen at the start alone: its games are over after a move."""


@pytest.mark.parametrize(
    ("game", "law"),
    [
        (NotTerminal(), 1),
        (Descending(), 2),
        (TooLarge(), 2),
        (UrgentNonsense(), 2),
        (Remembers(calls=np.zeros(1, dtype=np.int64)), 3),
        (WinsTwice(), 4),
        (WinsBig(), 4),
        (WrongPlayer(), 5),
        (Wheel(), 6),
        (ForgetsInText(), 7),
        (NamesWrong(), 7),
        (DoesNotFill(), 9),
        (LovesBoth(), 12),
        (IsOversure(), 12),
        (SeesNothing(), 12),
        (TriesItOut(), 12),
        (AlikeInName(), 7),
        (StopsEarly(), 13),
        (DoesNotCount(), 13),
        (NeverBegins(stones=1), 13),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Game) else str(value),
)
def test_every_broken_law_is_named(game: Game, law: int) -> None:
    with pytest.raises(RulesError, match=f"breaks law {law}: .*after the moves"):
        check_game(game, games=3, compiled=False)


def test_what_is_not_zero_sum_is_told_how_to_say_so() -> None:
    with pytest.raises(RulesError, match="or write `zero_sum = False` in the class"):
        check_game(WinsTwice(), games=1, compiled=False)


@dataclass(frozen=True)
class Unseen(Nim):
    def render(self, state, last_action=None, color=False):
        return None if color else "21"


@dataclass(frozen=True)
class Fragile(Nim):
    def render(self, state, last_action=None, color=False):
        return ["one"][last_action or 0]


@dataclass(frozen=True)
class FragileAtWork(Fragile):
    """Its `returns` is asked of finished games only, as it may be."""

    def returns(self, state, player):
        assert state.left == 0
        return 1.0 if state.player != player else -1.0


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (FragileAtWork(), r"FragileAtWork.render, .*: IndexError: "),
        (Unseen(), r"Unseen.render returned None, .*; after the moves: \(none\)\n"),
        (Fragile(), r"Fragile.render, .*: IndexError: .*; after the moves: \d"),
    ],
    ids=["FragileAtWork", "Unseen", "Fragile"],
)
def test_what_people_would_be_shown_is_looked_at(game: Game, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        check_game(game, games=3, compiled=False)


@dataclass(frozen=True)
class Flagged(Nim):
    """A field that is true or false, and an array of them."""

    def state_dtype(self):
        fields = [("left", "i4"), ("player", "i1"), ("low", "?"), ("bits", "?", (3,))]
        return np.dtype(fields)

    def apply(self, state, action):
        state.left -= action
        state.player = 1 - state.player
        state.low = state.left < 5
        state.bits[action - 1] = True


@dataclass(frozen=True)
class Strays(Nim):
    """Late in a game it lists an action that there is not; it has no rollout."""

    def legal_actions(self, state, actions):
        count = min(3, state.left)
        for i in range(count):
            actions[i] = i + 1
        if state.left == 8:
            actions[count - 1] = 1_000_000
        return count


def test_playouts_own_rollout_is_not_blamed() -> None:
    with pytest.raises(RulesError, match=r"law 2: legal actions \[1, 2, 1000000"):
        check_game(Strays(), games=20, compiled=False)


@dataclass(frozen=True)
class PlaysToTheLimit(Nim):
    """A rollout may end where no game is longer."""

    def rollout(self, state, actions, rng):
        return self.max_game_length()


def test_a_rollout_may_be_as_long_as_a_game() -> None:
    assert check_game(PlaysToTheLimit(), games=2, compiled=False).games == 2


def test_truth_values_have_a_text() -> None:
    assert check_game(Flagged(), games=3, compiled=False).games == 3
    text = "left=3 player=0 low=True bits=0,1,0"
    assert Position(Flagged(), text).to_text() == text
    for wrong in ("low=yes bits=False,True,False", "low=True bits=True,True"):
        with pytest.raises(PositionError, match=r"expected . values? of type bool"):
            Position(Flagged(), f"left=3 player=0 {wrong}")


def test_progress_counts_games() -> None:
    heard: list[int] = []
    check_game(Nim(), games=3, compiled=False, progress=heard.append)
    assert heard == [1, 2, 3]


def test_long_paths_and_long_lists_are_cut() -> None:
    with pytest.raises(RulesError) as caught:
        check_game(Wheel(most=10_000), games=1, compiled=False)
    said = str(caught.value)
    assert " and 9,980 more\n" in said
    assert len(said) < 400


@pytest.mark.filterwarnings("ignore:overflow")
def test_a_difference_between_interpreted_and_compiled_is_law_8() -> None:
    with pytest.raises(RulesError, match="breaks law 8"):
        check_game(Disagrees(), games=3)
