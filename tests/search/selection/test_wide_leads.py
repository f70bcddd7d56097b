"""Leads of nodes with many children against a search that looks at all each time."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import MCTS, Limit, RandomChild, Unsolved
from playout.core.jit.rows import Row
from playout.games.registry import make_game
from playout.search.expansion.all_children import AllChildren
from playout.search.selection.leads import WIDE, NoLeads
from playout.search.selection.puct import PUCT
from playout.search.selection.uct import UCT
from playout.search.selection.wide_leads import MOST, WideLeads


@dataclass(frozen=True)
class Concave(UCT):
    """Scores rise more and more slowly: the bounds are too high soon."""

    def score(self, child: Row, parent_term: float) -> float:
        return child.value_sum / child.visits + math.log1p(parent_term) / child.visits

    def steepness(self, child: Row) -> float:
        return 1.0 / child.visits


@dataclass(frozen=True)
class Undefined(UCT):
    """The scores of some children are no numbers when they were visited some times."""

    def score(self, child: Row, parent_term: float) -> float:
        if child.action % 3 == 0 and child.visits > 40:
            return math.nan
        return (child.value_sum + parent_term) / child.visits

    def steepness(self, child: Row) -> float:
        return 1.0 / child.visits


@dataclass(frozen=True)
class Endless(UCT):
    """Scores of children without visits may rise as fast as they like."""

    def steepness(self, child: Row) -> float:
        return math.inf if child.visits == 0 else 1.0 / math.sqrt(child.visits)


def plain(**policies: Any) -> dict[str, Any]:
    rest = {"expansion": RandomChild(urgent="never"), "solver": Unsolved()}
    return {**rest, **policies}


SEARCHES: list[tuple[str, int, dict[str, Any]]] = [
    ("mnk:m=6,n=6,k=5", 6000, plain(selection=UCT(2.0))),
    ("mnk:m=6,n=6,k=5", 3000, plain(selection=UCT(0.0))),  # many scores are equal
    ("mnk:m=5,n=5,k=3", 6000, {"selection": UCT(1.0)}),  # children are closed
    ("mnk:m=6,n=6,k=5", 4000, plain(selection=Concave())),
    ("mnk:m=6,n=6,k=5", 6000, plain(selection=Undefined())),
    (
        "mnk:m=6,n=6,k=5",
        4000,
        plain(
            selection=Endless(first_play=0.5), expansion=AllChildren(visit_all=False)
        ),
    ),
    (
        "mnk:m=6,n=6,k=5",
        4000,
        plain(selection=PUCT(first_play=0.3), expansion=AllChildren(visit_all=False)),
    ),
]


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize(("spec", "simulations", "policies"), SEARCHES)
def test_trees_are_those_of_a_search_without(
    spec: str, simulations: int, policies: dict[str, Any], interpreted: bool
) -> None:
    if interpreted:
        simulations = 300
    trees = []
    for leads in (True, False):
        search = MCTS(make_game(spec), seed=5, interpreted=interpreted, **policies)
        team = search._forest.teams[0]
        assert team.works[0].leads.has_many
        if not leads:
            team.works = [dataclasses.replace(team.works[0], leads=NoLeads())]
        search.search(limit=Limit(simulations=simulations // 3))
        search.search(limit=Limit(simulations=simulations))
        trees.append(search.tree)
    now, then = (tree.nodes.array[: tree.num_nodes] for tree in trees)
    for name in ("visits", "value_sum", "action", "first_child", "proven"):
        assert np.array_equal(now[name], then[name]), name


def test_most_selections_look_at_few_children(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: Counter[str] = Counter()
    for name in ("best_child", "look_at_all"):
        method = getattr(WideLeads, name)

        def counted(
            self: Any, *args: Any, _name: str = name, _run: Any = method
        ) -> Any:
            looks[_name] += 1
            return _run(self, *args)

        monkeypatch.setattr(WideLeads, name, counted)
    search = MCTS(
        make_game("mnk:m=6,n=6,k=5"), seed=1, interpreted=True,
        **plain(selection=UCT(2.0)),
    )  # fmt: skip
    search.search(limit=Limit(simulations=800))
    assert looks["best_child"] > 500
    assert looks["look_at_all"] < looks["best_child"] / 4


def test_room_is_for_so_many_children_at_most() -> None:
    assert WideLeads.reserve(225).room == 232
    assert WideLeads.reserve(5000).room == MOST
    assert WideLeads.reserve(0).room == 0
    assert MOST % 8 == 0
    assert WIDE < MOST
