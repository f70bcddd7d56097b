"""Decisive rollouts of Connect Four, with what the last move has left to find out.

A player's winning cells change by that player's own stones alone, so a ply finds those
of one player, and whether a stone completes a line is known before it is played.

A move is drawn from those of `threats.list_urgent`. Where they leave a choice, a player
does not play under a winning cell of his own either, as the opponent would then fill
it: so threats stand to the end, and who has to give one away is found by playing. Under
two winning cells, one above the other, he does play: the opponent can fill only one.
"""

from __future__ import annotations

from typing import Any

from ...core.jit.bits import nth_bit
from ...core.jit.wide import count_ones, wide, word_of
from ..contract.game import Actions, State
from .lines import completing, forbidden_of, landing_of, under, whole, without_gaps

__all__ = ["play_decisively"]


def play_decisively(game: Any, state: State, actions: Actions, rng: Any) -> int:
    """Play to the end; returns how many moves; see `Game.decisive_rollout`."""
    if state.winner >= 0:
        return 0
    player = int(state.player)
    mine = without_gaps(game, state.stones[player])
    theirs = without_gaps(game, state.stones[1 - player])
    occupied = without_gaps(game, state.occupied)
    landing = landing_of(game, occupied)
    wins, losses = completing(game, mine), completing(game, theirs)
    plies = 0
    while landing != 0:
        moves = wins & landing
        if moves != 0:
            state.winner = player
        else:
            moves = landing & losses
            if moves == 0:
                moves = quiet_moves(game, landing, occupied, wins, losses)
        stone = nth_stone(game, moves, rng.below(count_ones(moves)))
        occupied = occupied | stone
        mine, theirs = theirs, mine | stone
        player = 1 - player
        plies += 1
        if state.winner >= 0:
            break
        wins, losses = losses, completing(game, theirs)
        landing = landing_of(game, occupied)
    write(game, state.occupied, occupied)
    write(game, state.stones[player], mine)
    write(game, state.stones[1 - player], theirs)
    state.player = player
    return plies


def quiet_moves(game: Any, landing: Any, occupied: Any, wins: Any, losses: Any) -> Any:
    """The moves to draw from where nobody can complete a line at once.

    Args:
        game: the board's sizes and its forbidden cell.
        landing: where stones would land.
        occupied: all stones and the forbidden cell.
        wins: the cells that complete a line of the player to move.
        losses: those that complete one of the opponent's.
    """
    empty, blocked = whole(game) & ~occupied, forbidden_of(game)
    moves = landing & ~under(losses & empty, blocked)
    if moves == 0:
        return landing
    below = under(wins & empty, blocked)
    twice = moves & under(wins & empty & below, blocked)
    if twice != 0:
        return twice
    kept = moves & ~below
    return kept if kept != 0 else moves


def nth_stone(game: Any, stones: Any, n: int) -> Any:
    """The `n`-th stone, counted from 0 at the left."""
    if game.words == 1:
        return wide(nth_bit(word_of(stones, 0), n))
    for _ in range(n):
        stones = stones & (stones - 1)
    return stones & -stones


def write(game: Any, words: Any, stones: Any) -> None:
    """Write a board to a field of the state; see `lines.without_gaps`."""
    for n in range(game.words):
        words[n] = word_of(stones >> n * game.span, 0) & game.cells[n]
