"""How two processes name states and actions to each other.

By numbers, as everywhere. Only where a game numbers its actions as it meets them
(`Game.numbers_as_met`) they go by their names, and a state by its text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.errors import PlayoutError
from ...core.jit.rows import Rows
from ...core.jit.wide_rows import WideRows
from ...games.contract.game import Game
from ...games.positions.position import Position
from ..tree.nodes import ROOT
from ..tree.tree import Tree

__all__ = [
    "action_here",
    "action_to_send",
    "names_to_send",
    "renumbered",
    "state_here",
    "state_to_send",
]

SomeTree = TypeVar("SomeTree", bound=Tree)


def state_to_send(game: Game, state: NDArray[np.void]) -> NDArray[np.void] | str:
    """What another process makes the same `[1]` state of."""
    return game.state_to_text(Rows(state)[0]) if game.numbers_as_met else state


def state_here(game: Game, sent: NDArray[np.void] | str) -> NDArray[np.void]:
    """The state of what another process has sent."""
    return Position(game, sent).array if isinstance(sent, str) else sent


def action_to_send(game: Game, action: int) -> int | str:
    """What another process knows an action by."""
    return game.action_name(action) if game.numbers_as_met else action


def action_here(game: Game, sent: int | str) -> int:
    """The number of an action that another process has sent; -1 for one not met here.

    No tree has anything below that.
    """
    if not isinstance(sent, str):
        return sent
    try:
        return game.parse_action(sent)
    except PlayoutError:
        return -1


def names_to_send(game: Game, tree: Tree) -> list[str] | None:
    """The names of what leads to each node, where numbers say nothing elsewhere."""
    if not game.numbers_as_met:
        return None
    return [game.action_name(n) for n in tree.nodes.array["action"].tolist()]


def renumbered(tree: SomeTree, names: list[str], position: Position) -> SomeTree:
    """A tree whose actions have the numbers that they have here.

    Args:
        tree: the top of one, or a line in one, as it was sent.
        names: of the actions, by node.
        position: that of its root.
    """
    nodes = tree.nodes.array.copy()  # what was sent may be read-only
    game, actions, counts = position.game, nodes["action"], nodes["num_children"]
    level = [(ROOT, position)]
    for node, here in level:
        if counts[node]:
            here.legal_actions()  # they all have a number after this
        for child in tree.children(node).tolist():
            actions[child] = game.parse_action(names[child])
            if counts[child]:
                level.append((child, here.copy().play(int(actions[child]))))
    return replace(tree, nodes=WideRows(nodes))
