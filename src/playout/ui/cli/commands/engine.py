"""`playout engine`: a program for others to play against and to ask."""

from __future__ import annotations

import click

from ...engine.known import PROTOCOLS
from ..completing import complete_game, complete_player
from ..options import HelpfulCommand

__all__ = ["engine"]


@click.command(cls=HelpfulCommand)
@click.argument("protocol", type=click.Choice(PROTOCOLS))
@click.argument("game", required=False, shell_complete=complete_game)
@click.option(
    "--player",
    default="mcts",
    metavar="SPEC",
    shell_complete=complete_player,
    help="Who finds the moves; mcts if not given.",
)
@click.option(
    "--seed",
    type=int,
    metavar="N",
    help="Of every game's random numbers; at random if not given.",
)
def engine(protocol: str, game: str | None, player: str, seed: int | None) -> None:
    """Be an engine: speak PROTOCOL with another program.

    gomocup is for Gomoku, codingame for ultimate tic-tac-toe, riddles for this and for
    Connect Four, gtp for Go and Gomoku; ugi is for every game of two players, jsonl for
    every game. Compile rules before a tournament, with `playout warm`: an engine that
    has to do it first plays simple moves until it is done. `pbrain-playout` is the same
    as `playout engine gomocup`.

    Examples:
      playout engine gomocup
      playout engine ugi connect-four --player level:5
      playout engine riddles connect-four --player mcts:c_uct=1
      playout engine jsonl ultimate-tic-tac-toe
    """
    from ...engine.loop import run
    from ...engine.making import engine_maker

    run(lambda say: engine_maker(protocol, game, player, seed)(say))
