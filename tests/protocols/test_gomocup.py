"""Gomocup's boards: what is written can be read again."""

from hypothesis import given

from playout.games.gomoku.rules import Gomoku
from playout.games.positions.position import Position
from playout.protocols import gomocup
from playout.protocols.gomocup import OPPONENT, OWN, Stone
from tests.protocols.support import numbers, played, quick


@quick
@given(numbers)
def test_gomoku_boards(drawn):
    position = played(Gomoku(size=7), drawn[:20])
    stones = gomocup.stones_of(position)
    lines = [
        f"{gomocup.format_cell(stone.action, 7)},{stone.owner}" for stone in stones
    ]
    again = gomocup.arrange(Gomoku(size=7), [gomocup.parse_stone(x, 7) for x in lines])
    assert again.to_text() == position.to_text()
    if len(stones) <= gomocup.MOST_MOVES:
        assert again.actions == position.actions
        placed = Position(Gomoku(size=7), position.to_text())
        assert set(gomocup.stones_of(placed)) == set(stones)


@quick
@given(numbers)
def test_a_board_that_goes_on_from_the_last_keeps_its_history(drawn):
    game = Gomoku(size=7)
    position = played(game, drawn[:30])
    before = position.copy()
    for _ in range(min(2, len(before.actions))):
        before.undo()
    again = gomocup.arrange(game, gomocup.stones_of(position), before)
    assert again.actions == position.actions
    assert len(before.actions) <= max(0, len(position.actions) - 2)  # left alone


def test_boards_without_an_order_of_play():
    game = Gomoku(size=5)
    mine = [Stone(0, OWN), Stone(1, OWN), Stone(7, OPPONENT)]
    assert gomocup.arrange(game, mine).to_text() == "XX.../..O../...../...../..... X"
    theirs = [Stone(0, OWN), Stone(1, OPPONENT), Stone(7, OPPONENT)]
    assert gomocup.arrange(game, theirs).to_text() == "OX.../..X../...../...../..... O"
