"""Players that an engine asks come and go with their games."""

import threading
import time

from playout.games.connect_four.rules import ConnectFour
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.players.baselines import RandomPlayer
from playout.ui.engine.thinker import Thinker


class Slow(RandomPlayer):
    """Takes its time to get ready, as a program that has to start."""

    def __init__(self, game):
        super().__init__("slow", game)
        self.may_be_ready, self.was_closed = threading.Event(), threading.Event()

    def prepare(self):
        self.may_be_ready.wait(60)

    def close(self):
        self.was_closed.set()


def test_a_player_that_still_gets_ready_is_closed_when_it_is():
    """Else a program that it has started would stay."""
    made = []

    def make(game):
        made.append(Slow(game))
        return made[-1]

    thinker = Thinker(make, keep=1)
    thinker.prepare(TicTacToe())
    while not made:
        time.sleep(0.01)
    thinker.prepare(ConnectFour())
    assert not made[0].was_closed.is_set()
    made[0].may_be_ready.set()
    assert made[0].was_closed.wait(60)
    for each in made:
        each.may_be_ready.set()
