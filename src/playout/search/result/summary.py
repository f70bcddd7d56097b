"""From the trees of a search to its `Result`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.jit.rows import Rows, copy_rows
from ...core.rng import Rng, make_rng
from ...games.positions.position import Position
from ...games.registry import game_spec
from ..best_line import WholeGame
from ..choice import Choice, MostVisits, draw
from ..solver.bounds import is_proven, lower_of
from ..tree.children import find_child
from ..tree.columns import Columns
from ..tree.nodes import NO_NODE, ROOT
from ..tree.tree import Tree
from .excerpt import LONGEST_LINE
from .merged_root import best_known, merge_roots
from .result import Result
from .statistics import root_statistics, verdict

#: The choice below the root.
_ROBUST_CHILD = MostVisits()


def best_seen(position: Position, line: WholeGame | None) -> dict[str, Any]:
    """What a result says of the best line: moves, and what they bring."""
    if line is None:
        return {}
    game, states = position.game, Rows(copy_rows(position.array))
    with np.errstate(over="ignore"):
        for action in line.actions:  # all were legal
            game.apply(states[0], action)
        brought = float(game.returns(states[0], 0))
    moves = tuple(map(game.action_name, line.actions))
    return {"best_line": moves, "best_return": brought}


def principal_variation(
    position: Position, tree: Tree, first: int, rng: Rng, most: int = LONGEST_LINE
) -> tuple[str, ...]:
    """The moves of the chosen child and then of the most visited one at every node.

    It ends where chance moves, as no player chooses what follows. Where something is
    hidden that is seen in one deal, and the line ends where it does not fit that deal.
    """
    columns, following, game = tree.columns, [first], position.game
    has_chance = game.has_chance
    line = position.copy() if has_chance else position
    if has_chance and game.has_hidden:
        with np.errstate(over="ignore"):
            game.determinize(line.state, position.current_player, make_rng(0))
    moves: list[str] = []
    while following and len(moves) < most:
        node = draw(following, rng)
        action = columns.action(node)
        if has_chance and game.has_hidden and action not in line.legal_actions():
            break
        moves.append(game.action_name(action))
        if has_chance and line.play(action).is_chance:
            break
        following = _ROBUST_CHILD.best_of(columns, tree.entry(node))
    return tuple(moves)


def summarize(
    position: Position,
    trees: Sequence[Tree],
    choice: Choice,
    *,
    rng: Rng,
    deepen: Callable[[Tree, int], tuple[Tree, int]],
    line: WholeGame | None,
    **facts: Any,
) -> Result:
    """The result of a search: what the choice policy takes from what the trees say.

    Args:
        position: at the root of the trees.
        trees: that were grown independently; at least one.
        choice: the choice policy.
        rng: draws among equally good moves.
        deepen: the tree and the number under which a node has all its descendants.
        line: the best game of a puzzle; None in other games.
        facts: the attributes of the result that the trees do not tell, `best_seen`.
    """
    tree = trees[0]
    if len(trees) > 1:
        tree = merge_roots(trees, position.current_player)
    chosen = _chosen(tree, choice, line, rng)
    known, child = deepen(
        *((tree, chosen) if len(trees) == 1 else best_known(trees, tree.nodes[chosen]))
    )
    columns, units = tree.columns, tree.units
    action = columns.action(chosen)
    return Result(
        game=game_spec(position.game),
        moves=tuple(position.moves),
        action=action,
        move=position.game.action_name(action),
        value=units.outer(_value(columns, chosen)),
        visits=tree.visits,
        pv=principal_variation(position, known, child, rng),
        nodes=sum(tree.num_nodes for tree in trees),
        depth=max(tree.max_depth for tree in trees),
        tree_bytes=sum(tree.num_bytes for tree in trees),
        actions=root_statistics(position, tree),
        units=units,
        proven=_proven(tree, position),
        **facts,
    )


def _chosen(tree: Tree, choice: Choice, best: WholeGame | None, rng: Rng) -> int:
    """The child of the root that is played.

    The best line may begin with a move that has no node: it was rolled out from the
    root itself, and the tree has not reached that move.
    """
    if best is not None and choice.follows_line:
        node = find_child(tree, ROOT, best.actions[0])
        if node != NO_NODE and tree.nodes[node].visits > 0:
            return int(node)
    columns = tree.columns
    if type(choice).choose is not Choice.choose:  # it may count on visits
        if not any(map(columns.visits, columns.children(ROOT))):
            return Choice.choose(
                choice, tree, ROOT, rng
            )  # the root alone was evaluated
    return choice.choose(tree, ROOT, rng)


def _proven(tree: Tree, position: Position) -> str | None:
    """What is proven, for the player to move; the root's own value may be another's."""
    proven = tree.proven
    if not is_proven(proven):
        return None
    own = tree.info[0].root_mover == position.current_player
    return verdict(proven, 1 if own else -1)


def _value(columns: Columns, node: int) -> float:
    """A node's exact value, or its mean."""
    proven, visits = columns.proven(node), columns.visits(node)
    if is_proven(proven):
        return float(lower_of(proven))
    return columns.value_sum(node) / visits if visits else 0.0
