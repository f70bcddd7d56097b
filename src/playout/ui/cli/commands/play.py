"""`playout play`: a game against a player, between people, or of players to watch."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from ....core.errors import UsageError, counted
from ..completing import complete_player
from ..options import (
    HelpfulCommand,
    clock_option,
    game_argument,
    interpreted_option,
    limit_options,
    load_game,
    log_option,
    make_limit,
    moves_option,
    read_position,
    search_options,
)
from ..terminal import is_terminal, saying, show_compiling
from ..watchdog import watching

if TYPE_CHECKING:
    from ....games.contract.game import Game
    from ....players.player import Player

__all__ = ["ask_seat", "play"]

DEFAULT_SECONDS = 1.0
#: When programs play each other: for a move, and for a game that lasts to the end.
WATCH_SECONDS, WATCH_GAME_SECONDS = 0.2, 10.0


@click.command(cls=HelpfulCommand)
@game_argument
@click.argument(
    "players", nargs=-1, metavar="[PLAYER]...", shell_complete=complete_player
)
@click.option(
    "--player",
    metavar="PLAYER",
    shell_complete=complete_player,
    help="The opponent, as after GAME.",
)
@click.option(
    "--first", is_flag=True, help="You move first; in a terminal you are asked."
)
@click.option("--second", is_flag=True, help="The program moves first.")
@click.option("--watch", is_flag=True, help="The program plays both sides.")
@click.option("--web", is_flag=True, help="Play in the browser.")
@click.option("--plain", is_flag=True, help="Line by line, not on the whole screen.")
@clock_option(" Only on the whole screen.")
@moves_option
@log_option
@limit_options
@search_options
@interpreted_option
def play(
    game: str,
    players: tuple[str, ...],
    player: str | None,
    first: bool,
    second: bool,
    watch: bool,
    web: bool,
    plain: bool,
    clock: str | None,
    moves: str | None,
    log: str,
    seconds: float | None,
    simulations: int | None,
    preset: str | None,
    seed: int | None,
) -> None:
    """Play GAME against the search or another PLAYER.

    In a terminal the board takes the whole screen, for mouse and keys; `?` shows the
    keys. With --plain type a move, or `help`, `undo`, `hint`, `moves`, `steps`, `log`
    or `quit`; Ctrl-C has the program move at once, a second one leaves. Moves can also
    be piped in, one a line; without any input the program plays a short game against
    itself.

    The search, which in Connect Four and ultimate tic-tac-toe has a network, thinks for
    one second a move unless told otherwise, and shows what it found. With all players
    named, in order of play, they play each other; `human` is a person. With --moves a
    game goes on that was left.

    Examples:
      playout play connect-four
      playout play connect-four level:3
      playout play gomoku:size=9 --second --seconds 5
      playout play tic-tac-toe human human
      playout play tic-tac-toe perfect --first
      playout play connect-four alphabeta:depth=6 mcts:seconds=1
      playout play ultimate-tic-tac-toe --simulations 1000 --seed 1
      playout play tic-tac-toe --preset fachada
      playout play connect-four --watch
      playout play gomoku level:2 --web
      playout play connect-four --plain
      playout play gomoku level:5 --time 300+2
      playout play connect-four --second --moves "4 4 4"
      playout play my_game.py:MyGame my_player.py:make_player
    """
    if first + second + watch > 1:
        raise UsageError("--first, --second and --watch exclude each other")
    from ....players.registry import usual_player

    make_limit(seconds, simulations, DEFAULT_SECONDS)  # complains
    named = _named(players, player, preset)
    loaded = load_game(game)
    played = [] if moves is None else read_position(loaded, moves, None).moves
    searcher = _preset_spec(preset) or usual_player(loaded)
    named = named or (searcher,)
    asks = not (first or second or watch or web) and len(named) == 1
    if asks and named != ("human",) and _can_ask() and loaded.num_players() > 1:
        specs = _with_person(named[0], ask_seat(loaded), loaded.num_players())
    else:
        is_named = bool(players) or player is not None
        specs = _seats(named, loaded, game, first, second, watch, is_named)
    if web:
        from .serve import play_in_browser

        given = (clock, simulations, seed, moves)
        if plain or any(value is not None for value in given):
            raise UsageError(
                "--web: of a game's options only --seconds; the page has the others"
            )
        _make(loaded, specs, shared=False)  # complains
        play_in_browser(game, specs, seconds)
        return

    from ....players.player import Allowance
    from ..conversation import Conversation
    from ..screen import fills_screen, play_on_screen

    short = min(WATCH_SECONDS, WATCH_GAME_SECONDS / max(1, loaded.max_game_length()))
    hurried = Allowance(seconds=min(seconds or short, short), simulations=simulations)
    allowance = Allowance(seconds=seconds, simulations=simulations)
    if watch and clock is None and not allowance.limited:
        allowance = hurried
    if fills_screen(plain or log == "plain", clock):
        play_on_screen(loaded, specs, searcher, allowance, clock, seed, played)
        return
    with ExitStack() as stack:
        made = _make(loaded, specs, shared=len(players) < 2)
        at_once = seed is None and None in made
        with show_compiling() as compiled:
            for one in dict.fromkeys(one for one in made if one is not None):
                with saying(f"Waiting for {one.spec} to start ...", compiled):
                    stack.callback(one.close)
                    (one.get_ready if at_once else one.prepare)()
        plainly = log == "plain"
        talk = Conversation(loaded, made, searcher, allowance, seed, plainly, played)
        talk.hurried = hurried
        with watching(compiled_too=False):
            talk.run()


def _can_ask() -> bool:
    return is_terminal(sys.stdin) and is_terminal(sys.stdout)


def ask_seat(game: Game) -> int:
    """The seat that a person at the terminal takes; 0 where there is only one.

    By its number, its name or the beginning of that; Enter takes the first. At the end
    of the input there is no game.
    """
    from ...common.words import names_of

    names = names_of(game)
    if len(names) == 1:
        return 0
    offered = ", ".join(f"{seat} {name}" for seat, name in enumerate(names, start=1))
    while True:
        try:
            said = input(f"Who are you: {offered} [1]: ").strip().lower() or "1"
        except EOFError:
            click.echo("\nGoodbye.")
            raise click.exceptions.Exit from None
        for seat, name in enumerate(names):
            if said == str(seat + 1) or name.lower().startswith(said):
                return seat
        click.echo(f"Please answer 1 to {len(names)}, or a name.")


def _with_person(spec: str, seat: int, count: int) -> list[str]:
    """Who plays, where a person has taken a seat among so many."""
    return ["human" if each == seat else spec for each in range(count)]


def _preset_spec(preset: str | None) -> str | None:
    return None if preset is None else f"mcts:preset={preset}"


def _named(
    players: tuple[str, ...], player: str | None, preset: str | None
) -> tuple[str, ...]:
    """The players named on the command line."""
    if players and player is not None:
        raise UsageError("--player: the opponent is named after GAME already")
    named = players if player is None else (player,)
    if named and preset is not None:
        raise UsageError(
            f"--preset is for the search: name the player mcts:preset={preset}"
        )
    return named


def _seats(
    named: tuple[str, ...],
    game: Game,
    spec: str,
    first: bool,
    second: bool,
    watch: bool,
    is_named: bool,
) -> list[str]:
    """Who plays, in order of play; `is_named` if a person has named who plays."""
    count = game.num_players()
    if second and count < 2:
        raise UsageError(f"--second: {spec} is a game for one player")
    if len(named) > 1 and (first or second or watch):
        raise UsageError(
            "--first, --second and --watch are for one opponent; players that are all "
            "named play in their order"
        )
    if len(named) > 1 and len(named) != count:
        raise UsageError(f"{spec} has {counted(count, 'player')}, not {len(named)}")
    if len(named) > 1:
        return list(named)
    if watch and named == ("human",):
        raise UsageError("--watch is for players that need no person")
    if watch or (count == 1 and is_named and not first):
        return list(named) * count
    return _with_person(named[0], 1 if second else 0, count)


def _make(game: Game, specs: list[str], shared: bool) -> list[Player | None]:
    """The players by seat, None for people; an opponent in several seats is one."""
    from ....players.registry import make_player

    made: list[Player | None] = []
    for seat, spec in enumerate(specs):
        if spec == "human":
            made.append(None)
        elif shared and spec in specs[:seat]:
            made.append(made[specs.index(spec)])
        else:
            made.append(make_player(spec, game))
    return made
