"""The contract: what a game is, and the laws it keeps.

A game is a frozen dataclass: its fields are its parameters, its methods the rules, and
a state is a row of a NumPy structured array. `playout.check_game` tests every law
below on any game.

Laws (s a reachable state, a an action):

1. `is_terminal(s)` exactly when `legal_actions(s, ...)` returns 0.
2. Legal actions are written in ascending order, without repeats, all in
   `0 .. num_actions() - 1`; nothing is written beyond them but in the buffer. So are
   urgent actions, which are some of the legal ones. `count_legal`, `nth_legal` and
   `index_of` say the same as the list.
3. `apply(s, a)` changes `s` and nothing else; the same state and action always lead to
   the same state.
4. `returns(s, p)` lies in `return_range` for every player, by default in [-1, 1];
   where `zero_sum` is true they add up to 0. It is asked of terminal states only.
5. `current_player(s)` lies in `0 .. num_players() - 1` unless `s` is terminal; where
   `has_chance` is true it may also be `CHANCE`.
6. Every game ends within `max_game_length()` actions.
7. `state_from_text(state_to_text(s))` gives the state back, byte for byte, and
   `parse_action(action_name(a)) == a`. Where there is a board, `action_cells(a)` lie
   on it.
8. Interpreted and compiled, the rules do the same, bit for bit.
9. Where `fills()` is true: until the game ends, an action that is legal stays legal
   until it is played, and none becomes legal.
10. Where chance moves, the legal actions are its outcomes: `chance_probability(s, a)`
   is above 0 for each, and they add up to 1; `sample_chance` draws one of them.
11. Where `has_hidden` is true, `hide(s, p)` leaves what player p knows: hiding twice is
   hiding once; who moves, whether the game is over, and the legal actions if p is to
   move stay as they are. `determinize(s, p, rng)` depends on nothing that `hide` takes
   away, and hiding its result gives what hiding s gives. After an action that
   `is_public` everybody knows something else than after any other.
12. `evaluate(s, p)` lies in `return_range`, and for all players of a zero-sum game adds
   up to 0; `prior(s, a)` is 0 or more, and not 0 for all; neither changes s.
13. `rollout(s, ...)` plays s to the end, or `max_game_length()` actions, and returns
   how many it played.
14. Where `has_rewards` is true, `rewards(s, p)` is 0 at the start and finite; those of
   a zero-sum game add up to 0 over all players, those of a whole game to its returns.
15. What `settle(s, ...)` says of s is true, whatever was asked before; the action that
   it names reaches it; s stays as it is. What `book(s)` says is true, too.
16. `observe(s, planes)` writes finite numbers within `planes`, and nothing else;
    `observe_parts(s, parts)` whole numbers within `parts`, each below its kinds.
17. States of one `hash(s)` have the same player to move, legal actions and returns.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.jit.compiled import constant
from ...core.jit.hashing import row_hash
from ..drawing.board import Board, Cell, draw
from .at_random import CHANCE, decisive_rollout, draw_outcome, uniform_rollout
from .fields import field_text, read_number, set_fields
from .hiding import Hiding
from .indices import Indices
from .names import read_name
from .observing import Observing
from .openings import Openings
from .words import (
    SETTLED_AT_LEAST_DRAW,
    SETTLED_AT_MOST_DRAW,
    SETTLED_DRAW,
    SETTLED_LOSS,
    SETTLED_WIN,
    UNSETTLED,
    Actions,
    Parts,
    Planes,
    State,
    decided,
    leader_of,
)

__all__ = [
    "CHANCE",
    "SETTLED_AT_LEAST_DRAW",
    "SETTLED_AT_MOST_DRAW",
    "SETTLED_DRAW",
    "SETTLED_LOSS",
    "SETTLED_WIN",
    "UNSETTLED",
    "Actions",
    "Game",
    "Parts",
    "Planes",
    "State",
    "decided",
    "draw_outcome",
    "has_own",
    "leader_of",
    "uniform_rollout",
]


class Game(Openings, Observing, Hiding, Indices):
    """Base class of all games; see the module's docstring for the laws.

    Methods of the first group must be written. Those of the second have defaults.
    """

    #: The name on the command line, and the title people see.
    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    #: Whether the players' returns always add up to 0.
    zero_sum: ClassVar[bool] = True
    #: The lowest and the highest return, in the game's own units: points, chips, a
    #: length. None where there are no bounds. The search brings returns to its scale,
    #: and people are shown them as they are; the default is for games that are won,
    #: drawn or lost. Where it depends on fields, write a property.
    return_range: ClassVar[tuple[float, float] | None] = (-1.0, 1.0)
    #: Whether chance moves in some states; then `chance_probability` must be written.
    has_chance: ClassVar[bool] = False
    #: Whether players know different things; then write `hide` and `determinize`.
    has_hidden: ClassVar[bool] = False
    #: Whether something is won or lost before the end; then `rewards` must be written.
    has_rewards: ClassVar[bool] = False
    #: Whether `sum_rewards` is written, which plays a whole rollout at once.
    sums_rewards: ClassVar[bool] = False
    #: How many moves a player may make in a row by the rules; 0 where nothing is said.
    moves_in_a_row: ClassVar[int] = 0
    #: Whether actions get numbers as they are met: others in another process.
    numbers_as_met: ClassVar[bool] = False
    #: How people call the players, in order of index.
    player_names: ClassVar[tuple[str, ...]] = ("X", "O")

    interpreted_methods = frozenset({
            "action_cells", "action_name", "board", "book", "cell", "is_public",
            "name", "parse_action", "player_names", "render", "return_range",
            "state_dtype", "state_from_text", "state_to_text", "symmetries", "title",
            "why_settled", "why_urgent",
    })  # fmt: skip

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "prior" in vars(cls) and "priors" not in vars(cls):
            setattr(cls, "priors", Game.priors)  # noqa: B010 - not another `prior`'s

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        """One more than the largest action."""
        raise NotImplementedError

    def state_dtype(self) -> np.dtype[Any]:
        """The structured dtype of a state (only ever called from Python)."""
        raise NotImplementedError

    def initial_state(self, state: State) -> None:
        """Write the starting state. Modified in place; `state` comes zeroed."""
        raise NotImplementedError

    def current_player(self, state: State) -> int:
        """The player to move, `0 .. num_players() - 1`, or `CHANCE`."""
        raise NotImplementedError

    def legal_actions(self, state: State, actions: Actions) -> int:
        """Fill the buffer with the legal actions, ascending; returns how many."""
        raise NotImplementedError

    def apply(self, state: State, action: int) -> None:
        """Play a legal action. Modified in place."""
        raise NotImplementedError

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""
        raise NotImplementedError

    def returns(self, state: State, player: int) -> float:
        """The result of a finished game for `player`, in `return_range`."""
        raise NotImplementedError

    def rewards(self, state: State, player: int) -> float:
        """What the last action has brought a player, where `has_rewards` is true.

        The state holds it; 0 at the start. All of a game add up to its `returns`.
        """
        return 0.0

    def sum_rewards(self, state: State, rng: Any, gamma: float, sums: Any) -> None:
        """Write to `sums[player]` what a random game brings, as `RewardSum` counts."""
        return

    # -- what a game may add, for the search -------------------------------------------

    def num_players(self) -> int:
        """How many players there are."""
        return 2

    def max_game_length(self) -> int:
        """An upper bound on the actions in a game; a longer one counts as a draw."""
        return 10_000

    def fills(self) -> bool:
        """Whether law 9 holds, as where stones are placed on empty cells for good.

        Generic rollouts then need not ask for the legal actions again at every move.
        """
        return False

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """Actions of which one must be played: a win now, a forced block.

        Asked of states that are not terminal. Fills the buffer like `legal_actions`;
        returns how many, 0 for no restriction. That must be sound: leaving out other
        moves never changes the game-theoretic value of the state.
        """
        return 0

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play uniformly random actions to the end; returns how many were played.

        Modified in place. A game may override it to do that faster, or more wisely.
        `rng.below(n)` draws an integer, `rng.uniform()` a float, chance by probability.
        """
        return uniform_rollout(self, state, actions, rng)

    def decisive_rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """The same by `urgent_actions` where there are any, drawn by `rng.below`.

        A game may override it to do that faster, or more wisely.
        """
        return decisive_rollout(self, state, actions, rng)

    def chance_probability(self, state: State, action: int) -> float:
        """How likely an outcome is, above 0 to 1, in a state where chance moves."""
        raise NotImplementedError

    def sample_chance(self, state: State, actions: Actions, rng: Any) -> int:
        """Draw an outcome by its probability, where chance moves.

        `actions` is a buffer to work in. A game may override it to draw faster.
        """
        return draw_outcome(self, state, actions, rng)

    def prior(self, state: State, action: int) -> float:
        """How promising a legal action looks, beside others: 0 or more, not all 0.

        Only its share of the sum over all legal actions counts. Asked of states that
        are not terminal, by policies that say so: PUCT, progressive bias and widening,
        weighted rollouts.
        """
        return 1.0

    def priors(self, state: State, actions: Actions, count: int, priors: Any) -> None:
        """Write `prior` of the first `count` actions, exactly, to a buffer of floats.

        A game may override it where one look at a state serves many actions.
        """
        for index in range(count):
            priors[index] = self.prior(state, int(actions[index]))

    def evaluate(self, state: State, player: int) -> float:
        """The heuristic value of a state for `player`, in `return_range`.

        An estimate of `returns`: where `zero_sum` is true, the players' add up to 0.
        Where `has_rewards` is true, of what is still to come of them.
        Asked of states that are not terminal, by policies that say so (implicit
        minimax, progressive bias, truncated rollouts) and at the horizon of
        alpha-beta.
        """
        return 0.0

    def settle(
        self, state: State, nodes: int, table: NDArray[np.uint64]
    ) -> tuple[int, int, int]:
        """Prove what a state is worth, by an exact search that looks at few positions.

        For two players, without chance and hidden information, whose returns add up to
        0. Asked of states that are not terminal (see `ScoreBounds`), which must be as
        before when it returns. What it says is proven; `UNSETTLED` is always right.

        Args:
            state: what is to be settled.
            nodes: how many positions to look at, about; a millisecond's worth or less.
            table: `[settle_table_size()]` words to keep what was found in, for each
                thread its own. They are 0 at first, and stay from call to call, of
                other positions too: so entries need a key, and asking goes on.

        Returns:
            The outcome for the player to move (`SETTLED_WIN`, `SETTLED_DRAW`,
            `SETTLED_LOSS`, a bound or `UNSETTLED`); an action that reaches it, which a
            win needs, or -1; and how many actions it takes to the end of the game, 0
            where that is not known.
        """
        return UNSETTLED, -1, 0

    @constant
    def highest_return(self) -> float:
        """The end of `return_range` that is a win; infinite where it has none."""
        return math.inf if self.return_range is None else float(self.return_range[1])

    def settle_table_size(self) -> int:
        """How many words `settle` wants to keep; 0 for none."""
        return 1 << 16

    def hash(self, state: State) -> Any:
        """64 bits (`np.uint64`), equal for states with the same future, move for move.

        Mirrored states have other moves, so their hashes must differ. Asked by
        alpha-beta's table and by searches with transpositions; by default of the
        state's bytes.
        """
        return row_hash(state)

    # -- what a game may add, for people -----------------------------------------------

    def action_name(self, action: int) -> str:
        """How people write the action."""
        return str(action)

    def parse_action(self, text: str) -> int:
        """The action that a person wrote; raises `UsageError` if it is none.

        By default the one that `action_name` calls so, where a class writes that.
        """
        if has_own(self, "action_name") and not has_own(self, "parse_action"):
            return read_name(text, self)
        return read_number(text, self.num_actions())

    def why_urgent(self, state: State, action: int) -> str:
        """Why an urgent action must be played, in words; not asked of one that wins."""
        return ""

    def why_settled(self, state: State, action: int) -> str:
        """Why `settle` could prove this move, in words: "wins by fours: H9, H8"."""
        return ""

    def board(self, state: State, last_action: int | None = None) -> Board | None:
        """What a board game looks like; None where there is no board."""
        return None

    def cell(self, action: int) -> Cell | None:
        """The (row, column) of the board that names an action; None if no cell does."""
        return None

    def action_cells(self, action: int) -> tuple[Cell, ...]:
        """The cells that a person clicks, one after another, to play an action.

        Two cells are from and to. An action without cells, such as a pass, gets a
        button. If several legal actions have the same cells, as in a promotion, people
        are asked by `action_name` which one they mean; if one's cells are the
        beginning of another's, they may stop there. By default the one `cell`.
        """
        cell = self.cell(action)
        return () if cell is None else (cell,)

    def render(
        self, state: State, last_action: int | None = None, color: bool = False
    ) -> str:
        """The state as text for a terminal, with ANSI colours if asked."""
        board = self.board(state, last_action)
        return self.state_to_text(state) if board is None else draw(board, color)

    def state_to_text(self, state: State) -> str:
        """One line from which `state_from_text` makes the same state."""
        return " ".join(
            f"{name}={field_text(getattr(state, name))}"
            for name in self.state_dtype().names or ()
        )

    def state_from_text(self, text: str, state: State) -> None:
        """Write the state that a text describes. Modified in place.

        Raises:
            PositionError: the text does not describe a state of this game.
        """
        set_fields(state, text, self.state_dtype())


def has_own(game: Game, method: str) -> bool:
    """Whether a game has an optional method of its own, such as `prior` or `hash`.

    >>> has_own(Game(), "hash")
    False
    """
    return getattr(type(game), method) is not getattr(Game, method)
