"""What a person was not shown stays hidden: moves stand, and seats are kept."""

import pytest

from playout import UsageError, make_game
from playout.arena.table import Table
from playout.games.more.pig import Pig

GAME = make_game("phantom-tic-tac-toe")
PERSON, OTHER = ["human", "random"], ["random", "human"]
TWO, NOBODY = ["human", "human"], ["random", "random"]


def table_of(seats, *moves):
    return Table(GAME, seats, moves=moves)


@pytest.mark.parametrize(
    ("before", "after"),
    [(PERSON, OTHER), (PERSON, TWO), (PERSON, NOBODY), (NOBODY, PERSON)],
)
def test_no_change_of_seats_shows_what_was_hidden(before, after):
    table = table_of(before, "b2", "a1")
    for change in (
        table.seat,
        table.make_players,
        lambda specs: table.replace(specs, {}),
    ):
        with pytest.raises(UsageError, match="begin a new game"):
            change(after)
    assert table.specs == before
    assert table.version == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [(PERSON, ["human", "greedy"]), (TWO, PERSON), (NOBODY, ["random", "greedy"])],
)
def test_other_changes_of_seats_are_free(before, after):
    assert table_of(before, "b2", "a1").seat(after).specs == after


def test_seats_are_free_before_the_first_move_and_after_the_end():
    assert table_of(PERSON).seat(OTHER).specs == OTHER
    over = table_of(PERSON, "b2").resign()
    assert over.seat(OTHER).specs == OTHER
    assert over.seat(NOBODY).specs == NOBODY


@pytest.mark.parametrize("seats", [PERSON, TWO])
def test_moves_stand(seats):
    """Otherwise players could find the other's stones and take such moves back."""
    table = table_of(seats, "b2", "a1")
    assert table.binding
    for change in (table.take_back, table.redo, lambda: table.go_back_to(0)):
        with pytest.raises(UsageError, match="moves stand"):
            change()
    assert table.position.moves == ["b2", "a1"]
    assert table.go_back_to(2) is table


def test_the_end_which_shows_all_is_not_taken_back():
    table = table_of(PERSON, "b2", "a1").resign()
    assert not table.hides
    with pytest.raises(UsageError, match="moves stand"):
        table.take_back()
    assert table.over


def test_watching_takes_back_but_nobody_joins_with_what_they_have_seen():
    table = table_of(NOBODY, "b2", "a1", "c3").take_back()
    assert table.redo().position.moves == ["b2", "a1", "c3"]
    table.take_back()
    with pytest.raises(UsageError, match="hides"):
        table.seat(PERSON)


def test_open_games_take_back_and_swap():
    table = Table(Pig(), PERSON, seed=1).play("roll").take_back().seat(OTHER)
    assert table.specs == OTHER
    assert not table.binding
