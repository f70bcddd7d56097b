"""Environments of Gymnasium as games: what play finds out, rewards, chance, refusals.

Also of `search/rollout/uniform.py`, which has such a game play itself out.
"""

import pickle
import sys
from typing import Any, ClassVar

import numpy as np
import pytest

from playout import MCTS, Limit, Position, RewardSum, UsageError, make_game
from tests.packages import needed

gymnasium = needed("gymnasium")

from playout import from_gymnasium  # noqa: E402
from playout.games.registry import game_spec  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


class Corridor(gymnasium.Env):
    """Left (0) ends it with 1; right (1) brings 4 at the third step."""

    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Discrete(4)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return 0, {}

    def step(self, action):
        self.place += 1
        reward = 1.0 if action == 0 else 4.0 * (self.place == 3)
        return self.place, reward, action == 0 or self.place == 3, False, {}


class Coin(Corridor):
    """One step: 0 brings 1; 1 brings 0 or 3, as a coin falls."""

    def step(self, action):
        self.place += 1
        head = self.np_random.integers(2) == 1
        return self.place * int(head), float(3 * head if action else 1), True, False, {}


class Shared(Corridor):
    """Its copies share a list."""

    steps: ClassVar[list[int]] = [0]

    def step(self, action):
        self.steps[0] += 1
        return self.steps[0], 0.0, False, False, {}


class Bound(Corridor):
    def __deepcopy__(self, memo):
        raise TypeError("it holds a window")


class Endless(Corridor):
    action_space = gymnasium.spaces.Box(-1.0, 1.0, (1,))


class Late(Corridor):
    def step(self, action):
        if self.place == 1:
            raise KeyError("seven")
        return (*super().step(1)[:2], False, False, {})


class Four(Corridor):
    def step(self, action):
        return 0, 1.0, True, {}


class Unborn(Corridor):
    def reset(self, *, seed=None, options=None):
        raise KeyError("six")


class Unpaid(Corridor):
    def step(self, action):
        observation, _, *rest = super().step(action)
        return (observation, float("nan"), *rest)


def means(
    game: Any, gamma: float = 1.0, simulations: int = 200, seed: int = 1
) -> dict[str, float]:
    search = MCTS(game, seed=seed, backup=RewardSum(gamma))
    result = search.search(limit=Limit(simulations=simulations))
    return {one.move: one.mean for one in result.actions}


def test_what_is_found_out_is_said() -> None:
    assert from_gymnasium(Corridor()).reading == (
        "gymnasium:Corridor: 2 actions; states are copied (deepcopy); nothing is "
        "random; at most 200 actions"
    )
    assert "chance decides, 8 outcomes are drawn" in from_gymnasium(Coin()).reading
    lake = make_game("gymnasium:FrozenLake-v1")
    assert "chance decides, its outcomes are known" in lake.reading


def test_rewards_are_discounted_from_where_they_are() -> None:
    """Right is worth 4 gamma^2 at the most, and 1 gamma where the next goes left.

    The 4 has to be seen early: some seeds stay with the left for long.
    """
    far = means(from_gymnasium(Corridor()), 0.9, seed=4)
    assert far["0"] == pytest.approx(1.0)
    assert 2.5 < far["1"] <= 4 * 0.81
    near = means(from_gymnasium(Corridor()), 0.25)
    assert near["0"] == pytest.approx(1.0)
    assert near["1"] < 0.3


def test_an_unsafe_lake_is_crossed() -> None:
    """Six steps lead across; the goal's 1 is worth gamma^5 at the first of them."""
    game = make_game("gymnasium:FrozenLake-v1(is_slippery=False)")
    position = Position(game)
    search = MCTS(game, seed=1, backup=RewardSum(0.9))
    for _ in range(30):
        if position.is_terminal:
            break
        move = search.search(position, Limit(simulations=2000)).move
        position.play(game.parse_action(move))
    assert position.returns(0) == 1.0


def test_chance_draws_as_the_table_says() -> None:
    """At the top of the lake the action left leads down in a third of the draws."""
    game = make_game("gymnasium:FrozenLake-v1")
    position = Position(game)
    position.play(game.parse_action("0"))
    assert position.is_chance
    odds = [
        game.chance_probability(position.state, action)
        for action in position.legal_actions()
    ]
    assert odds == pytest.approx([1 / 3] * 3)


