"""The tree as JSON and DOT."""

import json
import re

import pytest

from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.search.limit import Limit
from playout.search.mcts import MCTS
from playout.search.result.export import exported_nodes
from playout.search.result.view import TreeView


@pytest.fixture(scope="module")
def searched():
    position = Position.from_moves(TicTacToe(), ["b2", "a1"])
    search = MCTS(TicTacToe(), seed=1)
    result = search.search(position, Limit(simulations=2000))
    return search.tree, position, result


def test_the_root_comes_first(searched):
    tree, position, result = searched
    root = exported_nodes(tree, position)[0]
    assert (root.id, root.parent, root.depth, root.move) == (0, None, 0, "")
    assert root.visits == result.visits
    assert root.share == 1.0


def test_the_roots_mean_is_that_of_its_moves(searched):
    tree, position, result = searched
    weighted = sum(row.visits * row.mean for row in result.actions)
    visits = sum(row.visits for row in result.actions)
    assert exported_nodes(tree, position)[0].mean == pytest.approx(weighted / visits)


def test_children_of_the_root_are_the_results_moves(searched):
    tree, position, result = searched
    nodes = exported_nodes(tree, position, min_share=0, max_nodes=10**6)
    children = {n.move: (n.visits, n.mean) for n in nodes if n.parent == 0}
    assert children == {
        r.move: (r.visits, pytest.approx(r.mean)) for r in result.actions
    }


def test_parents_come_before_children_and_are_visited_more(searched):
    tree, position, _ = searched
    nodes = exported_nodes(tree, position, min_share=0, max_nodes=10**6)
    for index, node in enumerate(nodes):
        assert node.id == index
        if node.parent is not None:
            parent = nodes[node.parent]
            assert parent.id < node.id
            assert parent.visits >= node.visits
            assert parent.depth == node.depth - 1
            assert parent.player != node.player


def test_moves_are_legal_along_every_line(searched):
    tree, position, _ = searched
    nodes = exported_nodes(tree, position)
    for node in nodes:
        line = []
        while node.parent is not None:
            line.append(node.move)
            node = nodes[node.parent]
        here = position.copy()
        for move in reversed(line):
            here.play(move)


def test_only_the_most_visited_part(searched):
    tree, position, _ = searched
    nodes = exported_nodes(tree, position, min_share=0.05)
    assert all(node.visits >= 0.05 * nodes[0].visits for node in nodes)
    assert len(exported_nodes(tree, position, min_share=0, max_nodes=7)) == 7


def test_json_names(searched):
    tree, position, _ = searched
    found = json.loads(TreeView(tree, position).readable().to_json())
    assert list(found) == ["game", "position", "moves", "visits", "nodes"]
    assert found["game"] == "tic-tac-toe"
    assert found["moves"] == ["b2", "a1"]
    assert list(found["nodes"][1]) == (
        ["id", "parent", "depth", "move", "player", "visits", "share", "mean", "proven"]
    )


def test_dot_has_a_box_for_every_node_and_an_arrow_for_every_move(searched):
    tree, position, result = searched
    text = TreeView(tree, position).readable().to_dot()
    boxes = re.findall(r"^  n\d+ \[label=", text, flags=re.MULTILINE)
    arrows = re.findall(r"^  n\d+ -> n\d+;", text, flags=re.MULTILINE)
    assert len(boxes) == len(exported_nodes(tree, position)) == len(arrows) + 1
    best = result.actions[0]
    worth = best.proven or f"{(best.mean + 1) / 2:.1%}"
    assert f'"X {best.move}\\n{best.visits:,}\\n{worth}"' in text


def test_a_tree_of_one_node():
    search = MCTS(TicTacToe(), seed=1)
    search.search(None, Limit(simulations=5))
    search.advance(search.position.legal_actions()[0])
    search.tree.clear(0)
    assert len(exported_nodes(search.tree, search.position)) == 1
    assert (
        TreeView(search.tree, search.position).readable().to_dot().startswith("digraph")
    )


def test_names_are_quoted():
    class Odd(TicTacToe):
        def action_name(self, action):
            return f'say "{action}" \\'

    search = MCTS(Odd(), seed=1, interpreted=True)
    search.search(None, Limit(simulations=5))
    text = TreeView(search.tree, search.position).readable().to_dot()
    assert 'say \\"' in text
