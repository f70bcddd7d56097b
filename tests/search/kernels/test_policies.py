"""A search is compiled with what its policies ask for, and nothing else.

Also of `search/work.py`.
"""

import dataclasses
from dataclasses import dataclass

import pytest

from playout import MCTS, ConnectFour, TicTacToe, Unsolved, UsageError
from playout.core.rng import make_rng
from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from playout.search.kernels.information_sets import InformationSets
from playout.search.kernels.policies import make_work
from playout.search.kernels.structure import Structure
from playout.search.kernels.transpositions import Transpositions
from playout.search.selection.puct import PUCT
from playout.search.selection.rave import RAVE
from playout.search.selection.uct import UCT


def test_nobody_pays_for_columns_or_notes_that_nobody_asks_for() -> None:
    plain = MCTS(ConnectFour(), selection=UCT(), solver=Unsolved(), seed=1)
    assert plain.policies.node_dtype.itemsize == 22
    assert not plain.policies.notes_actions
    proving = MCTS(ConnectFour(), selection=UCT(), seed=1)
    assert proving.policies.node_dtype.itemsize == 22 + 3
    with_priors = MCTS(ConnectFour(), selection=PUCT(), seed=1)
    assert with_priors.policies.node_dtype.itemsize == 22 + 3 + 7
    noting = MCTS(ConnectFour(), selection=RAVE(), seed=1)
    assert noting.policies.notes_actions
    short = make_work(plain.policies, make_rng(1))
    long = make_work(noting.policies, make_rng(1))
    assert 2 * len(short.path) == len(long.path)


def test_the_structure_follows_the_game_and_what_is_asked_for() -> None:
    for search, kind, keeps in (
        (MCTS(TicTacToe()), Structure, True),
        (MCTS(TicTacToe(), transpositions=True), Transpositions, False),
        (MCTS(PhantomTicTacToe()), InformationSets, False),
    ):
        policies = search.policies
        assert type(policies.structure) is kind
        assert policies.root_is_special is not keeps
        names = set(policies.node_dtype.names or ())
        assert {name for name, _ in policies.structure.columns} <= names
        assert ("target" in names) is (kind is Transpositions)


def test_a_thread_alone_shares_nothing() -> None:
    """Each question that only shared trees ask has a constant answer."""
    policies = MCTS(TicTacToe(), seed=1).policies
    work = make_work(policies, make_rng(1))
    tree = policies.structure.reserve(policies.game, 8, policies.node_dtype)
    before = tree.nodes.array[0].copy()
    assert work.start_depth() == 0
    assert work.release_tree(policies, tree, 0)
    assert work.acquire_tree(tree, 0)
    assert work.begin_proof(0)
    work.end_proof(0)
    work.note_result(3)
    assert tree.nodes.array[0] == before
    assert work.path.array.dtype.itemsize == 16
    assert [field.name for field in dataclasses.fields(work)][:2] == ["states", "path"]


@dataclass(frozen=True)
class InSinglePrecision(PUCT):
    columns = (("prior", "f4"),)


@dataclass(frozen=True)
class WithLink(PUCT):
    columns = (*PUCT.columns, ("link", "i4"))


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (InSinglePrecision(), "column 'prior', f2, is in use already, as f4: take"),
        (WithLink(), "column 'link', i4, is in use already, by every tree"),
    ],
)
def test_a_column_that_two_declare_differently_is_named(
    selection: PUCT, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        MCTS(TicTacToe(), selection=selection)
