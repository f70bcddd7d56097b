"""`from_openspiel`: OpenSpiel's games as Playout's.

Lanctot and others, "OpenSpiel: A Framework for Reinforcement Learning in Games",
2019. Sequential games are taken as they are, with chance, and with hidden
information where the game can draw what a player does not know
(`resample_from_infostate`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from random import Random
from typing import Any

from ..core.errors import UsageError, counted, quote
from ..games.contract.at_random import CHANCE
from .foreign import (
    FACTOR,
    MASK,
    SHIFT,
    TERM,
    UNIT,
    Choices,
    Foreign,
    draw_action,
)
from .foreign_class import game_of
from .foreign_game import ForeignGame
from .packages import package

__all__ = ["OpenSpielGame", "from_openspiel"]

#: Longer games are cut off and count as they stand.
MOST_PLIES = 16_384
#: So many actions a search can tell apart.
MOST_ACTIONS = 2**15 - 1
#: Random games that look whether a game can draw what is hidden.
_TRIALS = 3


def from_openspiel(game: Any) -> ForeignGame:
    """A game by OpenSpiel's rules.

    Args:
        game: its name, with parameters as in `breakthrough(rows=6,columns=6)`, or what
            `pyspiel.load_game` gives.

    Raises:
        UsageError: OpenSpiel is missing or knows no such game, or the game cannot be
            searched: players move at the same time, it draws within its own code, or it
            cannot say what a player may not know.
    """
    pyspiel = package("pyspiel", "A game of OpenSpiel", "playout[openspiel]")
    rules = _load(pyspiel, game) if isinstance(game, str) else game
    if not isinstance(rules, pyspiel.Game):
        raise UsageError(
            "from_openspiel takes the name of a game, or what pyspiel.load_game gives, "
            f"not {quote(game)}"
        )
    _expect_searchable(pyspiel, rules)
    foreign = OpenSpielGame(rules)
    if foreign.num_actions > MOST_ACTIONS:
        raise UsageError(
            f"{foreign.name}: it has {foreign.num_actions:,} actions, outcomes of "
            f"chance included; a search can tell at most {MOST_ACTIONS:,} apart"
        )
    if foreign.has_hidden:
        _expect_resampling(foreign)
    return game_of(foreign, (from_openspiel, (str(rules),)))


def _load(pyspiel: Any, name: str) -> Any:
    short = name.partition("(")[0].strip()
    known = pyspiel.registered_names()
    if short not in known:
        near = get_close_matches(short, known, 1)
        hint = f", did you mean {near[0]}?" if near else ";"
        raise UsageError(
            f"OpenSpiel knows no game {quote(short)}{hint} it has {len(known)}, which "
            "pyspiel.registered_names() lists"
        )
    try:
        return pyspiel.load_game(name)
    except Exception as error:
        raise UsageError(f"openspiel:{name}: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _expect_searchable(pyspiel: Any, rules: Any) -> None:
    kind, name = rules.get_type(), rules.get_type().short_name
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        raise UsageError(
            f"openspiel:{name}: players move at the same time, and Playout's take "
            "turns; where the second may not see what the first does, that is a game "
            f"with hidden information: turn_based_simultaneous_game(game={name}())"
        )
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise UsageError(
            f"openspiel:{name}: a mean-field game has one player, whose rewards depend "
            "on what all others do on average; there is no tree to search"
        )
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise UsageError(
            f"openspiel:{name}: chance is drawn within the game's own code, which says "
            "neither the outcomes nor how likely they are; where the game has a "
            "parameter for explicit chance, give it"
        )


def _expect_resampling(foreign: OpenSpielGame) -> None:
    """See that a player's knowledge can be asked for, and what it lacks be drawn."""
    random = Random(0)
    for _ in range(_TRIALS):
        state = foreign.start()
        while not state.is_terminal():
            mover = state.current_player()
            if mover >= 0:
                _try_resampling(foreign, state, mover, random)
            turn = foreign.turn(state)
            foreign.play(state, turn.actions[random.randrange(len(turn.actions))])


def _try_resampling(
    foreign: OpenSpielGame, state: Any, mover: int, random: Any
) -> None:
    try:
        drawn = foreign.resample(state, mover, random.random)
        same = foreign.known(drawn, mover) == foreign.known(state, mover)
    except Exception as error:
        raise UsageError(
            f"{foreign.name}: information is hidden, and the game cannot draw what a "
            f"player does not know: {_first_line(error)}"
        ) from None
    if not same or drawn.current_player() != mover:
        raise UsageError(
            f"{foreign.name}: information is hidden, and what resample_from_infostate "
            "draws does not look the same to the player"
        )


