"""`playout train`: a network learns a game by playing against itself."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....core.errors import UsageError, counted
from ....core.garbage import start_collecting
from ....core.text.fields import expect_at_most
from ..options import (
    FILE,
    HelpfulCommand,
    check_plot,
    executor_option,
    game_argument,
    load_game,
    plot_option,
)
from ..terminal import say_json

if TYPE_CHECKING:
    from ....learning.trainer import Budget, Training

__all__ = ["train"]

#: More than a year.
MOST_MINUTES = 600_000
MOST_GAMES = 1_000_000_000


@click.command(cls=HelpfulCommand)
@game_argument
@click.option(
    "--out",
    "folder",
    required=True,
    type=FILE,
    metavar="DIR",
    help="Where games, network and report are kept.",
)
@click.option(
    "--minutes",
    type=float,
    metavar="M",
    help="Play for so long; then learn from the last games.",
)
@click.option(
    "--games",
    type=int,
    metavar="N",
    help="End when there are so many games, earlier ones included.",
)
@click.option(
    "--resume", is_flag=True, help="Go on with what DIR holds, if it holds anything."
)
@click.option(
    "--kind",
    type=click.Choice(["onnx", "native"]),
    help="ONNX (the default), or a small network that is compiled into the search.",
)
@click.option(
    "--config", type=FILE, metavar="FILE.toml", help="How it learns; see the docs."
)
@executor_option
@plot_option("how it went")
@click.option("--json", "as_json", is_flag=True, help="The card, for programs.")
def train(
    game: str,
    folder: str,
    minutes: float | None,
    games: int | None,
    resume: bool,
    kind: str | None,
    config: str | None,
    executor: str,
    plot: str | None,
    as_json: bool,
) -> None:
    """Train a network for GAME by games against itself (AlphaZero).

    Games are searched by a Gumbel root and played side by side; the network learns
    the improved policy and the result. `net:DIR` is a player while it still learns.
    With neither --minutes nor --games it goes on until Ctrl-C. Whatever ends it, no
    finished game is lost: the same command with --resume goes on.

    FILE.toml may say, for instance:

      network = "residual: 4 blocks, 64 channels"
      simulations = 64

    Examples:
      playout train connect-four --out c4 --minutes 60
      playout train connect-four --out c4 --minutes 60 --resume
      playout train ultimate-tic-tac-toe --out small --kind native --games 20000
      playout match connect-four net:c4 mcts --simulations 100
    """
    from ....learning.trainer import Budget

    _expect_budget(minutes, games)
    check_plot(plot)
    training = _make(game, Path(folder), kind, config, resume, executor)
    if resume and training.replay.games:
        click.echo(f"goes on after {_standing(training)}", err=True)
    try:
        _run(training, Budget(minutes, games))
    except KeyboardInterrupt:
        _write_report(training, plot)
        click.echo(
            f"\n{_standing(training)} are kept in {folder}; the same command with "
            "--resume goes on",
            err=True,
        )
        raise
    _report(training, as_json, plot)


def _expect_budget(minutes: float | None, games: int | None) -> None:
    for name, value in (("--minutes", minutes), ("--games", games)):
        if value is not None and not value > 0:
            raise UsageError(f"{name} must be above 0, not {value:g}")
    expect_at_most("--minutes", minutes, MOST_MINUTES)
    expect_at_most("--games", games, MOST_GAMES)


def _make(
    game: str,
    folder: Path,
    kind: str | None,
    config: str | None,
    resume: bool,
    executor: str,
) -> Training:
    from ....learning.folder import read_settings
    from ....learning.measure import expect_opponents
    from ....learning.networks import expect_torch
    from ....learning.observing import expect_trainable
    from ....learning.ray_source import source_maker
    from ....learning.trainer import Training

    rules = load_game(game)
    expect_trainable(rules, game)  # before anybody installs PyTorch for it
    expect_torch()
    told, kind = read_settings(folder, config, kind, resume)
    try:
        expect_opponents(rules, told)
    except UsageError as error:
        raise UsageError(f"{config}: {error}" if config else str(error)) from None
    source = source_maker(executor, game, told)
    return Training(game, folder, told, kind, resume=resume, make_source=source)


def _run(training: Training, budget: Budget) -> None:
    """Train, and show how it goes: a table where there is a terminal, else lines."""
    from ....learning.measure import measure
    from ..terminal import is_terminal
    from ..training_table import TrainingLines, TrainingTable

    display = (TrainingTable if is_terminal(sys.stderr) else TrainingLines)(
        training, budget
    )
    start_collecting()
    with display:
        training.run(budget, display.show, measure)


def _report(training: Training, as_json: bool, plot: str | None) -> None:
    """Write the page and the picture, and say what was reached."""
    path, card = _write_report(training, plot)
    if as_json:
        say_json(card)
        return
    click.echo(f"{_standing(training)}, {training.facts.seconds / 60:.1f} minutes")
    for row in training.facts.strength[-8:]:
        click.echo(
            f"against {row['opponent']}: {row['elo']:+z.0f} Elo "
            f"({row['low']:+z.0f} to {row['high']:+z.0f}), {row['played']} games"
        )
    click.echo(f"the report is in {path}")
    words = ["playout", "play", training.spec, f"net:{training.folder}"]
    click.echo(f"play against it: {shlex.join(words)}")


def _write_report(training: Training, plot: str | None) -> tuple[Path, dict[str, Any]]:
    """Write the page and the picture; returns the page's path and the card."""
    from ....learning.report import plot_training, write_report
    from ....players.networks import read_card

    path, card = write_report(training.folder), read_card(training.folder)
    if plot is not None:
        from ....core.pictures import finished

        finished(plot_training(card), plot)
    return path, card


def _standing(training: Training) -> str:
    games = counted(training.replay.games, "game")
    return f"{games} with {training.replay.positions:,} positions"