def test_a_table_says_nothing_of_what_a_wrapper_changes() -> None:
    """Each step costs 1 there; of the table's own, none does."""

    class Toll(gymnasium.RewardWrapper):
        def reward(self, reward):
            return reward - 1.0

    lake = gymnasium.make("FrozenLake-v1", is_slippery=False)
    for environment, total in ((lake, 0.0), (Toll(lake), -2.0)):
        game = from_gymnasium(environment)
        state = Position.from_moves(game, ["2", "2"]).state
        assert game.returns(state, 0) == total


def test_what_is_called_like_a_table_and_is_none() -> None:
    class Powered(Corridor):
        P = 3.0

    assert means(from_gymnasium(Powered()))["0"] == pytest.approx(1.0)


def test_outcomes_are_drawn_where_the_code_decides() -> None:
    """Among 64 outcomes of a fair coin 1.5 is the mean, to five standard errors."""
    found = means(from_gymnasium(Coin(), samples=64), simulations=600)
    assert found["0"] == pytest.approx(1.0)
    assert found["1"] == pytest.approx(1.5, abs=5 * 1.5 / 8)


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        (Bound, r"cannot be copied \(copy.deepcopy\): TypeError: it holds a window"),
        (Shared, "a copy shares something with its original"),
        (Late, r"Late.step.*KeyError: 'seven' \(after '0'\)"),
        (Four, r"step gives .*; it must give five values: observation, reward, term"),
        (Unborn, r"Unborn.reset.*KeyError: 'six' \(at the start\)"),
        (Unpaid, "the reward is nan, which is no finite number"),
        (lambda: Corridor, r"takes the name of an environment, or what gymnasium.make"),
        (Endless, r"actions are Box.* ones that can be counted \(Discrete\)"),
    ],
)
def test_what_cannot_be_searched(made: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        means(from_gymnasium(made()), simulations=20)


@pytest.mark.parametrize(
    "wrong", [{"samples": 0}, {"max_length": 0}, {"max_length": 10**6}, {"seed": -1}]
)
def test_parameters_out_of_range(wrong: Any) -> None:
    with pytest.raises(UsageError, match=f"{next(iter(wrong))} must be a whole number"):
        from_gymnasium(Corridor(), **wrong)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("NoSuch-v0", "`NoSuch` doesn't exist"),
        ("FrozenLake-v1(size", "after the name come keywords in brackets"),
        ("FrozenLake-v1(map_name='none')", r"gymnasium:FrozenLake-v1.*KeyError"),
        ("FrozenLake-v1(size=3)", "gymnasium:FrozenLake-v1.*size"),
        ("Pendulum-v1", "actions are Box"),
    ],
)
def test_names_that_are_none(name: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        make_game(f"gymnasium:{name}")


def test_a_missing_package_is_named(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(UsageError, match=r"needs pip install playout\[gymnasium\]"):
        make_game("gymnasium:CartPole-v1")


def test_the_environment_that_is_given_stays_as_it_is() -> None:
    env = Corridor()
    env.reset(seed=3)
    env.step(1)
    means(from_gymnasium(env), simulations=20)
    assert env.place == 1


def test_the_end_of_a_pole_is_put_off() -> None:
    """Forty steps by a search of 30 simulations: at random a pole stands some 22."""
    game = make_game("gymnasium:CartPole-v1")
    position = Position(game)
    search = MCTS(game, seed=2, backup=RewardSum(0.98))
    for _ in range(40):
        assert not position.is_terminal
        position.play(search.search(position, Limit(simulations=30)).action)
    assert np.isfinite(game.rewards(position.state, 0))


MAZE = """
import gymnasium

class Line(gymnasium.Env):
    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Discrete(9)

    def __init__(self, size=3):
        self.size = {3: 3, 4: 4}[size]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return 0, {}

    def step(self, action):
        self.place = max(0, self.place + (1 if action else -1))
        return self.place, -1.0, self.place == self.size, False, {}
"""


def test_an_environment_in_a_file(tmp_path: Any) -> None:
    (tmp_path / "line.py").write_text(MAZE, encoding="utf-8")
    game = make_game(f"{tmp_path}/line.py:Line:size=4")
    again = pickle.loads(pickle.dumps(game))
    for one in (game, again):
        assert Position.from_moves(one, ["1"] * 4).returns(0) == -4.0
        assert game_spec(one) == "Line:size=4"
    with pytest.raises(
        ValueError, match=r"Line.__init__, .*line.py line 9.*KeyError: 7"
    ):
        make_game(f"{tmp_path}/line.py:Line:size=7")
    with pytest.raises(UsageError, match="unknown parameter 'width'; accepted: size"):
        make_game(f"{tmp_path}/line.py:Line:width=7")
