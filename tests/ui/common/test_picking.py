"""A move is played cell by cell: from and to, a choice, a way that may end early."""

from playout import Position, make_game
from playout.games.positions.cells import routes_of
from playout.ui.common.picking import Picking
from tests.games_for_boards import (
    Breakthrough,
    Groups,
    ManyWords,
    Promotion,
    SmallOthello,
)


def picking(game, *moves):
    """Of the position after these moves, and what the actions are called."""
    position = Position.from_moves(game, moves)
    board = game.board(position.state)
    return Picking(routes_of(position, board)), lambda action: game.action_name(action)


def test_from_and_to():
    picks, name = picking(Breakthrough())
    assert picks.targets == {(4, column) for column in range(4)}
    assert picks.click((4, 1)) is None
    assert picks.targets == {(3, 0), (3, 1), (3, 2)}
    assert name(picks.move_at((3, 2))) == "b1c2"
    assert name(picks.click((3, 2))) == "b1c2"
    assert picks.picked == ()


def test_a_piece_is_let_go_of_or_changed_for_another():
    picks, _ = picking(Breakthrough())
    picks.click((4, 1))
    assert picks.click((4, 1)) is None
    assert picks.picked == ()
    picks.click((4, 1))
    assert picks.click((4, 2)) is None
    assert picks.picked == ((4, 2),)
    assert picks.click((0, 0)) is None
    assert picks.picked == ()
    assert picks.click((2, 2)) is None
    assert picks.picked == ()


def test_a_move_may_end_where_another_goes_on():
    picks, name = picking(Promotion())
    picks.click((3, 0))
    assert picks.choices == ()
    assert picks.click((2, 0)) is None
    assert [name(action) for action in picks.by_name] == ["a2"]
    assert name(picks.click((1, 0))) == "a2-a3"


def test_several_moves_with_the_same_cells():
    picks, name = picking(Promotion(), "a2-a3", "b3")
    picks.click((1, 0))
    assert picks.move_at((0, 0)) is None
    assert picks.click((0, 0)) is None
    assert [*map(name, picks.by_name)] == ["a4=queen", "a4=knight", "a4=rook"]


def test_moves_without_cells_are_chosen_by_name():
    picks, name = picking(SmallOthello(), "b4", "c4", "d2", "a4")
    assert [*map(name, picks.by_name)] == ["pass"]
    assert not picks.targets
    picks, _ = picking(ManyWords(stones=9))
    assert picks.by_name == tuple(range(1, 10))


def test_a_cell_may_stand_for_another():
    picks, name = picking(Groups())
    assert picks.is_open((1, 0))
    assert name(picks.click((1, 0))) == "a2"


def test_shares_of_moves_are_added_where_they_begin():
    picks, name = picking(Breakthrough())
    shares = dict.fromkeys(picks.routes.by_action, 0.1)
    shares = {a: 0.5 if name(a) == "b1c2" else share for a, share in shares.items()}
    assert round(picks.parts(shares)[4, 1], 6) == 0.7
    picks.click((4, 1))
    assert picks.parts(shares) == {(3, 0): 0.1, (3, 1): 0.1, (3, 2): 0.5}


def test_where_stones_fall_a_column_is_any_of_its_cells():
    picks, name = picking(make_game("connect-four"), "4", "4")
    assert name(picks.move_at((1, 3))) == "4"
    assert picks.routes.by_action[3] == ((3, 3),)
    assert picks.parts({3: 1.0})[3, 3] == 1.0
