"""`net:` as a player: with a search, and by the policy alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from playout import (
    PUCT,
    UCT,
    AllChildren,
    EvaluatorError,
    Gumbel,
    HighestMean,
    Position,
    ShareOfVisits,
    TicTacToe,
    UsageError,
)
from playout.players import networks
from playout.players.mcts import MCTSPlayer
from playout.players.net import PolicyPlayer
from playout.players.networks import save_network
from playout.players.player import Allowance
from playout.players.registry import make_player
from playout.search.evaluation.dense import DenseNetwork
from playout.search.expansion.best_first import LikeliestFirst
from playout.search.expansion.on_evaluation import OnEvaluation
from tests.networks import arrays, expected

GAME = TicTacToe()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    save_network("best", arrays(), {"game": "tic-tac-toe"})
    return "best"


def test_it_searches_with_what_a_search_takes(place: str) -> None:
    player = make_player(f"net:{place},simulations=50,c_puct=2,threads=2", GAME)
    assert isinstance(player, MCTSPlayer)
    assert player.limits == {"simulations": 50}
    assert player.search.policies.selection == PUCT(c_puct=2)
    assert isinstance(player.search.policies.rollout.evaluator, DenseNetwork)
    gumbel = make_player(f"net:{place},simulations=16,selection=gumbel", GAME)
    assert isinstance(gumbel, MCTSPlayer)
    assert gumbel.search.policies.selection == Gumbel()


def test_its_card_says_what_search_suits_it(place: str) -> None:
    """A constant takes the place of the card's own, a policy that of all its search."""
    search = "c_puct=2.5,first_play=-0.3,expansion=likeliest-first"
    save_network("own", arrays(), {"game": "tic-tac-toe", "search": search})
    own = PUCT(c_puct=2.5, first_play=-0.3), LikeliestFirst()
    for given, wanted in [
        ("", own),
        (",batch=1,seconds=1,blunder=0.1", own),
        (",c_puct=1", (PUCT(c_puct=1, first_play=-0.3), LikeliestFirst())),
        (",leaf_nodes=7", own),
        (",expansion=on-evaluation", (PUCT(), OnEvaluation())),
        (",selection=gumbel", (Gumbel(), OnEvaluation())),
        (",c_uct=1", (UCT(c_uct=1), None)),
        (",transpositions=yes", (UCT(), None)),
        (",temperature=0.5,choice=share-of-visits", own),
    ]:
        player = make_player(f"net:own{given}", GAME)
        assert isinstance(player, MCTSPlayer)
        found = player.search.policies.selection, player.search.policies.expansion
        for one, other in zip(found, wanted, strict=True):
            assert other is None or one == other, given
    assert isinstance(make_player("net:own,policy=yes", GAME), PolicyPlayer)


def test_another_choice_takes_its_constants_along(place: str) -> None:
    search = "first_play=-0.3,choice=share-of-visits,temperature=0.5"
    save_network("own", arrays(), {"game": "tic-tac-toe", "search": search})
    for given, wanted in [
        ("", ShareOfVisits(temperature=0.5)),
        (",temperature=2", ShareOfVisits(temperature=2)),
        (",choice=highest-mean", HighestMean()),
        (",choice=share-of-visits", ShareOfVisits()),
    ]:
        player = make_player(f"net:own{given}", GAME)
        assert isinstance(player, MCTSPlayer)
        assert player.search.policies.selection == PUCT(first_play=-0.3)
        assert player.search.choice == wanted


def test_a_card_may_search_by_uct(place: str) -> None:
    search = "c_uct=0.7,expansion=all-children"
    save_network("own", arrays(), {"game": "tic-tac-toe", "search": search})
    player = make_player("net:own,c_uct=1", GAME)
    assert isinstance(player, MCTSPlayer)
    assert player.search.policies.selection == UCT(c_uct=1)
    assert isinstance(player.search.policies.expansion, AllChildren)
    with pytest.raises(UsageError, match=r"c_puct is no .* policies of own, by the se"):
        make_player("net:own,c_puct=3", GAME)


