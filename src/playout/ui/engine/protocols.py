"""The engines by the names of their protocols."""

from __future__ import annotations

from collections.abc import Callable

from ...core.errors import UsageError
from ...games.connect_four.rules import ConnectFour
from ...games.contract.game import Game
from ...games.gomoku.rules import Gomoku
from ...games.registry import make_game
from ...games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
from ...players.registry import make_player
from .bots import CodinGameEngine, RiddlesEngine
from .gomocup import GomocupEngine
from .jsonlines import JsonEngine
from .loop import Engine
from .thinker import Thinker
from .ugi import UgiEngine

__all__ = ["engine_maker"]

#: The games that bots play where none is named; CodinGame counts boards in the end.
DEFAULT_GAMES = {
    "gomocup": "gomoku",
    "codingame": "ultimate-tic-tac-toe:variant=count",
    "riddles": "ultimate-tic-tac-toe",
    "jsonl": "connect-four",
}
#: So many games' players are kept where queries may change the game.
KEPT_GAMES = 4


def engine_maker(
    protocol: str, game: str | None, player: str, seed: int | None = None
) -> Callable[[Callable[[str], None]], Engine]:
    """What makes the engine from the function that sends its lines.

    Raises:
        UsageError: the protocol does not have the game, or there is no such player.
    """
    if game is None and protocol not in DEFAULT_GAMES:
        raise UsageError(f"{protocol} needs a game, as in {protocol} connect-four")
    rules = make_game(DEFAULT_GAMES[protocol] if game is None else game)
    _expect(protocol, rules)
    make_player(player, rules)
    keep = KEPT_GAMES if protocol == "jsonl" else 1
    thinker = Thinker(lambda other: make_player(player, other), keep, seed)

    def make(say: Callable[[str], None]) -> Engine:
        from ... import __version__

        thinker.warm_up()
        if protocol == "gomocup":
            return GomocupEngine(say, thinker, __version__)
        if protocol in BOTS:
            return BOTS[protocol](say, thinker, rules)
        if protocol == "ugi":
            return UgiEngine(say, thinker, rules, __version__)
        named = game is not None
        return JsonEngine(say, thinker, rules, __version__, named=named)

    return make


BOTS = {"codingame": CodinGameEngine, "riddles": RiddlesEngine}


def _expect(protocol: str, game: Game) -> None:
    """Complain about a game that a protocol does not have."""
    accepted: dict[str, tuple[type[Game], ...]] = {
        "gomocup": (Gomoku,),
        "codingame": (UltimateTicTacToe,),
        "riddles": (UltimateTicTacToe, ConnectFour),
    }
    if protocol in accepted and not isinstance(game, accepted[protocol]):
        names = " and ".join(cls.name for cls in accepted[protocol])
        raise UsageError(f"{protocol} is for {names} only")
    if protocol == "gomocup" and game != Gomoku():
        raise UsageError("with gomocup the manager chooses the board and the rule")
    if protocol == "ugi" and game.num_players() != 2:
        raise UsageError("ugi is for games of two players only")
