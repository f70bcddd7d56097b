"""Go: captures, ko, superko, scores, and OpenSpiel's rules beside it.

Of `games/go/chains.py` too, which keeps the stones.
"""

import random

import numpy as np
import pytest

from playout import Position, PositionError, UsageError, check_game
from playout.games.go.chains import FREE, is_eye
from playout.games.go.rules import GoGame
from tests.games.more.lockstep import count, games_to_play, pairs

GAME = GoGame(size=4)


def names(position: Position) -> list[str]:
    return [GAME.action_name(action) for action in position.legal_actions()]


def test_laws() -> None:
    assert check_game(GAME, games=2).longest > 8


def test_lockstep() -> None:
    """OpenSpiel lets positions come again, and the game is drawn then: ours forbids it.

    It counts rows from the bottom.
    """
    rng = random.Random(4)
    size, forbidden = GAME.size, 0
    for position, theirs in pairs(GAME, "go(board_size=4,komi=7.5)", games_to_play(15)):
        while not theirs.is_terminal():
            numbers = {}
            for action in position.legal_actions():
                row, column = divmod(action, size)
                flipped = (size - 1 - row) * size + column if row < size else action
                numbers[flipped] = action
            legal = set(theirs.legal_actions())
            assert set(numbers) <= legal, str(theirs)
            for number in legal - set(numbers):
                after = theirs.child(number)
                assert after.is_terminal(), str(after)
                assert after.returns() == [0.0, 0.0]
                forbidden += 1
            number = rng.choice(sorted(numbers))
            position.play(numbers[number])
            theirs.apply_action(number)
        assert position.is_terminal
        assert [position.returns(player) for player in (0, 1)] == theirs.returns()
    assert forbidden > 0


def test_sequences() -> None:
    """Sixteen points and a pass; after two passes the game is over."""
    assert count(GAME, 2) == [1, 17, 16 * 16 + 17]


def test_a_chain_without_liberties_is_taken() -> None:
    taken = Position(GAME, ".XX./XOO./.XX./.... X").play("d3").state
    assert GAME._grid(taken.color) == [".XX.", "X..X", ".XX.", "...."]


def test_suicide_is_forbidden_and_taking_is_none() -> None:
    assert "a4" not in names(Position(GAME, ".X../X.../..../.... O"))
    position = Position(GAME, ".XO./XO../O.../.... O")
    assert "a4" in names(position)
    taken = position.play("a4").state
    assert GAME._grid(taken.color) == ["O.O.", ".O..", "O...", "...."]


def test_ko_and_what_ends_it() -> None:
    position = Position(GAME, ".XO./XO.O/.XO./.... X").play("c3")
    assert GAME._grid(position.state.color)[1] == "X.XO"
    assert "b3" not in names(position)
    position.play("a1").play("d1")
    assert "b3" in names(position)


def test_two_are_sent_and_one_does_not_come_back() -> None:
    """White's a4 and b4 are taken; retaking c4 would leave the stones as at first."""
    position = Position(GAME, ".O.O/XXO./..../.... O").play("a4").play("c4")
    assert GAME._grid(position.state.color)[0] == "..XO"
    assert "b4" not in names(position)
    other = Position(GAME, "..XO/XXO./..../.... O")
    assert "b4" in names(other)


def test_areas_are_counted() -> None:
    game = GoGame(size=4, komi=0.5)
    position = Position(game, ".X../.X../.XO./.XO. X").play("pass").play("pass")
    assert position.is_terminal
    assert position.state.lead == 8 - 2
    assert position.returns(0) == 1.0
    assert position.render().endswith("Black leads by 5.5")
    assert Position(GoGame(size=4, komi=6.0), position.to_text()).returns(0) == 0.0
    assert Position(GoGame(size=4, komi=7.0), position.to_text()).returns(0) == -1.0


@pytest.mark.parametrize(
    ("text", "eyes"),
    [
        (".XX./XX.X/.XX./.... X", ["a4", "d4", "c3"]),
        (".XO./XX.X/.XX./.... X", ["a4"]),
        (".XX./XO.X/.XX./.... X", ["d4"]),
        (".X../X.X./OX../.... X", ["a4", "b3"]),
        (".X../X.X./OXO./.... X", ["a4"]),
    ],
)
def test_eyes(text: str, eyes: list[str]) -> None:
    state = Position(GAME, text).state
    assert eyes == [
        GAME.action_name(int(GAME.action_of[point]))
        for point in GAME.points
        if state.color[point] == FREE and is_eye(GAME, state, int(point), 0)
    ]


def test_a_position_keeps_its_moves() -> None:
    position = Position.from_moves(GAME, ["b2", "c3", "pass", "b3"])
    assert position.to_text() == "..../..../..../.... X b2 c3 pass b3"
    again = Position(GAME, position.to_text())
    assert again.array.tobytes() == position.array.tobytes()
    assert [GAME.action_cells(16), GAME.action_cells(5)] == [(), ((1, 1),)]


def test_stones_count_the_same_however_they_came() -> None:
    """Chains and liberties are those of the same board, read from text; interpreted."""
    rng = random.Random(7)
    position = Position(GoGame(size=5))
    for _ in range(40):
        position.play(rng.choice(position.legal_actions()[:-1] or [25]))
        if position.is_terminal:
            break
        grid = "/".join(position.game._grid(position.state.color))
        fresh = Position(position.game, f"{grid} X").array[0]
        for field in ("hash", "chain_keys", "liberties", "chain", "color"):
            assert np.array_equal(fresh[field], position.array[0][field]), field


def test_bad_moves_and_positions_say_what_is_accepted() -> None:
    with pytest.raises(
        UsageError, match=r"cells are a1 to d4 .there is no column i., or"
    ):
        Position(GAME).play("i3")
    with pytest.raises(PositionError, match="expected 4 rows"):
        Position(GAME, "X")
    with pytest.raises(PositionError, match="a chain has no liberties"):
        Position(GAME, "XO../O.../..../.... X")
    with pytest.raises(PositionError, match="b2 cannot be played"):
        Position(GAME, "..../..../..../.... X b2 b2")
    with pytest.raises(UsageError, match="size must be 2 to 19, not 20"):
        GoGame(size=20)
