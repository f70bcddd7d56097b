"""The opening of Gomocup's swap2 league, answered by what the search thinks of it.

One player puts three stones, Black's two and White's one. The other takes Black, takes
White with a fourth stone, or puts two more and leaves the choice to the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from ...core.errors import UsageError
from ...games.gomoku.rules import Gomoku
from ...games.positions.position import Position
from ...players.player import Allowance, Decision
from ...players.timing import move_seconds
from ...protocols.gomocup import format_cell

__all__ = ["answer_swap2"]

Judge = Callable[[Position, Allowance], Decision]

#: So many openings are weighed before the most even one is proposed.
CANDIDATES = 6
#: Openings stay so many cells away from the centre at most.
REACH = 4


def answer_swap2(
    game: Gomoku,
    stones: list[int],
    judge: Judge,
    allowance: Allowance,
    seed: int | None = None,
) -> str:
    """The reply to `SWAP2BOARD`.

    Args:
        game: the board and rule.
        stones: the cells of the stones so far, Black's first.
        judge: finds a move in a position, and its value.
        allowance: what the answer may use.
        seed: of the openings that are weighed; drawn at random where it is None.

    Raises:
        UsageError: there must be 0, 3 or 5 stones, on different cells.
    """
    if not stones:
        found = _most_even(game, judge, allowance, seed)
        return " ".join(format_cell(action, game.size) for action in found)
    if len(stones) not in (3, 5):
        raise UsageError(f"SWAP2BOARD has 0, 3 or 5 stones, not {len(stones)}")
    position = Position.from_moves(game, stones)
    if position.is_terminal:
        raise UsageError("the game is over")
    decision = judge(position, allowance)
    if (decision.value or 0.0) < 0:  # for White, who is to move
        return "SWAP"
    return format_cell(decision.action, game.size)


def _most_even(
    game: Gomoku, judge: Judge, allowance: Allowance, seed: int | None
) -> list[int]:
    """Of a few openings the one that the search finds most even."""
    openings = _openings(game, seed)
    time = move_seconds(allowance, Position(game)) or 1.0
    share = max(time / CANDIDATES, 0.001)
    part = replace(allowance, seconds=share, remaining=None)
    if share < 0.01:
        return next(openings)
    weighed = []
    for _ in range(CANDIDATES):
        opening = next(openings)
        position = Position.from_moves(game, opening)
        value = judge(position, part).value
        weighed.append((abs(value or 0.0), opening))
    return min(weighed)[1]


def _openings(game: Gomoku, seed: int | None) -> Iterator[list[int]]:
    """Three different cells near the centre, at random."""
    random, center = Random(seed), game.size // 2
    reach = min(REACH, center)
    near = range(center - reach, center + reach + 1)
    cells = [y * game.size + x for y in near for x in near if y < game.size > x]
    while True:
        yield random.sample(cells, 3)
