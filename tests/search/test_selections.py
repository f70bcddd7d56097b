"""Selection policies against numbers worked out by hand, and AMAF against a recount."""

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    AllChildren,
    ConnectFour,
    Limit,
    Position,
    RandomChild,
    TicTacToe,
    UsageError,
)
from playout.core.rng import make_rng
from playout.games.more.pig import Pig
from playout.search.action_table import ActionTable
from playout.search.expansion.widening import ProgressiveWidening
from playout.search.kernels.policies import make_work
from playout.search.selection.progressive_bias import ProgressiveBias
from playout.search.selection.progressive_history import ProgressiveHistory
from playout.search.selection.puct import PUCT
from playout.search.selection.rave import GRAVE, RAVE
from playout.search.selection.root_noise import draw_gamma, draw_normal
from playout.search.selection.ucb1_tuned import UCB1Tuned
from playout.search.selection.uct import UCT
from playout.search.tree.nodes import ROOT, UNKNOWN

from ..toys import Knowing, Nim, ThreeWays
from .trees import SINGLE, search_of

ONE = AllChildren(visit_all=False)


def row(visits: int, value_sum: float = 0.0, **columns: float) -> Any:
    return SimpleNamespace(visits=visits, value_sum=value_sum, **columns)


def reached(search: MCTS) -> list[int]:
    """All nodes below the root, which stands first."""
    found = [ROOT]
    for node in found:
        found.extend(map(int, search.tree.children(node)))
    return found


# -- first-play urgency ----------------------------------------------------------------


def test_first_play_is_the_score_of_an_unvisited_child() -> None:
    """Where it is below every mean, the first child is never left."""
    assert UCT(first_play=0.3).first_score(row(0), 5.0) == 0.3
    assert UCT().first_score(row(0), 5.0) == math.inf
    tried = {}
    for first_play in (math.inf, -2.0):
        search = MCTS(
            TicTacToe(),
            selection=UCT(c_uct=0.0, first_play=first_play),
            expansion=ONE,
            interpreted=True,
            seed=1,
        )
        rows = search.search(limit=Limit(simulations=9)).actions
        tried[first_play] = sum(row.visits > 0 for row in rows)
    assert tried[math.inf] == 9
    assert tried[-2.0] == 1  # no mean is below it, so the first child stays the best


# -- UCB1-Tuned (CHECKLIST 17) ---------------------------------------------------------


@pytest.mark.parametrize(
    ("parent", "visits", "value_sum", "squares", "score"),
    [
        # L = ln N / n; V = S/n - mean^2 + 4 sqrt(2 L); mean + sqrt(L min(1, V))
        (100, 10, 5.0, 10.0, 1.178614042),  # V = 0.75 + 3.8388 > 1
        (10**6, 5 * 10**5, 4e5, 3.3e5, 0.800888),  # V = 0.02 + 0.029734, small
        (2, 1, 1.0, 1.0, 1.832554611),
    ],
)
def test_ucb1_tuned_by_hand(
    parent: int, visits: int, value_sum: float, squares: float, score: float
) -> None:
    policy = UCB1Tuned()
    child = row(visits, value_sum, sum_of_squares=squares)
    found = policy.score(child, policy.parent_term(row(parent)))
    assert found == pytest.approx(score, abs=3e-4 if visits > 100 else 1e-8)


@pytest.mark.parametrize("parent", [2, 10, 1000, 10**5])
@pytest.mark.parametrize("wins", [0, 1, 3, 7])
def test_ucb1_tuned_is_the_papers_formula_on_its_own_scale(
    parent: int, wins: int
) -> None:
    """Auer et al. in [0, 1], then brought to [-1, 1]: 2 score - 1."""
    n = 8
    mean, variance = wins / n, wins / n - (wins / n) ** 2
    spread = math.log(parent) / n
    bound = variance + math.sqrt(2 * spread)
    paper = mean + math.sqrt(spread * min(0.25, bound))
    child = row(n, 2.0 * wins - n, sum_of_squares=float(n))
    policy = UCB1Tuned()
    ours = policy.score(child, policy.parent_term(row(parent)))
    assert ours == pytest.approx(2 * paper - 1)


