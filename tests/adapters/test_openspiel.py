"""OpenSpiel's games as Playout's: rules, chance, hidden information, refusals.

Also of `adapters/foreign.py`, `adapters/foreign_class.py`, `adapters/foreign_game.py`,
`adapters/foreign_states.py`, `adapters/references.py`, `adapters/store_game.py` and
`adapters/packages.py`. With PLAYOUT_ALL_OPENSPIEL=1 every game that OpenSpiel registers
is searched or refused, else a few.
"""

import os
import pickle
import sys
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    ConnectFour,
    Limit,
    Position,
    TicTacToe,
    Unsolved,
    UsageError,
    check_game,
    from_openspiel,
    make_game,
    perft,
)
from tests.adapters.agreement import expect_agreement
from tests.packages import needed

pyspiel = needed("pyspiel")

from tests.adapters.openspiel_walk import loadable, search, to_a_player  # noqa: E402

ALL = bool(os.environ.get("PLAYOUT_ALL_OPENSPIEL"))
#: Few kinds of games, as each kind is compiled for itself.
SOME = ["tic_tac_toe", "hex", "nim", "oware", "kuhn_poker", "leduc_poker"]
REFUSED = {
    "matrix_rps": r"players move at the same time.*turn_based_simultaneous_game",
    "mfg_garnet": "no tree to search",
    "tarok": "drawn within the game's own code",
    "battleship": "cannot draw what a player does not know",
}


@pytest.mark.parametrize("name", loadable() if ALL else SOME)
def test_a_game_is_searched_or_refused_with_the_reason(name: str) -> None:
    line = search(name)
    assert line.startswith(("searched: ", "refused: ")) if ALL else "searched" in line


@pytest.mark.parametrize(("name", "reason"), REFUSED.items())
def test_what_is_refused(name: str, reason: str) -> None:
    with pytest.raises(UsageError, match=f"openspiel:{name}.*: .*{reason}"):
        make_game(f"openspiel:{name}")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("breakthru", "knows no game 'breakthru', did you mean breakthrough"),
        ("nim(piles=-1)", "openspiel:nim"),
        ("breakthrough(rows=x)", "openspiel:breakthrough"),
        ("", "knows no game ''"),
    ],
)
def test_what_cannot_be_loaded(name: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        make_game(f"openspiel:{name}")


def test_what_is_no_game() -> None:
    with pytest.raises(UsageError, match="takes the name of a game, or what pyspiel"):
        from_openspiel(3)


def test_a_missing_package_is_named(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match=r"needs pip install playout\[openspiel\]"):
        make_game("openspiel:nim")


def test_games_are_counted_as_by_our_own_rules() -> None:
    for depth in (1, 2, 3, 4):
        assert perft(make_game("openspiel:tic_tac_toe"), depth) == perft(
            TicTacToe(), depth
        )


def test_a_game_is_named_by_its_text() -> None:
    game = make_game("openspiel:breakthrough(rows=6,columns=6)")
    assert game.name == "openspiel:breakthrough(columns=6,rows=6)"
    again = pickle.loads(pickle.dumps(game))
    assert again.name == game.name
    position = Position.from_moves(game, [])
    moves = [game.action_name(action) for action in position.legal_actions()]
    assert [game.parse_action(move) for move in moves] == position.legal_actions()
    position.play(position.legal_actions()[0])
    again = position.copy()
    game.state_from_text(position.to_text(), again.state)
    assert again.to_text() == position.to_text()


def test_tic_tac_toe_agrees_with_our_own() -> None:
    """After two moves, where seven cells are left."""
    cells = [f"({row},{column})" for row in range(3) for column in range(3)]
    named = dict(
        zip(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"], cells, strict=True)
    )
    rest = {ours: theirs for ours, theirs in named.items() if ours not in ("b2", "a1")}
    expect_agreement(
        (TicTacToe(), ["b2", "a1"]),
        (make_game("openspiel:tic_tac_toe"), [named["b2"], named["a1"]]),
        rest,
    )


def test_the_solver_proves_what_it_finds() -> None:
    """Nim of one pile: three stones, of which all may be taken, the last one loses."""
    game = make_game("openspiel:nim(pile_sizes=1;2)")
    result = MCTS(game, seed=1).search(limit=Limit(simulations=2000))
    assert result.proven == "win"


def test_connect_four_agrees_with_our_own() -> None:
    numbers = {str(column + 1): str(column) for column in range(7)}
    expect_agreement(
        (ConnectFour(), []), (make_game("openspiel:connect_four"), []), numbers
    )


def test_the_laws_are_kept() -> None:
    assert check_game(make_game("openspiel:tic_tac_toe"), games=3)


def test_what_is_hidden_is_not_known() -> None:
    """Kuhn poker: what is drawn keeps one's own card, and the other's varies."""
    game = make_game("openspiel:kuhn_poker")
    position = to_a_player(game)
    view = position.copy()
    game.hide(view.state, 0)
    assert "?1" in game.state_to_text(view.state)
    seen = set()
    from playout.core.rng import make_rng

    rng = make_rng(3)
    with np.errstate(over="ignore"):
        for _ in range(40):
            drawn = view.copy()
            game.determinize(drawn.state, 0, rng)
            seen.add(game.state_to_text(drawn.state))
    cards = {tuple(text.split()) for text in seen}
    assert len(cards) == 2
    assert len({pair[0] for pair in cards}) == 1


def test_all_is_forgotten_when_there_is_no_room() -> None:
    """States are rebuilt by the moves that led to them."""
    game = from_openspiel("tic_tac_toe")
    small = game.store
    small.most_states = 40
    search_of_all = MCTS(game, seed=1)
    result = search_of_all.search(limit=Limit(simulations=3000))
    assert result.proven == "draw" or result.simulations == 3000
    assert len(small._states) <= 40
    assert perft(game, 3) == 504


def test_threads_search_on_where_all_is_forgotten_meanwhile() -> None:
    """A state that a thread has stored may be dropped before the thread reads it."""
    game = from_openspiel("tic_tac_toe")
    game.store.most_states = 40
    before = game.store.stamp[0]
    for seed in range(4):
        search = MCTS(game, seed=seed, threads=4, solver=Unsolved())
        result = search.search(limit=Limit(simulations=2000))
        assert result.simulations >= 2000
        assert len(result.actions) == 9
    assert game.store.stamp[0] > before + 100


def test_python_errors_come_with_the_moves() -> None:
    game = from_openspiel("tic_tac_toe")

    def fails(state: Any, action: int) -> None:
        raise KeyError("six")

    game.store.foreign.play = fails
    with pytest.raises(ValueError, match=r"openspiel:tic_tac_toe.*KeyError: 'six'"):
        MCTS(game, seed=1).search(limit=Limit(simulations=5))
