"""`perfect`: perfect play, for games where the value of every move can be known.

The values come from PyPI's `bitbully` for Connect Four on 7 columns and 6 rows, and
elsewhere from a search of every line to its end, which is done for games that cannot
last longer than 12 actions. It takes the shortest way to a win and the longest
to a loss, and breaks ties at random.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from random import Random

from ..core.errors import UsageError
from ..games.connect_four.rules import ConnectFour
from ..games.contract.game import Game
from ..games.contract.units import score_of
from ..games.positions.position import Position
from .alphabeta import Deepening
from .player import Allowance, Decision, Player

__all__ = ["PerfectPlayer", "perfect"]

#: The longest game that is searched to its end.
MOST_ACTIONS = 12

#: What a move is worth: its value for the mover, then how soon it wins or how late it
#: loses; more is better.
Score = tuple[float, float]
Scores = Callable[[Position], dict[int, Score]]


def perfect(game: Game) -> Player:
    """Exact play, where the game allows it."""
    if isinstance(game, ConnectFour) and game == ConnectFour():
        expect_bitbully()
        scores = cache(bitbully_scores)  # it takes a while to load
        return PerfectPlayer("perfect", game, lambda now: scores()(now), scores)
    if game.max_game_length() > MOST_ACTIONS:
        raise UsageError(
            "it plays tic-tac-toe, Connect Four on its standard board, and games of at "
            f"most {MOST_ACTIONS} moves by their max_game_length(), not "
            f"{game.name or type(game).__name__}, of {game.max_game_length():,}"
        )
    deepening = Deepening(game)
    return PerfectPlayer(
        "perfect",
        game,
        lambda position: exact_scores(deepening, position),
        deepening.prepare,
    )


class PerfectPlayer(Player):
    """Plays a move of the highest score, of equal ones a random one.

    Args:
        spec: the text that makes it.
        game: the rules.
        scores: gives the score of every legal move.
        prepare: loads or compiles what that needs.
    """

    def __init__(
        self,
        spec: str,
        game: Game,
        scores: Scores,
        prepare: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(spec, game)
        self.scores, self._prepare = scores, prepare
        self._random = Random()

    def prepare(self) -> None:
        self._prepare()

    def new_game(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, position: Position, allowance: Allowance) -> Decision:
        scores = self.scores(position)
        best = max(scores.values())
        action = self._random.choice([a for a in scores if scores[a] == best])
        value = best[0]
        comment = "won" if value > 0 else "lost" if value < 0 else "drawn"
        return Decision(action, None, comment, score_of(self.game, value))


def exact_scores(deepening: Deepening, position: Position) -> dict[int, Score]:
    """The score of every move, by a search to the end of all lines."""
    mover, scores = position.current_player, {}
    for action in position.legal_actions():
        position.play(action)
        value, moves_left = position_value(deepening, position, mover)
        scores[action] = value, -moves_left * value
        position.undo()
    return scores


def position_value(
    deepening: Deepening, position: Position, player: int
) -> tuple[float, int]:
    """What a position is worth for a player, and how long the game still takes."""
    if position.is_terminal:
        return position.returns(player), 0
    found = deepening.search(position)
    assert found.complete
    sign = 1 if position.current_player == player else -1
    return sign * found.value + 0.0, found.depth


def expect_bitbully() -> None:
    """Complain where `bitbully` is not installed."""
    if find_spec("bitbully") is None:
        raise UsageError(
            "Connect Four is played perfectly by `bitbully`: pip install bitbully"
        )


def bitbully_scores() -> Scores:
    """The scores of Connect Four's moves by the solver `bitbully`.

    Raises:
        UsageError: it is not installed.
    """
    expect_bitbully()
    bitbully = importlib.import_module("bitbully")
    solver = bitbully.BitBully()

    def scores(position: Position) -> dict[int, Score]:
        found = solver.score_all_moves(bitbully.Board(stones_of(position)))
        return {
            int(column): (float((score > 0) - (score < 0)), float(score))
            for column, score in found.items()
        }

    return scores


def stones_of(position: Position) -> list[list[int]]:
    """`[7][6]` the columns from the left, cells from the bottom; 0 is empty."""
    stones = [int(position.state.stones[player, 0]) for player in range(2)]
    return [
        [
            sum(
                (player + 1) * (stones[player] >> (7 * column + row) & 1)
                for player in (0, 1)
            )
            for row in range(6)
        ]
        for column in range(7)
    ]
