"""The laws of the contract, tested at every position of a game that is played.

The rules run interpreted and compiled, side by side. The first law that breaks is
named by its number (see `playout.Game`), with what was seen and where.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NoReturn

import numpy as np

from ...core.errors import RulesError, quote
from ...core.jit.rows import Rows
from ...core.rng import Rng, make_rng
from ..contract.game import CHANCE, Game, has_own
from .action_lists import IndexCheck, urgent_fault
from .bounds import CHANCE_ERROR
from .broken_rules import BrokenRules, state_text
from .estimates import compile_estimates, estimate_fault, has_estimates
from .failures import rules_failure, unsigned_fields
from .finished import returns_fault
from .hashes import HashCheck
from .hidden_information import compile_look, hidden_fault
from .hints import Observations
from .notation import expect_pictures, text_fault
from .shorten import Reached
from .side_by_side import Side, draw, observe, roll
from .side_effects import StateFacts, facts_of, fault_of_apply
from .soundness import adds_up, expect_answer

__all__ = ["NO_END", "Checker"]

#: Estimates and pictures, which may be slow, are asked for in one of so many positions.
SELDOM = 8
#: A rollout is played after so many actions, not at the very first position: a game
#: that does not keep law 9 shows it later.
ROLLOUTS_AT = (0, 2)
#: Games that are played where a rollout has failed.
PLAYED_ON = 20
#: How far from a game's returns its rewards may add up.
REWARDS_ERROR = 1e-6
#: The fault that no shorter game shows.
NO_END = "law 6"


class Checker:
    """Plays random games interpreted and compiled, and compares after every action."""

    def __init__(self, game: Game, rng: Rng) -> None:
        self.game, self.rng = game, rng
        self.plain = Side(game)
        self.sides = [self.plain]
        self.roll: Any = None
        self.draw: Any = None
        self.look: Any = None
        self.ask: Any = None
        self.indices, self.hashes = IndexCheck(game), HashCheck(game)
        self.positions = self.longest = 0
        self.path: list[int] = []
        self.expected: list[int] = []  # the legal actions that law 9 leaves
        self.before = self.plain.states[1:2]  # the state before the last action
        self.observed = Observations(game)
        self.thorough = False  # ask for everything everywhere
        self.rollouts = True  # play rollouts, too
        self.compiles = False  # where that tells more about a fault

    @property
    def own_rollout(self) -> bool:
        """Whether the game has a rollout of its own."""
        return has_own(self.game, "rollout")

    def compile(self) -> None:
        """From now on, run the rules compiled as well."""
        side, self.compiles = self.plain, True
        arguments = self.game, Rows(side.states), side.actions
        native = observe.compile(*arguments, 0, side.seen)
        self.sides.append(Side(self.game, native))
        self.roll = roll.compile(*arguments, self.rng)
        if self.game.has_hidden:
            self.look = compile_look(self.game)
        if has_estimates(self.game):
            self.ask = compile_estimates(self.game)
        self.indices.compile()
        if self.game.has_chance:
            chances = np.zeros(len(side.actions))
            self.draw = draw.compile(*arguments, self.rng, chances)

    def compile_checked(self) -> None:
        """From now on, run the rules compiled with every index checked as well."""
        side, self.compiles = self.plain, True
        arguments = self.game, Rows(side.states), side.actions, 0, side.seen
        self.sides.append(Side(self.game, observe.compile(*arguments, checked=True)))

    def play_game(self) -> None:
        place = self.begin()
        while place.legal:
            if len(place.path) >= self.game.max_game_length():
                self._fail(NO_END, f"no end after {len(place.path)} actions")
            self.observed.position(place, int(self.plain.seen[3]))
            place = self.advance(place, place.legal[self.rng.below(len(place.legal))])
        self.longest = max(self.longest, len(place.path))
        self.observed.end(self.plain.returns)

    def begin(self) -> Reached:
        """Look at the start."""
        self.path = []
        for side in self.sides:
            side.states[:] = np.zeros(1, dtype=self.game.state_dtype())
            self.game.initial_state(Rows(side.states)[1])
        return self._arrive(-1, ())

    def advance(self, place: Reached, action: int) -> Reached:
        """Play a legal action and look at where it leads."""
        for side in self.sides:
            side.states[1] = place.state[0]
        self.path = [*place.path, action]
        self.expected = [a for a in place.legal if a != action]
        return self._arrive(action, place.earned)

    def _arrive(self, action: int, earned: tuple[float, ...]) -> Reached:
        self._step(action)
        state = self.plain.states[1:2].copy()
        legal = tuple(self.plain.legal)
        place = Reached(state, tuple(self.path), legal, self._earned(earned))
        if self.rollouts and len(self.path) in ROLLOUTS_AT and self.positions > 1:
            self._check_rollout(place)
        return place

    def _step(self, action: int) -> None:
        before = self.plain.states.copy()
        self.before = before[1:2]
        known = self._facts_before(before, action)
        try:
            for side in self.sides:
                side.observe(action)
        except Exception as error:
            self._explain(error)
        self.positions += 1
        self._check_actions()
        after = self.plain.states
        self._check_fault(3, fault_of_apply(self.game, before, after, action, known))
        self._check_values()
        self._check_texts()
        if self.game.has_hidden and not self.plain.seen[2]:
            self._check_hidden()
        if self.thorough or self.positions % SELDOM == 1:
            self._check_pictures(action)
            if has_estimates(self.game):
                self._check_estimates()
        if len(self.sides) > 1:
            self._check_agreement()

    def _check_actions(self) -> None:
        count, terminal = int(self.plain.seen[1]), bool(self.plain.seen[2])
        size = self.game.num_actions()
        if not 0 <= count <= size:
            self._fail(2, f"legal_actions returned {count}; num_actions is {size}")
        if terminal != (count == 0):
            self._fail(
                1, f"is_terminal says {terminal}, legal_actions returned {count}"
            )
        legal = self.plain.legal
        if any(not 0 <= action < size for action in legal):
            self._fail(
                2, f"legal actions {quote(legal)} are not all in 0 .. {size - 1}"
            )
        if any(a >= b for a, b in itertools.pairwise(legal)):
            self._fail(
                2, f"legal actions {quote(legal)} are not ascending and distinct"
            )
        try:
            fault = self.indices.fault(self.plain.states, legal)
            fault = fault or self.hashes.fault(self.plain)
        except Exception as error:
            raise self._failure(error) from error
        if fault is not None:
            self._fail(*fault)
        if not terminal and self._chance_moves:
            self._check_chance(legal)
        elif not terminal:
            self._check_fault(2, urgent_fault(self.game, self.plain.states, legal))
            if self.path and self.game.fills() and legal != self.expected:
                left = quote(self.expected)
                self._fail(9, f"legal are {quote(legal)}, not what is left, {left}")

    def _check_fault(self, law: int, fault: str | None) -> None:
        if fault is not None:
            self._fail(law, fault)

    @property
    def _chance_moves(self) -> bool:
        return self.game.has_chance and self.plain.seen[3] == CHANCE

    def _check_chance(self, legal: list[int]) -> None:
        """Law 10, interpreted and compiled, with the same random numbers."""
        found = []
        for run in (draw.function, self.draw):
            if run is None:
                continue
            states, chances = self.plain.states.copy(), np.zeros(len(legal) + 1)
            buffer, rng = self.plain.actions.copy(), make_rng(self.positions)
            try:
                drawn = int(run(self.game, Rows(states), buffer, rng, chances))
            except Exception as error:
                raise self._failure(error) from error
            found.append((drawn, chances[: len(legal)].tolist()))
        drawn, probabilities = found[0]
        if not all(p > 0 for p in probabilities):
            shown = quote(probabilities)
            self._fail(10, f"the outcomes {quote(legal)} have probabilities {shown}")
        if not abs(sum(probabilities) - 1) <= CHANCE_ERROR:
            self._fail(10, f"probabilities {quote(probabilities)} do not add up to 1")
        if drawn not in legal:
            self._fail(
                10, f"sample_chance drew {drawn}; the outcomes are {quote(legal)}"
            )
        if found[0] != found[-1]:
            self._fail(8, f"chance interpreted {found[0]}, compiled {found[-1]}")

    def _facts_before(self, before: np.ndarray, action: int) -> StateFacts | None:
        """What Python's rules say before an action; compiled ones keep nothing else."""
        if action < 0 or len(self.sides) > 1:
            return None
        return facts_of(self.game, before[1:2])

    def _check_values(self) -> None:
        seen, players = self.plain.seen, self.game.num_players()
        returns = self.plain.returns
        if seen[2]:
            if fault := returns_fault(self.game, returns):
                self._ask_again()
                self._fail(4, fault)
        elif not (0 <= seen[3] < players or self._chance_moves):
            unsaid = seen[3] == CHANCE and not self.game.has_chance
            cure = ": where chance moves, write `has_chance = True`" if unsaid else ""
            self._fail(5, f"current_player is {seen[3]:g} with {players} players{cure}")

    def _earned(self, before: tuple[float, ...]) -> tuple[float, ...]:
        """What every player was brought so far, by law 14; nothing without rewards."""
        if not self.game.has_rewards:
            return ()
        rewards = self.plain.rewards
        if not all(map(math.isfinite, rewards)):
            self._fail(14, f"rewards {quote(rewards)} are not all finite")
        if not self.path and any(rewards):
            self._fail(14, f"rewards at the start are {quote(rewards)}, not 0")
        if self.game.zero_sum and not adds_up(rewards):
            self._fail(14, f"rewards {quote(rewards)} do not add up to 0")
        pairs = zip(before or [0.0] * len(rewards), rewards, strict=True)
        earned = tuple(a + b for a, b in pairs)
        returns = self.plain.returns
        if self.plain.seen[2] and not np.allclose(earned, returns, atol=REWARDS_ERROR):
            self._fail(
                14,
                f"the rewards of the game add up to {quote(list(earned))}, its returns "
                f"are {quote(returns)}",
            )
        return earned

    def _check_texts(self) -> None:
        state = self.plain.states[1:2]
        self._check_fault(7, text_fault(self.game, state, self.plain.legal))

    def _check_pictures(self, action: int) -> None:
        try:
            state = self.plain.states[1:2]
            expect_pictures(self.game, state, action, self.plain.legal)
        except Exception as error:
            self._explain(error)

    def _check_hidden(self) -> None:
        state = self.plain.states[1:2]
        try:
            fault = hidden_fault(
                self.game, state, self.look, self.positions, self.compiles
            )
        except Exception as error:
            self._explain(error)
        self._check_fault(11, fault)

    def _check_estimates(self) -> None:
        if self.plain.seen[2]:
            return
        state = self.plain.states[1:2]
        try:
            fault = estimate_fault(self.game, state, self.plain.legal, self.ask)
        except Exception as error:
            self._explain(error)
        self._check_fault(12, fault)

    def _check_agreement(self) -> None:
        plain, native = self.sides
        if plain.states[1] != native.states[1]:
            self._fail(
                8, f"state interpreted {plain.states[1]}, compiled {native.states[1]}"
            )
        if plain.legal != native.legal:
            self._fail(
                8, f"legal actions interpreted {plain.legal}, compiled {native.legal}"
            )
        if plain.seen.tobytes() != native.seen.tobytes():
            self._fail(
                8,
                f"urgent, legal, terminal, player, returns, rewards interpreted "
                f"{plain.seen.tolist()}, compiled {native.seen.tolist()}",
            )

    def _check_rollout(self, place: Reached) -> None:
        """One rollout from here, interpreted and compiled, with the same numbers."""
        ends = []
        for run in (roll.function, self.roll):
            if run is None:
                continue
            states, rng = self.plain.states.copy(), make_rng(len(self.path))
            buffer = self.plain.actions.copy()
            try:
                plies = run(self.game, Rows(states), buffer, rng)
                expect_answer(self.game, "rollout", plies)
                over = bool(self.game.is_terminal(Rows(states)[1]))
            except Exception as error:
                self._explain_rollout(place, error)
            ends.append((int(plies), states[1]))
            self._check_played_out(int(plies), over)
        if ends[0] != ends[-1]:
            self._fail(8, "a rollout ends differently interpreted and compiled")

    def _check_played_out(self, plies: int, over: bool) -> None:
        """Law 13: what a rollout says it played, and whether the game was over then.

        Playout's own keeps it where the other laws hold.
        """
        if not self.own_rollout:
            return
        longest = self.game.max_game_length()
        least = 0 if self.plain.seen[2] else 1
        if not least <= plies <= longest:
            self._fail(13, f"rollout says it played {plies} actions")
        if not over and plies < longest:
            self._fail(13, f"rollout played {plies} actions, and the game goes on")

    def _explain_rollout(self, place: Reached, error: Exception) -> NoReturn:
        """Play single moves, to show which of the rules fails within a rollout."""
        if not self.own_rollout:
            self.rollouts = False
            for _ in range(PLAYED_ON):
                there = place
                while there.legal and len(there.path) < self.game.max_game_length():
                    action = there.legal[self.rng.below(len(there.legal))]
                    there = self.advance(there, action)
            self.begin()
        self._explain(error)

    def _explain(self, error: Exception) -> NoReturn:
        """Say which of the rules failed: it gave no number, or raised an exception."""
        if not isinstance(error, RulesError):  # which says it
            self._ask_again()
        raise self._failure(error) from None

    def _ask_again(self) -> None:
        """Ask the rules one by one, so that one that gives no number is named."""
        game, state = self.game, Rows(self.plain.states)[1]
        try:
            if not expect_answer(game, "is_terminal", game.is_terminal(state)):
                expect_answer(game, "current_player", game.current_player(state))
                return
            for player in range(game.num_players()):
                expect_answer(game, "returns", game.returns(state, player))
        except Exception as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> BrokenRules:
        if isinstance(error, RulesError):
            return self._fault(str(error), str(error))
        what = str(rules_failure(self.game, error))
        kind = f"{type(error).__name__} in {what.partition(': `')[0]}"
        return self._fault(kind, what)

    def _fail(self, law: int | str, message: str) -> NoReturn:
        kind = f"law {law}" if isinstance(law, int) else law
        if law == 8:
            message += unsigned_fields(self.game)
        name = type(self.game).__qualname__
        raise self._fault(kind, f"{name} breaks {kind}: {message}")

    def _fault(self, kind: str, what: str) -> BrokenRules:
        around = self.before, self.plain.states[1:2]
        texts = [state_text(self.game, state) for state in around]
        return BrokenRules(self.game, kind, what, self.path, *texts)
