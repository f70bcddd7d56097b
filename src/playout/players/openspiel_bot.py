"""Playout as a bot of OpenSpiel's, in its own loops (`pyspiel.evaluate_bots`)."""

from __future__ import annotations

from random import Random
from typing import Any

from ..adapters.openspiel import from_openspiel
from ..adapters.packages import package
from ..core.text.fields import expect_whole
from ..games.positions.position import Position
from .player import Allowance
from .registry import make_player

__all__ = ["openspiel_bot"]


def openspiel_bot(
    game: Any, player_id: int, player: str = "mcts:simulations=1000", seed: int = 0
) -> Any:
    """A bot that plays a game of OpenSpiel's as a player of Playout's does.

    It has `step`, `inform_action`, `restart` and `restart_at`. Where information is
    hidden its player is given what its seat knows, and no more.

    Args:
        game: what `pyspiel.load_game` gives, or a name.
        player_id: its seat.
        player: who plays, as on the command line.
        seed: of its random numbers; every `restart` has others that follow from it.

    Raises:
        UsageError: OpenSpiel is missing, or the game or player cannot be.
    """
    pyspiel = package("pyspiel", "A bot of OpenSpiel's", "playout[openspiel]")
    rules = from_openspiel(game)
    expect_whole("player_id", player_id, 0, rules.num_players() - 1)
    ours = make_player(player, rules)
    ours.prepare()
    seeds = Random(seed)
    ours.new_game(seed)

    class PlayoutBot(pyspiel.Bot):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            pyspiel.Bot.__init__(self)
            self.position = Position(rules)

        def player_id(self) -> int:
            return player_id

        def restart(self) -> None:
            self.position = Position(rules)
            ours.new_game(seeds.getrandbits(32))

        def restart_at(self, state: Any) -> None:
            self.restart()
            self._follow(state)

        def inform_action(self, state: Any, player: int, action: int) -> None:
            """What somebody else played in a state."""
            self._follow(state)
            following = state.clone()
            following.apply_action(action)
            self._follow(following)

        def step(self, state: Any) -> int:
            """The action to play in a state."""
            self._follow(state)
            decision = ours.choose(self.position.seen_by(player_id), Allowance())
            self.position.play(decision.action)
            return decision.action

        def _follow(self, state: Any) -> None:
            """Go to a state, from where the bot has been if it lies on the way."""
            wanted = list(rules.foreign.history(state))
            known = self.position.actions
            if wanted[: len(known)] != known:
                self.position = Position(rules)
                known = []
            for action in wanted[len(known) :]:
                self.position.play(action)

    return PlayoutBot()
