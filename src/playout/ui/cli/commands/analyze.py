"""`playout analyze`: search a position and show what was found."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ....core.errors import UsageError
from ....core.files import expect_apart
from ..completing import complete_player
from ..options import (
    FILE,
    HelpfulCommand,
    check_plot,
    check_writable,
    game_argument,
    interpreted_option,
    limit_options,
    load_game,
    log_option,
    make_limit,
    make_search,
    plot_option,
    position_options,
    read_position,
    search_options,
)
from ..terminal import is_terminal, say_json, show_compiling, use_color
from ..watchdog import watching

if TYPE_CHECKING:
    from ....games.contract.game import Game
    from ....games.positions.position import Position
    from ....search.limit import Limit
    from ....search.mcts import MCTS
    from ....search.nrpa import NRPA
    from ....search.result.result import Result

__all__ = ["analyze", "search_shown"]

DEFAULT_SECONDS = 3.0


@click.command(cls=HelpfulCommand)
@game_argument
@position_options
@limit_options
@search_options
@click.option(
    "--threads",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Threads that search one tree together.",
)
@click.option(
    "--search",
    "kind",
    type=click.Choice(["mcts", "nrpa"]),
    default="mcts",
    show_default=True,
    help="A tree, or nested rollout policy adaptation (for one player).",
)
@click.option(
    "--player",
    metavar="SPEC",
    shell_complete=complete_player,
    help="Search as this player does, as in mcts:evaluator=net.py:evaluate,batch=16.",
)
@log_option
@click.option("--json", "as_json", is_flag=True, help="An object, for programs.")
@click.option(
    "--tree",
    "tree_file",
    type=FILE,
    metavar="FILE",
    help="Also write the most visited nodes to FILE.json, .dot, .svg or .txt.",
)
@plot_option("how win rates and visits of the moves went")
@interpreted_option
def analyze(
    game: str,
    moves: str | None,
    position: str | None,
    seconds: float | None,
    simulations: int | None,
    preset: str | None,
    seed: int | None,
    threads: int,
    kind: str,
    player: str | None,
    log: str,
    as_json: bool,
    tree_file: str | None,
    plot: str | None,
) -> None:
    """Search a position of GAME and show what was found.

    Three seconds unless told otherwise; whichever limit comes first ends the search,
    and Ctrl-C does, with the best so far. Win rates are for the player to move.

    Examples:
      playout analyze connect-four --moves "4 4 4"
      playout analyze gomoku:size=19 --seconds 10 --threads 2
      playout analyze tic-tac-toe --simulations 20000 --seed 1 --json
      playout analyze tic-tac-toe --simulations 1000 --log plain
      playout analyze connect-four --position 44455 --tree tree.svg
      playout analyze gomoku --moves h8 --plot thinking.png
      playout analyze tsp:seed=7 --search nrpa
      playout analyze connect-four --player mcts:c_puct=2,threads=2
    """
    _check_files(tree_file, plot)
    from ....search.result.curves import Curves
    from ....search.result.fachada_log import fachada_log

    limit = make_limit(seconds, simulations, DEFAULT_SECONDS)
    loaded = load_game(game)
    search: Any
    if kind != "mcts":
        told = {"threads": threads > 1, "preset": preset, "player": player}
        search = _without_tree(loaded, seed, tree=tree_file, **told)
    elif player is not None:
        _expect_alone("--player", preset=preset, threads=threads > 1)
        asked = seconds is not None or simulations is not None
        search, limit = _searcher(loaded, player, seed, limit, asked)
    else:
        search = make_search(loaded, preset, seed, threads)
    start = read_position(loaded, moves, position)
    if start.is_terminal:
        raise UsageError("there is nothing to analyze: the game is over here")
    _draw(start, 0 if seed is None else seed)
    with show_compiling():
        if kind == "mcts" and seed is None and not as_json:
            search.compile(wait=False)
        else:  # a program gets the same whether or not it is the first time
            search.compile()
    curves = Curves() if plot else None
    result = search_shown(search, start, limit, live=not as_json, also=curves)
    shown = fachada_log(result, loaded) if log == "plain" else f"{result}"
    if as_json:
        say_json(result.to_dict())
    else:
        click.echo(shown)
    if tree_file is not None:
        search.view().readable().save(tree_file)
    if curves is not None:
        curves(result)
        curves.plot(plot)


def _draw(position: Position, seed: int) -> None:
    """Have chance draw where it is to move, and say what it drew."""
    from ....games.positions.dice import roll

    names = [position.game.action_name(action) for action in roll(position, seed)]
    if names:
        click.echo(f"Chance draws {' '.join(names)} (--seed: otherwise)", err=True)
    if position.is_terminal:
        raise UsageError("there is nothing to analyze: the game is over then")


def _searcher(
    game: Game, spec: str, seed: int | None, limit: Limit, asked: bool
) -> tuple[MCTS, Limit]:
    """The search of a player, and its limit.

    Where nobody asked for this limit, what the player's text says takes its place.
    """
    from ....players.mcts import MCTSPlayer
    from ....players.registry import make_player
    from ....search.limit import Limit

    made = make_player(spec, game)
    if not isinstance(made, MCTSPlayer):
        raise UsageError(f"--player: {spec} has no tree to show; mcts:... has one")
    if seed is not None:
        made.search.reset(seed)
    limits = dict(made.limits)
    if asked or not {"seconds", "simulations"} & set(limits):
        limits |= {"seconds": limit.seconds, "simulations": limit.simulations}
    return made.search, Limit(**limits)


def _expect_alone(option: str, **others: object) -> None:
    """Complain of options that say what another says already."""
    for name, value in others.items():
        if value:
            raise UsageError(f"{option} says it already: put {name}=... into its text")


def _without_tree(game: Game, seed: int | None, **options: object) -> NRPA:
    """Nested rollout policy adaptation; complains of options that need a tree."""
    from ....search.nrpa import NRPA

    for name, value in options.items():
        if value:
            raise UsageError(f"--search nrpa has no tree, so --{name} is not for it")
    return NRPA(game, seed=seed)


def search_shown(
    search: MCTS | NRPA,
    start: Position,
    limit: Limit,
    live: bool,
    also: Callable[[Result], object] | None = None,
) -> Result:
    """Search; at a terminal, show the board and the best moves meanwhile.

    An only move is searched, too, for its value or the best line. Each result on the
    way is given to `also`. Rules in Python that hang are named.
    """
    with watching(compiled_too=False):
        return _search_shown(search, start, limit, live, also)


def _search_shown(
    search: MCTS | NRPA,
    start: Position,
    limit: Limit,
    live: bool,
    also: Callable[[Result], object] | None,
) -> Result:
    if not (live and is_terminal(sys.stdout)):
        return search.search(start, limit, also, forced_too=True)
    from ..live import LiveTable

    click.echo(start.render(color=use_color()) + "\n", color=True)
    with LiveTable(limit) as table:

        def progress(result: Result) -> None:
            table.show(result)
            if also is not None:
                also(result)

        return search.search(start, limit, progress, forced_too=True)


def _check_files(tree: str | None, plot: str | None) -> None:
    """Complain before the search if what is to be written could not."""
    from ....search.result.view import check_tree_path

    check_plot(plot)
    expect_apart({"--tree": tree}, {"--plot": plot})
    if tree is not None:
        check_writable("--tree", check_tree_path(tree))
