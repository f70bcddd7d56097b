"""Answers to "why not this move?": what the search found, in sentences."""

from __future__ import annotations

from typing import Any

from ...games.positions.position import Position
from ...search.result.result import Result
from ...search.result.statistics import ActionStatistics
from ..common.words import fault_of

__all__ = ["explain"]

#: Moves of the answer that are told.
LINE_MOVES = 8


def explain(
    position: Position, move: str, here: Result, after: Result | None
) -> dict[str, Any]:
    """Compare a move with the best one.

    Args:
        position: where the move could be played.
        move: the move, as people write it.
        here: what a search of the position found.
        after: what a search of the position after the move found; None where that is
            the end of the game.
    """
    name = position.game.action_name(position.game.parse_action(move))
    row = next((row for row in here.actions if row.move == name), None)
    same = _same_mover(position, name)
    value = _value(position, name, row, after, same)
    text = [_compare(name, value, here), _rank(name, row, here)]
    line: list[str] = []
    if after is not None:
        line = list(after.pv[:LINE_MOVES])
        text.append(_answer(name, after, line, same))
    return {
        "move": name,
        "ply": len(position.actions),
        "best": here.move,
        "win_rate": here.units.share(value),
        "best_win_rate": here.win_rate,
        "line": [name, *line],
        "text": " ".join(part for part in text if part),
    }


def _same_mover(position: Position, move: str) -> bool:
    """Whether whoever plays the move is to move again after it."""
    after = position.copy().play(move)
    return not after.is_terminal and after.current_player == position.current_player


def _value(
    position: Position,
    move: str,
    row: ActionStatistics | None,
    after: Result | None,
    same: bool,
) -> float:
    """What the move is worth for whoever plays it, in the game's own units."""
    mover = position.current_player
    end = position.copy().play(move)
    if end.is_terminal:
        return end.returns(mover)
    if after is not None and (same or position.game.num_players() == 2):
        return after.value if same else -after.value
    return row.mean if row is not None else 0.0


def _compare(move: str, value: float, here: Result) -> str:
    rate, best = here.units.share(value), here.win_rate
    this, that = _shown(value, here), _shown(here.value, here)
    wins, of = "is worth", ""
    if here.units.are_points:
        wins, of = "wins", " of the points"
    if move == here.move:
        return f"{move} is the move the search would play: {that}{of}."
    loss = best - rate
    if abs(loss) < 0.015:
        return f"{move} is as good as {here.move}: {this}{of}."
    if loss < 0:
        return f"{move} looks even better than {here.move}: {this} to {that}."
    fault = fault_of(loss)
    word = f"a {fault}" if fault else "weaker"
    return f"{move} is {word}: it {wins} {this}{of}, {here.move} {that}."


def _shown(value: float, here: Result) -> str:
    """A value in whole percent of the points, or in the game's own units."""
    points = here.units.are_points
    return f"{here.units.share(value):.0%}" if points else here.units.show(value)


def _rank(move: str, row: ActionStatistics | None, here: Result) -> str:
    if row is None:
        return f"The search did not try {move}: another move was urgent."
    if row.proven is not None:
        when = "" if row.proof_plies is None else f" in {row.proof_plies}"
        return f"It is a proven {row.proven}{when}."
    rank = 1 + [each.move for each in here.actions].index(move)
    return (
        f"Of {here.visits:,} simulations {row.visits:,} began with it, which makes it "
        f"number {rank} of {len(here.actions)}."
    )


def _answer(move: str, after: Result, line: list[str], same: bool) -> str:
    if not line:
        return ""
    who = "you go on with" if same else "the answer is"
    proof = ""
    if after.proven is not None and not same:
        words = {"win": "and wins by force", "loss": "and loses by force"}
        proof = ", " + words.get(after.proven, "with a sure draw")
    more = f", expected on: {' '.join(line[1:])}" if len(line) > 1 else ""
    return f"After {move} {who} {line[0]}{proof}{more}."
