"""Drivers of another kind than `kernel` work with plain policies alone."""

from __future__ import annotations

from ..core.errors import UsageError
from .backup import Mean
from .expansion import RandomChild
from .kernel import Policies
from .policy import Policy
from .solver import ScoreBounds, Unsolved

__all__ = ["expect_plain"]


def expect_plain(policies: Policies, where: str, of_two: bool = False) -> None:
    """Complain about policies, and games, that a driver does not know to handle.

    Args:
        policies: of the search.
        where: the driver, in words.
        of_two: whether the game must be one of two players without chance or hidden
            information, whose returns add up to 0.

    Raises:
        UsageError: a policy reads what each action was, looks at single states, or
            makes or updates nodes in another way; or the game is of another kind.
    """
    game = policies.game
    name = game.name or type(game).__name__
    two = game.num_players() == 2 and game.zero_sum
    if of_two and not (two and not game.has_chance and not game.has_hidden):
        raise UsageError(
            f"{name} cannot be searched {where}: that is for games of two players "
            "without chance or hidden information whose returns add up to 0"
        )
    learning = (policies.selection, policies.rollout)
    for policy in policies.all:
        kind = type(policy)
        looks = policy.uses_actions or kind.meet is not Policy.meet
        learns = of_two and kind.update is not Policy.update and policy in learning
        if looks or learns:
            raise UsageError(f"{policy} does not work {where}, as in {name}")
    if not isinstance(policies.expansion, RandomChild):
        raise UsageError(f"{policies.expansion} does not work {where}, as in {name}")
    if policies.backup != Mean():
        raise UsageError(f"{policies.backup} does not work {where}, as in {name}")
    if not isinstance(policies.solver, ScoreBounds | Unsolved):
        raise UsageError(f"{policies.solver} does not work {where}, as in {name}")
