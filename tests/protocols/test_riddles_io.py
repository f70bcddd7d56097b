"""Riddles.io's boards: what is written can be read again."""

from hypothesis import given

from playout.games.connect_four.rules import ConnectFour
from playout.protocols import riddles_io
from tests.protocols.support import numbers, played, quick


@quick
@given(numbers)
def test_riddles_boards(drawn):
    game = ConnectFour()
    position = played(game, drawn)
    board = position.to_text().split()[0]
    cells = [[".XO".index(cell) for cell in row] for row in board.split("/")]
    field = ";".join(",".join(map(str, row)) for row in cells)
    bot = position.current_player + 1
    match = riddles_io.ManagerState({"your_botid": str(bot)}, {"field": field})
    assert riddles_io.read_position(game, match).to_text() == position.to_text()
