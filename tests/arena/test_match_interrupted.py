"""Ctrl-C in the middle of a match."""

import signal

import pytest

from playout.arena.executors import LocalExecutor
from playout.arena.match import Match, MatchSettings, play_matches
from playout.arena.store import Store


class Interrupted(Store):
    """Ctrl-C comes as soon as the game of a number is kept."""

    number = 3

    def save(self, match, number, record):
        saved = super().save(match, number, record)
        if number == self.number:
            signal.raise_signal(signal.SIGINT)
        return saved


def test_every_game_that_is_kept_is_counted():
    match = Match(MatchSettings("tic-tac-toe", ("random", "greedy")), games=10)
    observed = []
    with Interrupted(None) as store, LocalExecutor(1) as executor:
        with pytest.raises(KeyboardInterrupt):
            play_matches(
                [match], store, executor, lambda *game: observed.append(game[1])
            )
        kept = [game.number for game in store.games()]
    assert kept == [0, 1, 2, Interrupted.number]
    assert match.counted == len(kept)
    assert observed == kept[:-1]
