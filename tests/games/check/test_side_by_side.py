"""What `check_game` says where compiled rules answer otherwise than interpreted ones.

Nothing is compiled: a function that lies stands for the compiled one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import ConnectFour, RulesError
from playout.core.jit.native import Kernel
from playout.core.rng import make_rng
from playout.games.check import laws
from playout.games.check.estimates import ask, estimate_fault
from playout.games.check.laws import Checker
from playout.games.check.side_by_side import SENTINEL, Side, draw, observe, roll
from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from playout.games.more.pig import Pig
from tests.toys import Nim

pytestmark = pytest.mark.filterwarnings("ignore:overflow")  # of random numbers

Lie = Callable[..., None]


def lying(lie: Lie) -> Callable[..., None]:
    """`observe` with a lie at the start of a game."""

    def run(game: Any, states: Any, actions: Any, action: int, seen: Any) -> None:
        observe.function(game, states, actions, action, seen)
        if action < 0:
            lie(states[1], actions, seen)

    return run


def state_is_another(state: Any, actions: Any, seen: Any) -> None:
    state.left = 20


def action_is_another(state: Any, actions: Any, seen: Any) -> None:
    actions[0] = 0


def mover_is_another(state: Any, actions: Any, seen: Any) -> None:
    seen[3] = 1.0


@pytest.mark.parametrize(
    ("lie", "message"),
    [
        (state_is_another, r"state interpreted \(21, 0\), compiled \(20, 0\)"),
        (action_is_another, r"legal .* interpreted \[1, 2, 3\], compiled \[0, 2, 3\]"),
        (
            mover_is_another,
            "urgent, legal, terminal, player, returns, rewards interpreted .0",
        ),
    ],
)
def test_a_position_that_differs(lie: Lie, message: str) -> None:
    checker = Checker(Nim(), make_rng(0))
    checker.sides.append(Side(checker.game, lying(lie)))
    with pytest.raises(RulesError, match=rf"law 8: {message}.*moves: \(none\)\n"):
        checker.play_game()


def test_unsigned_fields_are_named_where_they_may_be_why() -> None:
    class Seeds(Nim):
        def state_dtype(self) -> np.dtype[np.void]:
            fields = [
                ("left", "u2"),
                ("player", "i1"),
                ("pits", "u1", 3),
                ("key", "u8"),
            ]
            return np.dtype(fields)

    checker = Checker(Seeds(), make_rng(0))
    checker.sides.append(Side(checker.game, lying(mover_is_another)))
    with pytest.raises(RulesError, match=r"law 8.*unsigned: left, pits; .* i1 to i8\)"):
        checker.play_game()


def test_a_rollout_that_differs() -> None:
    def shorter(game: Any, states: Any, actions: Any, rng: Any) -> int:
        return roll.function(game, states, actions, rng) - 1

    checker = Checker(Nim(), make_rng(0))
    checker.play_game()  # as nothing is rolled out from the first position of all
    checker.roll = shorter
    with pytest.raises(RulesError, match="law 8: a rollout ends differently"):
        checker.play_game()


def test_a_draw_of_chance_that_differs() -> None:
    def another(game: Any, states: Any, actions: Any, rng: Any, chances: Any) -> int:
        return draw.function(game, states, actions, rng, chances) + 1

    checker = Checker(Pig(target=10), make_rng(0))
    checker.play_game()
    checker.draw = another
    with pytest.raises(RulesError, match="law 8: chance interpreted"):
        checker.play_game()


def test_an_estimate_that_differs() -> None:
    """The interpreted value is checked first, then compared with the compiled one."""

    @dataclass(frozen=True)
    class Sure(Nim):
        def evaluate(self, state, player):
            return 0.0

    def unsound(game: Any, states: Any, actions: Any, answers: Any) -> None:
        ask.function(game, states, actions, answers)
        answers[0], answers[2] = 2.0, -1.0

    game = Sure()
    state = np.zeros(1, dtype=game.state_dtype())
    said = estimate_fault(game, state, [1, 2], unsound)
    alike, other = "1.0, 1.0, 1.0, 1.0", "-1.0, 1.0, 1.0, 1.0"
    assert said == f"interpreted [0.0, 0.0, {alike}], compiled [2.0, 0.0, {other}]"


@dataclass(frozen=True)
class HidesBadly(PhantomTicTacToe):
    """Its `hide` fails once two stones are on the board."""

    def hide(self, state, player):
        if state.stones[1]:
            raise LookupError("no such stone")
        super().hide(state, player)


def test_hiding_that_fails_is_explained() -> None:
    checker = Checker(HidesBadly(), make_rng(0))
    with pytest.raises(RulesError, match=r"no such stone.*; after the moves: \w\d"):
        checker.play_game()


@pytest.mark.parametrize("game", [Nim(), ConnectFour(), Pig(), PhantomTicTacToe()])
def test_all_that_a_game_has_is_asked_compiled(game, monkeypatch) -> None:
    for name in ("compile_estimates", "compile_look"):
        monkeypatch.setattr(laws, name, lambda _: "compiled")
    monkeypatch.setattr(Kernel, "compile", lambda *_: "compiled")
    checker = Checker(game, make_rng(0))
    checker.compile()
    assert (checker.ask is not None) == isinstance(game, ConnectFour)
    assert (checker.draw is not None) == isinstance(game, Pig)
    assert (checker.look is not None) == isinstance(game, PhantomTicTacToe)


class CountsMore(Nim):
    """Counts an action that it has not written."""

    def legal_actions(self, state, actions):
        return super().legal_actions(state, actions) + (state.left == 2)


def test_what_was_not_written_is_no_action() -> None:
    assert SENTINEL < 0
    checker = Checker(CountsMore(stones=2), make_rng(0))
    with pytest.raises(RulesError, match=rf"law 2: legal actions \[1, 2, {SENTINEL}\]"):
        checker.play_game()
