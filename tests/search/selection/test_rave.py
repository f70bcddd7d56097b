"""RAVE and GRAVE by hand, and all moves as first against a recount (row 16 of
docs/checklist.md).
"""

import math

import pytest

from playout import Limit, Position, TicTacToe
from playout.search.selection.rave import GRAVE, RAVE
from playout.search.tree.nodes import ROOT
from tests.search.selection.logged import logged
from tests.search.support import reached, row
from tests.search.trees import search_of


@pytest.mark.parametrize("policy", [RAVE, GRAVE])
def test_amaf_is_what_a_brute_force_recount_says(policy: type) -> None:
    """Per player, once a game, from the node on, and not after the end."""
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
        search._forest.crews[0].works[0],
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
