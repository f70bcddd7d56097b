"""Law 3: `apply` changes the state that it is given, and nothing else changes any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...core.jit.rows import Rows
from ..contract.game import Game

__all__ = ["StateFacts", "facts_of", "fault_of_apply"]

#: What is asked of every state, and must leave it as it is.
_QUESTIONS = ("is_terminal", "current_player", "legal_actions", "returns")


class StateFacts(NamedTuple):
    """What the rules say of a state."""

    is_terminal: bool
    current_player: int
    legal: tuple[int, ...]


def facts_of(game: Game, state: NDArray[np.void]) -> StateFacts:
    """The same of a copy of a `[1]` state."""
    row, actions = Rows(state.copy())[0], np.zeros(max(1, game.num_actions()), np.int32)
    if game.is_terminal(row):
        return StateFacts(True, 0, ())
    count = game.legal_actions(row, actions)
    legal = tuple(actions[:count].tolist())
    return StateFacts(False, int(game.current_player(row)), legal)


def fault_of_apply(
    game: Game,
    before: NDArray[np.void],
    after: NDArray[np.void],
    action: int,
    known: StateFacts | None,
) -> str | None:
    """What is wrong with an action that was played, if anything.

    Args:
        game: the game.
        before: `[3]` states; the second is the one in which it was played.
        after: `[3]` the same afterwards; the rules have been asked of the second.
        action: the action; below 0 at the start, where none was played.
        known: what was said of the state before the action was played.
    """
    if after[0] != before[0] or after[2] != before[2]:
        return "the rules wrote into another state"
    if action < 0:
        return None
    if known is not None and facts_of(game, before[1:2]) != known:
        return (
            f"after applying {action} to a copy of it a state has another player, end "
            "or legal actions: something that changes is kept outside of the state"
        )
    again, apply = before.copy(), cast("Callable[..., Any]", game.apply)
    given = apply(Rows(again)[1], action)
    if given is not None and again[1] == before[1]:
        return (
            "apply returned something and changed nothing: it works in place, on the "
            "state it is given"
        )
    if again[1] == after[1]:
        return None
    for question in _QUESTIONS:
        if _changes(game, question, again[1:2]):
            return f"{question} changed the state"
    return f"applying {action} twice to one state gave two results"


def _changes(game: Game, question: str, state: NDArray[np.void]) -> bool:
    """Whether a question changes the state that it is asked of."""
    asked = state.copy()
    given: dict[str, Any] = {
        "legal_actions": (np.zeros(max(1, game.num_actions()), np.int32),),
        "returns": (0,),
    }
    getattr(game, question)(Rows(asked)[0], *given.get(question, ()))
    return bool(asked[0] != state[0])
