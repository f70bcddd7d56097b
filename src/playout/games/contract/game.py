"""The contract: what a game is, and the laws it keeps.

A game is a frozen dataclass: its fields are its parameters, its methods the rules, and
a state is a row of a NumPy structured array. `playout.check_game` tests every law
below on any game.

Laws (s a reachable state, a an action):

1. `is_terminal(s)` exactly when `legal_actions(s, ...)` returns 0.
2. Legal actions are written in ascending order, without repeats, all in
   `0 .. num_actions() - 1`; nothing is written beyond them but in the buffer. So are
   urgent actions, which are some of the legal ones.
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
   away, and hiding its result gives what hiding s gives.
12. `evaluate(s, p)` lies in `return_range`, and for all players of a zero-sum game adds
   up to 0; `prior(s, a)` is 0 or more, and not 0 for all; neither changes s.
13. `rollout(s, ...)` plays s to the end, or `max_game_length()` actions, and returns
   how many it played.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.compiled import Compiled
from ...core.rng import draw_from, draws_per_number
from ..drawing.board import Board, Cell, draw
from .fields import field_text, set_field

__all__ = [
    "CHANCE",
    "Actions",
    "Game",
    "Planes",
    "State",
    "decided",
    "draw_outcome",
    "has_own",
    "uniform_rollout",
]

#: What `current_player` says where dice, cards or the like decide.
CHANCE = -1

#: A row of the game's `state_dtype`, read and written by attribute.
State: TypeAlias = Any
#: `[num_actions]` int32: the buffer that `legal_actions` fills.
Actions: TypeAlias = NDArray[np.int32]
#: `observation_shape` float32: what `observe` fills.
Planes: TypeAlias = NDArray[np.float32]


class Game(Compiled):
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
    #: Whether players know different things; then `hide` and `determinize` must be
    #: written.
    has_hidden: ClassVar[bool] = False
    #: How many moves a player may make in a row by the rules; 0 where nothing is said.
    moves_in_a_row: ClassVar[int] = 0
    #: How people call the players, in order of index.
    player_names: ClassVar[tuple[str, ...]] = ("X", "O")

    interpreted_methods = frozenset(
        {
            "action_cells",
            "action_name",
            "board",
            "cell",
            "name",
            "parse_action",
            "player_names",
            "render",
            "return_range",
            "state_dtype",
            "state_from_text",
            "state_to_text",
            "title",
            "why_urgent",
        }
    )

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

        Asked of states that are not terminal.
        Fills the buffer like `legal_actions`; returns how many, 0 for no restriction.
        The restriction must be sound: leaving out the other moves never changes the
        game-theoretic value of the state.
        """
        return 0

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play uniformly random actions to the end; returns how many were played.

        Modified in place. A game may override it to do the same thing faster, or to
        play more wisely. `rng.below(n)` draws an integer, `rng.uniform()` a float.
        Chance draws its actions by their probabilities.
        """
        return uniform_rollout(self, state, actions, rng)

    def chance_probability(self, state: State, action: int) -> float:
        """How likely an outcome is, above 0 to 1, in a state where chance moves."""
        raise NotImplementedError

    def sample_chance(self, state: State, actions: Actions, rng: Any) -> int:
        """Draw an outcome by its probability, where chance moves.

        `actions` is a buffer to work in. A game may override it to draw faster.
        """
        return draw_outcome(self, state, actions, rng)

    def hide(self, state: State, player: int) -> None:
        """Write over what a player does not know. Modified in place.

        The player is never shown more than what is left: on the board, as a position,
        as the root of its search. Two states that look the same to a player must become
        the same, byte for byte. If earlier knowledge matters, the state must hold it.
        """
        raise NotImplementedError

    def determinize(self, state: State, player: int, rng: Any) -> None:
        """Draw what a player does not know, as it may be. Modified in place.

        The state may be hidden already; it is asked of states that are not terminal.
        Usually all states that look the same to the player are equally likely.
        """
        raise NotImplementedError

    def prior(self, state: State, action: int) -> float:
        """How promising a legal action looks, beside others: 0 or more, not all 0.

        Only its share of the sum over all legal actions counts. Asked of states that
        are not terminal, by policies that say so: PUCT, progressive bias and widening,
        weighted rollouts.
        """
        return 1.0

    def evaluate(self, state: State, player: int) -> float:
        """The heuristic value of a state for `player`, in `return_range`.

        An estimate of `returns`: where `zero_sum` is true, the players' add up to 0.
        Asked of states that are not terminal, by policies that say so (implicit
        minimax, progressive bias, truncated rollouts) and at the horizon of
        alpha-beta.
        """
        return 0.0

    def observation_shape(self) -> tuple[int, ...]:
        """The shape of what `observe` writes, such as (planes, rows, columns)."""
        return ()

    def observe(self, state: State, planes: Planes) -> None:
        """Write what an evaluator is to see of a state, as a network's input.

        `planes` is of `observation_shape` and comes zeroed. As the value it is asked
        for is that of the player to move, that player's pieces mostly come first.
        """
        return

    def hash(self, state: State) -> Any:
        """64 bits (`np.uint64`), equal for states with the same future, move for move.

        Mirrored states have other moves, so their hashes must differ. Asked by
        alpha-beta's table and by searches with transpositions, in place of the state's
        bytes.
        """
        raise NotImplementedError

    # -- what a game may add, for people -----------------------------------------------

    def action_name(self, action: int) -> str:
        """How people write the action."""
        return str(action)

    def parse_action(self, text: str) -> int:
        """The action that a person wrote; raises `UsageError` if it is none."""
        try:
            action = int(text)
        except ValueError:
            action = -1
        if not 0 <= action < self.num_actions():
            raise UsageError(
                f"{quote(text)} is not a move; moves are 0 to {self.num_actions() - 1}"
            )
        return action

    def why_urgent(self, state: State, action: int) -> str:
        """Why an urgent action must be played, in words; not asked of one that wins."""
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
        dtype = self.state_dtype()
        pairs = [part.partition("=")[::2] for part in text.split()]
        if [name for name, _ in pairs] != list(dtype.names or ()):
            expected = " ".join(f"{name}=..." for name in dtype.names or ())
            raise PositionError(f"not a position: {quote(text)}; expected {expected}")
        for name, value in pairs:
            set_field(state, name, value, dtype[name])


def has_own(game: Game, method: str) -> bool:
    """Whether a game has its own `prior`, `evaluate`, `observe` or `hash`.

    >>> has_own(Game(), "hash")
    False
    """
    return getattr(type(game), method) is not getattr(Game, method)


def decided(winner: int, player: int) -> float:
    """The return for `player` in a game of two that `winner` won; -1 is nobody.

    >>> decided(0, 0), decided(0, 1), decided(-1, 1)
    (1.0, -1.0, 0.0)
    """
    if winner < 0:
        return 0.0
    return 1.0 if winner == player else -1.0


def uniform_rollout(game: Any, state: State, actions: Actions, rng: Any) -> int:
    """Play random legal actions to the end, by `legal_actions` and `apply` alone."""
    if game.fills() and not game.has_chance:
        return _fill_at_random(game, state, actions, rng)
    draws = draws_per_number(game.num_actions())  # a power of two
    plies, moves, bits = 0, 0, np.uint64(0)
    limit = game.max_game_length()
    while plies < limit and not game.is_terminal(state):
        if game.has_chance and game.current_player(state) == CHANCE:
            game.apply(state, game.sample_chance(state, actions, rng))
            plies += 1
            continue
        count = game.legal_actions(state, actions)
        if count <= 0:  # against law 1; a search must not hang on it
            break
        if moves & (draws - 1) == 0:
            bits = rng.next()
        drawn, bits = draw_from(bits, count)
        game.apply(state, int(actions[drawn]))  # NumPy's would be narrow
        moves += 1
        plies += 1
    return plies


def draw_outcome(game: Any, state: State, actions: Actions, rng: Any) -> int:
    """An outcome drawn by `chance_probability`: the first whose sum passes a number."""
    count = game.legal_actions(state, actions)
    left = rng.uniform()
    for index in range(count - 1):
        left -= game.chance_probability(state, int(actions[index]))
        if left < 0:
            return int(actions[index])
    return int(actions[count - 1])


def _fill_at_random(game: Any, state: State, actions: Actions, rng: Any) -> int:
    """The same where actions are only used up: each is drawn once (Fisher-Yates)."""
    draws = draws_per_number(game.num_actions())  # a power of two
    plies, bits = 0, np.uint64(0)
    count = game.legal_actions(state, actions)
    rest = max(0, count - game.max_game_length())
    while count > rest and not game.is_terminal(state):
        if plies & (draws - 1) == 0:
            bits = rng.next()
        drawn, bits = draw_from(bits, count)
        count -= 1
        action = int(actions[drawn])
        actions[drawn] = actions[count]
        game.apply(state, action)
        plies += 1
    return plies
