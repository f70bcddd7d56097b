"""Tells whether an exception is a player's fault, which loses its game, or the rules'.

Rules that fail end the match, with an error that names them.
"""

from __future__ import annotations

import contextlib
import itertools
import traceback
from collections.abc import Iterator, Sequence
from types import FrameType

from ..core.errors import PlayoutError, RulesError
from ..core.jit import native
from ..games.check.bounds import is_own
from ..games.check.failures import rules_failure
from ..games.contract.game import Game
from ..games.contract.names import in_a_row
from ..games.positions.position import Position
from ..players.answers import plain_failure, tell
from ..players.player import PlayerFailure

__all__ = ["after_moves", "failure_of", "fault_of_rules", "judging"]

#: So many of the last moves are named.
LONGEST_PATH = 100


def failure_of(error: BaseException) -> PlayerFailure:
    """What an exception in a player's code means for its game."""
    if isinstance(error, PlayerFailure):
        return plain_failure(error)
    if isinstance(error, MemoryError):
        return PlayerFailure("memory", "there was not enough memory")
    words = tell(error)
    if not isinstance(error, PlayoutError):  # which says itself what is wrong
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{frame.filename}, line {frame.lineno}, in {frame.name}"
        words = f"{where}: {type(error).__name__}: {words}"
    return plain_failure(PlayerFailure("crash", words))


def fault_of_rules(game: Game, error: BaseException) -> BaseException | None:
    """What the rules raised, if that is why a player failed; None if they did not.

    They did if Playout's own code had asked them, or if they ran compiled. A player
    that calls them by itself may do so wrongly, or ask for a move that is none.
    """
    if is_own(game):
        return None
    if isinstance(error, PlayerFailure):  # a function's player has wrapped it
        cause = error.__cause__
        return None if cause is None else fault_of_rules(game, cause)
    if isinstance(error, RulesError):
        return error
    if isinstance(error, PlayoutError | MemoryError):
        return None
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    asked = any(
        isinstance(two.f_locals.get("self"), Game)
        and two.f_code.co_name != "parse_action"
        and _is_own(one)
        for one, two in itertools.pairwise(frames)
    )
    compiled = any(
        frame.f_globals.get("__name__") == native.__name__ for frame in frames
    )
    return error if asked or compiled else None


@contextlib.contextmanager
def judging(position: Position) -> Iterator[None]:
    """Raise exceptions of this block as errors of the rules, with the moves so far.

    Raises:
        RulesError: the rules have failed.
    """
    try:
        yield
    except RulesError as error:
        raise RulesError(f"{error}{_path(position)}") from error
    except (PlayoutError, PlayerFailure, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        found = rules_failure(position.game, error)
        raise RulesError(f"{found}{_path(position)}") from error


def after_moves(moves: Sequence[str]) -> str:
    """Words for where in a game something happened.

    >>> after_moves(["b2", "a1"]), after_moves([])
    (', after the moves b2 a1', ', before the first move')
    """
    if not moves:
        return ", before the first move"
    start = "... " if len(moves) > LONGEST_PATH else ""
    return f", after the moves {start}{in_a_row(moves[-LONGEST_PATH:])}"


def _path(position: Position) -> str:
    try:
        return after_moves(position.moves)
    except Exception:  # rules that cannot even name their moves
        return after_moves([str(action) for action in position.actions])


def _is_own(frame: FrameType) -> bool:
    """Whether this is Playout's code."""
    return str(frame.f_globals.get("__name__")).startswith("playout.")
