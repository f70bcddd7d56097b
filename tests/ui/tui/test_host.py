"""The host of a game on the screen: whom it closes, and when."""

import time

import pytest

from playout.games.tic_tac_toe.rules import TicTacToe
from playout.ui.tui.host import Host, HostSettings
from playout.ui.tui.messages import Prepared

PLAYER = """
import time
from playout.players.player import Decision, Player

class Slow(Player):
    def __init__(self, game):
        super().__init__("slow", game)
        self.told, self.stopped = [], False
    def choose(self, position, allowance):
        self.told.append("thinks")
        while not self.stopped:
            time.sleep(0.01)
        self.told.append("has thought")
        return Decision(position.legal_actions()[0])
    def stop(self):
        self.stopped = True
    def close(self):
        self.told.append("is closed")
"""


def wait_for(condition):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.parametrize("leave", [Host.new_game, Host.swap])
def test_a_player_that_thinks_is_closed_again_when_it_has_thought(tmp_path, leave):
    """It may have begun to ponder, or started its program again, since it was."""
    file, posted = tmp_path / "slow.py", []
    file.write_text(PLAYER)
    host = Host(HostSettings(TicTacToe(), ["human", f"{file}:Slow"]), posted.append)
    try:
        host.play("b2")
        host.go_on()
        wait_for(lambda: any(isinstance(each, Prepared) for each in posted))
        host.ask(host.moment)
        player = host.table.session.players[1]
        wait_for(lambda: player.told)
        leave(host)
        host.go_on()
        wait_for(lambda: "has thought" in player.told)
        wait_for(lambda: player.told[-1] == "is closed")
        assert player.told == ["thinks", "is closed", "has thought", "is closed"]
    finally:
        host.close()
