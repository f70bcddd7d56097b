"""Tic-tac-toe against exact play, and every preset on its own game.

Also of `search/presets.py`.
"""

import numpy as np
import pytest

from playout import (
    MCTS,
    MNK,
    ConnectFour,
    Game,
    Gomoku,
    Limit,
    Position,
    TicTacToe,
    UltimateTicTacToe,
    presets,
)
from tests.search.support import best_moves, board_of, winner


def test_every_position_is_judged_like_minimax() -> None:
    """All reachable positions that are not over: 4,520 of them."""
    search, seen = MCTS(TicTacToe(), seed=1), set()
    stack = [Position(TicTacToe())]
    while stack:
        position = stack.pop()
        cells = board_of(position)
        if cells in seen or winner(cells) or "." not in cells:
            continue
        seen.add(cells)
        result = search.search(position, Limit(simulations=1500))
        assert result.action in best_moves(cells), (cells, str(result))
        stack.extend(position.copy().play(a) for a in position.legal_actions())
    assert len(seen) == 4520


@pytest.mark.parametrize("opponent", ["random", "minimax"])
@pytest.mark.parametrize("side", [0, 1])
def test_tic_tac_toe_never_loses(opponent: str, side: int) -> None:
    """250 games as either side with 20,000 simulations a move."""
    rng = np.random.default_rng(7)
    game, limit = TicTacToe(), Limit(simulations=20_000)
    search = MCTS(game, seed=1)
    for _ in range(250):
        position = Position(game)
        while not position.is_terminal:
            cells = board_of(position)
            if position.current_player != side:
                moves = (
                    position.legal_actions()
                    if opponent == "random"
                    else best_moves(cells)
                )
                position.play(int(rng.choice(moves)))
                continue
            search.reset()
            position.play(search.search(position, limit).action)
        assert position.returns(side) >= 0, position.render()


OWN_GAMES: dict[str, Game] = {
    "fachada": TicTacToe(),
    "tutorial": UltimateTicTacToe(),
    "tiny": MNK(m=3, n=3, k=3),
    "group21": Gomoku(size=9),
    "tsinghua": ConnectFour(rows=9, columns=10, forbidden=(4, 3)),
}


@pytest.mark.parametrize("name", presets.PRESETS)
def test_every_preset_plays_a_legal_game(name: str) -> None:
    game = OWN_GAMES[name]
    search = MCTS(game, seed=1, **presets.preset(name))
    position = Position(game)
    while not position.is_terminal:
        result = search.search(position, Limit(simulations=100))
        position.play(result.move)  # raises if it is not legal
    assert len(position.moves) <= game.max_game_length()


def test_presets_have_the_constants_of_their_sources() -> None:
    """On returns in [-1, 1] and `sqrt(ln N / n)`, worked out by hand."""
    constants = {
        "fachada": 1.41421356,  # k = sqrt(2), W = wins - losses
        "tutorial": 0.14142136,  # 0.1 * sqrt(2)
        "tiny": 2.84,  # 1.42 on [0, 1]
        "group21": 2.82842712,  # sqrt(2) on [0, 1]
        "tsinghua": 3.39411255,  # 2.4 * sqrt(2)
    }
    for name, constant in constants.items():
        assert presets.preset(name)["selection"].c_uct == pytest.approx(constant)
    assert presets.tiny()["expansion"].threshold == 30
    assert presets.group21()["expansion"].urgent == "root"


def test_the_opponent_is_not_taken_for_a_helper() -> None:
    """Source 2's fault: with values that never change sign this threat is missed."""
    position = Position.from_moves(TicTacToe(), ["b2", "a3", "c3"])
    result = MCTS(TicTacToe(), seed=1, **presets.tutorial()).search(
        position, Limit(simulations=2000)
    )
    assert result.move == "a1"  # the only block
