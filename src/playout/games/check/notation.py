"""Law 7, and what people are shown: texts of states, names of actions, pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import RulesError, quote
from ...core.jit.rows import Rows
from ...core.text.fields import is_whole
from ..contract.game import Game, has_own
from ..drawing.board import Cell
from .failures import rules_failure
from .soundness import expect_text

__all__ = ["expect_pictures", "name_fault", "text_fault"]


def text_fault(
    game: Game, record: NDArray[np.void], legal: Iterable[int]
) -> str | None:
    """What is wrong with the texts of a state and its legal actions; None if nothing.

    Args:
        game: the rules.
        record: `[1]` the state.
        legal: its legal actions.

    >>> from playout import Position, TicTacToe
    >>> text_fault(TicTacToe(), Position(TicTacToe()).array, [0, 8]) is None
    True
    """
    text = game.state_to_text(Rows(record)[0])
    copy = np.zeros(1, dtype=game.state_dtype())
    try:
        game.state_from_text(text, Rows(copy)[0])
    except Exception as error:
        return f"state_from_text rejects {quote(text)}: {error}"
    if copy[0] != record[0]:
        read = f"{copy[0]}, not {record[0]}"
        return f"the text {quote(text)} reads back as {read}"
    faults = (name_fault(game, action) for action in legal)
    return next(filter(None, faults), None)


def name_fault(game: Game, action: int) -> str | None:
    """What is wrong with the name of an action; None if nothing."""
    try:
        name = game.action_name(action)
    except Exception as error:
        return f"action {action} has no name: {rules_failure(game, error)}"
    called = f"action {action} is called {quote(name)}"
    if not isinstance(name, str):
        return f"{called}, which is no text"
    try:
        found = game.parse_action(name)
        fault = f"which reads back as {quote(found)}" if found != action else ""
    except Exception as error:
        fault = f"which parse_action rejects: {error}"
    if fault and not has_own(game, "parse_action"):
        fault = "as another action is: people could not say which they mean"
    return f"{called}, {fault}" if fault else None


def expect_pictures(
    game: Game, record: NDArray[np.void], action: int, legal: Iterable[int]
) -> None:
    """See that a state can be shown to people, after an action unless it is negative.

    Args:
        game: the rules.
        record: `[1]` the state.
        action: the one that led here.
        legal: its legal actions.

    Raises:
        RulesError: what shows it is no text, or changes it, or an action's cells are
            not on the board.
        Exception: whatever the rules raise.
    """
    last, shown = action if action >= 0 else None, record.copy()
    for color in (False, True):
        expect_text(game, "render", game.render(Rows(shown)[0], last, color))
    board = game.board(Rows(shown)[0], last)
    if shown[0] != record[0]:
        method = "render" if board is None else "board"
        raise RulesError(
            f"{type(game).__qualname__}.{method} changed the state, which it only shows"
        )
    if board is not None:
        places = set(board.places)
        for each in legal:
            _expect_cells(game, each, places)


def _expect_cells(game: Game, action: int, places: set[Cell]) -> None:
    cells = game.action_cells(action)
    said = f"{type(game).__qualname__}.action_cells({action}) gives {quote(cells)}"
    if not has_own(game, "action_cells"):
        cell = game.cell(action)
        said = f"{type(game).__qualname__}.cell({action}) gives {quote(cell)}"
        if cell is not None and not _is_cell(cell):
            raise RulesError(f"{said}, not a pair (row, column) or None")
    if not isinstance(cells, tuple) or not all(map(_is_cell, cells)):
        raise RulesError(f"{said}, not a tuple of pairs (row, column)")
    for cell in cells:
        if cell not in places:
            raise RulesError(f"{said}, and {cell} is no cell of the board")


def _is_cell(cell: Any) -> bool:
    pair = isinstance(cell, tuple) and len(cell) == 2
    return pair and all(is_whole(index) for index in cell)
