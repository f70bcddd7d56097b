"""`TreeView` and `Curves`: what people see of a tree.

Also of `search/result/curves.py` and `search/result/tree_picture.py`.
"""

import json
import re
from xml.etree import ElementTree

import pytest

from playout import (
    MCTS,
    AllChildren,
    Gomoku,
    Limit,
    Position,
    TicTacToe,
    UsageError,
)
from playout.search.result.curves import Curves
from playout.search.solver.base import Unsolved

SVG = "{http://www.w3.org/2000/svg}"
#: X to move and win at once with c1.
WON = ["a1", "a2", "b1", "b2"]


@pytest.fixture(scope="module")
def search():
    search = MCTS(TicTacToe(), seed=1)
    search.search(
        Position.from_moves(TicTacToe(), ["b2", "a1"]), Limit(simulations=900)
    )
    return search


def test_all_nodes_that_were_visited_are_there(search):
    nodes = search.tree.nodes.array[: search.tree.num_nodes]
    assert len(list(search.view())) == (nodes["visits"] > 0).sum()


def test_a_graph_is_seen_to_its_depth():
    """A position's children are shown once; no node has more visits than its parent."""
    search = MCTS(TicTacToe(), seed=1, transpositions=True, interpreted=True)
    result = search.search(limit=Limit(simulations=400))
    nodes = list(search.view())
    assert max(node.depth for node in nodes) >= 4
    assert max(node.depth for node in nodes) <= result.depth
    for node in nodes[1:]:
        assert node.visits <= nodes[node.parent].visits
    followed = {}
    for node in nodes[1:]:
        position = Position(TicTacToe())
        for move in path_to(nodes, node.parent):
            position.play(move)
        assert followed.setdefault(position.to_text(), node.parent) == node.parent


def path_to(nodes, number):
    """The moves that lead to a node."""
    if number == 0:
        return []
    return [*path_to(nodes, nodes[number].parent), nodes[number].move]


def test_filters(search):
    view = search.view()
    assert {node.depth for node in view.filter(max_depth=2)} == {0, 1, 2}
    assert [n.depth for n in view.filter(max_depth=0)] == [0]
    assert min(node.visits for node in view.filter(min_visits=7)) >= 7
    assert len(list(view.filter(min_visits=7))) == sum(n.visits >= 7 for n in view)
    assert min(node.share for node in view.filter(min_share=0.1)) >= 0.1
    assert len(list(view.filter(max_nodes=5))) == 5


@pytest.mark.parametrize(
    "bounds",
    [
        {"visits": 3},
        {"min_visits": -1},
        {"min_visits": None},
        {"min_share": "x"},
        {"min_share": 1.5},
        {"max_depth": 1.5},
        {"max_nodes": "x"},
        {"max_nodes": 0},
    ],
    ids=str,
)
def test_wrong_filters(search, bounds):
    with pytest.raises(UsageError, match=next(iter(bounds))):
        search.view().filter(**bounds)


@pytest.mark.parametrize("numbers", [{"most": -1}, {"most": "x"}, {"length": 0}])
def test_wrong_numbers_of_lines(search, numbers):
    with pytest.raises(UsageError, match=f"{next(iter(numbers))} must be a whole"):
        search.view().lines(**numbers)


def test_nothing_to_see_before_a_search():
    with pytest.raises(UsageError, match="there is no tree yet"):
        MCTS(TicTacToe()).view()


def test_lines_are_those_of_the_most_visited_moves(search):
    result = search.search(search.position, Limit(simulations=1))
    lines = search.view().lines(2, length=4)
    assert [line.moves[0] for line in lines] == [a.move for a in result.actions[:2]]
    assert lines[0].visits == result.actions[0].visits
    for line in lines:
        assert 1 <= len(line.moves) <= 4
        position = search.position
        for move in line.moves:
            position.play(move)  # legal


def test_a_proof_is_seen():
    search = MCTS(TicTacToe(), seed=1)
    search.search(Position.from_moves(TicTacToe(), WON), Limit(simulations=500))
    view = search.view()
    root, *others = view
    assert root.proven == "win"
    assert next(n for n in others if n.move == "c1").proven == "win"
    assert view.lines(1)[0].proven == "win"
    assert "win" in view.to_svg()


def test_what_is_seen_is_said_in_a_line(search):
    shown = repr(search.view().filter(max_depth=2))
    assert shown.startswith("TreeView(tic-tac-toe after ")
    assert "simulations, min_visits=1, min_share=0.0, max_depth=2, max_nodes" in shown


