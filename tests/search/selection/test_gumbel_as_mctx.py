"""Gumbel and root noise do what mctx 0.0.71 did, as it was written down.

`JAX_PLATFORMS=cpu python -m tests.oracles.mctx_record > tests/data/mctx.json` wrote it,
where mctx and JAX were installed.
"""

import itertools
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playout import MCTS, PUCT, Game, Gumbel, Limit, Unsolved
from playout.core.rng import make_rng
from playout.search.kernels.policies import make_work
from playout.search.selection import gumbel
from playout.search.selection.gumbel import considered_visits
from playout.search.selection.root_noise import add_noise
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT
from tests.oracles.mctx_record import (
    ACTIONS,
    CONCENTRATION,
    FRACTION,
    PRIORS,
    after,
    logit,
    value,
)

RECORD = json.loads(Path("tests/data/mctx.json").read_text())


@dataclass(frozen=True)
class Numbers(Game):
    """The game of the recorded searches, which ends beyond them."""

    def num_actions(self) -> int:
        return ACTIONS

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype([("code", "i8"), ("ply", "i8")])

    def initial_state(self, state: Any) -> None:
        state.code = 1
        state.ply = 0

    def current_player(self, state: Any) -> int:
        return int(state.ply % 2)

    def legal_actions(self, state: Any, actions: Any) -> int:
        for action in range(ACTIONS):
            actions[action] = action
        return ACTIONS

    def apply(self, state: Any, action: int) -> None:
        state.code = after(state.code, action)
        state.ply += 1

    def is_terminal(self, state: Any) -> bool:
        return bool(state.ply >= 40)

    def returns(self, state: Any, player: int) -> float:
        return 0.0

    def max_game_length(self) -> int:
        return 40


def judge(states: Any) -> Any:
    codes = states["code"]
    powers = np.exp(logit(codes[:, None], np.arange(ACTIONS)[None, :]))
    return value(codes), powers / powers.sum(axis=1, keepdims=True)


def visits_below(search: MCTS, node: int, path: str = "") -> dict[str, int]:
    """The visits of every node that has some, by the actions that lead to it."""
    rows = search.tree.nodes.array
    found = {path: int(rows["visits"][node])} if rows["visits"][node] else {}
    for child in search.tree.children(node):
        found |= visits_below(search, int(child), f"{path}{rows['action'][child]}")
    return found


@pytest.mark.parametrize("recorded", RECORD["searches"], ids=lambda r: str(r["asked"]))
def test_every_node_has_as_many_visits(
    recorded: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mctx does not count the evaluation of the root as a simulation."""
    monkeypatch.setattr(gumbel, "draw_gumbel", lambda rng: 0.0)
    simulations, considered, c_visit, c_scale = recorded["asked"]
    search = MCTS(
        Numbers(),
        evaluator=judge,
        selection=Gumbel(considered, c_visit, c_scale),
        solver=Unsolved(),
        interpreted=True,
        seed=1,
    )
    result = search.search(limit=Limit(simulations=simulations + 1))
    assert visits_below(search, ROOT) == recorded["visits"]
    assert result.action == recorded["action"]


def test_sequential_halving_is_the_same() -> None:
    """For 1 to 19 actions and 1 to 100 simulations, 247 pairs."""
    assert len(RECORD["considered"]) == 247
    for recorded in RECORD["considered"]:
        most, simulations = recorded["asked"]
        found = [considered_visits(n, simulations, most) for n in range(simulations)]
        runs = ((len(list(run)), count) for count, run in itertools.groupby(found))
        text = " ".join(f"{length}x{count}" for length, count in runs)
        assert text == recorded["visits"], recorded["asked"]


def test_noise_has_the_same_means_and_deviations() -> None:
    policies = MCTS(Numbers(), selection=PUCT(noise=FRACTION), seed=1).policies
    tree = policies.structure.reserve(Numbers(), 10, policies.node_dtype)
    tree.nodes[ROOT].num_legal = len(PRIORS)
    children = [add_child(tree, ROOT, action) for action in range(len(PRIORS))]
    work, seen = make_work(policies, make_rng(1)), []
    with np.errstate(over="ignore"):
        for _ in range(3000):
            tree.nodes.array["prior"][children] = PRIORS
            add_noise(tree, work.rng, children[0], 4, FRACTION, CONCENTRATION)
            seen.append(tree.nodes.array["prior"][children].astype(float))
    found, noise = np.array(seen), RECORD["noise"]
    error = 4 * max(noise["deviations"]) / math.sqrt(len(seen))
    assert found.mean(axis=0) == pytest.approx(noise["means"], abs=error)
    assert found.std(axis=0) == pytest.approx(noise["deviations"], rel=0.06)
