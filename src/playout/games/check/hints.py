"""What breaks no law and is likely a mistake all the same: hints.

They are judged by all random games together, so some games must have been played. A
hint may be wrong: where it could come by bad luck, its constant says how rarely.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from ...core.jit.rows import Rows
from ...core.rng import make_rng
from ..contract.game import CHANCE, Game
from .broken_rules import after_moves
from .shorten import Reached

__all__ = ["Observations"]

#: So many moves in a row are pointed out where the rules do not say that they allow
#: them (`moves_in_a_row`).
MANY_IN_A_ROW = 8
#: So many games are needed for a hint about results.
ENOUGH_GAMES = 10
#: So many games are needed to say that all end alike, or that whoever moves last never
#: wins. Where another result comes in every other game, that is said once in 2**60
#: checks; where it comes in one of five, once in 600,000; in one of ten, once in 550.
MANY_GAMES = 60
#: States that are kept, to hide what they hold.
KEPT = 30


class Observations:
    """What was seen in random games."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = Counter[int]()
        self.longest_run: tuple[int, ...] = ()  # the path to it
        self.most_in_a_row = 0
        self.results: list[tuple[int, tuple[float, ...]]] = []  # last mover, returns
        self.states: list[Reached] = []
        self.games, self.began = 0, False
        self._last, self._run = CHANCE, 0

    def position(self, place: Reached, mover: int) -> None:
        """Note a position in which a move is made next."""
        self.began = True
        if not place.path:
            self._last, self._run = CHANCE, 0
        self._run = self._run + 1 if mover == self._last else 1
        self._last = mover
        if len(self.states) < KEPT and mover != CHANCE:
            self.states.append(place)
        if mover == CHANCE:
            return
        self.moves[mover] += 1
        if self._run > self.most_in_a_row:
            self.most_in_a_row, self.longest_run = self._run, place.path

    def end(self, returns: list[float]) -> None:
        """Note the result of a game."""
        self.games += 1
        if self.moves:
            self.results.append((self._last, tuple(returns)))

    def hints(self) -> tuple[str, ...]:
        """What is likely a mistake, a sentence each."""
        hidden = self._what_is_hidden() if self.game.has_hidden else []
        return (*self._who_is_named(), *self._who_moves(), *self._who_wins(), *hidden)

    def _who_is_named(self) -> list[str]:
        names, players = self.game.player_names, self.game.num_players()
        if names == Game.player_names or len(names) >= players:
            return []
        return [
            f"player_names has {len(names)} of {players} players: the others are "
            f"called Player {len(names) + 1} and so on"
        ]

    def _who_moves(self) -> list[str]:
        if self.games and not self.began:
            return [
                f"nobody moved in {self.games} random games: is_terminal holds of the "
                "state that initial_state writes"
            ]
        players = range(self.game.num_players())
        idle = [player for player in players if self.moves[player] == 0]
        if idle and len(self.results) >= ENOUGH_GAMES and self.moves:
            who = ", ".join(map(str, idle))
            return [
                f"player {who} never moved in {len(self.results)} random games: does "
                "current_player, or what apply writes for it, ever name it?"
            ]
        said, most = self.game.moves_in_a_row, self.most_in_a_row
        if len(players) == 1 or most <= (said or MANY_IN_A_ROW - 1):
            return []
        cure = "if the rules mean it, say so by the class attribute moves_in_a_row"
        if said:
            cure = f"moves_in_a_row says {said}"
        return [
            f"a player moved {most} times in a row; {cure} "
            f"({after_moves(self.game, self.longest_run)})"
        ]

    def _who_wins(self) -> list[str]:
        games, results = len(self.results), self._different_results()
        if len(results) == 1 and games >= MANY_GAMES:
            (returns,) = results
            return [
                f"all {games} random games ended with the returns {list(returns)}: "
                "does `returns` look at the state?"
            ]
        lost = self._lost_by_the_last()
        if lost < MANY_GAMES:
            return []
        return [
            f"whoever made the last move never won, in {lost} decided games: `returns` "
            "is asked after that move, when it may be the other player's turn (all is "
            "well if the rules mean it)"
        ]

    def needs_more_games(self) -> bool:
        """Whether a hint about results is likely, and more games are needed for it."""
        alike = len(self.results) if len(self._different_results()) == 1 else 0
        seen = max(alike, self._lost_by_the_last())
        return ENOUGH_GAMES <= seen < MANY_GAMES

    def _different_results(self) -> set[tuple[float, ...]]:
        return {returns for _, returns in self.results}

    def _lost_by_the_last(self) -> int:
        """Decided games if last movers won none, and were not always the same; or 0."""
        decided = [
            (last, returns)
            for last, returns in self.results
            if any(returns) and last != CHANCE
        ]
        movers = {last for last, _ in decided}
        won = any(returns[last] > 0 for last, returns in decided)
        judged = self.game.zero_sum and len(movers) > 1 and not won
        return len(decided) if judged else 0

    def _what_is_hidden(self) -> list[str]:
        looks = [
            _look(self.game, place, player)
            for place in self.states
            for player in range(self.game.num_players())
        ]
        hidden = [changed for took_away, changed in looks if took_away]
        if len(looks) >= ENOUGH_GAMES and not hidden:
            return [
                f"hide took nothing away, from no player in {len(self.states)} "
                "positions: if players know everything, leave out has_hidden"
            ]
        if len(hidden) >= ENOUGH_GAMES and not any(hidden):
            return [
                f"determinize changed nothing in {len(hidden)} states of which "
                "something was hidden: it must draw what the player does not know"
            ]
        return []


def _look(game: Game, place: Reached, player: int) -> tuple[bool, bool]:
    """Whether hiding changes a state, and whether the deal differs from the hidden."""
    states = Rows(np.repeat(place.state, 2))
    game.hide(states[1], player)
    took_away = states.array[1] != place.state[0]
    hidden = states.array[1:].copy()
    game.determinize(states[1], player, make_rng(len(place.path)))
    return bool(took_away), bool(states.array[1] != hidden[0])
