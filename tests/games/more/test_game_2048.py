"""2048: sliding by hand and against an oracle, and the chance to win small boards."""

import numpy as np
import pytest

from playout import Position, PositionError, UsageError, check_game
from playout.core.rng import make_rng
from playout.games.more.game_2048 import Game2048
from playout.games.positions.counting import perft
from tests.oracles import oracle_2048 as oracle

SMALL = Game2048(size=2, goal=16)


@pytest.mark.parametrize("game", [SMALL, Game2048(size=3, goal=64)], ids=str)
def test_laws(game: Game2048) -> None:
    assert check_game(game, games=5).longest > 5


def test_laws_of_the_real_game() -> None:
    assert check_game(Game2048(), games=1, compiled=False).longest > 50


@pytest.mark.parametrize(
    ("row", "left"),
    [
        ("2,2,2,2", "4,4,0,0"),
        ("4,2,2,0", "4,4,0,0"),
        ("2,2,4,0", "4,4,0,0"),
        ("0,0,0,2", "2,0,0,0"),
        ("2,0,0,2", "4,0,0,0"),
        ("2,2,2,0", "4,2,0,0"),
        ("8,4,4,8", "8,8,8,0"),
    ],
)
def test_a_row_slides(row: str, left: str) -> None:
    """A tile that has grown does not grow again in the same move."""
    rest = "/0,0,0,0/0,0,0,0/0,0,0,0"
    position = Position(Game2048(), row + rest).play("left")
    assert position.to_text() == f"{left}{rest} +"


@pytest.mark.parametrize("size", [2, 4])
def test_sliding_against_the_oracle(size: int) -> None:
    """Random boards: which directions are legal, and what each leads to."""
    game, random = Game2048(size=size), np.random.default_rng(size)
    for _ in range(2000 if size == 2 else 400):
        exponents = random.integers(0, 5, (size, size))
        board = tuple(tuple(1 << int(e) if e else 0 for e in row) for row in exponents)
        text = "/".join(",".join(map(str, row)) for row in board)
        wanted = oracle.moves(board)
        if not wanted:
            continue
        position = Position(game, text)
        names = [game.action_name(action) for action in position.legal_actions()]
        assert names == list(wanted)
        for name, after in wanted.items():
            assert tuple(map(tuple, game.tiles(position.play(name).state))) == after
            position.undo()


def test_sequences_against_the_oracle() -> None:
    empty = ((0,) * 3,) * 3
    for depth in range(6):
        found = perft(Game2048(size=3, goal=32768), depth)
        assert found == oracle.count_paths(empty, 2, depth)


def test_the_published_chance_to_win() -> None:
    """Two by two cells to the tile 32: "about 8 %" with best play.

    John Lees-Miller, "The Mathematics of 2048: Optimal Play with Markov Decision
    Processes", 2018.
    """
    assert oracle.win_probability(2, 32) == pytest.approx(0.08, abs=0.005)


def test_the_rules_have_the_same_chance() -> None:
    """By the game's own rules, states and probabilities."""
    known: dict[str, float] = {}

    def chance_to_win(position: Position) -> float:
        text = position.to_text()
        if text not in known:
            known[text] = reckon(position)
        return known[text]

    def reckon(position: Position) -> float:
        if position.is_terminal:
            return float(position.returns(0) == 1.0)
        game, state = position.game, position.state
        legal = position.legal_actions()
        chances = [
            game.chance_probability(state, action) if position.is_chance else 1.0
            for action in legal
        ]
        after = [chance_to_win(position.copy().play(action)) for action in legal]
        if not position.is_chance:
            return max(after)
        return sum(p * value for p, value in zip(chances, after, strict=True))

    exact = oracle.win_probability(2, 32)
    start = Position(Game2048(size=2, goal=32))
    assert chance_to_win(start) == pytest.approx(exact, abs=1e-12)


def test_new_tiles_come_as_they_should() -> None:
    """A quarter on each cell, a tenth of them 4: chi-squared, 7 degrees, 1e-6."""
    game, rng, throws = SMALL, make_rng(3), 4000
    position = Position(game)
    counts = np.zeros(8)
    with np.errstate(over="ignore"):
        for _ in range(throws):
            drawn = game.sample_chance(position.state, position._buffer, rng)
            counts[int(drawn) - 4] += 1
    wanted = np.array([0.225, 0.025] * 4) * throws
    assert ((counts - wanted) ** 2 / wanted).sum() < 40.5


def test_the_goal_ends_the_game() -> None:
    position = Position(SMALL, "8,8/2,4").play("left")
    assert position.is_terminal
    assert position.returns(0) == 1.0
    stuck = Position(SMALL, "8,4/4,8")
    assert stuck.is_terminal
    assert stuck.returns(0) == pytest.approx(2 * 24 / 32 - 1)


@pytest.mark.parametrize(
    "text", ["", "2,4", "2,3/0,0", "2,32/0,0", "2,2/2,4 +", "0,0/0,0 ++ +"]
)
def test_bad_positions_say_what_is_accepted(text: str) -> None:
    with pytest.raises(PositionError, match="expected 2 rows of 2 tiles"):
        Position(SMALL, text)


def test_bad_moves_and_parameters_say_what_is_accepted() -> None:
    with pytest.raises(UsageError, match="moves are up, right, down and left"):
        Position(SMALL).play("c3=2")
    with pytest.raises(UsageError, match="goal must be a power of two"):
        Game2048(goal=100)
    with pytest.raises(UsageError, match="size must be 2 to 6"):
        Game2048(size=7)


def test_names_read_back() -> None:
    game = Game2048()
    names = [game.action_name(action) for action in range(game.num_actions())]
    assert [game.parse_action(name) for name in names] == list(range(36))
    assert game.parse_action("L") == 3
