"""Law 2 of what numbers the legal actions. `planted` has more faults of that law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import Game, RulesError, check_game
from playout.core.jit.rows import Rows
from playout.games.check.action_lists import ask_indices, urgent_fault
from playout.games.check.bounds import check_bounds
from playout.games.registry import make_game
from tests.toys import Nim


@dataclass(frozen=True)
class Numbered(Nim):
    """Nim that numbers its actions, with a fault if it is asked for one."""

    wrong: int = 0

    def count_legal(self, state: Any, actions: Any) -> int:
        extra = 1 if self.wrong == 1 and state.left == 2 else 0
        return min(self.most, state.left) + extra

    def nth_legal(self, state: Any, actions: Any, n: int) -> int:
        return 1 if self.wrong == 2 and state.left == 5 else n + 1

    def index_of(self, state: Any, actions: Any, count: int, action: int) -> int:
        return 0 if self.wrong == 3 and state.left == 7 else action - 1


def test_a_game_that_numbers_its_actions_rightly_is_sound() -> None:
    assert check_game(Numbered(), games=5).games == 5


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (1, r"law 2: count_legal says 3, legal actions are \[1, 2\]"),
        (2, r"law 2: nth_legal says \[1, 1, 1\] for the legal \[1, 2, 3\]"),
        (3, r"law 2: index_of says \[0, 0, 0\] for the legal \[1, 2, 3\]"),
    ],
)
def test_faults_are_named(wrong: int, sentence: str) -> None:
    with pytest.raises(RulesError, match=sentence):
        check_game(Numbered(wrong=wrong))
    with pytest.raises(RulesError, match="law 2: count_legal, nth_legal and index_of"):
        check_bounds(Numbered(wrong=wrong))


@dataclass(frozen=True)
class Writes(Numbered):
    """Gives the turn to another when it is asked for an action."""

    def count_legal(self, state: Any, actions: Any) -> int:
        return min(self.most, state.left)

    def nth_legal(self, state: Any, actions: Any, n: int) -> int:
        state.player = 1
        return n + 1

    def index_of(self, state: Any, actions: Any, count: int, action: int) -> int:
        return action - 1


@dataclass(frozen=True)
class Silent(Writes):
    """Forgets to answer."""

    def count_legal(self, state: Any, actions: Any) -> int:
        return min(self.most, state.left)

    def nth_legal(self, state: Any, actions: Any, n: int) -> Any:
        pass

    def index_of(self, state: Any, actions: Any, count: int, action: int) -> int:
        return action - 1


def test_the_state_stays_as_it_is_and_an_answer_is_given() -> None:
    with pytest.raises(RulesError, match=r"law 3: .* nth_legal .* changed the state"):
        check_game(Writes())
    with pytest.raises(RulesError, match=r"Silent\.nth_legal returned nothing"):
        check_game(Silent())


def test_what_is_compiled_is_compared_with_the_list() -> None:
    game: Game = make_game("connect-four")
    states = np.zeros(3, dtype=game.state_dtype())
    with np.errstate(over="ignore"):
        game.initial_state(Rows(states)[1])
        numbered, buffer = np.zeros((2, 7), np.int64), np.zeros(7, np.int32)
        legal = np.arange(7, dtype=np.int32)
        arguments = game, Rows(states), buffer, legal, numbered
        assert ask_indices.compile(*arguments)(*arguments) == 7
    assert numbered.tolist() == [list(range(7))] * 2
    assert urgent_fault(game, states, legal.tolist()) is None
