"""Whether rules can be played at all: cheap checks before they are used.

`check_game` tests the laws on whole games. These checks come first, so that a mistake
is named where it was made and not where it has an effect.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import PlayoutError, PositionError, RulesError, UsageError, quote
from ...core.jit.rows import Row, Rows
from ...core.jit.views import unfit
from ...core.text.fields import is_number, is_whole, own_annotations
from ...core.text.signatures import expect_signatures, parameters
from ..contract.game import CHANCE, Game, has_own
from ..contract.units import bounds_of, declared_range
from .failures import rules_failure
from .forms import expect_forms
from .randomness import expect_no_randomness

__all__ = [
    "REQUIRED",
    "RETURNS_ERROR",
    "adds_up",
    "expect_answer",
    "expect_game",
    "expect_position",
    "expect_text",
    "range_of",
]

#: How far from 0 the returns of a zero-sum game may add up to, as a part of the largest
#: of them that is above 1.
RETURNS_ERROR = 1e-9
#: The methods without a default.
REQUIRED = (
    "num_actions",
    "state_dtype",
    "initial_state",
    "current_player",
    "legal_actions",
    "apply",
    "is_terminal",
    "returns",
)
#: Methods that give a number, and the largest: buffers are made of these sizes.
_SIZES = {"num_actions": 2**24, "num_players": 1000, "max_game_length": 10**8}
#: What to write instead where a method's answer is no number.
_WRITTEN = {
    "current_player": "; players are numbers, from 0",
    "legal_actions": "; write the actions into `actions` and return how many they are",
    "returns": "; return the result of `player` alone",
}
#: Set in a game that was looked at.
_SOUND = "_is_sound"
_sound_classes: weakref.WeakSet[type[Game]] = weakref.WeakSet()


def expect_game(game: Any) -> None:
    """Look once at a game: its class, its numbers, its state and its start.

    Raises:
        UsageError: this is no game, but its class or name, or something else.
        RulesError: nothing can be played by these rules; says what to change.
    """
    if isinstance(game, type) and issubclass(game, Game):
        raise UsageError(f"a game is an instance: write {game.__name__}(), with ()")
    if not isinstance(game, Game):
        raise UsageError(
            f"{quote(game)} is not a game; make one with its class, with "
            "make_game(...), or of an object that is none with from_object(...)"
        )
    if _SOUND in vars(game):
        return
    _expect_class(type(game))
    try:
        _expect_sizes(game)
        _expect_settling(game)
        declared_range(game)
        expect_forms(game)
        _expect_dtype(game, game.state_dtype())
        _expect_start(game)
    except PlayoutError:
        raise
    except Exception as error:
        raise rules_failure(game, error) from error
    vars(game)[_SOUND] = True


def adds_up(values: Sequence[float]) -> bool:
    """Whether the values of all players add up to 0, but for rounding.

    >>> adds_up([1.0, -1.0]), adds_up([1.0, 0.0])
    (True, False)
    """
    return abs(sum(values)) <= RETURNS_ERROR * max(1.0, *map(abs, values))


def range_of(game: Game, returns: Sequence[float]) -> str:
    """Where returns should lie that do not, and how a game says otherwise."""
    unsaid = game.return_range is Game.return_range and all(map(math.isfinite, returns))
    cure = ": other units are declared, as `return_range = (low, high)`" * unsaid
    return f"{bounds_of(game).describe()}{cure}"


def expect_answer(game: Game, method: str, value: Any) -> Any:
    """The number that a method of the game gave; a `RulesError` if it is none."""
    if type(value) in (int, bool, float):  # as nearly always
        return value
    name = f"{type(game).__qualname__}.{method}"
    if value is None:
        raise RulesError(f"{name} returned nothing; is there a `return` on every path?")
    if not (is_number(value) or isinstance(value, bool | np.bool_)):
        advice = _WRITTEN.get(method, "")
        raise RulesError(
            f"{name} returned {quote(value)}, which is not a number{advice}"
        )
    return value


def expect_text(game: Game, method: str, value: Any) -> str:
    """The text that a method of the game gave; a `RulesError` if it is none."""
    if not isinstance(value, str):
        name = f"{type(game).__qualname__}.{method}"
        raise RulesError(f"{name} returned {quote(value)}, which is not a text")
    return value


def expect_position(game: Game, state: Row, text: str) -> None:
    """Look at a state that was read from a text: can the rules go on from it?

    Raises:
        PositionError: they cannot, so that this is no position of the game.
    """
    try:
        why = _why_impossible(game, state)
    except RulesError:
        raise
    except Exception as error:
        why = f"the rules fail there, {rules_failure(game, error)}"
    if why:
        name = game.name or type(game).__qualname__
        raise PositionError(f"{quote(text)} is not a position of {name}: {why}")


def _expect_class(cls: type[Game]) -> None:
    if cls not in _sound_classes:
        _expect_dataclass(cls)
        _expect_methods(cls)
        _expect_words(cls)
        expect_no_randomness(cls)
        _sound_classes.add(cls)


def _expect_dataclass(cls: type[Game]) -> None:
    own = "__dataclass_params__" in vars(cls)
    annotated = [
        name
        for name, kind in own_annotations(cls).items()
        if "ClassVar" not in str(kind)
    ]
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is None or not parameters.frozen or (annotated and not own):
        raise RulesError(
            f"{cls.__qualname__} must be a frozen dataclass: put "
            "@dataclass(frozen=True) above it"
        )


def _expect_methods(cls: type[Game]) -> None:
    """See that nothing is missing, and that methods take what the contract says."""
    needed = [*REQUIRED]
    needed += ["chance_probability"] if cls.has_chance else []
    needed += ["rewards"] if cls.has_rewards else []
    needed += ["hide", "determinize"] if cls.has_hidden else []
    missing = [
        f"{name}{parameters(getattr(Game, name))}"
        for name in needed
        if getattr(cls, name) is getattr(Game, name)
    ]
    if missing:
        raise RulesError(
            f"{cls.__qualname__} is not complete: it has no {', '.join(missing)}; "
            "`playout.Game` says what each does"
        )
    for name in REQUIRED:
        if not callable(value := getattr(cls, name)):
            raise RulesError(
                f"{cls.__qualname__}.{name} is {quote(value)}; it must be a method, "
                f"def {name}{parameters(getattr(Game, name))}"
            )
    expect_signatures(cls, Game)


def _expect_words(cls: type[Game]) -> None:
    """See that what people read of a class is text."""
    for name in ("name", "title"):
        if not isinstance(word := getattr(cls, name), str):
            raise RulesError(f"{cls.__qualname__}.{name} must be a text, not {word!r}")
    names = cls.player_names
    if not isinstance(names, tuple) or not all(isinstance(n, str) for n in names):
        raise RulesError(
            f"{cls.__qualname__}.player_names must be a tuple of texts, not {names!r}"
        )


def _expect_sizes(game: Game) -> None:
    for method, largest in _SIZES.items():
        size = expect_answer(game, method, getattr(game, method)())
        if not is_whole(size) or not 1 <= size <= largest:
            raise RulesError(
                f"{type(game).__qualname__}.{method}() gives {quote(size)}; it must be "
                f"a whole number from 1 to {largest:,}"
            )


def _expect_settling(game: Game) -> None:
    """See that a game with `settle` may have it, and says how large its table is."""
    if not has_own(game, "settle"):
        return
    name = type(game).__qualname__
    alone = game.num_players() == 2 and game.zero_sum
    if not alone or game.has_chance or game.has_hidden or game.has_rewards:
        raise RulesError(
            f"{name}.settle: that is for games of two players without chance, hidden "
            "information or rewards on the way, whose returns add up to 0"
        )
    size = expect_answer(game, "settle_table_size", game.settle_table_size())
    if not is_whole(size) or not 0 <= size <= 2**27:
        raise RulesError(
            f"{name}.settle_table_size() gives {quote(size)}; it must be a whole "
            f"number from 0 to {2**27:,}"
        )


def _expect_dtype(game: Game, dtype: Any) -> None:
    name = f"{type(game).__qualname__}.state_dtype()"
    if not isinstance(dtype, np.dtype) or not dtype.names:
        raise RulesError(
            f"{name} gives {quote(dtype)}; it must be a dtype with named fields, as in "
            'np.dtype([("left", "i4"), ("player", "i1")])'
        )
    for field in dtype.names:
        if not field.isidentifier() or field == "_record":
            raise RulesError(
                f"{name}: the field {field!r} needs another name, as in state.left"
            )
        if not _is_plain(dtype[field]):
            text = dtype[field].base.kind in "USO"
            raise RulesError(
                f"{name}: the field {field!r} is of type {dtype[field]}; a state holds "
                "booleans (?), integers (i1 to i8, u1 to u8) and floats (f4, f8)"
                + (", text as the numbers of its letters or words" if text else "")
            )


def _is_plain(dtype: np.dtype[Any]) -> bool:
    """Whether compiled rules can read and write such a field."""
    if dtype.names:
        return all(_is_plain(dtype[name]) for name in dtype.names)
    base = dtype.base
    if base.names:
        return _is_plain(base)
    return base.isnative and (base.kind in "biu" or base.str[1:] in ("f4", "f8"))


def _expect_start(game: Game) -> None:
    """Write the start, see that it fits, and that the rules answer with numbers."""
    states = np.zeros(1, dtype=game.state_dtype())
    with np.errstate(over="ignore"):
        game.initial_state(Rows(states)[0])
        _expect_fit(game)
        try:
            _expect_answers(game, Rows(states)[0])
        except PlayoutError:
            raise
        except Exception:  # the compiler says more about it, and what to write
            return


def _expect_answers(game: Game, state: Row) -> None:
    actions = np.zeros(game.num_actions(), dtype=np.int32)
    terminal = expect_answer(game, "is_terminal", game.is_terminal(state))
    expect_answer(game, "legal_actions", game.legal_actions(state, actions))
    if not terminal:
        expect_answer(game, "current_player", game.current_player(state))
        expect_text(game, "action_name", game.action_name(int(actions[0])))
    expect_text(game, "state_to_text", game.state_to_text(state))


def _expect_fit(game: Game) -> None:
    """See that no number of the start wraps around: write it into wider fields."""
    dtype = game.state_dtype()
    wide = _wide_start(game, dtype)
    if wide is None:
        return
    for name in dtype.names or ():
        base = dtype[name].base
        if base.kind not in "iu" or base.itemsize == 8:
            continue
        held = np.iinfo(base)  # of unsigned fields -1 may be all of them
        least = min(held.min, np.iinfo(f"i{base.itemsize}").min)
        for value in np.ravel(wide[name]).tolist():
            if not least <= math.trunc(value) <= held.max:
                what = unfit(int(value), base, name)
                raise RulesError(f"{type(game).__qualname__}.initial_state: {what}")


def _wide_start(game: Game, dtype: np.dtype[Any]) -> NDArray[np.void] | None:
    """The start in wide fields: floats, which hold any number, or else 64 bits.

    None for rules that want exactly their own types.
    """
    for wider in ("f8", "i8"):
        wide = np.zeros(1, dtype=_widened(dtype, wider))
        try:
            game.initial_state(Rows(wide)[0])
        except Exception:
            continue
        return wide
    return None


def _widened(dtype: np.dtype[Any], wider: str) -> np.dtype[Any]:
    """The same fields, of another type where integers have less than 64 bits."""
    fields = []
    for name in dtype.names or ():
        base, shape = dtype[name].subdtype or (dtype[name], ())
        narrow = base.kind in "iu" and base.itemsize < 8
        fields.append((name, np.dtype(wider) if narrow else base, shape))
    return np.dtype(fields)


def _why_impossible(game: Game, state: Row) -> str | None:
    """Which law a state breaks, of those that can be tested on a single state."""
    actions = np.zeros(game.num_actions(), dtype=np.int32)
    terminal = expect_answer(game, "is_terminal", game.is_terminal(state))
    count = expect_answer(game, "legal_actions", game.legal_actions(state, actions))
    if not 0 <= count <= len(actions):
        return f"it would have {count} legal moves"
    if terminal != (count == 0):
        over = "over" if terminal else "not over"
        return f"the game would be {over}, with {count} legal moves"
    if any(not 0 <= action < len(actions) for action in actions[:count]):
        return f"legal would be the actions {actions[:count].tolist()}"
    return _why_unfair(game, state) if terminal else _why_nobodys_turn(game, state)


def _why_nobodys_turn(game: Game, state: Row) -> str | None:
    player = expect_answer(game, "current_player", game.current_player(state))
    last = game.num_players() - 1
    if 0 <= player <= last or (game.has_chance and player == CHANCE):
        return None
    return f"player {player} would move, and the players are 0 to {last}"


def _why_unfair(game: Game, state: Row) -> str | None:
    players = range(game.num_players())
    returns = [
        float(expect_answer(game, "returns", game.returns(state, p))) for p in players
    ]
    low, high = bounds_of(game)
    if all(low <= value <= high for value in returns):
        if not game.zero_sum or adds_up(returns):
            return None
    return f"the players' returns would be {quote(returns)}"
