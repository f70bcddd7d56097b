"""Numbers that did not fit their field, on the way to a fault.

Interpreted, such a number wraps around, as it does in memory: 256 stones of one byte
are none, the game seems to be over, and some law or other is broken by that.
"""

from __future__ import annotations

import numpy as np

from ...core.jit.rows import Rows
from ...core.jit.views import UnfitNumber, refusing_overflow
from ..contract.game import Game
from .broken_rules import BrokenRules
from .failures import rules_failure

__all__ = ["with_overflow"]


def with_overflow(game: Game, fault: BrokenRules) -> BrokenRules:
    """A fault, with a remark on the first number on the way that did not fit.

    It may be meant, as where a hash is computed: what is wrong is told first.
    """
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
            remark = f"this may be why: at move {number}, {rules_failure(game, error)}"
            states = fault.before, fault.after
            return BrokenRules(
                game, fault.kind, fault.what, fault.path, *states, remark=remark
            )
        except Exception:  # which is the fault, then
            return fault
        before = again
    return fault
