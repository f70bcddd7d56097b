"""From what a search is given, and what is usual, to the policies of all phases."""

from __future__ import annotations

from typing import Any

from ..core.errors import UsageError
from ..games.contract.game import Game
from .arguments import policy
from .backup.base import Backup
from .choice import Choice
from .defaults import defaults, usual_expansion
from .evaluation.evaluator import Evaluation, Evaluator
from .evaluation.judged import Judged
from .evaluation.native import NativeEvaluator
from .expansion.base import Expansion
from .kernels.choose import structure_for
from .kernels.policies import Policies
from .policy import compose_columns
from .rollout.base import Rollout
from .selection.base import Selection
from .solver.base import Solver

__all__ = ["assemble"]


def assemble(
    game: Game,
    given: dict[str, Any],
    transpositions: bool,
    evaluation: Evaluation | None,
    evaluator: Evaluator | None = None,
) -> tuple[Policies, Choice]:
    """The policies of a search, and the choice at its end.

    Args:
        game: the rules.
        given: the policy for each phase; the usual one where it is None.
        transpositions: whether a graph is grown.
        evaluation: how it is asked, if that is in Python.
        evaluator: the evaluator, if there is one; it may be a native one.

    Raises:
        UsageError: they do not go together, or not with the game.
    """
    evaluated = evaluator is not None
    if evaluation is not None and evaluation.batch > 1 and transpositions:
        raise UsageError(
            "a graph is searched leaf by leaf, as virtual losses would be lost where "
            "its edges are recomputed: with transpositions, batch must be 1"
        )
    has_priors = getattr(evaluator, "has_priors", evaluated)
    usual = defaults(game, transpositions, has_priors)
    if evaluated and not isinstance(given["rollout"], Judged | None):
        raise UsageError(
            "an evaluator judges leaves, and no rollout is played: leave out the "
            "evaluator or the rollout, which a preset names, too"
        )
    if isinstance(evaluator, NativeEvaluator):
        usual["rollout"] = Judged(evaluator)
    selection = policy("selection", given["selection"], Selection, usual["selection"])
    expansion = usual_expansion(game, selection, has_priors and not transpositions)
    policies = Policies(
        game,
        selection,
        policy("expansion", given["expansion"], Expansion, expansion),
        policy("rollout", given["rollout"], Rollout, usual["rollout"]),
        policy("backup", given["backup"], Backup, usual["backup"]),
        policy("solver", given["solver"], Solver, usual["solver"]),
        structure_for(game, transpositions),
    )
    for one in policies.all:
        one.check(game)
    policies.structure.check(policies)
    compose_columns((*policies.all, policies.structure))
    selection.check_expansion(policies.expansion)
    choice = selection.usual_choice() or usual["choice"]
    return policies, policy("choice", given["choice"], Choice, choice)
