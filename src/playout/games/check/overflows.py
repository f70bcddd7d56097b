"""Faults that are no more than the effect of a number that did not fit its field.

Interpreted, such a number wraps around, as it does in memory: 256 stones of one byte
are none, the game seems to be over, and some law or other is broken by that.
"""

from __future__ import annotations

import contextlib

import numpy as np
from numpy.typing import NDArray

from ...core.jit.rows import Rows
from ...core.jit.views import UnfitNumber, refusing_overflow
from ..contract.game import Game
from .broken_rules import BrokenRules, state_text
from .failures import rules_failure

__all__ = ["cause_of"]


def cause_of(game: Game, fault: BrokenRules) -> BrokenRules:
    """The first number on the way to a fault that did not fit; else the fault."""
    before = np.zeros(1, dtype=game.state_dtype())
    try:
        game.initial_state(Rows(before)[0])
    except Exception:  # which is the fault, then
        return fault
    for number, action in enumerate(fault.path, start=1):
        again = before.copy()
        try:
            with refusing_overflow():
                game.apply(Rows(again)[0], action)
        except UnfitNumber as error:
            what = str(rules_failure(game, error))
            after = _wrapped(game, before, action)
            states = state_text(game, before), state_text(game, after)
            kind = what.partition(": `")[0]
            return BrokenRules(game, kind, what, fault.path[:number], *states)
        except Exception:  # which is the fault, then
            return fault
        before = again
    return fault


def _wrapped(game: Game, before: NDArray[np.void], action: int) -> NDArray[np.void]:
    """The state that the rules make of it where numbers wrap around."""
    state = before.copy()
    with contextlib.suppress(Exception):  # what they make of such a number
        game.apply(Rows(state)[0], action)
    return state
