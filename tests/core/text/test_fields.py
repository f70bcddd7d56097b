"""Fields of games and policies hold what their annotations say, or say why not."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MNK,
    UCT,
    Compiled,
    ConnectFour,
    Gomoku,
    HighestMean,
    Mean,
    RandomChild,
    UltimateTicTacToe,
    Uniform,
    UsageError,
)
from playout.core.errors import quote
from tests.toys import Nim

WRONG: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (ConnectFour, {"rows": 6.0}, "rows must be a whole number, not 6.0"),
    (ConnectFour, {"rows": "6"}, "rows must be a whole number, not '6'"),
    (ConnectFour, {"rows": True}, "rows must be a whole number, not True"),
    (ConnectFour, {"forbidden": 5}, "forbidden must be a tuple, not 5"),
    (ConnectFour, {"forbidden": (1,)}, "forbidden must be a tuple of 2 values"),
    (ConnectFour, {"forbidden": ("4", 3)}, "each is a whole number"),
    (Gomoku, {"size": "15"}, "size must be a whole number, not '15'"),
    (Gomoku, {"rule": 5}, "rule must be a text, not 5"),
    (MNK, {"k": None}, "k must be a whole number, not None"),
    (UltimateTicTacToe, {"variant": 3}, "variant must be a text, not 3"),
    (UltimateTicTacToe, {"nine_board": "no"}, "nine_board must be True or False"),
    (Nim, {"stones": 10**25}, "stones must be a whole number of at most 64 bits"),
    (Nim, {"stones": 10**5000}, "not a number of 16610 bits"),
    (UCT, {"c_uct": "1"}, "c_uct must be a number, not '1'"),
    (Mean, {"discount": None}, "discount must be a number"),
    (RandomChild, {"threshold": 1.5}, "threshold must be a whole number"),
    (Uniform, {"generic": 1}, "generic must be True or False, not 1"),
    (HighestMean, {"min_share": 2}, "min_share must be 0 to 1, not 2"),
]


@pytest.mark.parametrize(("make", "values", "message"), WRONG)
def test_a_value_of_the_wrong_kind(
    make: Callable[..., Any], values: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        make(**values)


def test_numbers_of_numpy_are_numbers() -> None:
    assert ConnectFour(rows=np.int64(5)) == ConnectFour(rows=5)
    assert UCT(np.float32(2)) == UCT(2) == UCT(2.0)


@dataclass(frozen=True)
class Loose(Compiled):
    """Only plain annotations are looked at."""

    table: Any = None
    limit: "int | str | None" = None
    odd: "NoSuchName" = 5  # type: ignore[name-defined] # noqa: F821


def test_other_annotations_are_left_to_the_class() -> None:
    assert Loose(table="x", limit=None, odd="y").odd == "y"


def test_messages_never_repeat_a_very_long_value() -> None:
    for value in ("x" * 10**6, 10**9999, ["x"] * 10**6):
        assert len(quote(value)) < 200
    assert quote("left=3") == "'left=3'"
