"""`alphabeta` and `negamax`: classical search, without chance or hidden information."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Annotated

import numpy as np

from ..core.errors import UsageError
from ..core.text.fields import AtMost
from ..games.check.bounds import expect_bounds
from ..games.contract.game import Game
from ..games.contract.units import bounds_of, score_of
from ..games.positions.position import Position
from .minimax import Minimax, clear_level, make_minimax, run
from .player import LONGEST_SECONDS, Allowance, Decision, Player
from .timing import move_seconds

__all__ = ["AlphaBetaPlayer", "Deepening", "Found", "alphabeta", "negamax"]

#: Time for a move where neither a depth nor a time is given.
DEFAULT_SECONDS = 1.0
#: How long the kernel runs between two looks at the clock.
CHUNK_SECONDS = 0.004
#: How often whoever watches is told.
PROGRESS_SECONDS = 0.1
#: The deepest look-ahead, and 2^n entries of 32 bytes in the table of states.
MOST_LEVELS, TABLE_BITS = 128, 20


def alphabeta(
    game: Game,
    *,
    depth: Annotated[int | None, AtMost(MOST_LEVELS - 1)] = None,
    seconds: Annotated[float | None, AtMost(LONGEST_SECONDS)] = None,
    urgent: bool = True,
) -> Player:
    """Alpha-beta with a table of states and iterative deepening."""
    return AlphaBetaPlayer("alphabeta", game, depth, seconds, urgent=urgent)


def negamax(
    game: Game, *, depth: Annotated[int, AtMost(MOST_LEVELS - 1)] = 4
) -> Player:
    """Plain minimax to a depth: every line, nothing pruned or remembered."""
    return AlphaBetaPlayer("negamax", game, depth, plain=True)


class AlphaBetaPlayer(Player):
    """Looks ahead 1, 2, 3, ... actions, as far as depth and time allow.

    Beyond its horizon a state has the game's `evaluate(state, player)`, or else 0, as
    a draw, or the return nearest to 0. Ties are broken at random.

    Args:
        spec: the text that makes it.
        game: the rules: one player, or two whose returns add up to 0; no chance, no
            hidden information, no rewards before the end.
        depth: actions to look ahead at most, at least 1.
        seconds: time for a move at most, above 0.
        plain: without pruning, table and restriction to urgent actions.
        urgent: try only the game's `urgent_actions` where it names any.
    """

    def __init__(
        self,
        spec: str,
        game: Game,
        depth: int | None = None,
        seconds: float | None = None,
        *,
        plain: bool = False,
        urgent: bool = True,
    ) -> None:
        super().__init__(spec, game)
        if depth is not None and not 1 <= depth < MOST_LEVELS:
            raise UsageError(f"depth must be 1 to {MOST_LEVELS - 1}, not {depth}")
        self.depth, self.seconds = depth, Allowance(seconds=seconds).seconds
        self.deepening = Deepening(game, plain=plain, urgent=urgent)
        self._stopped = False

    def prepare(self) -> None:
        self.deepening.prepare()

    def new_game(self, seed: int) -> None:
        self.deepening.reset(seed)

    def stop(self) -> None:
        self._stopped = True

    def choose(self, position: Position, allowance: Allowance) -> Decision:
        self._stopped = False
        granted = self.granted(allowance)
        times = [self.seconds, move_seconds(granted, position)]
        given = [seconds for seconds in times if seconds is not None]
        if not given and self.depth is None:
            given = [DEFAULT_SECONDS]
        only_move = len(position.legal_actions()) == 1
        found = self.deepening.search(
            position,
            1 if only_move else self.depth,
            min(given, default=math.inf),
            self._watcher(granted),
        )
        score = score_of(self.game, found.value)
        return Decision(found.action, None, str(found), score)

    def _watcher(self, allowance: Allowance) -> Callable[[], bool]:
        """Tells a search whether to stop, and reports progress now and then."""
        told = self.deepening.clock()

        def stopped() -> bool:
            nonlocal told
            now = self.deepening.clock()
            if allowance.progress is not None and now - told >= PROGRESS_SECONDS:
                told = now
                self._stopped |= allowance.progress(None) is False
            return self._stopped

        return stopped


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes:
        action: the move.
        value: for the player to move, in the game's own units.
        depth: actions looked ahead.
        nodes: states seen.
        complete: the value is exact: no line met the horizon.
    """

    action: int
    value: float
    depth: int
    nodes: int
    complete: bool

    def __str__(self) -> str:
        exact = " exact" if self.complete else ""
        return f"depth {self.depth}, {self.value:+.2f}{exact}, {self.nodes:,} nodes"


