"""Proofs of m,n,k-games: beside a plain search of all lines, and what was published."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from .strength import import_strength


@pytest.fixture(scope="module")
def mnk_prover() -> Any:
    return import_strength("mnk_prover")


def first_player_wins(board: tuple[int, int, int]) -> bool:
    """By all lines, on a text of rows one after the other."""
    rows, columns, length = board
    cells = rows * columns
    lines = []
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + n * down, column + n * right) for n in range(length)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in line):
                    lines.append([r * columns + c for r, c in line])

    @cache
    def wins(stones: str, mover: str) -> bool:
        for cell in range(cells):
            if stones[cell] == ".":
                after = stones[:cell] + mover + stones[cell + 1 :]
                made = any(all(after[c] == mover for c in line) for line in lines)
                found = mover == "X" if made else "." in after
                if found and not made:
                    found = wins(after, "O" if mover == "X" else "X")
                if found == (mover == "X"):
                    return found
        return mover == "O"

    return wins("." * cells, "X")


@pytest.mark.parametrize("length", [2, 3, 4])
@pytest.mark.parametrize("size", [(2, 2), (2, 5), (5, 2), (3, 3), (3, 4), (4, 3)])
def test_small_boards_are_what_all_lines_say(
    mnk_prover: Any, size: tuple[int, int], length: int
) -> None:
    board = (*size, length)
    proof = mnk_prover.Proof(board, entries=12)
    assert proof.go_on(10**6) == first_player_wins(board)


@pytest.mark.parametrize(("board", "wins"), [((5, 5, 4), False), ((6, 5, 4), True)])
def test_larger_ones_are_what_was_published(
    mnk_prover: Any, board: tuple[int, int, int], wins: bool
) -> None:
    proof = mnk_prover.Proof(board, entries=21)
    assert proof.go_on(1000) is None
    while proof.answer is None and proof.states < 20_000_000:
        proof.go_on(300_000)
    assert proof.answer is wins
