"""`mcts`: the search as a player; every limit, preset, policy and field has a name."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from random import Random
from typing import Annotated, Any

from ..core.errors import UsageError
from ..core.text.fields import AtMost
from ..games.contract.game import Game
from ..games.contract.names import in_a_row
from ..games.positions.position import Position
from ..search.arguments import MOST_THREADS
from ..search.catalogue import PHASES
from ..search.evaluation.evaluator import MOST_STATES
from ..search.limit import Limit, expect_seconds
from ..search.mcts import MCTS, MOST_NODES
from ..search.result.result import Result
from ..search.running.background import compile_helpers
from ..search.solver.score_bounds import ScoreBounds
from .baselines import opening
from .book import from_book
from .evaluators import named_evaluator
from .player import LONGEST_SECONDS, Allowance, Decision, Player
from .policies import all_policy_fields, make_policies
from .timing import move_seconds

__all__ = ["MCTSPlayer", "mcts"]

#: Time for a move where nobody sets a limit.
DEFAULT_SECONDS = 1.0
#: How many moves of the expected line a comment shows.
LINE_MOVES = 6
#: Bytes that a spec may ask for, the same on every machine; `Limit` knows the machine.
MOST_MEMORY = 1 << 40
#: The fields of `Limit`, none of them more than there can be, or than anybody needs.
LIMITS: dict[str, Any] = {
    "seconds": Annotated[float | None, AtMost(LONGEST_SECONDS)],
    "simulations": Annotated[int | None, AtMost(2**32 - 1)],
    "nodes": Annotated[int | None, AtMost(MOST_NODES)],
    "memory": Annotated[int | None, AtMost(MOST_MEMORY)],
}
#: What a search can be told besides its policies.
SEARCH_OPTIONS: dict[str, Any] = {
    "batch": Annotated[int, AtMost(MOST_STATES)],
    "early_stop": bool,
    "evaluator": str,
    "executor": str,
    "threads": Annotated[int, AtMost(MOST_THREADS)],
    "transpositions": bool,
    "trees": Annotated[int, AtMost(MOST_THREADS)],
    "virtual_loss": float,
}
#: What only the player can be told.
PLAYER_OPTIONS: dict[str, Any] = {
    "blunder": float,
    "book": bool,
    "first_seconds": LIMITS["seconds"],
    "ponder": bool,
    "reuse": bool,
}


def mcts(game: Game, **values: Any) -> Player:
    """The search, with limits, policies and their fields as keywords.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> mcts(TicTacToe(), c_uct=0.5, choice="mean").search.choice
    HighestMean(min_share=0.0)
    """
    player = {name: values.pop(name) for name in PLAYER_OPTIONS if name in values}
    limits = {name: values.pop(name, None) for name in LIMITS}
    own = {name: values.pop(name) for name in SEARCH_OPTIONS if name in values}
    if isinstance(own.get("evaluator"), str):
        own["evaluator"] = named_evaluator(own["evaluator"], game)
    transposed = bool(own.get("transpositions"))
    policies = make_policies(game, values, transposed, own.get("evaluator"))
    return MCTSPlayer("mcts", game, {**policies, **own}, **player, **limits)


class MCTSPlayer(Player):
    """Thinks by `MCTS` and keeps its tree from move to move.

    Limits of its own and those that it is given are honoured together.

    Args:
        spec: the text that makes it.
        game: the rules.
        policies: the keywords of `MCTS`.
        blunder: probability of a uniformly random move instead of a thought one, 0 to
            1; what makes weak opponents of different strengths.
        book: play what the game's book of openings says, where the search may be
            settled exactly; a search without a solver, or with `settle=no`, has none.
            None: where time alone limits the search, as simulations or nodes are
            counted by those who want to see a search.
        ponder: think on while the opponents do. That takes processor time from all
            others that play on this machine.
        reuse: keep what the tree knows of the position after a move; else every move
            is thought about afresh.
        first_seconds: in place of `seconds` for the first move of a game that is
            thought about.
        limits: the fields of `Limit`.
    """

    def __init__(
        self,
        spec: str,
        game: Game,
        policies: dict[str, Any] | None = None,
        *,
        blunder: float = 0.0,
        book: bool | None = None,
        ponder: bool = False,
        reuse: bool = True,
        first_seconds: float | None = None,
        **limits: Any,
    ) -> None:
        super().__init__(spec, game)
        if not 0 <= blunder <= 1:
            raise UsageError(f"blunder must be 0 to 1, not {blunder}")
        if ponder and not reuse:
            raise UsageError("ponder thinks in the tree that reuse=no throws away")
        self.limits = {
            name: value for name, value in limits.items() if value is not None
        }
        self.first_seconds = first_seconds
        expect_seconds("first_seconds", first_seconds)
        if self.limits:
            Limit(**self.limits)  # complains about what is out of range
        self.search = MCTS(game, **(policies or {}))
        self.blunder, self.ponder, self.reuse = blunder, ponder, reuse
        solver = self.search.policies.solver
        may_settle = isinstance(solver, ScoreBounds) and solver.settle != "no"
        self.book = book if may_settle else False
        self._random = Random(self.search.seed)
        self._stopped, self._begins = False, True

    def prepare(self) -> None:
        self.search.compile()
        if not self.search.interpreted:
            compile_helpers(self.search.policies)

    def get_ready(self) -> None:
        self.search.compile(wait=False)
        if not self.search.is_compiling:
            self.prepare()

    def new_game(self, seed: int) -> None:
        self.search.reset(seed)
        self._random, self._begins = Random(seed), True

    def stop(self) -> None:
        self._stopped = True

    def close(self) -> None:
        self.search.stop_pondering()

    def choose(self, position: Position, allowance: Allowance) -> Decision:
        decision = self._decide(position, allowance)
        if self.ponder:
            memory = self.limit(self.granted(allowance), position).memory
            self._think_on(position.copy().play(decision.action), memory)
        return decision

    def _decide(self, position: Position, allowance: Allowance) -> Decision:
        started, self._stopped = self.search.clock(), False
        if self._random.random() < self.blunder:
            drawn = self._random.choice(position.legal_actions())
            return Decision(drawn, None, "at random")
        granted = self.granted(allowance)
        known = None if allowance.analysis else self._known(position, granted)
        if known is not None:
            return known
        if not self.reuse:
            self.search.reset()
        self.search.go_to(position)
        spent = self.search.clock() - started
        limit = self.limit(granted, position, spent)
        report = self._reporter(granted.progress)
        result = self.search.search(position, limit, progress=report)
        self._begins = False
        if result.stopped_by == "interrupted":
            raise KeyboardInterrupt
        if self._stopped and result.stopped_by == "callback":
            result = dataclasses.replace(result, stopped_by="interrupted")
        return Decision(result.action, result, describe(result), result.score)

    def _known(self, position: Position, allowance: Allowance) -> Decision | None:
        """A move that needs no search: the opening move, or one of the book."""
        if (center := opening(position)) is not None:
            return Decision(center, None, "opens in the centre")
        is_open = self.book
        if is_open is None:
            counts = self.limits.get("simulations"), self.limits.get("nodes")
            is_open = not any((*counts, allowance.simulations))
        return from_book(position) if is_open else None

    def _think_on(self, position: Position, memory: int | None) -> None:
        """Search on after a move in the background, with a search's memory."""
        if not position.is_chance:
            nodes = self.limits.get("nodes")
            own = Limit(nodes=nodes, memory=memory) if nodes or memory else None
            self.search.ponder(position, own)

    def limit(
        self, allowance: Allowance, position: Position, spent: float = 0.0
    ) -> Limit:
        """What a search of this position may use, its own limits included."""
        given = {**self.limits}
        if self._begins and self.first_seconds is not None:
            given["seconds"] = self.first_seconds
        time = move_seconds(allowance, position)
        if time is not None:
            time = max(time - spent, 0.001)
            given["seconds"] = min(time, given.get("seconds", time))
        if (most := allowance.simulations) is not None:
            given["simulations"] = min(most, given.get("simulations", most))
        if (memory := allowance.memory) is not None:
            given["memory"] = min(memory, given.get("memory", memory))
        if not {"seconds", "simulations"} & set(given):
            given["seconds"] = DEFAULT_SECONDS
        return Limit(**given)

    def _reporter(
        self, watcher: Callable[[Result], Any] | None
    ) -> Callable[[Result], bool]:
        """The progress callback: the caller's own, or `stop`, may end the search."""

        def report(result: Result) -> bool:
            wanted = watcher is None or watcher(result) is not False
            return wanted and not self._stopped

        return report


def describe(result: Result) -> str:
    """A result as a remark, such as "62.5% 10,000 sims pv 4 4 3"."""
    line = in_a_row(result.pv[:LINE_MOVES])
    return f"{result.shown_value} {result.simulations:,} sims pv {line}"


def _signature() -> inspect.Signature:
    """All that `mcts` accepts, collected from the limits and the policies."""
    accepted: dict[str, Any] = {**LIMITS, "preset": str, **SEARCH_OPTIONS}
    accepted |= dict.fromkeys(PHASES, str)
    accepted |= all_policy_fields()
    kinds = inspect.Parameter
    game = kinds("game", kinds.POSITIONAL_ONLY, annotation=Game)
    others = [
        kinds(name, kinds.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in {**accepted, **PLAYER_OPTIONS}.items()
    ]
    return inspect.Signature([game, *others])


mcts.__signature__ = _signature()  # type: ignore[attr-defined]
