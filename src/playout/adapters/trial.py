"""Random games of an object, which show what it is and whether it can be searched."""

from __future__ import annotations

import itertools
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ..core.errors import PlayoutError, RulesError, UsageError, quote
from .actions import key_of
from .conventions import Rules
from .copies import Moves
from .failures import after, object_failure
from .rewards import Ending

__all__ = ["MOST_PLIES", "Findings", "code_of", "play_trial"]

#: How many random games are played, unless they take longer than this.
GAMES, SECONDS = 100, 2.0
#: So many at least, and each of these is played again, move by move.
LEAST_GAMES = 12
REPLAYED = 4
#: A game that is longer does not end.
MOST_PLIES = 10_000
#: What an attribute that says whose turn it is may be called.
_TURN = (
    "next_to_move",
    "current_player",
    "currentPlayer",
    "to_move",
    "turn",
    "player",
    "next_player",
)


@dataclass
class Findings:
    """What random games have shown.

    Attributes:
        codes: of the two players, as the object calls them; the first one begins.
        endings: how the games ended.
        longest: the most actions in a game.
        actions: all that were met, in order; some more than once.
    """

    codes: list[Hashable] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    longest: int = 0
    actions: list[Any] = field(default_factory=list)


def play_trial(rules: Rules, moves: Moves, name: str) -> Findings:
    """Play random games.

    Args:
        rules: what to ask.
        moves: how to play on from the start.
        name: of the object, for messages.

    Raises:
        RulesError: a method failed, or what it says cannot be.
        UsageError: it is a game of another kind than can be searched.
    """
    trial, random = Findings(), Random(1)
    ends = time.monotonic() + SECONDS
    for number in range(GAMES):
        if number >= LEAST_GAMES and time.monotonic() > ends:
            break
        played: list[Any] = []
        try:
            seen = _play(rules, moves, trial, random, played)
            if number < REPLAYED:
                _replay(rules, moves, played, seen)
        except PlayoutError:
            raise
        except Exception as error:
            raise object_failure(name, error, played) from error
    if len(trial.codes) == 1 and rules.mover is not None:
        raise UsageError(
            f"in {name} it is always the same player's turn ({quote(trial.codes[0])}): "
            "a puzzle for one is no game that can be taken as it is; write it as a "
            "Game with num_players() 1"
        )
    return trial


def code_of(rules: Rules, state: Any, codes: Sequence[Hashable]) -> Hashable:
    """The code of the player to move; None where the object does not say."""
    if rules.mover is not None:
        return rules.mover(state)
    if not rules.convention.moved:
        return None
    last = rules.moved(state)
    both = codes if len(codes) == 2 else _other_codes(last)
    return next(code for code in both if code != last)


def _other_codes(last: Any) -> list[Hashable]:
    """Both players' codes, as one of them is: 1 and 2, or 1 and -1, or 0 and 1."""
    if last in (1, 2):
        return [1, 2]
    return [0, 1] if last == 0 else [1, -1]


def _play(
    rules: Rules, moves: Moves, trial: Findings, random: Random, played: list[Any]
) -> list[Any]:
    """One game to the end; what was seen of its states."""
    state, seen, last = moves.reach(moves.start, list), [], 0
    turns: dict[str, list[Any]] = {}
    while not rules.is_over(state):
        mover = _mover(rules, state, trial, len(played))
        legal = rules.legal(state)
        if len(legal) == 0:
            raise RulesError(
                f"{rules.convention.legal} gives no action {after(played)}, where "
                f"{rules.convention.over} says that the game is not over"
            )
        if len(played) == MOST_PLIES:
            end = rules.convention.over or rules.convention.legal
            raise RulesError(
                f"a random game has not ended after {MOST_PLIES:,} moves, by {end}"
            )
        if rules.mover is None and not rules.convention.moved:
            _note_turn(state, turns)
        seen.append(_look(rules, state, legal))
        action = random.choice(legal)
        if len(played) < 500:
            trial.actions.extend(legal)
        state = moves.step(state, action)
        played.append(action)
        last = mover
    _expect_alternation(turns, type(moves.start).__qualname__)
    seen.append(_look(rules, state, ()))
    trial.longest = max(trial.longest, len(played))
    trial.endings.append(_ending(rules, state, trial, last, played))
    return seen


def _mover(rules: Rules, state: Any, trial: Findings, plies: int) -> int:
    """The index of the player to move."""
    code = code_of(rules, state, trial.codes)
    if code is None:
        return plies % 2
    if code not in trial.codes:
        trial.codes.append(code)
    if len(trial.codes) > 2:
        raise UsageError(
            f"players are called {', '.join(map(quote, trial.codes))}: games of more "
            "than two cannot be taken as they are; write a Game"
        )
    return trial.codes.index(code)


def _ending(
    rules: Rules, state: Any, trial: Findings, last: int, played: list[Any]
) -> Ending:
    method = rules.convention.result
    if rules.convention.asks_for_player:
        codes = trial.codes
        if len(codes) < 2:
            raise UsageError(f"a game has ended {after(played)}, before both moved")
        one, two = (rules.result(state, code) for code in codes)
        return Ending(last, _number(one, method, played), _number(two, method, played))
    return Ending(last, _number(rules.result(state), method, played))


def _number(value: Any, method: str, played: list[Any]) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if number != number:
        raise RulesError(
            f"{method} gives {quote(value)} {after(played)}, where the game is over: "
            "it must be a number, such as 1 where the player who begins has won, -1 "
            "where the other one has, and 0 for a draw"
        )
    return number


def _look(rules: Rules, state: Any, legal: Sequence[Any]) -> tuple[Any, ...]:
    """What a state says, to be compared with what it says in another game."""
    return sorted(repr(key_of(action)) for action in legal), rules.is_over(state)


def _replay(rules: Rules, moves: Moves, played: list[Any], seen: list[Any]) -> None:
    """See that the same actions lead to the same states.

    Raises:
        UsageError: they do not, as where dice are thrown.
    """
    state = moves.reach(moves.start, list)
    for ply, wanted in enumerate(seen):
        over = rules.is_over(state)
        found = _look(rules, state, () if over else rules.legal(state))
        if found != wanted:
            raise UsageError(
                f"the same moves, played twice, led to other actions "
                f"{after(played[:ply])}: where chance decides, or a copy shares "
                "something with its original, an object cannot be taken as a game"
            )
        if ply < len(played):
            state = moves.step(state, played[ply])


def _note_turn(state: Any, turns: dict[str, list[Any]]) -> None:
    """Note what attributes say of whose turn it is, where no convention does."""
    for name in _TURN:
        value = getattr(state, name, None)
        if isinstance(value, int | str):
            turns.setdefault(name, []).append(value)


def _expect_alternation(turns: dict[str, list[Any]], cls: str) -> None:
    """Complain where players do not move in turn, and nobody says who does."""
    for name, values in turns.items():
        twice = any(a == b for a, b in itertools.pairwise(values))
        if len(set(values)) == 2 and twice:
            raise UsageError(
                f"in {cls} a player may move twice in a row, as its {name!r} shows, "
                "and nothing says who moves: add next_to_move to the class, or say "
                f"mover={name!r}"
            )
