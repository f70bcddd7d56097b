"""What the root of a tree shows, after simulations, of rules that break a law."""

from __future__ import annotations

import math
from typing import Any

from ...core.errors import RulesError, quote
from ...games.contract.game import Game
from ...games.contract.units import bounds_of, declared_range
from ...games.positions.position import Position
from ..rollout.base import Rollout
from ..tree.nodes import ROOT
from ..tree.tree import Tree

__all__ = ["expect_laws"]

#: How far the mean of many returns may lie outside of the range by rounding.
SLACK = 1e-6


def expect_laws(tree: Tree, position: Position, rollout: Rollout) -> None:
    """Complain where no game by sound rules could have brought such a root.

    Args:
        tree: after some simulations.
        position: its root.
        rollout: whose estimates may have been backed up.

    Raises:
        RulesError: names the law and the position.
    """
    row = tree.nodes.array[ROOT]
    if row["num_legal"] == 0:
        broken = "law 1: is_terminal is false, but there is no legal action"
    elif _is_beyond(row, position.game):
        judges, words = _judges(rollout), bounds_of(position.game).describe()
        broken = f"law 4: {judges} are not all {words} in games"
        position = _last_beyond(tree, position)
    else:
        return
    name, text = type(position.game).__name__, quote(position.to_text())
    raise RulesError(f"{name} breaks {broken} from {text}")


def _is_beyond(row: Any, game: Game) -> bool:
    """Whether some return of a node was outside of the range, or no finite number."""
    total = row["value_sum"]
    if abs(total) <= int(row["visits"]) * (1 + SLACK):
        return False
    return declared_range(game) is not None or not math.isfinite(total)


def _last_beyond(tree: Tree, position: Position) -> Position:
    """The position furthest from the root of which that can be said."""
    game, rows, node = position.game, tree.nodes.array, ROOT
    position = position.copy()
    while not (game.has_chance or game.has_hidden):
        beyond = [n for n in tree.children(node) if _is_beyond(rows[n], game)]
        if not beyond:
            break
        node = beyond[0]
        position.play(int(rows["action"][node]))
    return position


def _judges(rollout: Rollout) -> str:
    """Whose numbers are backed up."""
    if type(rollout).estimate is Rollout.estimate:
        return "returns"
    return f"returns, or what {type(rollout).__qualname__}.estimate gives,"
