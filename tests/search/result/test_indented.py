"""The tree as indented text."""

import re

import pytest

from playout import MCTS, Limit, Position, TicTacToe


@pytest.fixture(scope="module")
def view():
    search = MCTS(TicTacToe(), seed=3)
    position = Position.from_moves(TicTacToe(), ["b2", "a1"])
    search.search(position, Limit(simulations=300))
    return search.view().filter(max_depth=3)


def test_every_node_has_a_line_below_its_parent(view):
    title, *lines, count = view.to_text().splitlines()
    nodes = list(view)
    assert title == "tic-tac-toe: b2 a1"
    assert count == f"{len(nodes)} nodes"
    path: list[str] = []
    found = []
    for line in lines:
        move, numbers = re.fullmatch(r" *(\S+)(?: ->)? -?[\d.]+ (.*)", line).groups()
        depth = (len(line) - len(line.lstrip())) // 2
        path[depth:] = [move]
        found.append((tuple(path), int(re.search(r"/(\d+)\)", numbers)[1])))
    wanted = {("root", *line_of(nodes, node)): node.visits for node in nodes}
    assert dict(found) == wanted
    assert len(found) == len(wanted)


def line_of(nodes, node):
    """The moves from the root to a node."""
    moves = []
    while node.parent is not None:
        moves.append(node.move)
        node = nodes[node.parent]
    return moves[::-1]


def test_siblings_stand_in_the_order_of_their_visits(view):
    first_level = re.findall(r"^  \S+ -> .*/(\d+)\)", view.to_text(), re.MULTILINE)
    assert first_level == sorted(first_level, key=int, reverse=True)
