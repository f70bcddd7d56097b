"""Random games played by our rules and by OpenSpiel's at once.

`PLAYOUT_LOCKSTEP_GAMES=1000` plays more of them than the suite does.
"""

import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from playout import Game, Position
from playout.games.positions.native_position import NativePosition
from tests.packages import needed

#: OpenSpiel's number of our action.
Translate = Callable[[Position, int], int]


def same_number(position: Position, action: int) -> int:
    return action


def games_to_play(usual: int = 30) -> int:
    return int(os.environ.get("PLAYOUT_LOCKSTEP_GAMES", usual))


def pairs(game: Game, name: str, games: int) -> Iterator[tuple[Position, Any]]:
    """A new position and OpenSpiel's, so many times."""
    rules = needed("pyspiel").load_game(name)
    for _ in range(games):
        yield NativePosition(game), rules.new_initial_state()


def play_in_lockstep(
    game: Game, name: str, translate: Translate = same_number, usual: int = 30
) -> None:
    """The same legal actions after every move, the same returns at the end."""
    rng = random.Random(name)
    for position, theirs in pairs(game, name, games_to_play(usual)):
        while not theirs.is_terminal():
            ours = {translate(position, a): a for a in position.legal_actions()}
            assert sorted(ours) == theirs.legal_actions(), str(theirs)
            assert position.is_chance == theirs.is_chance_node()
            if position.is_chance:
                for outcome, chance in theirs.chance_outcomes():
                    found = game.chance_probability(position.state, ours[outcome])
                    assert found == pytest.approx(chance)
            else:
                assert position.current_player == theirs.current_player()
            number = rng.choice(sorted(ours))
            position.play(ours[number])
            theirs.apply_action(number)
        assert position.is_terminal, str(theirs)
        assert position.legal_actions() == []
        assert [position.returns(p) for p in (0, 1)] == theirs.returns()


def count(game: Game, depth: int) -> list[int]:
    """The sequences of 0, 1, ... actions from the start, counted one by one.

    `perft` counts faster, when it is compiled, which takes longer than small counts.
    """

    def below(position: Position, left: int) -> int:
        if left == 0:
            return 1
        found = 0
        for action in position.legal_actions():
            found += below(position.play(action), left - 1)
            position.undo()
        return found

    return [below(NativePosition(game), plies) for plies in range(depth + 1)]
