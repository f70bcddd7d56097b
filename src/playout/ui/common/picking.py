"""`Picking`: a move is played cell by cell, as from and to."""

from __future__ import annotations

from collections.abc import Mapping, Set

from ...games.drawing.board import Cell
from ...games.positions.cells import Route, Routes

__all__ = ["Picking"]


class Picking:
    """Which cells a person has clicked so far, and what may follow.

    Args:
        routes: how the legal moves are played by clicks.

    Attributes:
        picked: the cells that were clicked of a move that is not finished.

    >>> picking = Picking(Routes({((1, 0), (0, 0)): (4, 5), ((1, 0), (0, 1)): (6,)}))
    >>> picking.click((1, 0)), sorted(picking.targets)
    (None, [(0, 0), (0, 1)])
    >>> picking.click((0, 0)), picking.choices
    (None, (4, 5))
    """

    def __init__(self, routes: Routes | None = None) -> None:
        self.routes = Routes() if routes is None else routes
        self.picked: Route = ()

    @property
    def targets(self) -> Set[Cell]:
        """The cells that may be clicked next; those where a move begins at first."""
        return self._after(self.picked)

    @property
    def choices(self) -> tuple[int, ...]:
        """Moves that the cells so far may mean: they are finished, or go on."""
        return self.routes.moves.get(self.picked, ())

    @property
    def by_name(self) -> tuple[int, ...]:
        """Moves to choose by name: what picked cells may mean comes first."""
        return self.choices or self.routes.elsewhere

    def can_click(self, cell: Cell) -> bool:
        """Whether a click does anything: it may also begin anew, or let go."""
        meant = self._meant(cell)
        return meant in self.targets or meant in self._after(()) or meant in self.picked

    def is_open(self, cell: Cell) -> bool:
        """Whether it is a target: a move begins there, or goes on if one has begun."""
        return self._meant(cell) in self.targets

    def move_at(self, cell: Cell) -> int | None:
        """The action that a click would play; None if it would play none yet."""
        route = (*self.picked, self._meant(cell))
        actions = self.routes.moves.get(route, ())
        return actions[0] if len(actions) == 1 and not self._after(route) else None

    def parts(self, shares: Mapping[int, float]) -> dict[Cell, float]:
        """How much of the actions' shares each cell has that may be clicked next."""
        found: dict[Cell, float] = {}
        size = len(self.picked)
        for action, route in self.routes.by_action.items():
            if len(route) > size and route[:size] == self.picked:
                part = found.get(route[size], 0.0) + shares.get(action, 0.0)
                found[route[size]] = part
        return found

    def clear(self) -> None:
        """Begin anew."""
        self.picked = ()

    def click(self, cell: Cell) -> int | None:
        """Go on with a cell; the action to play, None if that is not clear yet.

        A cell that cannot follow begins another move, if one begins there. The cell
        that was clicked last is let go of.
        """
        cell = self._meant(cell)
        again = self.picked[-1:] == (cell,)
        if cell in self.targets:
            self.picked = (*self.picked, cell)
        elif not again and cell in self._after(()):
            self.picked = (cell,)
        else:
            self.clear()
        if len(self.choices) != 1 or self.targets:
            return None
        (action,) = self.choices
        self.clear()
        return action

    def _meant(self, cell: Cell) -> Cell:
        return self.routes.stands_for.get(cell, cell)

    def _after(self, picked: Route) -> Set[Cell]:
        size = len(picked)
        return {
            route[size]
            for route in self.routes.moves
            if len(route) > size and route[:size] == picked
        }
