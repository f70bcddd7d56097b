"""What bundled games say of a state at a glance: the laws of `evaluate` and `prior`.

Also of `games/connect_four/value.py` and `games/ultimate_tic_tac_toe/value.py`.
"""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from playout import ConnectFour, Game, Gomoku, Position, UltimateTicTacToe
from playout.games.check.estimates import (
    compile_estimates,
    estimate_fault,
    has_estimates,
)
from playout.games.registry import game_names, make_game
from playout.games.tic_tac_toe.rules import MNK

ESTIMATING = [
    ConnectFour(),
    ConnectFour(rows=12, columns=12),
    ConnectFour(forbidden=(3, 3)),
    UltimateTicTacToe(),
    UltimateTicTacToe(variant="play-on"),
    Gomoku(size=7),
    Gomoku(size=19),
    Gomoku(rows=9, columns=17),
    MNK(m=8, n=8, k=5),
]


def random_games(game: Game, count: int, seed: int = 1) -> list[list[int]]:
    """The moves of random games that somebody has won."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        position = Position(game)
        while not position.is_terminal:
            position.play(int(rng.choice(position.legal_actions())))
        if position.returns(0):
            found.append(list(position.actions))
    return found


def value(position: Position, player: int) -> float:
    with np.errstate(over="ignore"):
        return float(position.game.evaluate(position.state, player))


def priors(position: Position) -> dict[int, float]:
    with np.errstate(over="ignore"):
        return {
            action: float(position.game.prior(position.state, action))
            for action in position.legal_actions()
        }


@pytest.mark.parametrize("game", ESTIMATING, ids=str)
def test_estimates_keep_the_law(game: Game) -> None:
    """In [-1, 1], one player's gain the other's loss, priors positive; not constant."""
    assert has_estimates(game)
    rng, position, values = np.random.default_rng(1), Position(game), []
    while len(values) < 8 and not position.is_terminal:
        legal = position.legal_actions()
        if len(position.actions) % 5 == 4:
            with np.errstate(over="ignore"):
                assert estimate_fault(game, position.array, legal) is None
            assert min(priors(position).values()) > 0
            assert abs(value(position, 0)) < 1
            values.append(value(position, 0))
        position.play(int(rng.choice(legal)))
    assert len(set(values)) > 3


@pytest.mark.parametrize(
    "name", ["connect-four", "ultimate-tic-tac-toe", "gomoku", "tic-tac-toe"]
)
def test_estimates_are_the_same_compiled(name: str) -> None:
    game = make_game("gomoku:size=7" if name == "gomoku" else name)
    native = compile_estimates(game)
    for moves in random_games(game, 1):
        position = Position(game)
        for move in moves[:-1]:
            position.play(move)
            with np.errstate(over="ignore"):
                legal = position.legal_actions()
                assert estimate_fault(game, position.array, legal, native) is None


def test_which_games_have_estimates() -> None:
    found = {name for name in game_names() if has_estimates(make_game(name))}
    fours = {"connect-four", "ultimate-tic-tac-toe", "gomoku"}
    others = {"tic-tac-toe", "mnk", "backgammon", "dots-and-boxes", "samegame"}
    assert found == fours | others


# -- symmetries ------------------------------------------------------------------------

Symmetry = Callable[[int], int]


def symmetries_of(size: int) -> list[Symmetry]:
    """The eight of a square of cells, numbered row by row."""

    def made(turns: int, mirrored: bool) -> Symmetry:
        def moved(cell: int) -> int:
            row, column = divmod(cell, size)
            if mirrored:
                column = size - 1 - column
            for _ in range(turns):
                row, column = column, size - 1 - row
            return row * size + column

        return moved

    return [made(*which) for which in itertools.product(range(4), (False, True))]


def of_boards(cell: Symmetry) -> Symmetry:
    """A symmetry of small boards and of the cells in each."""
    return lambda action: 9 * cell(action // 9) + cell(action % 9)


SYMMETRIC = [
    (ConnectFour(), [lambda column: 6 - column]),
    (UltimateTicTacToe(), [of_boards(cell) for cell in symmetries_of(3)]),
    (Gomoku(size=7), symmetries_of(7)),
]


@pytest.mark.parametrize(("game", "symmetries"), SYMMETRIC, ids=lambda x: str(x)[:12])
def test_estimates_are_as_symmetric_as_the_game(
    game: Game, symmetries: list[Symmetry]
) -> None:
    (moves,) = random_games(game, 1)
    moves = moves[: 2 * len(moves) // 3]
    position = Position.from_moves(game, [game.action_name(move) for move in moves])
    expected = priors(position)
    for symmetry in symmetries:
        names = [game.action_name(symmetry(move)) for move in moves]
        image = Position.from_moves(game, names)
        assert value(image, 0) == pytest.approx(value(position, 0), abs=1e-12)
        found = priors(image)
        for action, prior in expected.items():
            assert found[symmetry(action)] == pytest.approx(prior)


# -- are they any good? ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "games"),
    [(ConnectFour(), 80), (UltimateTicTacToe(), 20), (Gomoku(size=7), 15)],
    ids=str,
)
def test_winners_look_better_before_they_win(game: Game, games: int) -> None:
    """With the last move to come in random games, by 2.5 standard errors.

    A useless value would pass once in 160 times; the seed is fixed.
    """
    seen = []
    for moves in random_games(game, games):
        position = Position(game)
        for move in moves[:-1]:
            position.play(move)
        seen.append(value(position, (len(moves) - 1) % 2))
    spread = np.std(seen) / math.sqrt(len(seen))
    assert np.mean(seen) > 2.5 * spread


def test_evaluations_know_what_is_good() -> None:
    """Stones in a line with free ends are worth more than scattered stones."""
    for game, good in (
        (ConnectFour(), "4 1 4 1 4"),
        (UltimateTicTacToe(), "ee ea aa ae eb"),
        (Gomoku(), "h8 a1 h9 a15 h10"),
    ):
        position = Position.from_moves(game, good.split())
        with np.errstate(over="ignore"):
            assert game.evaluate(position.state, 0) > 0.02


def test_priors_know_a_win() -> None:
    position = Position.from_moves(ConnectFour(), list("112233"))
    with np.errstate(over="ignore"):
        priors = [position.game.prior(position.state, a) for a in range(7)]
    assert np.argmax(priors) == 3


class AtOnce(ConnectFour):
    """Says other things of all columns at once than of each."""

    def priors(self, state, actions, count, priors):
        for index in range(count):
            priors[index] = 1.0 + index


class Cautious(AtOnce):
    """Has a `prior` of its own, and so no use for another one's `priors`."""

    def prior(self, state, action):
        return 2.0


def test_all_priors_at_once_are_those_of_each() -> None:
    position = Position(AtOnce())
    fault = estimate_fault(AtOnce(), position.array, position.legal_actions())
    assert fault is not None
    assert "must be what prior says" in fault
    legal = Position(Cautious()).legal_actions()
    assert estimate_fault(Cautious(), position.array, legal) is None
