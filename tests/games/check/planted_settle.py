"""Faults planted in `settle`, each with the sentence that must be said of it."""

import numpy as np

from playout import SETTLED_DRAW, SETTLED_LOSS, SETTLED_WIN, UNSETTLED, Game
from tests.games.check.planted import planted
from tests.toys import Nim, ThreeWays

__all__ = ["SETTLED", "RightNim"]

SETTLED: list[tuple[Game, str]] = []


class RightNim(Nim):
    """Its `settle` is right: the table keeps, by a key, what was said of a state."""

    def settle(self, state, nodes, table):
        take = state.left % 4
        if take == 0:
            return SETTLED_LOSS, -1, 0
        return SETTLED_WIN, take, 0

    def settle_table_size(self):
        return 4


@planted(r"law 15: settle said SETTLED_WIN, and the state is worth -1", SETTLED)
class WrongWin(RightNim):
    def settle(self, state, nodes, table):
        return SETTLED_WIN, 1, 0


@planted(r"law 15: settle said SETTLED_LOSS, and the state is worth 1", SETTLED)
class WrongLoss(RightNim):
    def settle(self, state, nodes, table):
        return SETTLED_LOSS, -1, 0


@planted(r"law 15: settle said SETTLED_DRAW, and the state is worth", SETTLED)
class WrongDraw(RightNim):
    def settle(self, state, nodes, table):
        return SETTLED_DRAW, -1, 0


@planted(r"law 15: settle said SETTLED_WIN by \d, which is worth -1", SETTLED)
class WinsByAnotherMove(RightNim):
    def settle(self, state, nodes, table):
        take = state.left % 4
        if take == 0:
            return SETTLED_LOSS, -1, 0
        return SETTLED_WIN, 1 if take != 1 or state.left == 1 else 2, 0


@planted(r"law 15: settle said SETTLED_WIN by -1, which is not legal", SETTLED)
class NamesNoMove(RightNim):
    def settle(self, state, nodes, table):
        take = state.left % 4
        return (SETTLED_WIN, -1, 0) if take else (SETTLED_LOSS, -1, 0)


@planted(r"law 15: settle said 7, which is no outcome", SETTLED)
class NoOutcome(RightNim):
    def settle(self, state, nodes, table):
        return 7, 1, 0


@planted(r"law 15: settle changed the state", SETTLED)
class PlaysOn(RightNim):
    def settle(self, state, nodes, table):
        state.left -= 1
        return UNSETTLED, -1, 0


@planted(r"law 15: settle said SETTLED_WIN, and the state is worth -1", SETTLED)
class FindsWhatIsOfAnother(RightNim):
    """Its table has no key: what was found of one state is said of all."""

    def settle(self, state, nodes, table):
        take = state.left % 4
        if table[0] == np.uint64(0) and take > 0:
            table[0] = np.uint64(1)
        if table[0] == np.uint64(1):
            return SETTLED_WIN, max(1, take), 0
        return UNSETTLED, -1, 0


@planted(r"law 15: settle said SETTLED_LOSS after few positions, SETTLED_WIN", SETTLED)
class ChangesItsMind(RightNim):
    def settle(self, state, nodes, table):
        if nodes < 100:
            return SETTLED_LOSS, -1, 0
        return SETTLED_WIN, 1, 0


@planted(r"ThreePlayers.settle: that is for games of two players", SETTLED)
class ThreePlayers(ThreeWays):
    def settle(self, state, nodes, table):
        return UNSETTLED, -1, 0


@planted(r"settle_table_size\(\) gives -1; it must be a whole number", SETTLED)
class TableBelowZero(RightNim):
    def settle_table_size(self):
        return -1


@planted(r"OtherArguments.settle, .*: it takes \(self, state\), the contract", SETTLED)
class OtherArguments(Nim):
    def settle(self, state):
        return
