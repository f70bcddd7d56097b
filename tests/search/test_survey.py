"""What a game is like, and what would make it faster.

Also of `search/advice.py`.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from playout import Game
from playout.search import advice as advising
from playout.search.advice import advice
from playout.search.survey import Survey, survey
from tests.toys import Nim


@dataclass(frozen=True)
class Ring(Game):
    """Fill the cells of a ring by turns; whoever has cell 0 has won."""

    cells: int = 12

    def num_actions(self):
        return self.cells

    def max_game_length(self):
        return self.cells

    def state_dtype(self):
        return np.dtype([("owner", "i8", (12,)), ("moves", "i8"), ("seed", "u8")])

    def initial_state(self, state):
        state.moves = 0

    def current_player(self, state):
        return state.moves % 2

    def legal_actions(self, state, actions):
        count = 0
        for cell in range(self.cells):
            if state.owner[cell] == 0:
                actions[count] = cell
                count += 1
        return count

    def apply(self, state, action):
        state.owner[action] = 1 + state.moves % 2
        state.moves += 1

    def is_terminal(self, state):
        return state.moves == self.cells

    def returns(self, state, player):
        return 1.0 if state.owner[0] == player + 1 else -1.0


@pytest.fixture(scope="module")
def ring() -> Survey:
    return survey(Ring(), seconds=0.05)


def test_figures(ring: Survey) -> None:
    assert ring.perft[:3] == (12, 132, 1320)
    assert ring.branching == pytest.approx(6.5)
    assert (ring.most_actions, ring.mean_length) == (12, 12.0)
    assert (ring.shortest, ring.longest) == (12, 12)
    assert sum(ring.returns) == 0.0
    assert abs(ring.returns[0]) < 0.5
    assert ring.draws == 0.0
    assert 1 <= ring.games <= 1000
    assert ring.simulations_per_second > 0
    assert ring.proven_after == 0
    assert ring.state_bytes == 112
    assert set(ring.to_dict()) == set(Survey.__dataclass_fields__)


def test_a_wide_state_is_pointed_out(ring: Survey) -> None:
    assert ring.advice[0] == (
        "every simulation copies the state of 112 bytes, which can be 21: at the ends "
        "of random games owner held 0 to 2 (i1 would do), moves held 0 to 12 (i1 would "
        "do)"
    )


def _said(monkeypatch: pytest.MonkeyPatch, fills: bool, ratio: float) -> list[str]:
    monkeypatch.setattr(advising, "_ratio", lambda slow, fast: ratio)
    start = np.zeros(1, dtype=Ring().state_dtype())
    return list(advice(Ring(), fills, start, start))[1:]


def test_what_was_tried_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    (said,) = _said(monkeypatch, fills=True, ratio=3.0)
    assert "a method `fills` that returns True makes rollouts 3.0 times as fast" in said
    (said,) = _said(monkeypatch, fills=False, ratio=1.5)
    assert said.startswith("listing the legal actions takes 50% of a rollout (timed)")
    assert said.endswith("can be up to 2.0 times as fast")


def test_what_is_not_worth_it_is_not_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _said(monkeypatch, fills=True, ratio=1.05) == []


def test_the_speed_of_a_search_that_was_over_at_once_is_not_told() -> None:
    found = survey(Nim(stones=2), seconds=0.05)
    assert 0 < found.proven_after < 100
