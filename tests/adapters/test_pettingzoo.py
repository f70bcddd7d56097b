"""Environments of PettingZoo as games: what random games find out, and refusals.

Also of `adapters/environment.py`, `adapters/pettingzoo_game.py` and
`adapters/pettingzoo_trial.py`.
"""

import pickle
import random
import sys
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    ConnectFour,
    Limit,
    Position,
    TicTacToe,
    UsageError,
    make_game,
    perft,
)
from playout.adapters.environment import copied
from tests.adapters.agreement import expect_agreement
from tests.packages import needed

pettingzoo = needed("pettingzoo")

from gymnasium.spaces import Box, Discrete  # noqa: E402
from gymnasium.utils import EzPickle  # noqa: E402

from playout import from_pettingzoo  # noqa: E402
from playout.players.environments import as_pettingzoo  # noqa: E402

NAMES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]

pytestmark = pytest.mark.filterwarnings("ignore")


class Stones(pettingzoo.AECEnv):
    """Take one or two of `left` stones; whoever takes the last one wins."""

    metadata = {"name": "stones", "render_modes": ["ansi"]}  # noqa: RUF012
    left = 4
    possible_agents = ("ann", "bob")
    space = Discrete(2, start=1)

    def observation_space(self, agent):
        return Discrete(10)

    def action_space(self, agent):
        return self.space

    def observe(self, agent):
        return self.stones

    def reset(self, seed=None, options=None):
        self.stones = self.left
        self.agents = list(self.possible_agents)
        self.agent_selection = "ann"
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.mask()

    def mask(self):
        for agent in self.agents:
            self.infos[agent] = {"action_mask": [self.stones > 0, self.stones > 1]}

    def step(self, action):
        agent = self.agent_selection
        other = "bob" if agent == "ann" else "ann"
        self.stones -= action
        if self.stones == 0:
            self.rewards = {agent: 1, other: -1}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = other
        self.mask()

    def render(self):
        return f"{self.stones} stones"


class Kept(Stones, EzPickle):
    """`copy.deepcopy` would make it anew, and forget what was played."""

    def __init__(self):
        EzPickle.__init__(self)


class Dealt(Stones):
    def reset(self, seed=None, options=None):
        super().reset()
        self.stones += (seed or 0) % 2


class Secret(Stones):
    def observe(self, agent):
        return 0

    def mask(self):
        pass


class Careless(Stones):
    def step(self, action):
        super().step(action)
        self.stones += random.randrange(100)


class Blocked(Stones):
    def mask(self):
        for agent in self.agents:
            self.infos[agent] = {"action_mask": [0, 0]}


class Raising(Stones):
    def step(self, action):
        raise KeyError("seven")


class Unpaid(Stones):
    def step(self, action):
        super().step(action)
        self.rewards = {"ann": float("nan"), "bob": 0}


class Steered(Stones):
    space = Box(-1.0, 1.0, (1,))


class Locked(Stones):
    def __deepcopy__(self, memo):
        raise TypeError("it holds a window")


def test_it_is_searched_as_what_it_is() -> None:
    """Of four stones one is to be taken: three are lost for whoever is to move."""
    game = from_pettingzoo(Kept())
    assert game.reading == (
        "pettingzoo:stones: 2 agents, 2 actions; in 100 random games nothing was "
        "random or hidden, and rewards added up to 0"
    )
    result = MCTS(game, seed=1).search(limit=Limit(simulations=100))
    assert (result.move, result.proven) == ("1", "win")
    position = Position.from_moves(game, ["1", "2", "1"])
    assert position.is_terminal
    assert [position.returns(player) for player in (0, 1)] == [1.0, -1.0]
    assert "1 stones" in str(Position.from_moves(game, ["1", "2"]).render())