def test_json_is_the_dict(search):
    view = search.view().filter(max_nodes=9)
    assert json.loads(view.to_json()) == view.to_dict()
    assert len(view.to_dict()["nodes"]) == 9


def test_svg_has_a_box_for_every_node_and_none_lies_on_another(search):
    view = search.view().filter(max_nodes=60)
    picture = ElementTree.fromstring(view.to_svg())
    boxes = [r for r in picture.iter(f"{SVG}rect") if r.get("class") == "box"]
    corners = {(float(r.get("x")), float(r.get("y"))) for r in boxes}
    assert len(corners) == len(boxes) == 60
    for x, y in corners:
        for other_x, other_y in corners - {(x, y)}:
            assert x != other_x or abs(y - other_y) >= float(boxes[0].get("height"))
    assert len(list(picture.iter(f"{SVG}path"))) == 59
    assert max(x for x, _ in corners) < float(picture.get("width"))
    assert max(y for _, y in corners) < float(picture.get("height"))
    assert view._repr_svg_().startswith("<svg")


def test_names_in_svg_are_escaped():
    class Odd(TicTacToe):
        def action_name(self, action):
            return f'<{action}> & "'

    search = MCTS(Odd(), seed=1, interpreted=True)
    search.search(None, Limit(simulations=5))
    assert ElementTree.fromstring(search.view().to_svg()) is not None


def test_networkx(search):
    networkx = pytest.importorskip("networkx")
    view = search.view().filter(max_nodes=30)
    graph = view.to_networkx()
    assert networkx.is_arborescence(graph)
    assert graph.nodes[0]["visits"] == search.tree.visits


@pytest.mark.parametrize("suffix", ["json", "dot", "svg", "txt"])
def test_saved(search, tmp_path, suffix):
    path = tmp_path / f"tree.{suffix}"
    search.view().readable().save(path)
    written = path.read_text()
    assert re.match(
        {"json": r"\{", "dot": "digraph", "svg": "<svg", "txt": "tic"}[suffix], written
    )


def test_an_unknown_ending(search, tmp_path):
    with pytest.raises(UsageError, match=r"must end in \.json, \.dot, \.svg or \.txt"):
        search.view().save(tmp_path / "tree.text")


# -- curves ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def curves():
    curves = Curves()
    search = MCTS(TicTacToe(), seed=1, solver=Unsolved())
    for simulations in (5, 50, 500):
        curves(search.search(limit=Limit(simulations=simulations)))
    return curves


def test_a_curve_begins_where_the_move_was_tried(curves):
    for row in curves.points[-1].actions:
        points = curves.of(row.move)
        seen = [p for p in curves.points for a in p.actions if a.move == row.move]
        assert len(points) == len(seen)
        assert points[-1][1:] == (500, row.share, row.mean)
    assert len(curves.of("z9")) == 0


def test_progress_is_kept():
    curves = Curves()
    search = MCTS(TicTacToe(), seed=1, solver=Unsolved())
    search.search(limit=Limit(seconds=0.35), progress=curves)
    counts = [point.simulations for point in curves.points]
    assert len(counts) >= 1
    assert counts == sorted(set(counts))


def test_moves_that_were_not_tried_are_not_drawn():
    """Some expansions list moves before they are tried."""
    everything = AllChildren(visit_all=False)
    search = MCTS(Gomoku(size=9), expansion=everything, seed=1, interpreted=True)
    curves = Curves()
    curves(search.search(limit=Limit(simulations=1)))
    tried = [row for row in curves.points[-1].actions if row.visits]
    assert len(tried) == 1 < len(curves.points[-1].actions)
    values, _ = curves.plot().axes
    drawn = [line for line in values.lines if line.get_label() == tried[0].move]
    assert len(drawn) == len(values.lines) == 1


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_drawn(curves, tmp_path, suffix):
    path = tmp_path / f"curves.{suffix}"
    figure = curves.plot(path, most=4)
    assert path.stat().st_size > 5000
    legend = figure.axes[0].get_legend()
    shown = [text.get_text() for text in legend.get_texts()]
    assert shown == [row.move for row in curves.points[-1].actions[:4]]


def test_nothing_to_draw():
    with pytest.raises(UsageError, match="nothing to draw"):
        Curves().plot()
