"""Wrong objects: an error says what is wrong, where, and what to do.

Also of `adapters/copies.py`, `adapters/conventions.py` and `adapters/failures.py`.
"""

import copy
import random

import pytest

from playout import MCTS, Limit, PlayoutError, Position, TicTacToe
from playout.adapters.objects import from_object
from tests.adapters.classes import McsAi, PyPI, Tutorial, Undone


def refusal(cls, **options):
    """Why a class is no game."""
    with pytest.raises(PlayoutError) as caught:
        from_object(cls, **options)
    return str(caught.value)


def without(cls, *names):
    """The same class, without some methods."""
    left_out = {"__dict__", "__weakref__", *names}  # these belong to the class itself
    members = {n: v for n, v in vars(cls).items() if n not in left_out}
    return type(cls.__name__, cls.__bases__, members)


def test_methods_that_are_missing():
    said = refusal(without(Tutorial, "is_game_over", "move"))
    assert "has get_legal_actions, game_result" in said
    assert "but no is_game_over, move: add them" in said
    assert "but no GetResult: add it" in refusal(without(McsAi, "GetResult"))
    said = refusal(object)
    assert "object is no game" in said
    assert "GetMoves, GetResult, DoMove, playerJustMoved (mcts.ai's)" in said


def test_of_two_conventions_the_one_that_names_who_moves():
    class Both(PyPI):
        get_legal_actions = PyPI.getPossibleActions
        move = PyPI.takeAction
        is_game_over = PyPI.isTerminal
        game_result = PyPI.getReward

    assert from_object(Both).convention == "PyPI mcts'"


def test_a_class_that_needs_parameters():
    class Sized(Tutorial):
        def __init__(self, size):
            super().__init__()

    said = refusal(Sized)
    assert "Sized needs parameters" in said
    assert "give lambda:" in said
    assert from_object(lambda: Sized(3)).convention


def test_what_is_a_game_already():
    assert "TicTacToe is a Game; it is searched as it is" in refusal(TicTacToe)


def test_a_function_that_gives_a_class():
    assert "gives the class Tutorial, not a state" in refusal(lambda: Tutorial)


def test_a_start_that_fails():
    class Broken(Tutorial):
        def __init__(self):
            self.board = [][0]

    assert "line" in refusal(Broken)
    assert "`self.board = [][0]`: IndexError" in refusal(Broken)


def test_a_game_that_is_over_before_it_begins():
    class Over(Tutorial):
        def is_game_over(self):
            return True

    assert "is over before it begins" in refusal(Over)


def test_a_move_that_raises_is_named_with_its_line_and_the_moves_before():
    class Failing(Tutorial):
        def move(self, action):
            if self.board[0][0] and self.board[1][1]:
                raise KeyError("no such cell")
            return super().move(action)

    said = refusal(Failing)
    assert "Failing.move, tests/adapters/test_trial.py line" in said
    assert "KeyError: 'no such cell' (after (" in said


def test_no_actions_where_the_game_is_not_over():
    class Stuck(Tutorial):
        def get_legal_actions(self):
            return [] if self.board[1][1] else super().get_legal_actions()

        def is_game_over(self):
            return all(map(all, self.board))

    said = refusal(Stuck)
    assert "get_legal_actions gives no action after" in said
    assert "is_game_over says that the game is not over" in said


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "gives None"), (float("nan"), "gives nan"), ("X", "gives 'X'")],
)
def test_results_that_are_no_numbers(value, words):
    class Odd(Tutorial):
        def game_result(self):
            return value

    said = refusal(Odd)
    assert words in said
    assert "it must be a number, such as 1 where the player who begins has won" in said


def test_results_out_of_range():
    class Points(Tutorial):
        def game_result(self):
            return 10 * super().game_result()

    assert "reward_range=(lowest, highest)" in refusal(Points)
    assert from_object(Points, reward_range=(-10, 10)).reward == "first"


def test_a_result_that_is_out_of_range_only_later():
    """The error of a search names the moves; the trial before it met no fault."""

    class Late(Tutorial):
        trusted = True

        def game_result(self):
            return super().game_result() * (1 if self.trusted else 7)

    game = from_object(Late)
    Late.trusted = False
    search = MCTS(game, seed=1)
    with pytest.raises(PlayoutError, match=r"game_result gives -?7.*\(after \("):
        search.search(limit=Limit(simulations=2000))
    Late.trusted = True
    assert search.search(limit=Limit(simulations=100)).simulations == 100