class Deepening:
    """Iterative deepening: a search one action deeper at a time, the best move first.

    So the shortest win is found, and a lost player defends as long as it can. Nothing
    is kept from one search to the next, as that might be longer wins.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> str(Deepening(TicTacToe()).search(Position(TicTacToe()))).split(", ")[:2]
    ['depth 9', '+0.00 exact']
    """

    def __init__(self, game: Game, *, plain: bool = False, urgent: bool = True) -> None:
        two = game.num_players() == 2
        unsure = game.has_chance or game.has_hidden or game.has_rewards
        if unsure or game.num_players() > 2 or (two and not game.zero_sum):
            raise UsageError(
                "minimax is for games of one player, or of two whose returns add up "
                "to 0, without chance, hidden information or rewards on the way; "
                f"{game.name or type(game).__name__} is not one"
            )
        self.game, self.plain, self.urgent = game, plain, urgent
        self.clock: Callable[[], float] = time.perf_counter
        self._random = Random()
        self._minimax: Minimax | None = None
        self._native: Callable[..., None] | None = None

    def prepare(self) -> None:
        """Compile or load what a search runs, and take its memory."""
        if self._native is not None:
            return
        expect_bounds(self.game)
        levels = min(self.game.max_game_length(), MOST_LEVELS) + 1
        bits = 0 if self.plain else TABLE_BITS
        self._minimax = make_minimax(self.game, levels, bits, self.plain, self.urgent)
        self._native = run.compile(self._minimax, 0)

    def reset(self, seed: int) -> None:
        """Forget everything; this seed draws among equal moves."""
        self._random = Random(seed)
        if self._minimax is not None:
            self._minimax.table.array[:] = 0
            self._minimax.history[:] = 0

    def search(
        self,
        position: Position,
        depth: int | None = None,
        seconds: float = math.inf,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Found:
        """Search a position that is not terminal, to a limit or an exact value.

        Args:
            position: where to look ahead from.
            depth: actions to look ahead at most.
            seconds: time to take; what is known then is the answer.
            stopped: asked every few milliseconds whether to end at once.
        """
        self.prepare()
        assert self._minimax is not None
        end = self.clock() + seconds
        order = position.legal_actions()
        self._random.shuffle(order)
        self._begin(position)
        found = Found(order[0], self._minimax.unknown, 0, 0, False)
        for ahead in range(1, self._deepest(position, depth) + 1):
            self._open_root(position, order, ahead)
            done = self._run_until(end, stopped)
            found = self._read_root(found, ahead, done)
            if not done or found.complete:
                break
            if not self.plain:
                order.sort(key=lambda action: action != found.action)
        return found

    def _deepest(self, position: Position, depth: int | None) -> int:
        """The largest depth: no game is longer."""
        left = self.game.max_game_length() - len(position.actions)
        return max(1, min(left, MOST_LEVELS - 1, depth or MOST_LEVELS))

    def _begin(self, position: Position) -> None:
        minimax = self._minimax
        assert minimax is not None
        minimax.states.array[0] = position.array[0]
        minimax.history[:] //= 8
        minimax.info.array["nodes"] = 0
        minimax.info.array["salt"] = self._random.getrandbits(64)

    def _open_root(self, position: Position, order: list[int], depth: int) -> None:
        minimax = self._minimax
        assert minimax is not None
        root = minimax.levels[0]
        root.alpha, root.beta = -math.inf, math.inf
        root.depth, root.mover = depth, position.current_player
        root.count = len(order)
        clear_level(root)
        minimax.actions[: len(order)] = np.array(order, dtype=np.int32)
        minimax.info.array["ply"] = 0

    def _run_until(self, end: float, stopped: Callable[[], bool]) -> bool:
        """Go on until the time is over; returns whether the iteration was finished."""
        assert self._native is not None
        assert self._minimax is not None
        info, chunk = self._minimax.info.array[0], 1000
        while info["ply"] >= 0:
            started = self.clock()
            if started >= end or stopped():
                return False
            self._native(self._minimax, int(info["nodes"]) + chunk)
            took = max(self.clock() - started, 1e-9)
            chunk = max(100, min(2 * chunk, int(chunk * CHUNK_SECONDS / took)))
        return True

    def _read_root(self, before: Found, depth: int, done: bool) -> Found:
        """The answer after an iteration, which may have been broken off.

        An interrupted iteration counts if it has confirmed, or replaced, the
        best move of the last, which it tries first. A loss is no reason to change the
        move: that of the last iteration loses later.
        """
        assert self._minimax is not None
        root, nodes = self._minimax.levels[0], int(self._minimax.info.array["nodes"][0])
        if not done and (self.plain or root.best_action < 0):
            return Found(before.action, before.value, before.depth, nodes, False)
        best, complete = float(root.best) + 0.0, done and bool(root.complete)
        lost = complete and best <= bounds_of(self.game).low and before.depth > 0
        action = before.action if lost else int(root.best_action)
        return Found(action, best, depth if done else before.depth, nodes, complete)
