"""Texts and values: what is written can be read again."""

from hypothesis import given, settings
from hypothesis import strategies as st

from playout.games.connect_four.rules import ConnectFour
from playout.games.gomoku.rules import Gomoku
from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
from playout.protocols import codinggame, gomocup, jsonlines, riddles, ugi
from playout.protocols.gomocup import OPPONENT, OWN, Stone

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


@given(
    st.builds(
        jsonlines.Query,
        action=st.sampled_from(jsonlines.ACTIONS),
        id=st.text() | st.integers(),
        game=st.none() | st.text(),
        moves=st.lists(st.text()).map(tuple),
        position=st.none() | st.text(),
        limit=st.just({}) | st.just({"seconds": 0.5, "simulations": 7}),
        report_every=st.none() | st.floats(0.1, 9),
        terminate=st.text() | st.integers(),
        seed=st.integers(0, 2**63 - 1),
    )
)
def test_json_queries(query):
    line = jsonlines.format_query(query)
    assert "\n" not in line
    assert jsonlines.parse_query(jsonlines.parse_line(line)) == query


def test_json_has_no_infinities():
    assert jsonlines.format_line({"a": [float("inf"), 1.5]}) == '{"a":[null,1.5]}'


def test_every_cell_of_codingame():
    game = UltimateTicTacToe()
    for action in range(81):
        assert game.parse_action(codinggame.format_cell(action)) == action


@quick
@given(numbers)
def test_riddles_boards(drawn):
    game = ConnectFour()
    position = played(game, drawn)
    board = position.to_text().split()[0]
    cells = [[".XO".index(cell) for cell in row] for row in board.split("/")]
    field = ";".join(",".join(map(str, row)) for row in cells)
    bot = position.current_player + 1
    match = riddles.Match({"your_botid": str(bot)}, {"field": field})
    assert riddles.read_position(game, match).to_text() == position.to_text()