def test_ucb1_tuned_counts_squares() -> None:
    """Tic-tac-toe's returns are -1, 0 and 1: the squares count what was not drawn."""
    search = search_of(SINGLE["ucb1-tuned"], interpreted=True)
    search.search(limit=Limit(simulations=60))
    nodes = search.tree.nodes.array[reached(search)]
    assert (nodes["sum_of_squares"] <= nodes["visits"]).all()
    assert (nodes["sum_of_squares"] >= abs(nodes["value_sum"])).all()
    assert nodes["sum_of_squares"][0] < 60


# -- PUCT (CHECKLIST 2, 18) ------------------------------------------------------------


@pytest.mark.parametrize(
    ("parent", "visits", "value_sum", "prior", "score"),
    [
        (0, 0, 0.0, 0.25, 0.5),  # 2 * 0.25 * sqrt(1) / 1: priors count at once
        (100, 0, 0.0, 0.1, 2.0),  # 2 * 0.1 * 10 / 1
        (100, 9, 4.5, 0.1, 0.7),  # 0.5 + 2 * 0.1 * 10 / 10
        (100, 19, -9.5, 0.3, -0.2),  # -0.5 + 2 * 0.3 * 10 / 20
    ],
)
def test_puct_by_hand(
    parent: int, visits: int, value_sum: float, prior: float, score: float
) -> None:
    policy = PUCT(c_puct=2.0)
    term = policy.parent_term(row(parent))
    child = row(visits, value_sum, prior=prior)
    found = policy.score(child, term) if visits else policy.first_score(child, term)
    assert found == pytest.approx(score)


@pytest.mark.parametrize("name", ["puct", "puct-noise", "progressive-bias-prior"])
def test_priors_add_up_to_1_over_the_legal_actions(name: str) -> None:
    search = search_of(SINGLE[name], interpreted=True)
    position = Position.from_moves(Knowing(), ["b2", "a1"])
    search.search(position, Limit(simulations=60))
    nodes = search.tree.nodes.array
    complete = 0
    for node in reached(search):
        children = search.tree.children(node)
        if len(children):
            total = nodes["prior"][children].sum()
            if len(children) == nodes["num_legal"][node]:
                complete += 1
                assert total == pytest.approx(1, abs=1e-6)
            else:  # made as they are wanted: some have no child yet
                assert name == "puct"
                assert total < 1
            assert (nodes["prior"][children] > 0).all()
    assert complete > 5
    weights = {a: 2.0 if a % 2 == 0 else 1.0 for a in position.legal_actions()}
    below = search.tree.children(ROOT)
    shares = [weights[a] / sum(weights.values()) for a in nodes["action"][below]]
    equal = np.allclose(nodes["prior"][below], shares, atol=1e-6)
    assert equal == (name != "puct-noise")  # noise only when asked


def test_priors_of_children_made_one_by_one_are_shares_of_all_legal_actions() -> None:
    policies = {**SINGLE["puct"], **SINGLE["random-child"]}
    search = search_of(policies, interpreted=True)
    search.search(limit=Limit(simulations=4))
    children = search.tree.nodes.array[search.tree.children(ROOT)]
    for child in children:
        weight = 3 if child["action"] == 4 else 2 - child["action"] % 2
        assert child["prior"] == pytest.approx(weight / 15)


def test_without_a_prior_all_actions_are_alike() -> None:
    search = MCTS(TicTacToe(), selection=PUCT(), seed=1, interpreted=True)
    search.search(limit=Limit(simulations=2))
    children = search.tree.children(ROOT)
    assert search.tree.nodes.array["prior"][children] == pytest.approx(1 / 9)


def test_noise_is_the_roots_alone_and_keeps_no_subtree() -> None:
    search = search_of(SINGLE["puct-noise"], interpreted=True)
    search.search(limit=Limit(simulations=30))
    nodes = search.tree.nodes.array
    for node in search.tree.children(ROOT):
        children = nodes[search.tree.children(int(node))]
        tied = {tuple(children["prior"][children["action"] % 2 == 1])}
        assert len({round(p, 6) for priors in tied for p in priors}) <= 1
    search.advance("b2")
    assert search.tree.visits == 0


