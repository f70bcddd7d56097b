"""RAVE and GRAVE by hand, and all moves as first against a recount (row 16 of
docs/checklist.md).
"""

import math

import numpy as np
import pytest

from playout import Limit, Position, TicTacToe, Tree
from playout.search.policy import compose_columns
from playout.search.selection.rave import GRAVE, RAVE
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT
from playout.search.work import BY_CHANCE
from tests.search.selection.logged import logged
from tests.search.support import path_work, reached, row
from tests.search.trees import search_of


@pytest.mark.parametrize("policy", [RAVE, GRAVE])
def test_amaf_is_what_a_brute_force_recount_says(policy: type) -> None:
    """Counted per player, once a game, from the node on, up to the end of the game."""
    search, games = logged(policy)
    nodes = search.tree.nodes.array
    visits: dict[int, int] = {}
    sums: dict[int, float] = {}
    for game in games:
        assert len(game.steps) <= 9
        assert len(set(game.steps)) == len(game.steps)
        for depth, node in enumerate(game.nodes):
            if depth == len(game.steps):
                continue
            chooser = game.steps[depth][1]
            later = {a for a, player in game.steps[depth:] if player == chooser}
            for child in search.tree.children(node):
                # a leaf has no children yet in its first game
                fresh = depth == len(game.nodes) - 1
                if int(nodes["action"][child]) in later and not fresh:
                    visits[int(child)] = visits.get(int(child), 0) + 1
                    sums[int(child)] = sums.get(int(child), 0.0) + game.returns[chooser]
    for node in reached(search)[1:]:
        assert nodes["amaf_visits"][node] == visits.get(node, 0)
        assert nodes["amaf_sum"][node] == sums.get(node, 0.0)
        assert nodes["amaf_visits"][node] >= nodes["visits"][node]


def test_what_is_played_out_counts_for_the_children_of_the_leaf() -> None:
    """A leaf has some where there is no room for more.

    On the way to it player 0 plays 3 and player 1 plays 0; then player 0 plays 1, and
    after a throw of dice 2. What came before a node does not count for its children.
    """
    policy = RAVE()
    tree = Tree.reserve(20, compose_columns([policy]))
    inner, leaf = 2, 6  # as they are numbered below
    for node, actions in ((ROOT, [0, 3, 1, 2]), (inner, [3, 0]), (leaf, [0, 1, 2, 3])):
        tree.nodes[node].num_legal = len(actions)
        for action in actions:
            add_child(tree, node, action)
    work = path_work([1, 0, 1, 0, 0, 0], [0.5, -0.25])
    for step, node in zip(work.path, [ROOT, inner, leaf, 0, 0, 0], strict=True):
        step.place = node
    for step, action in zip(work.path, [-9, 3, 0, 1, BY_CHANCE, 2], strict=True):
        step.action = action
    work.actions, work.selection_tables = np.zeros(9), policy.tables(TicTacToe())
    policy.update(tree, work, 2, 5)
    for node, expected in (
        (ROOT, {0: (0, 0.0), 3: (1, 0.5), 1: (1, 0.5), 2: (1, 0.5)}),
        (inner, {3: (0, 0.0), 0: (1, -0.25)}),
        (leaf, {0: (0, 0.0), 1: (1, 0.5), 2: (1, 0.5), 3: (0, 0.0)}),
    ):
        rows = tree.nodes.array[tree.children(node)]
        found = {r["action"]: (r["amaf_visits"], r["amaf_sum"]) for r in rows}
        assert found == expected


def test_players_games_are_alternating_and_end() -> None:
    """What policies are told was played is a game by the rules, from the root on."""
    _, games = logged(RAVE)
    for game in games:
        position = Position(TicTacToe())
        for action, player in game.steps:
            assert position.current_player == player
            position.play(action)
        assert position.is_terminal
        assert [position.returns(p) for p in (0, 1)] == game.returns


@pytest.mark.parametrize(
    ("n", "w", "m", "wa", "score"),
    [
        (0, 0.0, 4, 2.0, 0.5),  # nothing of its own: all from all moves as first
        (10, 5.0, 0, 0.0, 0.5),
        (10, 5.0, 10, -5.0, 0.0),  # weight 10 / 20
        (100, 50.0, 100, -50.0, 0.16666667),  # 100 / (200 + 0.01 * 10^4) = 1/3
    ],
)
def test_rave_by_hand(n: int, w: float, m: int, wa: float, score: float) -> None:
    bias = 0.01 if n == 100 else 0.0
    policy = RAVE(rave_bias=bias)
    child = row(n, w, amaf_visits=m, amaf_sum=wa)
    assert policy.score(child, 0.0) == pytest.approx(score)


def test_rave_takes_what_is_unknown_first() -> None:
    assert RAVE().first_score(row(0, amaf_visits=0, amaf_sum=0.0), 0.0) == math.inf


def test_grave_looks_to_the_ancestor_with_enough_visits() -> None:
    search = search_of({"selection": GRAVE(ref=40)}, interpreted=True)
    search.search(limit=Limit(simulations=100))
    tree, work, policy = (
        search.tree,
        search._forest.teams[0].works[0],
        search.policies.selection,
    )
    visits = tree.nodes.array["visits"]
    child = int(max(tree.children(ROOT), key=lambda node: visits[node]))
    below = int(tree.children(child)[0])
    for index, (node, mover) in enumerate([(ROOT, 1), (child, 0), (below, 1)]):
        work.path[index].node, work.path[index].mover = node, mover
        work.path[index].action = 0
    assert visits[below] < 40 <= visits[child]
    assert policy.reference(tree, work, 2, 0) == ROOT  # where player 0 chooses as well
    assert policy.reference(tree, work, 1, 1) == child  # no ancestor of player 1's
    assert policy.reference(tree, work, 0, 0) == ROOT
