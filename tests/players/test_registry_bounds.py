"""Whatever a spec asks for that costs memory or time has a limit, which it is told."""

import dataclasses
import inspect
import typing

import pytest

from playout import MCTS, TicTacToe, UsageError, make_game
from playout.arena.openings import make_book
from playout.core.text.fields import split_kind
from playout.games.registry import GAMES, game_class
from playout.players.mcts import mcts
from playout.players.registry import make_player

HUGE = 10**12
#: Only compared with what a search counts anyway: no value of them costs anything.
FREE = {
    *("ref", "threshold", "at_once", "gram_visits", "rollout_plies"),
    *("robust_visits", "trusted_visits", "considered", "visited_at", "root_every"),
}


def whole_numbers(factory):
    """The parameters that are whole numbers, and their limits."""
    for name, parameter in inspect.signature(factory, eval_str=True).parameters.items():
        kind, most = split_kind(parameter.annotation)
        if kind is int or int in typing.get_args(kind):
            yield name, most


def test_every_whole_number_of_the_search_has_a_limit():
    limits = dict(whole_numbers(mcts))
    own = {"table_bits", "leaf_nodes", "visited_nodes", "root_nodes"}  # their fields'
    assert {name for name, most in limits.items() if most is None} - FREE == own


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:trees=100000000", "mcts: trees=100000000 is more than 1,024"),
        ("mcts:threads=1025", "mcts: threads=1025 is more than 1,024"),
        ("mcts:trees=64,threads=32", "trees=64 of threads=32 each is more than 1,024"),
        (f"mcts:simulations={HUGE}", "is more than 4,294,967,295"),
        (f"mcts:nodes={HUGE}", "is more than 2,147,483,647"),
        (
            f"mcts:memory={HUGE}000",
            "mcts: memory=1000000000000000 is more than 1,099,511,627,776",
        ),
        ("mcts:seconds=1e300", "seconds=1e+300 is more than 10,000,000"),
        ("mcts:seconds=inf", "seconds=inf is more than 10,000,000"),
        ("mcts:rollout=nst,table_bits=40", "table_bits=40 is more than 26"),
        ("mcts:rollout=nst,table_bits=26,threads=64", "the tables of 64 threads"),
        ("alphabeta:depth=128", "alphabeta: depth=128 is more than 127"),
        ("alphabeta:seconds=1e300", "seconds=1e+300 is more than 10,000,000"),
        (f"negamax:depth={HUGE}", "is more than 127"),
        ("mcts:trees=" + "9" * 3000, "trees=a number of 9966 bits is more than 1,024"),
    ],
)
def test_what_costs_too_much_is_refused(spec, message):
    with pytest.raises(UsageError) as error:
        make_player(spec, TicTacToe())
    assert message in str(error.value)


def test_the_search_itself_refuses_it_too():
    with pytest.raises(UsageError, match="trees=100000000 is more than 1,024"):
        MCTS(TicTacToe(), trees=100_000_000)


@pytest.mark.parametrize("name", GAMES)
def test_every_whole_number_of_a_game_has_a_limit(name):
    hints = typing.get_type_hints(game_class(name))
    for field in dataclasses.fields(game_class(name)):
        if hints[field.name] is int:
            with pytest.raises(UsageError, match=field.name):
                make_game(f"{name}:{field.name}={HUGE}")


def test_openings_are_no_longer_than_games():
    with pytest.raises(UsageError, match="plies=1000000000000 is more than 9"):
        make_book(f"random:plies={HUGE}", TicTacToe(), 0)
