"""Law 11, for `check_game`: what players do not know is hidden, and drawn anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.jit.native import kernel
from ...core.jit.rows import Rows, copy_rows
from ...core.rng import make_rng
from ..contract.game import Game

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


def compile_look(game: Game) -> Callable[..., Any]:
    states, rng = np.zeros(5, dtype=game.state_dtype()), make_rng(0)
    return look.compile(game, Rows(states), 0, rng, rng)


def hidden_fault(
    game: Game, state: np.ndarray, native: Callable[..., Any] | None, seed: int
) -> str | None:
    """What is wrong with a state (`[1]`) that is not terminal, for any player."""
    for player in range(game.num_players()):
        plain = _look(game, state, look.function, player, seed)
        fault = _fault(game, plain, player)
        if fault is None and native is not None:
            compiled = _look(game, state, native, player, seed)
            if compiled.tobytes() != plain.tobytes():
                fault = f"interpreted {plain.tolist()}, compiled {compiled.tolist()}"
        if fault is not None:
            return f"for player {player}, {fault}"
    return None


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
        return (
            f"determinize leaves {true} and {hidden}, which is known of it, as they "
            "are: it draws nothing, or looks at what is hidden"
        )
    if drawn.tobytes() != drawn_again.tobytes():
        return (
            f"determinize gives {drawn} in the true state and {drawn_again} in what is "
            "known of it, with the same random numbers: it looks at what is hidden"
        )
    if hidden_again.tobytes() != hidden.tobytes():
        return (
            f"determinize gives {drawn}, of which {hidden_again} is known, but known "
            f"is {hidden}"
        )
    twice = copy_rows(states[_HIDDEN : _HIDDEN + 1])
    game.hide(Rows(twice)[0], player)
    if twice.tobytes() != hidden.tobytes():
        return f"hide gives {hidden}, and hiding that gives {twice[0]}"
    facts = [_public(game, states, row, player) for row in range(3)]
    for what, fact in (("hide", facts[_HIDDEN]), ("determinize", facts[_DRAWN])):
        if fact != facts[_TRUE]:
            return (
                f"{what} changes who moves, whether the game is over, or the own legal "
                f"actions from {facts[_TRUE]} to {fact}"
            )
    return _text_fault(game, states)


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
        return f"what is known, {text!r}, reads back as {read[0]}"
    return None
