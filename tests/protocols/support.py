"""Positions that the tests of protocols write and read."""

from hypothesis import settings
from hypothesis import strategies as st

from playout.games.positions.position import Position

quick = settings(max_examples=40, deadline=None)

numbers = st.lists(st.integers(0, 10**6), max_size=40)


def played(game, drawn):
    """The position after moves that numbers choose, not quite to the end."""
    position = Position(game)
    for number in drawn:
        legal = position.legal_actions()
        position.play(legal[number % len(legal)])
        if position.is_terminal:
            return position.undo()
    return position