@pytest.mark.parametrize(
    ("search", "said"),
    [
        (5, 'own: "search" in its card must be a text such as .*, not 5'),
        (["c_puct=2"], "must be a text"),
        ("nonsense=1", "own, search in its card: unknown parameter 'nonsense'"),
        ("seconds=1", "own, search in its card: unknown parameter 'seconds'"),
        ("selection=other.py:Mine", "in its card: it may name no file"),
        ("c_puct=-7", "own, search in its card: c_puct must be a number of at least 0"),
        ("selection=uct,c_puct=1", "own, search in its card: c_puct is no parameter"),
        ("preset=tiny-mcts", "own, search in its card: unknown parameter 'preset'"),
    ],
)
def test_a_card_is_data(place: str, search: object, said: str) -> None:
    """What it says runs no code and sets no limit."""
    save_network("own", arrays(), {"game": "tic-tac-toe", "search": search})
    with pytest.raises(UsageError, match=said):
        make_player("net:own", GAME)


def test_a_preset_or_a_rollout_would_leave_the_network_unasked(place: str) -> None:
    for given in ("preset=tutorial", "rollout=uniform"):
        with pytest.raises(UsageError, match="judges leaves, and no rollout is played"):
            make_player(f"net:{place},{given}", GAME)


@pytest.mark.parametrize("how", ["policy=yes", "simulations=0"])
def test_the_policy_alone_plays_what_is_likeliest(place: str, how: str) -> None:
    player = make_player(f"net:{place},{how}", GAME)
    assert isinstance(player, PolicyPlayer)
    position = Position.from_moves(GAME, ["b2", "a1"])
    planes = np.zeros((1, 2, 3, 3), np.float32)
    GAME.observe(position.state, planes[0])
    values, logits = expected(arrays(), planes)
    legal = position.legal_actions()
    decision = player.choose(position, Allowance())
    assert decision.action == max(legal, key=lambda action: logits[0][action])
    assert decision.value == pytest.approx(values[0], abs=1e-5)


def test_with_a_temperature_it_draws_by_its_seed(place: str) -> None:
    player = make_player(f"net:{place},policy=yes,temperature=2", GAME)
    drawn = []
    for seed in (1, 2, 3, 1):
        player.new_game(seed)
        answers = [player.choose(Position(GAME), Allowance()) for _ in range(12)]
        drawn.append([answer.action for answer in answers])
    assert drawn[0] == drawn[3] != drawn[1]
    assert len({action for row in drawn for action in row}) > 2


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("net", "name the directory or the file of a network first"),
        ("net:simulations=5", "name the directory or the file of a network first"),
        ("net:best,simulation=5", "unknown parameter 'simulation', did you mean"),
        ("net:best,evaluator=x", "unknown parameter 'evaluator'"),
        ("net:best,policy=yes,c_puct=2", "c_puct is for a search"),
        ("net:best,policy=yes,temperature=-1", "temperature must be at least 0"),
        ("net:best,batch=8", "compiled into the search"),
        ("net:nowhere", "nowhere: there is no such file or directory; a network"),
        ("net:none.npz", "none.npz"),
    ],
)
def test_what_cannot_play_is_told(place: str, spec: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        make_player(spec, GAME)


def test_nan_is_told() -> None:
    def broken(planes):  # type: ignore[no-untyped-def]
        return np.full(len(planes), np.nan), np.ones((len(planes), 9))

    player = PolicyPlayer("net:broken", GAME, broken)
    with pytest.raises(EvaluatorError, match="net:broken: the network gives NaN"):
        player.choose(Position(GAME), Allowance())


def test_networks_of_playout_are_called_by_their_names(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's file of the same name comes first."""
    Path("own").mkdir()
    Path("best").rename("own/best")
    monkeypatch.setattr(networks, "SHIPPED", Path("own").absolute())
    assert isinstance(make_player("net:best,simulations=5", GAME), MCTSPlayer)
    with pytest.raises(UsageError, match=r"with Playout come best"):
        make_player("net:worst", GAME)
    with pytest.raises(UsageError, match="No such file or directory"):
        make_player("net:best/net.npz", GAME)
    Path("best").mkdir()
    with pytest.raises(UsageError, match=r"best is no network: it has no card\.json"):
        make_player("net:best", GAME)
