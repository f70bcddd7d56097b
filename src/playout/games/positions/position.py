"""`Position`: a state with its history, for people and for programs around the search.

It runs the rules interpreted, checks every move, and takes moves back by keeping the
states that led here.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from random import Random
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...core.errors import (
    IllegalMoveError,
    PlayoutError,
    PositionError,
    RulesError,
    UsageError,
    quote,
)
from ...core.jit.rows import Row, Rows, copy_rows
from ...core.rng import Rng, make_rng
from ...core.text.fields import expect_whole, is_whole
from ..check.failures import own_words
from ..check.soundness import expect_answer, expect_game, expect_position, expect_text
from ..contract.game import CHANCE, Game, has_own
from ..contract.names import in_a_row, nearest_first, no_such_name
from ..drawing.picture import draw_board

__all__ = ["Position"]


class Position:
    """A state of a game and how it came about; modified in place by `play` and `undo`.

    As they change, two are never equal, and a set tells them apart; that they hold the
    same state is what their `to_text()` says.

    Args:
        game: the rules.
        text: a position in the game's text form to begin with; the start by default.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> position = Position(TicTacToe()).play("b2").play("a1")
    >>> position.moves, position.current_player
    (['b2', 'a1'], 0)
    >>> position.undo().moves
    ['b2']
    """

    def __init__(self, game: Game, text: str | None = None) -> None:
        expect_game(game)
        if text is not None and not isinstance(text, str):
            raise UsageError(f"a position is described by a text, not {quote(text)}")
        self.game = game
        self.actions: list[int] = []
        array = np.zeros(1, dtype=game.state_dtype())
        self._states = [array]
        self._buffer = np.zeros(max(1, game.num_actions()), dtype=np.int32)
        self._listed: tuple[bytes, list[int]] | None = None
        self.start_text = text
        with np.errstate(over="ignore"):
            game.initial_state(self.state)
            if text is not None:
                self._read_state(text)

    @classmethod
    def from_moves(cls, game: Game, moves: Iterable[str | int]) -> Position:
        """The position after these moves from the start.

        A text of moves with blanks between is taken apart. Words that are no moves are
        joined, where a legal move has a name of several, and taken apart, where moves
        have names of one letter each, as in 4453.

        Raises:
            UsageError: a move cannot be read or played; says which one.
        """
        position = cls(game)
        if not isinstance(moves, Iterable):
            raise UsageError(f"moves are given one after another, not {quote(moves)}")
        if isinstance(moves, str) and len(moves.split()) > 1:
            moves = moves.split()
        words, number, at = list(moves), 0, 0
        while at < len(words):
            number += 1
            try:
                position.play(words[at])
                at += 1
            except UsageError as error:
                if taken := position._play_several(words[at:]):
                    at += taken
                elif letters := position._letters(words[at]):
                    words[at : at + 1] = letters
                    number -= 1
                else:
                    raise type(error)(f"move {number}: {error}") from None
        return position

    def _play_several(self, words: list[str | int]) -> int:
        """Play the legal move whose name the first words are; returns their number."""
        for action in self.legal_actions():
            name = self.game.action_name(action).casefold().split()
            count = len(name)
            if count > 1 and name == [str(word).casefold() for word in words[:count]]:
                self.play(action)
                return count
        return 0

    def _letters(self, word: str | int) -> str:
        """The letters of a word, if each names a move, and moves have such names."""
        names = map(self.game.action_name, self.legal_actions())
        if isinstance(word, int) or len(word) < 2 or any(len(n) > 1 for n in names):
            return ""
        try:
            list(map(self._read, word))
        except UsageError:
            return ""
        return word

    @classmethod
    def at(cls, game: Game, array: NDArray[np.void]) -> Self:
        """The position of a `[1]` state, which is copied; no moves led there."""
        position = cls(game)
        position._states = [copy_rows(array)]
        position.start_text = position.to_text()
        return position

    @property
    def array(self) -> np.ndarray:
        """`[1]` of the game's `state_dtype`: what a search is given."""
        return self._states[-1]

    @property
    def state(self) -> Row:
        """The state, for the game's own methods."""
        return Rows(self._states[-1])[0]

    @property
    def moves(self) -> list[str]:
        """The moves since the start, as people write them."""
        return [self.game.action_name(action) for action in self.actions]

    @property
    def last_action(self) -> int | None:
        return self.actions[-1] if self.actions else None

    @property
    def current_player(self) -> int:
        player = self.game.current_player(self.state)
        return int(expect_answer(self.game, "current_player", player))

    @property
    def is_chance(self) -> bool:
        """Whether dice, cards or the like decide what comes next."""
        if not self.game.has_chance or self.is_terminal:
            return False
        return self.current_player == CHANCE

    @property
    def is_terminal(self) -> bool:
        with np.errstate(over="ignore"):
            over = self.game.is_terminal(self.state)
        return bool(expect_answer(self.game, "is_terminal", over))

    def returns(self, player: int) -> float:
        """The finished game's result for a player, in the game's own units.

        Raises:
            PositionError: the game goes on, of which the rules know no result.
        """
        expect_whole("player", player, 0, self.game.num_players() - 1)
        if not self.is_terminal:
            raise PositionError("the game is not over: it has no returns yet")
        with np.errstate(over="ignore"):
            value = self.game.returns(self.state, player)
        return float(expect_answer(self.game, "returns", value))

    def legal_actions(self) -> list[int]:
        """The legal actions, ascending; empty when the game is over.

        Whoever asks for them mostly plays one of them, which asks for them again: they
        are remembered for the last state of which they were asked.
        """
        state, listed = self._states[-1].tobytes(), self._listed
        if listed is None or listed[0] != state:
            self._listed = listed = state, self._list_legal()
        return list(listed[1])

    def _list_legal(self) -> list[int]:
        with np.errstate(over="ignore"):
            count = self.game.legal_actions(self.state, self._buffer)
        if (
            not 0
            <= expect_answer(self.game, "legal_actions", count)
            <= len(self._buffer)
        ):
            raise RulesError(
                f"legal_actions returned {count}, with {len(self._buffer)} actions "
                f"in all, in the position {self.to_text()!r}"
            )
        return self._buffer[:count].tolist()

    def find(self, move: str | int) -> int:
        """The action that a move names, which is legal here.

        Raises:
            UsageError: the text is not a move of this game.
            IllegalMoveError: the move is not legal here, or the game is over.
        """
        action = self._read(move)
        if action not in (legal := self.legal_actions()):
            raise IllegalMoveError(self._why_illegal(move, legal))
        return action

    def play(self, move: str | int) -> Position:
        """Play a move, given as text or as an action; returns itself.

        Raises:
            UsageError: the text is not a move of this game.
            IllegalMoveError: the move is not legal here, or the game is over.
        """
        action = self.find(move)
        following = copy_rows(self._states[-1])
        with np.errstate(over="ignore"):
            self.game.apply(Rows(following)[0], action)  # which may fail
        self._states.append(following)
        self.actions.append(action)
        return self

    def play_chance(self, rng: Rng | Random) -> Position:
        """Play what chance draws, until it is a player's turn; returns itself.

        Args:
            rng: a `random.Random`, which is kept from draw to draw.
        """
        if isinstance(rng, Random):
            rng = make_rng(rng.getrandbits(64))
        elif not isinstance(rng, Rng):
            raise UsageError(
                "chance draws by a random.Random, which is kept from draw to draw, not "
                f"by {quote(rng)}"
            )
        while self.is_chance:
            with np.errstate(over="ignore"):
                action = self.game.sample_chance(self.state, self._buffer, rng)
            self.play(int(expect_answer(self.game, "sample_chance", action)))
        return self

    def undo(self) -> Position:
        """Take the last move back; returns itself."""
        if not self.actions:
            raise PositionError("there is no move to take back")
        self.actions.pop()
        self._states.pop()
        return self

    def copy(self) -> Position:
        """An independent copy; they share the states before, which nothing changes."""
        other = Position.__new__(Position)  # without setting up the start
        other.game, other.start_text = self.game, self.start_text
        other.actions = list(self.actions)
        other._states = [*self._states[:-1], copy_rows(self._states[-1])]
        other._buffer = np.zeros(len(self._buffer), dtype=np.int32)
        other._listed = self._listed
        return other

    def __copy__(self) -> Position:
        """For `copy.copy`, whose own would share the lists of moves and states."""
        return self.copy()

    def seen_by(self, player: int) -> Position:
        """A copy that holds what a player knows and no more.

        Where the game has hidden information, that is a position of its own, without
        the moves that led to it. A game that is over hides nothing.
        """
        expect_whole("player", player, 0, self.game.num_players() - 1)
        other = self.copy()
        if self.game.has_hidden and not self.is_terminal:
            with np.errstate(over="ignore"):
                self.game.hide(Rows(other._states[-1])[0], player)
            del other._states[:-1]
            other.actions.clear()
            other.start_text = other.to_text()
        return other

    def to_text(self) -> str:
        """One line from which `Position(game, text)` makes the same state."""
        return self.game.state_to_text(self.state)

    def render(self, color: bool = False) -> str:
        """The board as text."""
        with np.errstate(over="ignore"):
            text = self.game.render(self.state, self.last_action, color)
        return expect_text(self.game, "render", text)

    def __repr__(self) -> str:
        return f"Position({self.game!r}, {self.to_text()!r})"

    def _repr_svg_(self) -> str | None:
        """The board as a picture, for notebooks; None where there is no board."""
        board = self.game.board(self.state, self.last_action)
        moves = " ".join(self.moves[-8:])
        label = f"{self.game.title or self.game.name}{moves and ': '}{moves}"
        return None if board is None else draw_board(board, label)

    def _repr_html_(self) -> str | None:
        """What the game shows instead of a board; None where there is one."""
        if self.game.board(self.state, self.last_action) is not None:
            return None
        return f"<pre>{escape(self.render())}</pre>"

    def _read_state(self, text: str) -> None:
        try:
            self.game.state_from_text(text, self.state)
        except PlayoutError:
            raise
        except (TypeError, ValueError, LookupError) as error:
            raise PositionError(f"not a position: {quote(text)} ({error})") from error
        expect_position(self.game, self.state, text)

    def _read(self, move: str | int) -> int:
        """The action that a move names; it may be one that is not legal."""
        if is_whole(move):
            return int(move)
        if not isinstance(move, str):
            raise UsageError(f"a move is a text or a whole number, not {quote(move)}")
        try:
            return int(self.game.parse_action(move))
        except PlayoutError:
            by_name = has_own(self.game, "action_name")
            if by_name and not has_own(self.game, "parse_action"):
                self._tell_legal_names(move)
            raise
        except Exception as error:
            words = own_words(self.game, error)
            if not (words or isinstance(error, TypeError | ValueError | LookupError)):
                raise
            said = f"{quote(move)} is not a move" + f": {words}" * bool(words)
            raise UsageError(said) from None

    def _tell_legal_names(self, move: str) -> None:
        """Say which moves there are instead of one that no action is called."""
        if legal := self.legal_actions():
            names = nearest_first(move, map(self.game.action_name, legal))
            raise no_such_name(move, names, "legal") from None

    def _why_illegal(self, move: str | int, legal: list[int]) -> str:
        if is_whole(move) and 0 <= int(move) < self.game.num_actions():
            move = self.game.action_name(int(move))
        move = quote(move).strip("'")
        if not legal:
            return f"{move}: the game is over"
        names = map(self.game.action_name, legal)
        shown = (nearest_first(move, names) if len(legal) > 12 else list(names))[:12]
        more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
        return f"{move} cannot be played here; legal are {in_a_row(shown)}{more}"