def test_noise_takes_all_children_at_once() -> None:
    """Of a single child's share, a draw is the whole: it would be none at all."""
    for one_by_one in (RandomChild(), ProgressiveWidening()):
        with pytest.raises(UsageError, match=r"takes AllChildren\(\), not .*\(\)"):
            MCTS(Knowing(), selection=PUCT(noise=0.9), expansion=one_by_one)
        MCTS(Knowing(), selection=PUCT(), expansion=one_by_one)
    priors = []
    for noise in (0.0, 0.9):
        search = MCTS(
            Knowing(),
            seed=1,
            selection=PUCT(noise=noise),
            expansion=AllChildren(),
            interpreted=True,
        )
        search.search(limit=Limit(simulations=9))
        rows = search.tree.nodes.array[search.tree.children(ROOT)]
        priors.append(rows["prior"][np.argsort(rows["action"])])
        assert priors[-1].sum() == pytest.approx(1)
    assert np.abs(priors[0] - priors[1]).max() > 0.05


def test_gamma_and_normal_variates_have_their_moments() -> None:
    """20,000 draws; a mean off by 5 standard errors: false alarm below 1e-6."""
    with np.errstate(over="ignore"):
        rng = make_rng(3)
        normal = np.array([draw_normal(rng) for _ in range(20_000)])
        assert abs(normal.mean()) < 5 / math.sqrt(20_000)
        assert abs(normal.var() - 1) < 5 * math.sqrt(2 / 20_000)
        for shape in (0.3, 1.0, 4.0):
            drawn = np.array([draw_gamma(rng, shape) for _ in range(20_000)])
            assert abs(drawn.mean() - shape) < 5 * math.sqrt(shape / 20_000)
            spread = math.sqrt((2 * shape**2 + 6 * shape) / 20_000)
            assert abs(drawn.var() - shape) < 5 * spread


# -- progressive bias and history ------------------------------------------------------


def test_progressive_bias_by_hand() -> None:
    policy = ProgressiveBias(c_uct=1.0, bias=2.0)
    term = policy.parent_term(row(100))
    uct = UCT(c_uct=1.0).score(row(10, 5.0), term)
    child = row(10, 5.0, prior=0.55)
    assert policy.score(child, term) == pytest.approx(uct + 2.0 * 0.55 / 11)
    assert policy.first_score(row(0, prior=0.55), term) == 1.0 + 2.0 * 0.55


def test_progressive_bias_knows_what_actions_lead_to() -> None:
    search = search_of(SINGLE["progressive-bias"], interpreted=True)
    search.search(limit=Limit(simulations=1))
    children = search.tree.nodes.array[search.tree.children(ROOT)]
    found = {int(child["action"]): child["prior"] for child in children}
    expected = {a: (3 if a == 4 else 2 - a % 2) / 30 for a in range(9)}
    assert found == pytest.approx(expected)


def test_progressive_history_by_hand() -> None:
    """n = 10, W = 4: 3 losses; elsewhere the action had the mean 0.5."""
    policy = ProgressiveHistory(c_uct=1.0, history=3.0)
    term = math.sqrt(math.log(100))
    uct = UCT(c_uct=1.0).score(row(10, 4.0), term)
    expected = uct + 3.0 * 1.5 / (3 + 1)
    assert policy.mixed(row(10, 4.0), term, 0.5) == pytest.approx(expected)


def test_history_is_what_a_recount_says() -> None:
    counts, sums = np.zeros((2, 9)), np.zeros((2, 9))
    search, games = logged(ProgressiveHistory)
    for game in games:
        for action, player in game.steps:
            counts[player, action] += 1
            sums[player, action] += game.returns[player]
    table = search._forest.crews[0].works[0].selection_tables
    assert isinstance(table, ActionTable)
    assert (table.counts.reshape(2, 9) == counts).all()
    assert (table.sums.reshape(2, 9) == sums).all()
    search.reset()
    assert not search._forest.crews[0].works[0].selection_tables.counts.any()


# -- all moves as first (CHECKLIST 16) -------------------------------------------------


