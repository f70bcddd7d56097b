"""Law 16: what networks see lies within its planes and parts, and is finite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from playout import MCTS, Limit, RulesError, TicTacToe
from playout.games.check.planes import check_planes


@dataclass(frozen=True)
class Shown(TicTacToe):
    """Writes a number to one of nine places, after so many stones."""

    place: int = 0
    number: float = 1.0

    def observation_shape(self) -> Any:
        return (9,)

    def observe(self, state: Any, planes: Any) -> None:
        if state.player == 1:
            planes[self.place] = self.number


def test_what_lies_within_is_good() -> None:
    check_planes(Shown(place=8, number=0.5))
    check_planes(TicTacToe())


def test_what_lies_outside_is_found_before_a_search() -> None:
    """Compiled without checks, it would be written outside the array."""
    search = MCTS(Shown(place=9), evaluator=lambda planes: None, seed=1)
    with pytest.raises(RulesError, match=r"Shown\.observe.* line"):
        search.search(limit=Limit(simulations=10))


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_number_is_found(number: float) -> None:
    with pytest.raises(RulesError, match="law 16: observe writes NaN or infinity"):
        check_planes(Shown(number=number))


@dataclass(frozen=True)
class InParts(TicTacToe):
    """Sees one part of so many kinds, written to one of three places."""

    place: int = 0
    kind: int = 0

    def parts_shape(self) -> Any:
        return 3, 5

    def observe_parts(self, state: Any, parts: Any) -> None:
        parts[self.place] = self.kind if state.player == 1 else 0


def test_parts_lie_within_and_are_of_kinds_that_there_are() -> None:
    check_planes(InParts(place=2, kind=4))
    with pytest.raises(RulesError, match=r"InParts\.observe_parts.* line"):
        check_planes(InParts(place=3))


@pytest.mark.parametrize("kind", [-1, 5])
def test_a_kind_that_there_is_not_is_found(kind: int) -> None:
    with pytest.raises(RulesError, match="observe_parts writes other kinds than 0 to"):
        check_planes(InParts(kind=kind))


class GivesBack(Shown):
    def observe(self, state: Any, planes: Any) -> Any:
        return planes + 1.0


def test_planes_that_are_given_back_are_not_written() -> None:
    with pytest.raises(RulesError, match=r"GivesBack\.observe returned .* `planes`"):
        check_planes(GivesBack())
