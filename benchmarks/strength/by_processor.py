"""`mcts` whose seconds are those of its process on a processor, for matches.

    playout match gomoku benchmarks/strength/by_processor.py:player exec:./pbrain \
        --seconds 1 --tolerance 60

On a machine that does other things as well, the clock on the wall measures those too.
Programs that ask C's `clock()` how late it is count like this on Linux and macOS; with
one of them as opponent, and a tolerance that covers what the machine does besides, a
match at so many seconds a move is fair however busy the machine.
"""

import inspect
import time
from typing import Any

from playout.games.contract.game import Game
from playout.players.mcts import MCTSPlayer, mcts


def player(game: Game, **values: Any) -> MCTSPlayer:
    """The search as `mcts` takes it, timed by its processor time; one thread only."""
    made = mcts(game, **values)
    made.search.clock = time.process_time
    return made


player.__signature__ = inspect.signature(mcts)
