"""Searches by several threads, and what must hold in their trees."""

from dataclasses import dataclass
from typing import Any

from playout import MCTS, ConnectFour, Game, Limit, Mean, Tree, Unsolved
from playout.search.tree.nodes import OWNED, ROOT
from tests.search.support import walk
from tests.toys import Nim


@dataclass(frozen=True)
class WholeMean(Mean):
    """The mean, which says that it has to see whole paths."""

    splits = False


KERNELS = {"branches": Mean(), "leaves": WholeMean()}


def grown(
    threads: int, simulations: int = 20_000, game: Game | None = None, **keywords: Any
) -> MCTS:
    keywords = {"seed": 1, "solver": Unsolved(), **keywords}
    search = MCTS(game or ConnectFour(), threads=threads, **keywords)
    result = search.search(limit=Limit(simulations=simulations), forced_too=True)
    assert result.simulations == search.tree.visits
    return search


def check(tree: Tree, own_visits: int | None = 1) -> None:
    """What must hold everywhere in a tree of a game of two who take turns.

    A lost update or a virtual loss that is left breaks the sums; a child made twice is
    seen by its action.
    """
    names = ["visits", "value_sum", "action", "owner", "num_legal", "num_children"]
    rows = tree.nodes.array[: tree.num_nodes]
    visits, sums, actions, owners, legal, made = (rows[name].tolist() for name in names)
    seen = set()
    for node in walk(tree):
        assert node not in seen
        seen.add(node)
        if visits[node] == 0:  # made with its siblings, and not tried yet
            assert (made[node], sums[node]) == (0, 0)
            continue
        below = tree.columns.children(node)
        own = visits[node] - sum(visits[child] for child in below)
        value = sums[node] + sum(sums[child] for child in below)
        assert value == int(value)
        assert abs(value) <= own
        assert owners[node] != OWNED
        assert len({actions[child] for child in below}) == len(below)
        assert len(below) <= max(0, legal[node])
        if below and own_visits is not None:
            assert own == (0 if node == ROOT else own_visits)
    assert max(seen) < tree.num_nodes


@dataclass(frozen=True)
class Heap(Nim):
    """Nim with as many moves as Gomoku has."""

    stones: int = 3000
    most: int = 225

    def num_actions(self):
        return 226
