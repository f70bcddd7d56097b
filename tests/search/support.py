"""Roots made by hand, exact play, and other slow twins that several tests need."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from playout import MCTS, Position, Tree
from playout.core.rng import make_rng
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT


def synthetic_root(*children: tuple[int, float]) -> Tree:
    """A root whose children have these visits and means."""
    tree = Tree.reserve(100)
    tree.nodes[ROOT].num_legal = len(children)
    for action, (visits, mean) in enumerate(children):
        child = tree.nodes[add_child(tree, ROOT, action)]
        child.visits, child.value_sum = visits, visits * mean
    tree.nodes[ROOT].visits = sum(visits for visits, _ in children)
    return tree


def chosen(choice: Any, tree: Tree, seed: int = 0) -> int:
    with np.errstate(over="ignore"):
        return int(tree.nodes[choice.choose(tree, ROOT, make_rng(seed))].action)


def row(visits: int, value_sum: float = 0.0, **columns: float) -> Any:
    return SimpleNamespace(visits=visits, value_sum=value_sum, **columns)


def reached(search: MCTS) -> list[int]:
    """All nodes below the root, which stands first."""
    found = [ROOT]
    for node in found:
        found.extend(search.tree.columns.children(node))
    return found


@cache
def minimax(cells: str) -> int:
    """The value for the player to move, of a board of nine X, O and dots."""
    if winner(cells):
        return -1
    moves = [i for i in range(9) if cells[i] == "."]
    if not moves:
        return 0
    mark = to_move(cells)
    return max(-minimax(cells[:i] + mark + cells[i + 1 :]) for i in moves)


def to_move(cells: str) -> str:
    return "X" if cells.count("X") == cells.count("O") else "O"


def winner(cells: str) -> bool:
    lines = ("012", "345", "678", "036", "147", "258", "048", "246")
    return any(
        cells[int(a)] == cells[int(b)] == cells[int(c)] != "." for a, b, c in lines
    )


def best_moves(cells: str) -> list[int]:
    mark, value = to_move(cells), minimax(cells)
    return [
        i
        for i in range(9)
        if cells[i] == "." and -minimax(cells[:i] + mark + cells[i + 1 :]) == value
    ]


def board_of(position: Position) -> str:
    """The cells of tic-tac-toe as nine X, O and dots, row by row."""
    return position.to_text().split()[0].replace("/", "")


def walk(tree: Tree, node: int = ROOT) -> list[int]:
    """All nodes with visits, the root first."""
    found, stack = [], [node]
    while stack:
        found.append(stack.pop())
        stack.extend(tree.columns.children(found[-1]))
    return found


def path_work(movers: list[int], returns: list[float]) -> Any:
    """As much of `Work` as backups read: nodes 0, 1, ... with who moved into them."""
    steps = [SimpleNamespace(node=n, place=n, mover=m) for n, m in enumerate(movers)]
    return SimpleNamespace(path=steps, returns=returns)
