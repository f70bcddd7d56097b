"""Playout's games as environments, by the other packages' own tests of them."""

from typing import Any

import numpy as np
import pytest

from playout import ConnectFour, TicTacToe, UsageError
from playout.games.more.kuhn_poker import KuhnPoker
from playout.players.baselines import RandomPlayer
from playout.players.environments import as_gymnasium, as_pettingzoo
from tests.packages import needed

needed("gymnasium")
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("game", ["tic-tac-toe", ConnectFour(), KuhnPoker(), "pig"])
def test_pettingzoo_finds_nothing_wrong(game: Any) -> None:
    needed("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    api_test(as_pettingzoo(game), num_cycles=60)
    seed_test(lambda: as_pettingzoo(game), num_cycles=20)


def test_an_illegal_move_ends_the_game() -> None:
    needed("pettingzoo")
    env = as_pettingzoo("tic-tac-toe", render_mode="ansi")
    env.reset(seed=1)
    env.step(4)
    assert "X" in env.render()
    assert env.agent_selection == "player_1"
    env.step(4)
    assert env.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert all(env.terminations.values())


def test_a_game_is_played_to_its_end() -> None:
    needed("pettingzoo")
    env = as_pettingzoo("tic-tac-toe")
    env.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask[action] == 1
        env.step(action)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}


@pytest.mark.parametrize("game", ["tic-tac-toe", ConnectFour()])
def test_gymnasium_finds_nothing_wrong(game: Any) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(as_gymnasium(game, "random", seat=None), skip_render_check=True)


class Unbounded(TicTacToe):
    """Its returns might be of any size."""

    return_range = None


def test_an_illegal_move_brings_a_finite_reward() -> None:
    env = as_gymnasium(Unbounded(), "random")
    env.reset(seed=1)
    env.step(4)
    assert env.step(4)[1:3] == (-1.0, True)


def test_the_opponent_answers() -> None:
    env = as_gymnasium("tic-tac-toe", "alphabeta", seat=1, render_mode="ansi")
    _, info = env.reset(seed=4)
    assert info["action_mask"].sum() == 8
    reward, over = 0.0, False
    while not over:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, reward, over, _, info = env.step(action)
    assert reward <= 0.0


def test_a_seat_that_is_none() -> None:
    with pytest.raises(UsageError, match="seat must be 0 to 1, or None, not 2"):
        as_gymnasium("tic-tac-toe", seat=2)


def test_what_is_wrong_is_told() -> None:
    env = as_gymnasium("tic-tac-toe", "random")
    with pytest.raises(UsageError, match="a game has to be begun: call reset"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(UsageError, match="action must be a whole number from 0 to 8"):
        env.step(9)
    env.step(0)
    assert env.step(0)[1:3] == (-1.0, True)
    with pytest.raises(UsageError, match="a game has to be begun: call reset"):
        env.step(1)
    with pytest.raises(UsageError, match="render_mode must be 'ansi' or None"):
        as_gymnasium("tic-tac-toe", render_mode="human")


def test_what_is_wrong_in_turn_is_told() -> None:
    needed("pettingzoo")
    env = as_pettingzoo("tic-tac-toe")
    with pytest.raises(UsageError, match="a game has to be begun: call reset"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(UsageError, match="action must be a whole number from 0 to 8"):
        env.step(9)


def test_an_opponent_knows_what_its_seat_does(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class Noting(RandomPlayer):
        def choose(self, position: Any, allowance: Any) -> Any:
            seen.append(position.to_text())
            return super().choose(position, allowance)

    monkeypatch.setattr("playout.players.environments.make_player", Noting)
    env = as_gymnasium("phantom-tic-tac-toe", "random")
    env.reset(seed=1)
    env.step(4)
    assert seen[0] == ".../.../... O", "nothing of the stone in the centre"
