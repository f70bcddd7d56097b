"""Results of a search for the page: JSON with every number explained.

All values are means for the player to move, as win rates from 0 to 1; a draw counts
half. In a game with units of its own they are shares of its range of returns, and
`shown` is the mean return as people read it.
"""

from __future__ import annotations

from typing import Any

from ...core.rng import make_rng
from ...games.contract.units import Units
from ...games.positions.position import Position
from ...search.result.result import Result
from ...search.result.statistics import ActionStatistics, verdict
from ...search.result.summary import principal_variation
from ...search.tree.nodes import ROOT
from ...search.tree.tree import Tree

__all__ = ["ON_THE_WAY", "branch", "thought"]

#: How many moves are told while a search goes on, which is ten times a second: more
#: than a page shows. With all of Gomoku's the message would be six times as long.
ON_THE_WAY = 30
#: How many moves come with the line that is expected after them.
ROWS_WITH_LINES = 10
#: How many moves of that line.
LINE_MOVES = 12
#: Children of a node that are shown at most.
MOST_CHILDREN = 30
#: Win rates that are sure.
PROVEN: dict[str | None, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}


def thought(
    result: Result, position: Position, tree: Tree | None, most: int | None = None
) -> dict[str, Any]:
    """A result: the numbers of the search, and of the moves that it tried.

    Args:
        result: what was found.
        position: where.
        tree: has the lines that are expected; None for a result without them.
        most: so many moves, the most visited; all by default.
    """
    lines = {} if tree is None else _lines(result, position, tree)
    return {
        "ply": len(position.actions),
        "to_move": position.current_player,
        "move": result.move,
        "win_rate": result.win_rate,
        "shown": _shown(result.units, result.value),
        "proven": result.proven,
        "visits": result.visits,
        "simulations": result.simulations,
        "seconds": result.seconds,
        "speed": result.simulations_per_second,
        "nodes": result.nodes,
        "depth": result.depth,
        "stopped_by": result.stopped_by,
        "line": list(result.pv),
        "actions": [
            {**_row(row), "line": lines.get(row.action, [])}
            for row in result.actions[:most]
        ],
    }


def _shown(units: Units, value: float) -> str | None:
    """A return in the game's own units; None where win rates say it."""
    return None if units.are_points else units.show(value)


def _row(row: ActionStatistics) -> dict[str, Any]:
    once = row.visits < 2 and row.proven is None  # of which nothing is known
    has_words = once or not row.units.are_points
    is_known = row.visits > 0 or row.proven is not None
    return {
        "move": row.move,
        "visits": row.visits,
        "share": round(row.share, 4),
        "win_rate": PROVEN.get(row.proven, round(row.win_rate, 4)),
        "shown": _shown(row.units, row.mean) if is_known else row.shown_rate,
        "error": 0.0 if row.proven else round(row.standard_error / row.units.span, 4),
        "shown_error": row.shown_error if has_words else None,
        "proven": row.proven,
        "plies": row.proof_plies,
    }


def _lines(result: Result, position: Position, tree: Tree) -> dict[int, list[str]]:
    """The expected lines of the most visited moves."""
    nodes = tree.nodes.array
    node_of = {int(nodes["action"][node]): int(node) for node in tree.children(ROOT)}
    rng, found = make_rng(0), {}
    for row in result.actions[:ROWS_WITH_LINES]:
        if (node := node_of.get(row.action)) is not None:
            line = principal_variation(position, tree, node, rng, LINE_MOVES)
            found[row.action] = list(line)
    return found


def branch(tree: Tree, position: Position, path: list[str]) -> dict[str, Any]:
    """The children of a node, the most visited first.

    Args:
        tree: of a search that is not running at this moment.
        position: at its root.
        path: the moves that lead to the node.
    """
    here, node = position.copy(), ROOT
    for move in path:
        action = here.play(move).actions[-1]
        node = _child(tree, node, action)
        if node < 0:
            return {"path": path, "ply": len(position.actions), "children": []}
    nodes = tree.nodes.array
    found = map(int, tree.children(tree.entry(node)))
    children = sorted(found, key=lambda n: -int(nodes["visits"][n]))
    return {
        "path": path,
        "ply": len(position.actions),
        "player": -1 if here.is_terminal else here.current_player,
        "more": max(0, len(children) - MOST_CHILDREN),
        "children": [
            _child_row(here, tree, child) for child in children[:MOST_CHILDREN]
        ],
    }


def _child(tree: Tree, node: int, action: int) -> int:
    for child in tree.children(tree.entry(node)):
        if int(tree.nodes.array["action"][child]) == action:
            return int(child)
    return -1


def _child_row(position: Position, tree: Tree, child: int) -> dict[str, Any]:
    row = tree.nodes.array[child]
    visits = int(row["visits"])
    mean = tree.units.outer(float(row["value_sum"]) / max(1, visits))
    return {
        "move": position.game.action_name(int(row["action"])),
        "visits": visits,
        "win_rate": round(tree.units.share(mean), 4),
        "shown": _shown(tree.units, mean),
        "proven": verdict(int(row["proven"])),
        "inner": int(tree.nodes.array["num_children"][tree.entry(child)]) > 0,
    }
