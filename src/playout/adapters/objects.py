"""`from_object`: a game made of an object that knows nothing of Playout."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

from ..core.errors import PlayoutError, RulesError, UsageError, quote
from ..games.contract.game import Game
from .actions import ActionNumbers
from .contents import content_of, is_transparent
from .conventions import Rules, find_convention, looks_like_a_game
from .copies import find_moves
from .failures import object_failure
from .game import ObjectGame
from .plan import Plan
from .rewards import VIEWS, Reward, find_reward
from .store import StateStore
from .trial import MOST_PLIES, Findings, play_trial

__all__ = ["from_object", "is_state"]

#: How many actions there may be, for each that random games have met, and at least.
_ACTIONS_PER_MET, _LEAST_ACTIONS, _MOST_ACTIONS = 8, 64, 2**15 - 1
#: How long a game may be, for the longest random one, and at least.
_PLIES_PER_MET, _LEAST_PLIES = 4, 64


def from_object(
    source: Any,
    *,
    reward: str | None = None,
    reward_range: tuple[float, float] | None = None,
    mover: str = "",
    num_actions: int | None = None,
    max_length: int | None = None,
    name: str = "",
) -> ObjectGame:
    """A game by the rules of an object: a state of a class that others wrote.

    The object has the methods of one of four conventions: `get_legal_actions`,
    `is_game_over`, `game_result`, `move` (tutorials; with `next_to_move`, mctspy);
    `GetMoves`, `DoMove`, `GetResult`, `playerJustMoved` (mcts.ai);
    `getPossibleActions`, `takeAction`, `isTerminal`, `getReward`, `getCurrentPlayer`
    (PyPI mcts). Random games find out what they mean: `convention` and `reward` of the
    game say what was found, `reading` says it in a sentence. Two players, no chance,
    nothing hidden.

    Args:
        source: the state that games begin with, or what makes it: a class or function
            without parameters.
        reward: whose result the object gives, where play does not show it: "first",
            "second" (who begins, and the other), "to_move", "moved" (who is to move
            at the end, who moved last), "player" (the player whose code is 1).
        reward_range: the results of a lost and of a won game; found if not given.
        mover: the attribute or method that says who is to move, where the convention
            has none; without it players move in turn.
        num_actions: how many different actions there are at most; by default eight
            times those that random games met.
        max_length: the moves after which a game is a draw; by default four times
            those of the longest random game.
        name: what to call it; the class's name by default.

    Raises:
        UsageError: this is no such object, or a game of another kind, or play does not
            show what it means; says what to add or to say.
        RulesError: a method failed, or contradicts another.

    >>> class Nim:
    ...     def __init__(self, left=7):
    ...         self.left = left
    ...     def get_legal_actions(self):
    ...         return [n for n in (1, 2, 3) if n <= self.left]
    ...     def is_game_over(self):
    ...         return self.left == 0
    ...     def game_result(self):
    ...         return -1  # who is to move has lost
    ...     def move(self, taken):
    ...         return Nim(self.left - taken)
    >>> game = from_object(Nim)
    >>> game.convention, game.reward
    ("the tutorials' four methods", 'to_move')
    """
    start = _start_of(source)
    if isinstance(start, Game):
        raise UsageError(f"{type(start).__name__} is a Game; it is searched as it is")
    drawn = _is_drawn(source, start)  # before it is asked, which it may note
    label = name or type(start).__name__
    convention = find_convention(start, mover)
    try:
        rules = Rules(start, convention)
        if rules.is_over(start):
            raise UsageError(f"{label}: the game is over before it begins")
        if len(rules.legal(start)) == 0:
            raise RulesError(
                f"{label}: {convention.legal} gives no action at the start, where "
                f"{convention.over} says that the game is not over"
            )
        moves = find_moves(rules, start)
    except PlayoutError:
        raise
    except Exception as error:
        raise object_failure(label, error, ()) from error
    trial = play_trial(rules, moves, label)
    found = find_reward(
        convention.result, trial.endings, convention.documented, reward, reward_range
    )
    _expect_codes(found, trial, convention.result)
    length = _at_least(
        "max_length", max_length, max(_LEAST_PLIES, _PLIES_PER_MET * trial.longest)
    )
    plan = Plan(label, rules, moves, found, tuple(trial.codes), min(length, MOST_PLIES))
    store = StateStore(plan, _numbers(trial, num_actions))
    more = "; the start is drawn, another one each time" * drawn
    game = _game(store, _description(source, type(start)), more)
    # A start that is drawn must be the same one in every process; where moves change
    # states, whoever has given it may have played on.
    again = functools.partial(
        from_object,
        moves.start if is_transparent(start) else source,
        reward=reward,
        reward_range=reward_range,
        mover=mover,
        num_actions=num_actions,
        max_length=max_length,
        name=name,
    )
    vars(game)["again"] = again
    return game


def is_state(source: Any) -> bool:
    """Whether it is a state itself, not a class or function that makes one."""
    return not isinstance(source, type) and looks_like_a_game(source)


def _start_of(source: Any) -> Any:
    """The state that games begin with."""
    if isinstance(source, type) or (callable(source) and not is_state(source)):
        name = getattr(source, "__qualname__", quote(source))
        try:
            made = source()
        except PlayoutError:
            raise
        except TypeError as error:
            if _is_callable_without(source):
                raise object_failure(name, error, ()) from error
            raise UsageError(
                f"{name} needs parameters: make the state yourself, or give "
                f"lambda: {name}(...); on the command line {name}:name=value ({error})"
            ) from None
        except Exception as error:
            raise object_failure(name, error, ()) from error
        if isinstance(made, type):
            raise UsageError(f"{name} gives the class {made.__name__}, not a state")
        return made
    return source


def _is_drawn(source: Any, start: Any) -> bool:
    """Whether what makes the start makes another one each time, as far as is seen."""
    if start is source or not is_transparent(start):
        return False
    return content_of(_start_of(source)) != content_of(start)


def _is_callable_without(source: Callable[..., Any]) -> bool:
    try:
        inspect.signature(source).bind()
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _expect_codes(reward: Reward, trial: Findings, method: str) -> None:
    """See that there is a player whose code is 1, where results are of that one."""
    if reward.view == "player" and 1 not in trial.codes:
        raise UsageError(
            f"whose result does {method} give? Players are called "
            f"{' and '.join(map(quote, trial.codes)) or 'nothing'}, not 1 and -1; say "
            f"reward=... ({', '.join(VIEWS)})"
        )


def _numbers(trial: Findings, most: int | None) -> ActionNumbers:
    """Numbers for all actions that were met, and room for more."""
    numbers = ActionNumbers(_at_least("num_actions", most, _MOST_ACTIONS))
    numbers.numbers_of(trial.actions)
    room = max(_LEAST_ACTIONS, _ACTIONS_PER_MET * len(numbers.objects))
    if most is None:
        numbers.most = min(_MOST_ACTIONS, room)
    return numbers


def _at_least(name: str, given: int | None, default: int) -> int:
    if given is None:
        return default
    if not isinstance(given, int) or given < 1:
        raise UsageError(f"{name} must be a whole number from 1, not {quote(given)}")
    return given


def _description(source: Any, kind: type) -> str:
    """What is written of a function, else of its states' class, else of its file.

    "" where nothing is.
    """
    function = source.func if isinstance(source, functools.partial) else source
    written = (
        getattr(function, "__doc__", None) if inspect.isfunction(function) else None
    )
    written = written or vars(kind).get("__doc__") or ""
    if written.startswith(f"{kind.__name__}("):  # by `dataclass`, where nobody did
        written = ""
    module = sys.modules.get(kind.__module__)
    return inspect.cleandoc(written or getattr(module, "__doc__", None) or "")


def _game(store: StateStore, description: str, more: str) -> ObjectGame:
    """The game of a store; its class says what people read, at the end `more`."""
    plan = store.plan
    view = plan.reward.view
    whose = "" if view == "each" else f" is the result of {VIEWS[view]}"
    reading = (
        f"{plan.name}: {plan.rules.convention.name}; {plan.moves.how}; "
        f"{plan.rules.convention.result}{whose} ({plan.reward.why}){more}"
    )
    cls = type(
        plan.name,
        (ObjectGame,),
        {
            "__doc__": description or reading,
            "compiled_as": ObjectGame.__name__,
            "name": plan.name,
            "title": plan.name,
            "convention": plan.rules.convention.name,
            "reward": view,
            "reading": reading,
        },
    )
    cls.__qualname__, cls.__module__ = plan.name, ObjectGame.__module__
    return cls(store)
