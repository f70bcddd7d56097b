"""Results and trees in a notebook, and as pictures."""

import pytest

from playout import MCTS, Limit, Position, TicTacToe, UsageError


@pytest.fixture(scope="module")
def search():
    search = MCTS(TicTacToe(), seed=1)
    search.search(Position.from_moves(TicTacToe(), ["b2"]), Limit(simulations=300))
    return search


@pytest.fixture(scope="module")
def result(search):
    return search.search(limit=Limit(simulations=20))


def test_a_table_of_the_moves(result):
    shown = result._repr_html_()
    assert shown.count("<tr>") == 1 + len(result.actions)
    first = result.actions[0]
    assert f'<th scope="row">{first.move}</th>' in shown
    assert f"{first.visits:,}" in shown
    assert f"{first.share:.1%}" in shown


def test_a_picture_of_a_result(result, tmp_path):
    figure = result.plot(tmp_path / "result.svg", most=3)
    shares, rates = figure.axes
    bars = [bar.get_width() for bar in shares.patches]
    assert bars == pytest.approx([100 * row.share for row in result.actions[2::-1]])
    middles = rates.lines[0].get_xdata()
    assert list(middles) == pytest.approx(
        [50 * (row.mean + 1) for row in result.actions[2::-1]]
    )
    assert (tmp_path / "result.svg").read_text().count("<svg") == 1


def test_a_picture_of_a_tree(search, result):
    nodes = list(search.view().readable())
    axes = search.view().plot().axes[0]
    boxes = [(box.get_x(), box.get_width(), box.get_y()) for box in axes.patches]
    assert len(boxes) == len(nodes)
    for node, (x, width, y) in zip(nodes, boxes, strict=True):
        assert width == pytest.approx(node.share)
        if node.parent is not None:
            above = boxes[node.parent]
            assert above[0] - 1e-9 <= x
            assert x + width <= above[0] + above[1] + 1e-9
            assert y < above[2]


def test_pictures_that_cannot_be_written(result):
    with pytest.raises(UsageError, match=r"end in \.png or \.svg"):
        result.plot("result.gif")
