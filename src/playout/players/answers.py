"""What a player returns, checked where it comes in: plain values, or it loses its game.

Players are code of others. What they return goes into records, files and terminals, so
all of it must be of the kind that the contract says, and texts must not be long.
"""

from __future__ import annotations

import math
from typing import Any

from ..core.errors import quote
from ..core.text.fields import is_number, is_whole
from ..games.positions.position import Position
from .player import FORFEITS, Allowance, Decision, Player, PlayerFailure

__all__ = [
    "ask",
    "clean_text",
    "expect_legal",
    "plain_failure",
    "read_comment",
    "read_value",
    "tell",
]

#: Longer remarks, and longer words of a failure, are cut, in characters.
LONGEST_COMMENT, LONGEST_DETAIL = 1000, 20_000
#: What is left out of a text is shown as this.
CUT = " [...] "
#: A value may be so far beyond 1, by rounding.
ROUNDING = 1e-6


def ask(player: Player, position: Position, allowance: Allowance) -> Decision:
    """The player's decision, of plain values; whether it is legal is not looked at.

    Raises:
        PlayerFailure: it fails, or returns what is no decision.
    """
    return _checked(player.choose(position, allowance))


def expect_legal(position: Position, action: Any) -> int:
    """The action, if it can be played here.

    Raises:
        PlayerFailure: "garbage" for what is no move of the game anywhere, "illegal
            move" for one that cannot be played now.
    """
    if not is_whole(action) or not 0 <= action < position.game.num_actions():
        raise PlayerFailure("garbage", f"{quote(action)} is not a move")
    if int(action) not in position.legal_actions():
        name = _name(position, int(action))
        raise PlayerFailure("illegal move", f"{name} is not legal here")
    return int(action)


def read_value(value: Any) -> float | None:
    """A value that a player gave its move, as a float; None for none.

    >>> read_value(1), read_value(None)
    (1.0, None)

    Raises:
        PlayerFailure: it is not a number from -1 to 1.
    """
    if value is None:
        return None
    if not is_number(value) or not abs(value) <= 1 + ROUNDING:
        raise PlayerFailure(
            "garbage", f"the value must be a number from -1 to 1, not {quote(value)}"
        )
    return math.copysign(min(1.0, abs(float(value))), float(value))


def read_comment(comment: Any) -> str:
    """A player's remark, cut if it is long.

    Raises:
        PlayerFailure: it is not a text, or no Unicode.
    """
    if not isinstance(comment, str):
        raise PlayerFailure("garbage", f"the comment {quote(comment)} is not a text")
    text = _cut(str.__str__(comment), LONGEST_COMMENT)
    if clean_text(text) != text:
        raise PlayerFailure(
            "garbage", f"the comment {quote(text)} holds a half of a character"
        )
    return text


def plain_failure(failure: PlayerFailure) -> PlayerFailure:
    """The same failure, with a known reason and a short text of valid Unicode."""
    given: Any = getattr(failure, "reason", None)
    reason = given if isinstance(given, str) and given in FORFEITS else "crash"
    detail = tell(getattr(failure, "detail", failure))
    return PlayerFailure(reason, clean_text(detail))


def tell(said: object) -> str:
    """The text of an exception or another foreign object, if it has one.

    >>> tell(ValueError("what"))
    'what'
    """
    try:
        return str.__str__(str(said))
    except Exception:  # of a method of its own
        return f"(a {type(said).__name__} without words)"


def clean_text(text: str) -> str:
    r"""The text as Unicode that can be written anywhere, not too long.

    Half a character, which a text in Python can hold alone, is written as an escape.

    >>> clean_text("a\ud800b")
    'a\\ud800b'
    """
    text = _cut(text, LONGEST_DETAIL)
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")


def _checked(decision: object) -> Decision:
    if not isinstance(decision, Decision):
        raise PlayerFailure("garbage", f"{quote(decision)} is not a Decision")
    _expect_result(decision.result)
    if not is_whole(decision.action):
        raise PlayerFailure("garbage", f"{quote(decision.action)} is not a move")
    return Decision(
        int(decision.action),
        decision.result,
        read_comment(decision.comment),
        read_value(decision.value),
    )


def _expect_result(result: object) -> None:
    if result is None:
        return
    from ..search.result.result import Result  # which few players use

    if not isinstance(result, Result):
        raise PlayerFailure("garbage", f"the result {quote(result)} is no Result")


def _cut(text: str, most: int) -> str:
    half = most // 2
    return text if len(text) <= most else text[:half] + CUT + text[-half:]


def _name(position: Position, action: int) -> str:
    try:
        return position.game.action_name(action)
    except Exception:  # the game's own words may fail
        return f"action {action}"
