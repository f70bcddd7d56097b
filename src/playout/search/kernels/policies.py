"""`Policies`: a game and how it is searched, which the driver is compiled with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...core.jit.atomics import apart, zeros_apart
from ...core.jit.compiled import Compiled, static
from ...core.jit.rows import Rows
from ...core.rng import Rng
from ...games.contract.game import Game
from ..backup.base import Backup
from ..best_line import NoLine, is_puzzle, line_keeper
from ..evaluation.judged import judge_for
from ..expansion.base import Expansion
from ..policy import Policy, compose_columns
from ..rollout.base import Rollout
from ..scale import Scale, scale_for
from ..selection.base import Selection
from ..selection.leads import Leads, NoLeads, has_leads
from ..solver.base import Solver
from ..work import Work, path_dtype
from .settling import NoSettling, settling_for
from .structure import Structure

__all__ = ["Policies", "make_work"]


@dataclass(frozen=True)
class Policies(Compiled):
    """A game and how it is searched.

    Attributes:
        structure: what is grown.
        notes_actions: whether a policy wants to know which actions were played, or the
            best line does, or rewards are added up; set by itself.
    """

    game: Game
    selection: Selection
    expansion: Expansion
    rollout: Rollout
    backup: Backup
    solver: Solver
    structure: Structure[Any]
    notes_actions: bool = static(False)

    interpreted_methods = frozenset({"all", "node_dtype", "root_is_special"})

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = any(policy.uses_actions for policy in self.all)
        wanted = wanted or is_puzzle(self.game) or self.game.has_rewards
        object.__setattr__(self, "notes_actions", wanted)

    @property
    def all(self) -> tuple[Policy, ...]:
        """The policies of all phases."""
        return (self.selection, self.expansion, self.rollout, self.backup, self.solver)

    @cached_property
    def node_dtype(self) -> np.dtype[Any]:
        """The dtype of a node with the columns of all policies."""
        parts = (*self.all, self.structure)
        return compose_columns(parts, self.game.num_actions())

    @property
    def root_is_special(self) -> bool:
        """Whether a subtree cannot be kept between moves."""
        special = any(policy.root_is_special for policy in self.all)
        return special or not self.structure.keeps_subtrees


def make_work(
    policies: Policies,
    rng: Rng,
    scale: Scale | None = None,
    line: NoLine | None = None,
    exact: NoSettling | None = None,
    leads: NoLeads | None = None,
) -> Work:
    """What a simulation by these policies works in, with buffers of the right sizes."""
    game = policies.game
    length = game.max_game_length() + 2
    length *= 2 if policies.notes_actions else 1
    return Work(
        Rows(zeros_apart(4, game.state_dtype())),
        Rows(zeros_apart(length, path_dtype(game))),
        zeros_apart(max(1, game.num_actions()), np.int32),
        zeros_apart(game.num_players(), np.float64),
        Rng(apart(rng.state)),
        scale_for(game) if scale is None else scale,
        line_keeper(game) if line is None else line,
        policies.selection.tables(game),
        policies.rollout.tables(game),
        policies.expansion.tables(game),
        settling_for(game, policies.solver) if exact is None else exact,
        judge_for(game, policies.rollout),
        leads_for(policies) if leads is None else leads,
    )


def leads_for(policies: Policies) -> NoLeads:
    """What knows the best children: in a tree where only visits change values."""
    in_tree = type(policies.structure) is Structure and policies.backup.splits
    if in_tree and has_leads(policies.selection):
        return Leads.reserve(policies.game.num_actions())
    return NoLeads()
