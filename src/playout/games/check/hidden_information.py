"""Law 11, for `check_game`: what players do not know is hidden, and drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.jit.native import kernel
from ...core.jit.rows import Rows, copy_rows
from ...core.rng import make_rng
from ..contract.fields import field_text
from ..contract.game import Game, has_own

__all__ = ["compile_look", "hidden_fault"]

#: The rows that `look` works on.
_TRUE, _HIDDEN, _DRAWN, _DRAWN_AGAIN, _HIDDEN_AGAIN = range(5)


@kernel
def look(game: Any, states: Any, player: int, rng: Any, again: Any) -> None:
    """Hide the first state, draw it anew from itself and from what is hidden."""
    if not game.has_hidden:
        return
    for row in range(_HIDDEN, _HIDDEN_AGAIN):
        states[row] = states[_TRUE]
    game.hide(states[_HIDDEN], player)
    game.determinize(states[_DRAWN], player, rng)
    states[_DRAWN_AGAIN] = states[_HIDDEN]
    game.determinize(states[_DRAWN_AGAIN], player, again)
    states[_HIDDEN_AGAIN] = states[_DRAWN]
    game.hide(states[_HIDDEN_AGAIN], player)


def compile_look(game: Game, checked: bool = False) -> Callable[..., Any]:
    states, rng = np.zeros(5, dtype=game.state_dtype()), make_rng(0)
    return look.compile(game, Rows(states), 0, rng, rng, checked=checked)


def hidden_fault(
    game: Game,
    state: np.ndarray,
    native: Callable[..., Any] | None,
    seed: int,
    compiles: bool = False,
) -> str | None:
    """What is wrong with a state (`[1]`) that is not terminal, for any player.

    Args:
        game: the rules.
        state: the state.
        native: `look`, compiled, if it is.
        seed: of what is drawn.
        compiles: where something is wrong, whether to compile `look` with every index
            checked, as an index below 0 may be why.

    Raises:
        RuleFault: it is.
    """
    for player in range(game.num_players()):
        plain = _look(game, state, look.function, player, seed)
        fault = _fault(game, plain, player)
        if fault is None and native is not None:
            compiled = _look(game, state, native, player, seed)
            if compiled.tobytes() != plain.tobytes():
                fault = _unlike(plain, compiled)
        if fault is not None:
            if compiles:
                run = compile_look(game, checked=True)
                for row in (_TRUE, _HIDDEN):  # what is hidden may be hidden again
                    _look(game, plain[row : row + 1], run, player, seed)
            return f"for player {player}, {fault}"
    return _public_fault(game, state) if has_own(game, "is_public") else None


def _public_fault(game: Game, state: np.ndarray) -> str | None:
    """A public action after which a player knows as much as after another one."""
    actions = np.zeros(game.num_actions(), dtype=np.int32)
    count = game.legal_actions(Rows(copy_rows(state))[0], actions)
    legal = [int(action) for action in actions[:count]]
    public = [action for action in legal if game.is_public(action)]
    for player in range(game.num_players() if public else 0):
        known = {action: _known_after(game, state, action, player) for action in legal}
        for one in public:
            for other in legal:
                if one != other and known[one] == known[other]:
                    return (
                        f"for player {player}, is_public({one}) is true, and what is "
                        f"known after it is the same as after action {other}"
                    )
    return None


def _known_after(game: Game, state: np.ndarray, action: int, player: int) -> bytes:
    after = copy_rows(state)
    row = Rows(after)[0]
    game.apply(row, action)
    if not game.is_terminal(row):  # a game that is over hides nothing
        game.hide(row, player)
    return after.tobytes()


def _unlike(plain: np.ndarray, compiled: np.ndarray) -> str:
    """Where states that were hidden and drawn (`[5]` each) differ once compiled."""
    steps = {
        _HIDDEN: "hide gives",
        _DRAWN: "determinize gives",
        _DRAWN_AGAIN: "determinize gives, of what is known,",
        _HIDDEN_AGAIN: "hide gives, of what was drawn,",
    }
    row = next(row for row in steps if plain[row].tobytes() != compiled[row].tobytes())
    one, other = _apart(plain[row], compiled[row])
    return f"{steps[row]} interpreted {one}, compiled {other}"


def _look(
    game: Game, state: np.ndarray, run: Callable[..., Any], player: int, seed: int
) -> np.ndarray:
    states = np.zeros(5, dtype=game.state_dtype())
    states[_TRUE] = state[0]
    run(game, Rows(states), player, make_rng(seed), make_rng(seed))
    return states


def _fault(game: Game, states: np.ndarray, player: int) -> str | None:
    true, hidden, drawn, drawn_again, hidden_again = states
    if drawn == true and drawn_again == hidden != true:
        was, known = _apart(true, hidden)
        return (
            f"determinize leaves {was} and {known}, which is known of it, as they "
            "are: it draws nothing, or looks at what is hidden"
        )
    if drawn.tobytes() != drawn_again.tobytes():
        one, other = _apart(drawn, drawn_again)
        return (
            f"determinize gives {one} in the true state and {other} in what is "
            "known of it, with the same random numbers: it looks at what is hidden"
        )
    if hidden_again.tobytes() != hidden.tobytes():
        again, known = _apart(hidden_again, hidden)
        return (
            f"determinize gives {_named(drawn)}, of which {again} is known, but known "
            f"is {known}"
        )
    twice = copy_rows(states[_HIDDEN : _HIDDEN + 1])
    game.hide(Rows(twice)[0], player)
    if twice.tobytes() != hidden.tobytes():
        once, other = _apart(hidden, twice[0])
        return f"hide gives {once}, and hiding that gives {other}"
    facts = [_public(game, states, row, player) for row in range(3)]
    for what, fact in (("hide", facts[_HIDDEN]), ("determinize", facts[_DRAWN])):
        if fact != facts[_TRUE]:
            return (
                f"{what} changes who moves, whether the game is over, or the own legal "
                f"actions from {facts[_TRUE]} to {fact}"
            )
    return _text_fault(game, states)


def _apart(one: np.void, other: np.void) -> tuple[str, str]:
    """The fields in which two states differ, as people write them."""
    names = one.dtype.names or ()
    apart = [name for name in names if one[name].tobytes() != other[name].tobytes()]
    return _named(one, apart), _named(other, apart)


def _named(state: np.void, names: Sequence[str] | None = None) -> str:
    """Fields of a state, or all, by their names; what is hidden may have no text."""
    listed = state.dtype.names or () if names is None else names
    return " ".join(f"{name}={field_text(state[name])}" for name in listed)


def _public(game: Game, states: np.ndarray, row: int, player: int) -> tuple[Any, ...]:
    """Who moves, whether the game is over, and the player's actions if it moves."""
    state = Rows(states)[row]
    mover, over = int(game.current_player(state)), bool(game.is_terminal(state))
    actions = np.zeros(game.num_actions(), dtype=np.int32)
    count = game.legal_actions(state, actions) if mover == player else 0
    return mover, over, actions[:count].tolist()


def _text_fault(game: Game, states: np.ndarray) -> str | None:
    """What is known must have a text form of its own: it is what players are sent."""
    text = game.state_to_text(Rows(states)[_HIDDEN])
    read = np.zeros(1, dtype=game.state_dtype())
    try:
        game.state_from_text(text, Rows(read)[0])
    except Exception as error:
        return f"state_from_text rejects what is known, {text!r}: {error}"
    if read.tobytes() != states[_HIDDEN].tobytes():
        return f"what is known, {text!r}, reads back as {_named(read[0])}"
    return None
