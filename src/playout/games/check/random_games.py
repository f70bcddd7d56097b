"""`check_game`: random games in which the laws of the contract are tested.

They are played with every index checked, interpreted, and compiled. The first law that
breaks is reported with the fewest moves found that lead there, and the states around
the last of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.errors import RulesError
from ...core.rng import make_rng
from ...core.text.fields import expect_whole
from ..contract.game import Game
from .bounds import can_compile, check_bounds
from .broken_rules import BrokenRules
from .deals import expect_deals
from .forms import expect_symmetries
from .laws import NO_END, Checker
from .misspelled import misspelled
from .overflows import with_overflow
from .report import GameReport
from .settled import checker_for
from .shorten import shorten
from .soundness import expect_game

__all__ = ["check_game"]

#: So many games more are played, at most, to be sure of a hint.
MORE_GAMES = 200


def check_game(
    game: Game,
    games: int = 20,
    seed: int = 0,
    compiled: bool = True,
    progress: Callable[[int], Any] | None = None,
) -> GameReport:
    """Test every law of the contract on random games.

    Args:
        game: the game to test.
        games: how many random games to play; interpreted ones take about a
            millisecond an action.
        seed: the same seed tests the same games.
        compiled: also run the rules compiled, with and without index checks, and
            compare; without it, and where they cannot be compiled, only the
            interpreted rules are tested, as the report then says.
        progress: called after each game with how many were played.

    Raises:
        RulesError: a law does not hold; says which, where, and after which moves, as
            few as were found.
        CompileError: the rules can neither be compiled nor be run in plain Python.

    >>> from playout.games.connect_four.rules import ConnectFour
    >>> check_game(ConnectFour(rows=4, columns=4), games=2, compiled=False).games
    2
    """
    expect_game(game)
    games = expect_whole("games", games, 1)
    with np.errstate(over="ignore"):
        if compiled:
            compiled = can_compile(game)  # whose errors say most
        if compiled:
            # What hangs or fails in Python's sight is easier to name.
            first = checker_for(game, make_rng(seed))
            first.compiles = True
            _play(first, 1)
            _check_indices(game, seed, games)
        checker = checker_for(game, make_rng(seed))
        if compiled:
            checker.compile()
        _play(checker, games, progress)
        _play_on(checker)
        expect_symmetries(game)
        hints = checker.observed.hints()
        hints = (*misspelled(game), *hints, *expect_deals(game, seed))
    return GameReport(games, checker.positions, checker.longest, hints, compiled)


def _play(
    checker: Checker, games: int, progress: Callable[[int], Any] | None = None
) -> None:
    """Play random games; a fault is told by the shortest game found that shows it."""
    try:
        for played in range(games):
            checker.play_game()
            if progress is not None:
                progress(played + 1)
    except BrokenRules as fault:
        if fault.kind != NO_END:
            checker.thorough = True
            checker.rollouts = checker.own_rollout or fault.kind == "law 8"
            fault = shorten(checker, fault)
        raise with_overflow(checker.game, fault) from None


def _play_on(checker: Checker) -> None:
    """Play more games, interpreted, where a hint is likely but not yet sure."""
    more = Checker(checker.game, checker.rng)
    more.observed = checker.observed
    for _ in range(MORE_GAMES):
        if not more.observed.needs_more_games():
            return
        _play(more, 1)


def _check_indices(game: Game, seed: int, games: int) -> None:
    """Look at all indices; if one is wrong, the checker finds the moves, mostly."""
    try:
        check_bounds(game, seed, laws=False)
    except RulesError:
        checker = checker_for(game, make_rng(seed))
        checker.compile_checked()
        _play(checker, games)
        raise
