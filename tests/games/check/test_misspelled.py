"""Methods that are almost the contract's: who is pointed out, and who is not."""

import pytest

from playout import Game, check_game
from playout.games.check.misspelled import misspelled
from playout.games.registry import game_names, make_game
from playout.games.tic_tac_toe.rules import TicTacToe


def with_method(name, base=Game):
    return type("Mine", (base,), {name: _nothing(name)})()


def _nothing(name):
    def method(self, state):
        return None

    method.__name__ = name
    return method


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("observer", "observe"),
        ("observation_shapes", "observation_shape"),
        ("state_as_text", "state_to_text"),
        ("action_names", "action_name"),
        ("evaluation", "evaluate"),
        ("urgent_action", "urgent_actions"),
        ("num_player", "num_players"),
        ("game_length", "max_game_length"),
        ("symmetry", "symmetries"),
        ("priorities", "priors"),
    ],
)
def test_the_method_that_was_meant(written, meant):
    (hint,) = misspelled(with_method(written))
    assert hint.startswith(f"Mine has a method `{written}`, which nothing asks for: ")
    assert hint.endswith(f"did you mean `{meant}`?")


@pytest.mark.parametrize(
    "helper", ["winner", "neighbours", "tiles_of", "_observer", "block", "score"]
)
def test_helpers_are_left_alone(helper):
    assert misspelled(with_method(helper)) == []


def test_what_the_rules_call_is_a_helper():
    class Called(Game):
        def cells(self, state):
            return []

        def hide(self, state, player):
            return [cell for each in (1, 2) for cell in self.cells(each)]

    assert misspelled(Called()) == []


def helping(game, state):
    return game.boards(state)


def test_what_a_function_of_the_file_calls_is_a_helper():
    class Called(Game):
        def boards(self, state):
            return []

    assert misspelled(Called()) == []


class Helping:
    def seen(self, game, state):
        return game.hides(state)


def test_what_another_class_of_the_file_calls_is_a_helper():
    class Called(Game):
        def hides(self, state):
            return []

    assert misspelled(Called()) == []


class Static(Game):
    @staticmethod
    def observer(state):
        return None

    symmetry = _nothing("other")


def test_static_methods_and_other_names_count():
    found = [hint.split("`")[1] for hint in misspelled(Static())]
    assert found == ["observer", "symmetry"]


def test_what_is_written_was_not_meant():
    """A game that has `action_name` did not mean it by `action_names`."""
    assert misspelled(with_method("action_names", TicTacToe)) == []


def test_a_method_that_every_game_needs_may_be_that_of_a_base():
    """The base's goes on in silence; who writes both has not mistaken the name."""
    (hint,) = misspelled(with_method("is_termnal", TicTacToe))
    assert hint.endswith("did you mean `is_terminal`?")
    both = {"is_termnal": _nothing("is_termnal"), "is_terminal": TicTacToe.is_terminal}
    assert misspelled(type("Both", (TicTacToe,), both)()) == []


def test_a_base_counts():
    assert len(misspelled(type("Derived", (type(with_method("observer")),), {})())) == 1


@pytest.mark.parametrize("name", game_names())
def test_playouts_own_games_have_none(name):
    assert misspelled(make_game(name)) == []


def test_the_report_has_it():
    report = check_game(with_method("books", TicTacToe), games=1, compiled=False)
    assert "did you mean `book`?" in report.hints[0]
