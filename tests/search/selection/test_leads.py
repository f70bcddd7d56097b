"""Leads against their slow twin: a search that looks at all children each time."""

import dataclasses
import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from playout import MCTS, Limit, Position, Truncated
from playout.core.jit.rows import Row
from playout.games.registry import make_game
from playout.search.backup.minimax_mixing import MaxMix
from playout.search.expansion.all_children import AllChildren
from playout.search.selection.leads import (
    VISITS_PER_CHILD,
    Leads,
    NoLeads,
    has_leads,
)
from playout.search.selection.normalized_uct import NormalizedUCT
from playout.search.selection.puct import PUCT
from playout.search.selection.rave import RAVE
from playout.search.selection.uct import UCT
from playout.search.solver.base import Unsolved
from playout.search.tree.nodes import ROOT
from tests.toys import Nim

SEARCHES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("tic-tac-toe", "", 3000, {"selection": UCT(2.0)}),
    ("tic-tac-toe", "", 3000, {"selection": UCT(0.0)}),  # many scores are equal
    ("connect-four", "4 4", 4000, {"selection": PUCT(first_play=0.5)}),
    (
        "connect-four",
        "",
        3000,
        {"selection": UCT(first_play=0.4), "expansion": AllChildren(visit_all=False)},
    ),
    ("ultimate-tic-tac-toe", "", 6000, {}),
    ("gomoku", "", 4000, {"selection": UCT(2.0), "rollout": Truncated(8)}),
]


def works_of(search: MCTS) -> Any:
    return search._forest.teams[0]


@pytest.mark.parametrize(("spec", "moves", "simulations", "policies"), SEARCHES)
def test_trees_are_those_of_a_search_without(
    spec: str, moves: str, simulations: int, policies: dict[str, Any]
) -> None:
    position = Position.from_moves(make_game(spec), moves.split())
    trees = []
    for leads in (True, False):
        search = MCTS(position.game, seed=5, **policies)
        team = works_of(search)
        assert isinstance(team.works[0].leads, Leads)
        if not leads:
            team.works = [dataclasses.replace(team.works[0], leads=NoLeads())]
        search.search(position, Limit(simulations=simulations // 3))
        search.search(position, Limit(simulations=simulations))
        trees.append(search.tree)
    now, then = (tree.nodes.array[: tree.num_nodes] for tree in trees)
    for name in ("visits", "value_sum", "action", "first_child", "proven"):
        assert np.array_equal(now[name], then[name]), name


def test_nodes_that_are_often_visited_have_a_lead() -> None:
    search = MCTS(make_game("connect-four"), seed=1, selection=UCT(), solver=Unsolved())
    search.search(limit=Limit(simulations=20_000))
    leads = works_of(search).works[0].leads.rows.array
    noted = leads[leads["run"] > 0]  # when the last run began is up to the clock
    assert len(noted) > 50
    assert (noted["visits"] > VISITS_PER_CHILD * noted["num_children"]).all()
    root = search.tree.nodes.array[ROOT]
    found = noted[noted["node"] == ROOT]
    assert found["visits"] == root["visits"]
    assert found["num_children"] == 7


@dataclass(frozen=True)
class OwnScore(UCT):
    """What UCT says of how scores rise does not hold for this one."""

    def score(self, child: Row, parent_term: float) -> float:
        return parent_term / (1 + child.visits)


@dataclass(frozen=True)
class OwnScoreAndSteepness(OwnScore):
    def steepness(self, child: Row) -> float:
        return 1.0 / (1 + child.visits)


def test_policies_that_say_how_scores_rise_have_leads() -> None:
    known = [UCT(), PUCT(), OwnScoreAndSteepness()]
    unknown = [NormalizedUCT(), RAVE(), OwnScore()]
    assert all(map(has_leads, known))
    assert not any(map(has_leads, unknown))
    mixing = MCTS(Nim(), selection=UCT(), backup=MaxMix())
    assert type(works_of(mixing).works[0].leads) is NoLeads


@pytest.mark.parametrize("policy", [UCT(1.3), PUCT(), OwnScoreAndSteepness()])
def test_scores_rise_no_faster_than_said(policy: Any) -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        parent = SimpleNamespace(visits=int(rng.integers(1, 5000)))
        later = SimpleNamespace(visits=parent.visits + int(rng.integers(1, 500)))
        child = SimpleNamespace(
            visits=int(rng.integers(1, 3000)),
            value_sum=float(rng.normal()),
            prior=float(rng.uniform()),
        )
        then, now = policy.parent_term(parent), policy.parent_term(later)
        rise = policy.score(child, now) - policy.score(child, then)
        assert rise <= (now - then) * policy.steepness(child) * (1 + 1e-9) + 1e-12


def test_runs_are_told_apart_for_ever() -> None:
    leads = Leads.reserve(225)
    leads.run[0] = 2**16 - 1
    leads.rows.array["run"] = 1
    leads.forget()
    assert leads.run[0] == 1
    assert not leads.rows.array["run"].any()
    assert math.isinf(RAVE().steepness(leads.rows[0]))
