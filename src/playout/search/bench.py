"""How fast the search is, and a number that shows when what it does has changed."""

from __future__ import annotations

import statistics
import time
from dataclasses import asdict, dataclass
from typing import Any

from ..core.jit.fallback import is_interpreted
from ..core.rng import make_rng
from ..games.contract.game import Game
from ..games.positions.counting import random_play
from ..games.positions.position import Position
from ..games.registry import game_spec, make_game
from .expansion.one_child import RandomChild
from .limit import Limit
from .mcts import MCTS
from .presets import tiny
from .rollout.uniform import Uniform
from .selection.uct import UCT
from .solver.base import Unsolved
from .solver.score_bounds import ScoreBounds

__all__ = ["Measurement", "default_simulations", "measure", "signature"]

#: Measured again until this much processor time is used, or so often.
ENOUGH_SECONDS, MOST_REPEATS = 2.0, 5


@dataclass(frozen=True)
class Measurement:
    """What a search of the start position took.

    Attributes:
        game: the game, as on the command line.
        threads: that searched.
        simulations_per_second: of processor time, the median of some runs.
        rollouts_per_second: bare random games from the start, without a tree.
        bytes_per_simulation: the tree's memory.
        compile_seconds: for compiling the search, or loading it from disk.
    """

    game: str
    threads: int
    simulations_per_second: float
    rollouts_per_second: float
    bytes_per_simulation: float
    compile_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values under stable names, ready for JSON."""
        return asdict(self)


def default_simulations(game: Game) -> int:
    """How many simulations a game is measured with; games of Gomoku are long.

    So are those of rules that are not compiled.
    """
    if is_interpreted(game):
        return 200
    return 10_000 if game.name == "gomoku" else 100_000


def measure(game: Game, simulations: int | None = None) -> Measurement:
    """Plain UCT with uniform rollouts, no rules that narrow moves, from the start.

    Where chance moves first, it has drawn something; the same every time.

    Args:
        game: the game.
        simulations: how many, above 0; by default `default_simulations`.
    """
    if simulations is not None:
        Limit(simulations=simulations)  # checks the number
    start = Position(game).play_chance(make_rng(seed=1))
    search = _plain(game)
    compile_seconds = search.compile()
    simulations = simulations or default_simulations(game)
    random_play(game, 1)  # compiles
    times: list[float] = []
    while len(times) < MOST_REPEATS and sum(times) < ENOUGH_SECONDS:
        search = _plain(game)
        search.compile()
        started = time.process_time()
        _search_all(search, start, simulations)
        times.append(time.process_time() - started)
    played = random_play(game, simulations)
    return Measurement(
        game=game_spec(game),
        threads=1,
        simulations_per_second=simulations / max(statistics.median(times), 1e-9),
        rollouts_per_second=simulations / max(played.seconds, 1e-9),
        bytes_per_simulation=search.tree.num_bytes / simulations,
        compile_seconds=compile_seconds,
    )


def _plain(game: Game, seed: int = 1) -> MCTS:
    return MCTS(
        game,
        selection=UCT(c_uct=2.0),
        expansion=RandomChild(urgent="never"),
        rollout=Uniform(),
        solver=Unsolved(),
        seed=seed,
    )


#: What `signature` searches: openings of the four games, a quiet and a sharp one each.
SIGNATURE_POSITIONS = (
    ("tic-tac-toe", ""),
    ("tic-tac-toe", "b2 a1"),
    ("connect-four", ""),
    ("connect-four", "4 4 4 4 3 3"),
    ("connect-four:rows=9,columns=12,forbidden=4/3", "4 4 5"),
    ("ultimate-tic-tac-toe", ""),
    ("gomoku", ""),
)
SIGNATURE_SIMULATIONS = 2000


def signature() -> int:
    """The nodes of fixed searches added up: the same wherever the search is the same.

    Every position is searched plainly and by the default policies, without the games'
    exact searches; Connect Four also with all children made at once.
    """
    return sum(
        _nodes(search, position)
        for spec, moves in SIGNATURE_POSITIONS
        for position in [Position.from_moves(make_game(spec), moves.split())]
        for search in _signature_searches(position.game)
    )


def _signature_searches(game: Game) -> list[MCTS]:
    guessing = MCTS(game, seed=2, solver=ScoreBounds(settle="no"))
    searches = [_plain(game), guessing]
    if game_spec(game) == "connect-four":
        searches.append(MCTS(game, seed=3, **tiny()))
    return searches


def _nodes(search: MCTS, position: Position) -> int:
    _search_all(search, position, SIGNATURE_SIMULATIONS)
    return search.tree.num_nodes


def _search_all(search: MCTS, position: Position, simulations: int) -> None:
    """Search; Ctrl-C is raised again, as a search cut short is no measurement."""
    limit = Limit(simulations=simulations)
    found = search.search(position, limit, forced_too=True)
    if found.stopped_by == "interrupted":
        raise KeyboardInterrupt
