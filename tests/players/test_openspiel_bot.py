"""Playout in OpenSpiel's own loop."""

import pytest

from playout import UsageError
from tests.packages import needed

pyspiel = needed("pyspiel")

from playout.players.baselines import RandomPlayer  # noqa: E402
from playout.players.openspiel_bot import openspiel_bot  # noqa: E402


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker"])
def test_a_bot_plays_in_the_loop(name: str) -> None:
    """Against a random bot it never loses tic-tac-toe and plays no illegal move."""
    game = pyspiel.load_game(name)
    for seat in (0, 1):
        bots = [pyspiel.make_uniform_random_bot(player, 7) for player in (0, 1)]
        bots[seat] = openspiel_bot(game, seat, "mcts:simulations=300", seed=seat)
        for seed in range(4):
            returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
            assert name != "tic_tac_toe" or returns[seat] >= 0


def test_what_others_play_is_followed() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    bot = openspiel_bot(game, 1, "mcts:simulations=50")
    state = game.new_initial_state()
    bot.inform_action(state, 0, 4)
    state.apply_action(4)
    assert bot.position.actions == [4]
    action = bot.step(state)
    assert action in state.legal_actions()
    bot.restart_at(state)
    assert bot.position.actions == [4]
    assert bot.player_id() == 1


def test_games_differ_and_follow_from_the_seed() -> None:
    """`evaluate_bots` begins each game by a restart."""
    game = pyspiel.load_game("tic_tac_toe")

    def play(seed: int) -> list[list[int]]:
        bots = [openspiel_bot(game, seat, "random", seed) for seat in (0, 1)]
        games = []
        for _ in range(6):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, 1)
            games.append(list(bots[0].position.actions))
        return games

    games = play(3)
    assert len({tuple(actions) for actions in games}) > 1
    assert play(3) == games


def test_a_seat_that_is_none() -> None:
    with pytest.raises(UsageError, match="player_id must be a whole number"):
        openspiel_bot("tic_tac_toe", 2)


def test_a_player_is_given_what_its_seat_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two deals of Kuhn poker that differ in the opponent's card look the same."""
    seen = []

    class Noting(RandomPlayer):
        def choose(self, position, allowance):
            seen.append(position.to_text())
            return super().choose(position, allowance)

    monkeypatch.setattr("playout.players.openspiel_bot.make_player", Noting)
    bot = openspiel_bot("kuhn_poker", 0, "random")
    for theirs in (1, 2):
        state = pyspiel.load_game("kuhn_poker").new_initial_state()
        state.apply_action(0)
        state.apply_action(theirs)
        bot.step(state)
    assert seen[0] == seen[1]