class OpenSpielGame(Foreign):
    """A game of OpenSpiel's.

    Outcomes of chance are numbered after the players' actions.

    Args:
        rules: what `pyspiel.load_game` gives.
    """

    def __init__(self, rules: Any) -> None:
        kind = rules.get_type()
        spiel = type(kind)
        self.rules = rules
        self.name = f"openspiel:{rules}".removesuffix("()")
        self.title = kind.long_name
        self.players = rules.num_players()
        self.has_chance = kind.chance_mode != spiel.ChanceMode.DETERMINISTIC
        self.has_hidden = kind.information != spiel.Information.PERFECT_INFORMATION
        self.zero_sum = kind.utility == spiel.Utility.ZERO_SUM
        self.return_range = _range_of(rules)
        self.first_outcome = rules.num_distinct_actions()
        outcomes = rules.max_chance_outcomes() if self.has_chance else 0
        self.num_actions = self.first_outcome + outcomes
        self.most_plies = min(rules.max_history_length(), MOST_PLIES)
        self.by_infostate = kind.provides_information_state_string
        players = counted(self.players, "player")
        self.reading = (
            f"{self.name}: OpenSpiel's {kind.long_name}, {players}"
            f"{', chance' * self.has_chance}{', hidden information' * self.has_hidden}"
        )
        self._names: dict[int, str] = {}
        self._taken: set[str] = set()

    def start(self) -> Any:
        return self.rules.new_initial_state()

    def copy(self, state: Any) -> Any:
        return state.clone()

    def play(self, state: Any, action: int) -> None:
        outcome = action - self.first_outcome
        state.apply_action(outcome if outcome >= 0 else action)

    def turn(self, state: Any) -> Choices:
        if state.is_terminal():
            return Choices(0, ())
        if state.is_chance_node():
            return self._outcomes(state)
        return Choices(state.current_player(), state.legal_actions())

    def _outcomes(self, state: Any) -> Choices:
        likely = sorted((a, p) for a, p in state.chance_outcomes() if p > 0)
        total = math.fsum(p for _, p in likely)
        actions = [self.first_outcome + outcome for outcome, _ in likely]
        return Choices(CHANCE, actions, [p / total for _, p in likely])

    def returns(self, state: Any) -> Sequence[float]:
        found: list[float] = state.returns()
        return found

    def play_out(self, state: Any, bits: int, most: int) -> int:
        legal_actions, apply = state.legal_actions, state.apply_action
        chance, plies = self.has_chance, 0
        while plies < most:
            bits = bits * FACTOR + TERM & MASK
            if chance and state.is_chance_node():
                self.play(
                    state, draw_action(self._outcomes(state), (bits >> SHIFT) * UNIT)
                )
            else:
                legal = legal_actions()
                if not legal:
                    break
                apply(legal[(bits >> SHIFT) * len(legal) >> 32])
            plies += 1
        return plies

    def known(self, state: Any, player: int) -> str:
        try:
            if self.by_infostate:
                return str(state.information_state_string(player))
            return str(state.observation_string(player))
        except Exception:
            if not state.is_chance_node():  # of which some games give no text
                raise
            return f"chance draws, after {len(state.history())} actions"

    def resample(self, state: Any, player: int, uniform: Callable[[], float]) -> Any:
        if state.is_chance_node():  # which no search begins with
            return state.clone()
        return state.resample_from_infostate(player, uniform)

    def history(self, state: Any) -> Sequence[int]:
        return [
            pair.action + (self.first_outcome if pair.player < 0 else 0)
            for pair in state.full_history()
        ]

    def action_name(self, action: int) -> str:
        if action not in self._names:
            name = self._name(action)
            while name in self._taken:
                name += f"#{action}"
            self._taken.add(name)
            self._names[action] = name
        return self._names[action]

    def _name(self, action: int) -> str:
        """The game's own words, if they do not depend on who plays it, or where."""
        outcome = action - self.first_outcome
        pairs = [(-1, outcome)] if outcome >= 0 else [(0, action), (1, action)]
        if self.players == 1:
            pairs = pairs[:1]
        try:
            words = [self.rules.action_to_string(player, a) for player, a in pairs]
        except Exception:  # it is asked of a state, which the game has not
            return str(action)
        if words[0].startswith("Action("):  # it has no words
            return str(action)
        found = ["".join(word.split()) for word in words]
        first, last = found[0], found[-1]
        if first != last:  # the sign of whoever plays it stands first: x(1,1), o(1,1)
            return first[1:] if first[1:] == last[1:] and first[1:] else str(action)
        return first or str(action)


def _range_of(rules: Any) -> tuple[float, float] | None:
    """The lowest and the highest return; None where they are no bounds."""
    low, high = rules.min_utility(), rules.max_utility()
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None
