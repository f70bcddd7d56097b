"""What the page is told of a search: every number is one of the tree's."""

import pytest

from playout import MCTS, Limit, Position, TicTacToe, Tree
from playout.search.result.result import Result
from playout.search.result.statistics import root_statistics
from playout.search.solver.bounds import bounds
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT
from playout.ui.web.thoughts import MOST_CHILDREN, branch, thought
from tests.toys import Nim


def tree_of(*children: tuple[int, float, int]) -> Tree:
    """A root whose children have these visits, means and proofs, by their actions."""
    tree = Tree.reserve(100)
    tree.nodes[ROOT].num_legal = len(children)
    for action, (visits, mean, proven) in enumerate(children):
        row = tree.nodes[add_child(tree, ROOT, action)]
        row.visits, row.value_sum, row.proven = visits, visits * mean, proven
        row.proof_plies = 2
    return tree


def result_of(tree: Tree, position: Position) -> Result:
    """As if a search had ended with this tree."""
    rows = root_statistics(position, tree)
    return Result(
        game="tic-tac-toe",
        moves=(),
        action=rows[0].action,
        move=rows[0].move,
        value=rows[0].mean,
        visits=500,
        simulations=400,
        seconds=2.0,
        compile_seconds=0.0,
        stopped_by="simulations",
        pv=("a3", "b2"),
        nodes=10,
        depth=3,
        tree_bytes=320,
        seed=1,
        actions=rows,
    )


def test_win_rates_and_errors_are_shares_of_the_points() -> None:
    """A mean of 0.6 is a rate of 0.8; the rate's error is half of the mean's."""
    position = Position(TicTacToe())
    tree = tree_of((100, 0.6, 0), (64, -0.6, 0), (25, 0.0, 0), (0, 0.0, 0))
    rows = thought(result_of(tree, position), position, None)["actions"]
    assert [row["win_rate"] for row in rows] == [0.8, 0.2, 0.5, 0.5]
    assert [row["error"] for row in rows] == [0.04, 0.05, 0.1, 0.5]
    assert [row["visits"] for row in rows] == [100, 64, 25, 0]
    assert [row["share"] for row in rows] == [0.5291, 0.3386, 0.1323, 0.0]
    assert [row["move"] for row in rows] == ["a3", "b3", "c3", "a2"]
    assert [row["proven"] for row in rows] == [None] * 4
    assert [row["shown"] for row in rows] == [None, None, None, "-"]  # never tried


def test_an_error_is_told_to_a_hundredth_of_a_percent() -> None:
    position = Position(TicTacToe())
    [row] = thought(result_of(tree_of((7, 0.0, 0)), position), position, None)[
        "actions"
    ]
    assert row["error"] == 0.189  # 0.18898


def test_what_is_proven_has_no_error() -> None:
    position = Position(TicTacToe())
    values = (1, 0, -1)
    tree = tree_of(*((9 - n, 0.3, bounds(v, v)) for n, v in enumerate(values)))
    rows = thought(result_of(tree, position), position, None)["actions"]
    assert [row["proven"] for row in rows] == ["win", "draw", "loss"]
    assert [row["win_rate"] for row in rows] == [1.0, 0.5, 0.0]
    assert [row["error"] for row in rows] == [0.0] * 3
    assert [row["plies"] for row in rows] == [3] * 3


def test_a_result_is_told_as_it_is() -> None:
    position = Position.from_moves(TicTacToe(), ["b2"])
    told = thought(result_of(tree_of((4, 0.5, 0)), position), position, None)
    del told["actions"]
    assert told == {
        "ply": 1,
        "to_move": 1,
        "move": "a3",
        "win_rate": 0.75,
        "shown": None,  # points need no units
        "proven": None,
        "visits": 500,
        "simulations": 400,
        "seconds": 2.0,
        "speed": 200.0,
        "nodes": 10,
        "depth": 3,
        "stopped_by": "simulations",
        "line": ["a3", "b2"],
    }


def test_of_many_moves_the_most_visited_are_told() -> None:
    position = Position(TicTacToe())
    result = result_of(tree_of((1, 0.5, 0), (9, 0.0, 0), (4, 0.1, 0)), position)
    told = [thought(result, position, None, most)["actions"] for most in (2, None)]
    assert [row["visits"] for row in told[0]] == [9, 4]
    assert [row["visits"] for row in told[1]] == [9, 4, 1]


@pytest.fixture(scope="module")
def search() -> MCTS:
    found = MCTS(Nim(stones=8), seed=1, interpreted=True)
    found.search(limit=Limit(simulations=200))
    return found


def test_every_move_has_its_line(search: MCTS) -> None:
    """The move itself, and the answer that was tried most."""
    position = search.position
    result = search.search(limit=Limit(simulations=1))
    rows = thought(result, position, search.tree)["actions"]
    for row in rows:
        below = branch(search.tree, position, [row["move"]])["children"]
        assert row["line"][0] == row["move"]
        if below and not any(child["proven"] for child in below):
            assert row["line"][1] == below[0]["move"]
    assert sum(len(row["line"]) > 1 for row in rows) >= 2


def test_a_branch_shows_the_children_of_a_node(search: MCTS) -> None:
    tree, position = search.tree, search.position
    nodes = tree.nodes.array
    path: list[str] = []
    for node in (ROOT, int(tree.children(ROOT)[0])):
        if node != ROOT:
            path = [str(nodes["action"][node])]
        told = branch(tree, position, path)
        rows = nodes[tree.children(node)]
        assert (told["path"], told["ply"], told["more"]) == (path, 0, 0)
        assert told["player"] == len(path) % 2
        expected = {
            str(row["action"]): (
                int(row["visits"]),
                round((row["value_sum"] / row["visits"] + 1) / 2, 4),
                bool(row["num_children"]),
            )
            for row in rows
        }
        found = {
            child["move"]: (child["visits"], child["win_rate"], child["inner"])
            for child in told["children"]
        }
        assert found == expected
        visits = [child["visits"] for child in told["children"]]
        assert visits == sorted(visits, reverse=True)


def test_a_branch_that_is_not_there_is_empty(search: MCTS) -> None:
    """Tried: an action without a node, and the end of the game."""
    little = MCTS(Nim(stones=1), seed=1, interpreted=True)
    little.search(limit=Limit(simulations=3))
    assert branch(little.tree, little.position, ["1"])["player"] == -1
    young = MCTS(Nim(stones=8), seed=1, interpreted=True)
    young.search(limit=Limit(simulations=1))
    [tried] = branch(young.tree, young.position, [])["children"]
    other = next(move for move in "123" if move != tried["move"])
    assert branch(young.tree, young.position, [other])["children"] == []


def test_of_many_children_the_most_visited_are_shown() -> None:
    tree = Tree.reserve(1000)
    tree.nodes[ROOT].num_legal = MOST_CHILDREN + 5
    for action in range(MOST_CHILDREN + 5):
        row = tree.nodes[add_child(tree, ROOT, action % 4)]
        row.visits = 1 + action
    told = branch(tree, Position(Nim()), [])
    assert told["more"] == 5
    assert [child["visits"] for child in told["children"]] == [*range(35, 5, -1)]
