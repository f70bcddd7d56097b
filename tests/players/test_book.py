"""The book of openings, as the search's player asks it."""

from __future__ import annotations

import dataclasses

import pytest

from playout import SETTLED_AT_LEAST_DRAW, SETTLED_WIN, ConnectFour, Position, TicTacToe
from playout.core.errors import RulesError
from playout.core.jit.fallback import interpreting
from playout.games.connect_four.rules import ConnectFour as Rules
from playout.players.book import from_book
from playout.players.mcts import mcts
from playout.players.player import Allowance
from playout.players.registry import make_player

GAME = ConnectFour()


def answer(spec, moves="", **allowed):
    player = make_player(spec, GAME)
    return player.choose(Position.from_moves(GAME, moves), Allowance(**allowed))


def test_it_needs_no_thought_and_tells_the_reason():
    decision = answer("mcts")
    assert (decision.action, decision.result, decision.value) == (3, None, 1.0)
    assert decision.comment == "from the book: a win"
    decision = answer("mcts:seconds=1", "3")
    assert decision.comment == "from the book: a draw at least"
    assert decision.value is None


@pytest.mark.parametrize(
    "spec",
    [
        "mcts:book=no",
        "mcts:book=yes,settle=no",
        "mcts:book=yes,solver=unsolved",
    ],
)
def test_it_is_left_out_where_it_is_not_wanted(spec):
    with interpreting():  # compiling takes long for ten simulations
        assert answer(spec, simulations=10).result.simulations == 10


def test_who_counts_simulations_sees_a_search_unless_the_book_is_asked_for():
    assert answer("mcts", simulations=10).result.simulations == 10
    assert answer("mcts:simulations=10").result.simulations == 10
    assert answer("mcts:nodes=100,seconds=0.1").result is not None
    assert answer("mcts:simulations=10,book=yes").result is None
    most = Allowance(simulations=10)
    player = make_player("mcts", GAME, allowance=most)
    assert player.choose(Position(GAME), Allowance()).result.simulations == 10


def test_an_analysis_is_a_search():
    allowed = {"seconds": 0.1, "analysis": True}
    for spec in ("mcts", "mcts:book=yes"):
        assert answer(spec, **allowed).result.simulations > 0


def test_it_is_an_argument_of_the_player():
    allowance = Allowance(seconds=0.1)
    for book in (True, False, None):
        decision = mcts(GAME, book=book).choose(Position(GAME), allowance)
        assert (decision.result is None) == (book is not False)


def test_a_blunder_comes_first():
    assert answer("mcts:blunder=1,book=yes").comment == "at random"


def test_a_game_without_a_book_has_none():
    assert from_book(Position(TicTacToe())) is None


@dataclasses.dataclass(frozen=True)
class Small(Rules):
    """Knows one position by heart, and may be wrong."""

    rows: int = 4
    says: int = 2

    def book(self, state):
        return SETTLED_AT_LEAST_DRAW if self.says < 7 else SETTLED_WIN, self.says


def test_any_game_may_have_one():
    decision = from_book(Position(Small()))
    assert (decision.action, decision.comment) == (2, "from the book: a draw at least")


def test_a_move_that_is_not_legal_is_complained_of():
    with pytest.raises(RulesError, match=r"Small\.book names 7"):
        from_book(Position(Small(says=7)))


@pytest.mark.parametrize("says", [3, None, (1,), "ab c"])
def test_a_book_that_says_something_else_is_told_so(says):
    class Odd(TicTacToe):
        def book(self, state):
            return says

    with pytest.raises(
        RulesError, match=r"Odd\.book gives .* an outcome and an action"
    ):
        from_book(Position(Odd()))
