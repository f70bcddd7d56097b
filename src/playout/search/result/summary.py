"""From the trees of a search to its `Result`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.rng import Rng, make_rng
from ...games.positions.position import Position
from ...games.registry import game_spec
from ..best_line import WholeGame
from ..choice import Choice, MostVisits, draw
from ..solver.bounds import is_proven, lower_of
from ..tree.children import find_child
from ..tree.nodes import NO_NODE, ROOT
from ..tree.tree import Tree
from .excerpt import LONGEST_LINE
from .merged_root import best_known, merge_roots
from .result import Result
from .statistics import root_statistics, verdict


def principal_variation(
    position: Position, tree: Tree, first: int, rng: Rng, most: int = LONGEST_LINE
) -> tuple[str, ...]:
    """The moves of the chosen child and then of the most visited one at every node.

    It ends where chance moves, as no player chooses what follows. Where something is
    hidden that is seen in one deal, and the line ends where it does not fit that deal.
    """
    choice, columns, following = MostVisits(), tree.columns(), [first]
    game = position.game
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
        following = choice.best_of(columns, tree.entry(node))
    return tuple(moves)


def summarize(
    position: Position, trees: Sequence[Tree], choice: Choice, **facts: Any
) -> Result:
    """The result of a search: what the choice policy takes from what the trees say."""
    rng, deepen, best = facts.pop("rng"), facts.pop("deepen"), facts.pop("line")
    mover = position.current_player
    tree = merge_roots(trees, mover)
    info, units = tree.info.array[0], tree.units
    chosen = _chosen(tree, choice, best, rng)
    row = tree.nodes.array[chosen]
    known, child = deepen(
        *((tree, chosen) if len(trees) == 1 else best_known(trees, tree.nodes[chosen]))
    )
    action = int(row["action"])
    if best is not None:
        facts |= _replayed(position, best)
    return Result(
        game=game_spec(position.game),
        moves=tuple(position.moves),
        action=action,
        move=position.game.action_name(action),
        value=units.outer(_value(row)),
        visits=tree.visits,
        pv=principal_variation(position, known, child, rng),
        nodes=sum(tree.num_nodes for tree in trees),
        depth=max(int(tree.info.array["max_depth"][0]) for tree in trees),
        tree_bytes=sum(tree.num_bytes for tree in trees),
        actions=root_statistics(position, tree),
        units=units,
        proven=verdict(tree.proven, 1 if info["root_mover"] == mover else -1),
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
    columns = tree.columns()
    if not any(map(columns.visits, columns.children(ROOT))):
        return Choice.choose(choice, tree, ROOT, rng)  # the root alone was evaluated
    return choice.choose(tree, ROOT, rng)


def _replayed(position: Position, best: WholeGame) -> dict[str, Any]:
    """The best line as people write it, and its return in the game's own units."""
    end = position.copy()
    for action in best.actions:
        end.play(action)
    moves = end.moves[len(position.actions) :]
    return {"best_line": tuple(moves), "best_return": float(end.returns(0))}


def _value(row: np.void) -> float:
    """A node's exact value, or its mean."""
    proven, visits = int(row["proven"]), int(row["visits"])
    if is_proven(proven):
        return float(lower_of(proven))
    return float(row["value_sum"]) / visits if visits else 0.0
