"""Whether `determinize` deals what the last move has ruled out.

A move tells the others something: who does not follow suit has no card of it. What a
player may hold possible after a move is what the move makes of the deals before it,
where it looks as it does now. Where these deals are few, all of them are drawn, and a
deal after the move that comes from none of them contradicts what was seen.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.rows import Rows
from ...core.rng import make_rng
from ..contract.game import CHANCE, Game
from .broken_rules import after_moves, state_text
from .shorten import Reached
from .walking import advance, begin

__all__ = ["expect_nothing_ruled_out"]

#: Random games that are looked at, from their ends.
GAMES = 20
#: Deals of a position, at most. They are drawn until there are so many draws for each:
#: one of equally likely deals is missed once in 5 million positions.
DEALS, DRAWS_EACH = 100, 20
#: Deals after the move.
AFTER = 40
#: States that are drawn or hidden in all, and seconds of processor time.
STEPS, SECONDS = 75_000, 2.0


def expect_nothing_ruled_out(game: Game, seed: int) -> list[str]:
    """A hint about a deal that contradicts the move before it, if one was found."""
    search = _Search(game, make_rng(seed))
    while not search.is_over() and search.games < GAMES:
        found = search.look_at_a_game()
        if found is not None:
            return [_told(game, *found)]
    return []


def _is_a_players(game: Game, place: Reached) -> bool:
    """Whether no chance moves: what it draws is often hidden only after the last."""
    return int(game.current_player(Rows(place.state)[0])) != CHANCE


def _random_game(game: Game, rng: Any) -> list[Reached]:
    places = [begin(game)]
    while (legal := places[-1].legal) and len(places) <= game.max_game_length():
        places.append(advance(game, places[-1], legal[int(rng.below(len(legal)))]))
    return places


class _Search:
    """Draws deals before and after moves, and counts the states that it made."""

    def __init__(self, game: Game, rng: Any) -> None:
        self.game, self.rng, self.steps, self.games = game, rng, 0, 0
        self.ends = time.process_time() + SECONDS

    def is_over(self) -> bool:
        """Whether enough was tried."""
        return self.steps > STEPS or time.process_time() > self.ends

    def look_at_a_game(self) -> tuple[int, NDArray[np.void], Reached] | None:
        """A player, a deal (`[1]`) that the last move has ruled out, and where."""
        places = _random_game(self.game, self.rng)
        self.games += 1
        for before, after in zip(places[-3::-1], places[-2::-1], strict=False):
            if not _is_a_players(self.game, before):
                continue
            hidden = [
                player
                for player in range(self.game.num_players())
                if not self._looks(after.state, player, after.state.tobytes())
            ]
            dealt = {player: self._all_deals(before, player) for player in hidden}
            if hidden and not any(dealt.values()):
                return None  # there are more deals before this, mostly
            for player, deals in dealt.items():
                deal = self._contradiction(deals or [], after, player)
                if deal is not None:
                    return player, deal, after
        return None

    def _contradiction(
        self, deals: list[NDArray[np.void]], after: Reached, player: int
    ) -> NDArray[np.void] | None:
        """A deal after a move to which none of the deals before it leads."""
        possible = self._led_to(deals, after, player)
        if after.state.tobytes() not in possible:
            return None
        for _ in range(AFTER):
            deal = self._deal(after, player)
            if deal.tobytes() not in possible:
                return deal
        return None

    def _all_deals(self, place: Reached, player: int) -> list[NDArray[np.void]] | None:
        """What is dealt in a position, or None where that is too much."""
        found = dict[bytes, NDArray[np.void]]()
        draws = 0
        while draws < DRAWS_EACH * (len(found) + 1):
            deal = self._deal(place, player)
            found[deal.tobytes()] = deal
            draws += 1
            if len(found) > DEALS or self.is_over():
                return None
        return list(found.values())

    def _led_to(
        self, deals: list[NDArray[np.void]], after: Reached, player: int
    ) -> set[bytes]:
        """All states after moves in these deals that look as it does now.

        One move, or none or several where others make moves that a player does not see.
        """
        seen = self._hidden(after.state, player).tobytes()
        found = {deal.tobytes() for deal in deals if self._looks(deal, player, seen)}
        waiting = list(deals)
        while waiting and not self.is_over():
            for state in self._moves(waiting.pop()):
                new = state.tobytes() not in found
                if new and self._looks(state, player, seen):
                    found.add(state.tobytes())
                    waiting.append(state)
        return set() if waiting else found

    def _looks(self, state: NDArray[np.void], player: int, seen: bytes) -> bool:
        return self._hidden(state, player).tobytes() == seen

    def _moves(self, state: NDArray[np.void]) -> Iterator[NDArray[np.void]]:
        buffer = np.zeros(max(1, self.game.num_actions()), dtype=np.int32)
        count = int(self.game.legal_actions(Rows(state)[0], buffer))
        for action in buffer[:count].tolist():
            after = state.copy()
            self.game.apply(Rows(after)[0], action)
            yield after

    def _deal(self, place: Reached, player: int) -> NDArray[np.void]:
        self.steps += 1
        state = place.state.copy()
        self.game.determinize(Rows(state)[0], player, self.rng)
        return state

    def _hidden(self, state: NDArray[np.void], player: int) -> NDArray[np.void]:
        self.steps += 1
        seen = state.copy()
        self.game.hide(Rows(seen)[0], player)
        return seen


def _told(game: Game, player: int, deal: NDArray[np.void], after: Reached) -> str:
    return (
        f"determinize deals player {player} `{state_text(game, deal)}`, to which no "
        "moves lead from its deals before the last move: that move has ruled it out. "
        "Keep in the state what moves tell, and deal nothing else (all is well if "
        f"players forget); {after_moves(game, after.path)}"
    )
