"""UGI's positions, limits and moves: what is written can be read again."""

from hypothesis import given
from hypothesis import strategies as st

from playout.games.connect_four.rules import ConnectFour
from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
from playout.protocols import ugi
from tests.protocols.support import numbers, played, quick


@quick
@given(numbers, st.sampled_from([TicTacToe(), ConnectFour(), UltimateTicTacToe()]))
def test_ugi_positions(drawn, game):
    position = played(game, drawn[:10])
    line = ugi.format_position(position).removeprefix("position ")
    assert ugi.parse_position(game, line).actions == position.actions
    text = Position(game, position.to_text())
    line = ugi.format_position(text).removeprefix("position ")
    assert ugi.parse_position(game, line).to_text() == position.to_text()


@given(
    st.builds(
        ugi.Go,
        clocks=st.tuples(st.integers(-5, 99), st.integers(-5, 99)),
        increments=st.tuples(st.integers(0, 9), st.integers(0, 9)),
        movetime=st.none() | st.integers(1, 99),
        nodes=st.none() | st.integers(1, 99),
        depth=st.none() | st.integers(1, 99),
        infinite=st.booleans(),
    )
)
def test_ugi_limits(go):
    assert ugi.parse_go(ugi.format_go(go).removeprefix("go")) == go


def test_names_with_blanks_become_numbers():
    class Spoken(TicTacToe):
        def action_name(self, action):
            return f"cell {action}"

    assert ugi.format_move(Spoken(), 4) == "#4"
    assert ugi.parse_move(Spoken(), "#4") == 4