@dataclass
class Played:
    """One game: the nodes it went through, its actions with players, its returns."""

    nodes: list[int]
    steps: list[tuple[int, int]]
    returns: list[float]


def logged(policy: type, simulations: int = 150) -> tuple[MCTS, list[Played]]:
    """A search by a policy, and all games that it was told of."""
    games: list[Played] = []

    @dataclass(frozen=True)
    class Logging(policy):  # type: ignore[misc]
        def update(self, tree: Any, work: Any, depth: int, plies: int) -> None:
            super().update(tree, work, depth, plies)
            path = work.path
            games.append(
                Played(
                    [path[i].node for i in range(depth + 1)],
                    [(path[i].action, path[i].mover) for i in range(1, plies + 1)],
                    list(work.returns),
                )
            )

    search = MCTS(TicTacToe(), selection=Logging(), seed=5, interpreted=True)
    search.search(limit=Limit(simulations=simulations))
    return search, games


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


# -- games of other kinds --------------------------------------------------------------

ANY_GAME = [UCB1Tuned(), PUCT(), RAVE(), GRAVE(ref=5), ProgressiveHistory()]


@pytest.mark.parametrize("policy", ANY_GAME, ids=lambda p: type(p).__name__)
def test_three_players_and_chance(policy: Any) -> None:
    position = Position.from_moves(ThreeWays(), ["1", "1"])
    search = MCTS(ThreeWays(), selection=policy, seed=1, interpreted=True)
    assert search.search(position, Limit(simulations=60)).move == "0"
    pig = MCTS(Pig(target=10), selection=policy, seed=1, interpreted=True)
    assert pig.search(limit=Limit(simulations=60)).visits == 60


def test_what_a_policy_needs_is_asked_for() -> None:
    with pytest.raises(UsageError, match="ProgressiveBias needs a game that has eval"):
        MCTS(Nim(), selection=ProgressiveBias())
    with pytest.raises(UsageError, match="ProgressiveBias needs a game that has prior"):
        MCTS(Nim(), selection=ProgressiveBias(knowledge="prior"))


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (UCT, {"first_play": math.nan}),
        (UCB1Tuned, {"c_tuned": -1}),
        (PUCT, {"c_puct": -1}),
        (PUCT, {"first_play": 2}),
        (PUCT, {"noise": 1.5}),
        (PUCT, {"concentration": 0}),
        (ProgressiveBias, {"bias": -1}),
        (ProgressiveBias, {"knowledge": "wisdom"}),
        (ProgressiveHistory, {"history": math.inf}),
        (RAVE, {"rave_bias": -0.1}),
        (GRAVE, {"ref": -1}),
    ],
    ids=str,
)
def test_parameters_out_of_range_are_refused(make: Any, wrong: Any) -> None:
    with pytest.raises(UsageError):
        make(**wrong)


def test_nobody_pays_for_columns_or_notes_that_nobody_asks_for() -> None:
    plain = MCTS(ConnectFour(), selection=UCT(), seed=1)
    assert plain.policies.node_dtype.itemsize == 32
    assert not plain.policies.notes_actions
    with_priors = MCTS(ConnectFour(), selection=PUCT(), seed=1)
    assert with_priors.policies.node_dtype.itemsize == 40
    noting = MCTS(ConnectFour(), selection=RAVE(), seed=1)
    assert noting.policies.notes_actions
    short = make_work(plain.policies, make_rng(1))
    long = make_work(noting.policies, make_rng(1))
    assert 2 * len(short.path) == len(long.path)


def test_columns_are_zero_in_nodes_that_are_made_again() -> None:
    """A tree that was cleared, and one whose blocks were used before."""
    search = search_of(SINGLE["rave"], interpreted=True)
    search.search(limit=Limit(simulations=60))
    search.go_to(Position.from_moves(Knowing(), ["a1"]).copy())
    search.search(Position(Knowing(), "X.O/.../... X"), Limit(simulations=1))
    nodes = search.tree.nodes.array[reached(search)]
    assert nodes["visits"].sum() == 2
    assert nodes["amaf_visits"].max() == 1
    assert (nodes["num_legal"][1:] == UNKNOWN).all()