def test_a_copy_is_where_the_original_is() -> None:
    env = Kept()
    env.reset()
    env.step(1)
    other = copied(env)
    other.step(1)
    assert (env.stones, other.stones) == (3, 2)


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        (Dealt, "after another seed of reset the same actions lead elsewhere"),
        (Secret, "the next agent sees the same, and what comes then differs"),
        (Careless, "a copy shares something with its original, or random numbers"),
        (Blocked, r"ann is to act, and no action is legal \(at the start\)"),
        (Raising, r"stones.step.*KeyError: 'seven' \(after '[12]'\)"),
        (Unpaid, r"the reward of ann is nan, which is no finite number \(after '[12]'"),
        (Steered, r"actions are Box.* ones that can be counted \(Discrete\)"),
        (Locked, r"cannot be copied \(copy.deepcopy\): TypeError: it holds a window"),
        (list, "agents act at the same time"),
    ],
)
def test_what_cannot_be_searched(made: Any, complaint: str) -> None:
    env = made()
    if made is list:
        env = type("Parallel", (), {"metadata": {"name": "all"}, "unwrapped": None})()
    with pytest.raises(ValueError, match=complaint):
        from_pettingzoo(env)


def test_what_random_games_did_not_show_is_noticed() -> None:
    class Late(Stones):
        """The winner gets two, after a thousand games."""

        games: Any = [0]  # noqa: RUF012

        def step(self, action):
            super().step(action)
            if self.stones == 0:
                self.games[0] += 1
                if self.games[0] > 1000:
                    self.rewards = {agent: 2 * r for agent, r in self.rewards.items()}

    game = from_pettingzoo(Late())
    Late.games[0] = 1000
    with pytest.raises(ValueError, match="random games ended from -1 to 1, and that"):
        MCTS(game, seed=1).search(limit=Limit(simulations=100))


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("tictacto_v3", "no game 'tictacto_v3' that is classic, did you mean tictact"),
        ("", "it has .*connect_four_v3"),
        ("go_v5(size", "after the name come keywords in brackets"),
        ("go_v5(size=3)", "pettingzoo:go_v5.*size"),
    ],
)
def test_names_that_are_none(name: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        make_game(f"pettingzoo:{name}")


def test_a_missing_package_is_named(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(UsageError, match=r"needs pip install playout\[pettingzoo\]"):
        make_game("pettingzoo:tictactoe_v3")


def test_our_own_game_comes_back() -> None:
    """Exported as an environment and imported again, it has the same perft counts."""
    game = from_pettingzoo(as_pettingzoo("tic-tac-toe"))
    for depth in (1, 2, 3):
        assert perft(game, depth) == perft(TicTacToe(), depth)


def test_classic_tic_tac_toe_agrees_with_our_own() -> None:
    """After two moves; theirs are numbered along the columns."""
    needed("pygame")
    game = make_game("pettingzoo:tictactoe_v3")
    assert pickle.loads(pickle.dumps(game)).name == game.name
    cells = dict(zip(NAMES, "036147258", strict=True))
    rest = {ours: theirs for ours, theirs in cells.items() if ours not in ("b2", "a1")}
    expect_agreement((TicTacToe(), ["b2", "a1"]), (game, ["4", "0"]), rest, searches=30)
    assert np.isfinite(MCTS(game, seed=1).search(limit=Limit(simulations=50)).value)


def test_classic_connect_four_agrees_with_our_own() -> None:
    needed("pygame")
    numbers = {str(column + 1): str(column) for column in range(7)}
    game = make_game("pettingzoo:connect_four_v3")
    expect_agreement(
        (ConnectFour(), []), (game, []), numbers, searches=20, simulations=100
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("leduc_holdem_v4", "after another seed of reset the same actions lead else"),
        ("rps_v2", "information is hidden"),
    ],
)
def test_classic_games_that_are_refused(name: str, reason: str) -> None:
    needed("pygame")
    with pytest.raises(UsageError, match=reason):
        make_game(f"pettingzoo:{name}")
