"""UCT of information sets, whose children are not always there to be taken."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.errors import UsageError
from ...core.jit.compiled import static
from ...core.jit.rows import Row
from .logarithms import inverse_root, root_of_log
from .uct import UCT

__all__ = ["ISUCT"]


@dataclass(frozen=True)
class ISUCT(UCT):
    """UCT where actions come and go: `W/n + c_uct * sqrt(ln m / n)`.

    Here m is how often the child could have been taken, which is less often than its
    parent was visited where some of the states that look alike do not allow its action.
    Where nothing is hidden m is the visits of the parent, as in UCT.

    Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG
    4 (2012), section IV.C.

    Attributes:
        c_uct: exploration constant, at least 0, on the scale of returns in [-1, 1]; by
            default the paper's 0.7 for returns in [0, 1].
        first_play: as in `UCT`.
        observers: "many", each player deciding by what it knows (MO-ISMCTS), or "one",
            all by what the player at the root knows (SO-ISMCTS).

    >>> from types import SimpleNamespace as Row
    >>> child = Row(visits=10, value_sum=5.0, availability=100)
    >>> round(ISUCT(c_uct=1.0).score(child, 0.0), 6)
    1.178614
    """

    columns = (("availability", "u4"),)

    c_uct: float = 1.4
    observers: str = static("many")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.observers not in ("many", "one"):
            raise UsageError(f"observers must be many or one, not {self.observers!r}")

    def note_available(self, child: Row) -> None:
        child.availability += 1

    def single_observer(self) -> bool:
        return self.observers == "one"

    def score(self, child: Row, parent_term: float) -> float:
        root = inverse_root(child.visits)
        if child.availability > 0:
            parent_term = self.c_uct * root_of_log(child.availability)
        return (child.value_sum * root + parent_term) * root