def test_dice():
    class Dice(Tutorial):
        def get_legal_actions(self):
            found = super().get_legal_actions()
            return random.sample(found, (len(found) + 1) // 2)

    assert "where chance decides" in refusal(Dice)


def test_a_copy_that_shares_the_board():
    class Shallow(McsAi):
        def Clone(self):
            return copy.copy(self)

    said = refusal(Shallow)
    assert "Shallow.Clone() gives a copy that shares something" in said

    class Shared(McsAi):
        Clone = None

        def __deepcopy__(self, memo):
            return copy.copy(self)

    said = refusal(Shared)
    assert said.startswith("copy.deepcopy(")
    assert "Shared) gives a copy that shares something" in said
    assert "copy.deepcopy" in said


def test_a_move_that_changes_the_old_state_too():
    class Shared(Tutorial):
        def move(self, action):
            after = copy.copy(self)
            after.board[action[0]][action[1]] = self.player
            after.player = -self.player
            return after

    assert "returns a new state and changes its own, too" in refusal(Shared)


def test_a_move_that_does_nothing():
    class Idle(Tutorial):
        def move(self, action):
            return "done"

    assert "neither changes the state nor returns a new one" in refusal(Idle)


def test_neither_copied_nor_undone():
    said = refusal(type("Stubborn", (Undone,), {"undo": None}))
    assert "cannot be copied" in said
    assert "clone()" in said


def test_an_undo_that_does_not_undo():
    class Half(Undone):
        def undo(self):
            self.history.pop()

    assert "is not what it was before" in refusal(Half)


def test_actions_of_one_text():
    class Same:
        def __init__(self, x, y):
            self.x, self.y = x, y

        def __str__(self):
            return "a move"

    class Vague(Tutorial):
        def get_legal_actions(self):
            return [Same(i, j) for i, j in super().get_legal_actions()]

        def move(self, action):
            return super().move((action.x, action.y))

    said = refusal(Vague)
    assert "two different actions of one state are written 'amove'" in said
    assert "Same a __str__" in said


def test_actions_without_a_text_have_that_of_what_they_are_made_of():
    class Bare:
        def __init__(self, x, y):
            self.x, self.y = x, y

    class Plain(Tutorial):
        def get_legal_actions(self):
            return [Bare(i, j) for i, j in super().get_legal_actions()]

        def move(self, action):
            return super().move((action.x, action.y))

    position = Position(from_object(Plain)).play("1,1")
    assert position.moves == ["1,1"]


def test_more_actions_than_there_may_be():
    class Growing(Tutorial):
        def get_legal_actions(self):
            return [(i, j, str(self.board)) for i, j in super().get_legal_actions()]

    assert "num_actions" in refusal(Growing, num_actions=50)


def test_a_puzzle_for_one():
    class Alone(Tutorial):
        @property
        def next_to_move(self):
            return 1

    assert "always the same player's turn (1)" in refusal(Alone)


def test_three_players():
    class Three(Tutorial):
        @property
        def next_to_move(self):
            return sum(cell != 0 for row in self.board for cell in row) % 3

    assert "games of more than two" in refusal(Three)


def test_moving_twice_needs_somebody_to_say_who_moves():
    class Twice(Tutorial):
        """X moves twice after the first move, and so on."""

        def move(self, action):
            after = super().move(action)
            count = sum(cell != 0 for row in after.board for cell in row)
            after.player = -1 if count % 3 else 1
            return after

    assert "may move twice in a row, as its 'player' shows" in refusal(Twice)
    game = from_object(Twice, mover="player", reward="first")
    position = Position(game)
    movers = [position.play(a).current_player for a in ("0,0", "2,1", "1,1")]
    assert movers == [1, 1, 0]


def test_a_game_without_an_end():
    class Endless(Tutorial):
        def is_game_over(self):
            return False

        def get_legal_actions(self):
            return [(0, 0)]

    assert "has not ended after 10,000 moves, by " in refusal(Endless)


def test_unhashable_states_and_states_that_compare_nothing():
    class Compared(Tutorial):
        def __eq__(self, other):
            raise TypeError("states are not compared")

    assert from_object(Compared).convention


def test_ctrl_c_in_the_middle_of_a_rule_keeps_the_best_so_far():
    class Slow(Tutorial):
        calls = 0

        def move(self, action):
            Slow.calls += 1
            if Slow.calls == Slow.until:
                raise KeyboardInterrupt
            return super().move(action)

        until = -1

    game = from_object(Slow)
    search = MCTS(game, seed=1)
    search.compile()
    Slow.until = Slow.calls + 2000
    result = search.search(limit=Limit(simulations=100_000))
    assert result.stopped_by == "interrupted"
    before = result.visits
    assert search.search(limit=Limit(simulations=100)).visits >= before + 100
