"""Backgammon: forced moves, hits, bearing off, and OpenSpiel's rules beside it.

Of `games/backgammon/text.py` too, in which all these positions are written.
"""

import random
import re
from collections import Counter
from typing import Any

import pytest

from playout import CHANCE, Position, PositionError, UsageError, check_game
from playout.games.backgammon.rules import Backgammon
from tests.games.more.lockstep import games_to_play, pairs

GAME = Backgammon()
#: OpenSpiel's number of the bar.
BAR = 100


def names(text: str) -> list[str]:
    legal = Position(GAME, text).legal_actions()
    return [GAME.action_name(action) for action in legal]


def test_laws() -> None:
    """One game takes some hundred actions, interpreted too."""
    assert check_game(GAME, games=1).longest > 100


# -- against OpenSpiel -----------------------------------------------------------------


def ours(position: Position) -> tuple[int, ...]:
    """The checkers of both, each from its own side, those on the bar last."""
    return tuple(position.array["checkers"][0, :, 1:].ravel().tolist())


def theirs_as_ours(state: Any) -> tuple[int, ...]:
    first = [state.board(0, 24 - point) for point in range(1, 25)]
    second = [state.board(1, point - 1) for point in range(1, 25)]
    return (*first, state.board(0, BAR), *second, state.board(1, BAR))


def reached(position: Position, moves: int) -> set[tuple[int, ...]]:
    """The boards after so many moves of checkers, or fewer if the turn ends."""
    found, queue, seen = set(), [(position, moves)], set()
    while queue:
        before, left = queue.pop()
        turn = before.current_player == position.current_player
        if left == 0 or not turn or before.is_terminal:
            found.add(ours(before))
            continue
        for action in before.legal_actions():
            after = before.copy().play(action)
            key = ours(after), after.array.tobytes()
            if key not in seen:
                seen.add(key)
                queue.append((after, left - 1))
    return found


def roll_both(position: Position, theirs: Any, rng: random.Random) -> None:
    chances: Counter[str] = Counter()
    names = {}
    for outcome, chance in theirs.chance_outcomes():
        text = theirs.action_to_string(CHANCE, outcome)
        one, other = sorted(re.findall(r"\d", text.partition("roll: ")[2]))
        names[outcome] = f"{one}-{other}" if "O starts" in text else f"{other}-{one}"
        chances[names[outcome]] += chance
    legal = position.legal_actions()
    assert {GAME.action_name(action) for action in legal} == set(chances)
    for action in legal:
        found = GAME.chance_probability(position.state, action)
        assert found == pytest.approx(chances[GAME.action_name(action)])
    outcome = rng.choice(sorted(names))
    position.play(names[outcome])
    theirs.apply_action(outcome)


def move_both(position: Position, theirs: Any, rng: random.Random) -> None:
    """A move of OpenSpiel's: two checkers; four after doubles are two moves."""
    player, number = theirs.current_player(), rng.choice(theirs.legal_actions())
    moves = theirs.spiel_move_to_checker_moves(player, number)
    for move in moves:
        if move.num < 1:
            continue
        point = 25 if move.pos == BAR else (24 - move.pos, move.pos + 1)[player]
        position.play(156 * player + 26 * (move.num - 1) + point)
    if all(move.num < 1 for move in moves) and not position.is_chance:
        position.play("pass")
    theirs.apply_action(number)


def test_lockstep() -> None:
    """The same boards can be reached in a turn, which is looked at now and then."""
    rng = random.Random(6)
    for position, theirs in pairs(GAME, "backgammon", games_to_play(3)):
        while not theirs.is_terminal():
            assert ours(position) == theirs_as_ours(theirs)
            if theirs.is_chance_node():
                roll_both(position, theirs, rng)
                continue
            if rng.random() < 0.2 and not position.is_chance:
                assert position.current_player == theirs.current_player()
                boards = {
                    theirs_as_ours(theirs.child(a)) for a in theirs.legal_actions()
                }
                assert reached(position, 2) == boards, str(theirs)
            move_both(position, theirs, rng)
        assert position.is_terminal
        assert [position.returns(player) for player in (0, 1)] == theirs.returns()


# -- by hand ---------------------------------------------------------------------------


def test_sequences() -> None:
    """Thirty first rolls, as many moves after them for each player."""
    position = Position(GAME)
    found: Counter[int] = Counter()
    for action in position.legal_actions():
        after = position.copy().play(action)
        found[after.current_player] += len(after.legal_actions())
    assert found[0] == found[1]
    assert sum(found.values()) == 200


def test_both_dice_are_used_if_they_can_be() -> None:
    """White's 6 is closed: after 13/12 there is no 6 to move, after the others a 1."""
    assert names("13,3 19x2 W 6-1") == ["3/2", "13/7"]


def test_else_the_larger_one() -> None:
    """White's 6 is closed, so 13/12 leaves no 6 and 13/7 no 1; then 7 is, too."""
    assert names("13 19x2 W 6-1") == ["13/7"]
    assert names("13 19x2,18x2 W 6-1") == ["13/12"]


def test_the_bar_comes_first() -> None:
    assert names("bar,13 6x2 W 6-1") == ["bar/24"]
    assert names("bar,13 6x2,1x2 W 6-1") == ["pass"]
    position = Position(GAME, "bar,13 6x2,1x2 W 6-1").play("pass")
    assert (position.is_chance, position.to_text()[-1]) == (True, "B")


def test_a_single_checker_is_hit() -> None:
    position = Position(GAME, "13 18 W 6-1").play("13/7")
    assert position.to_text() == "7 bar W 1"
    assert GAME.action_cells(GAME.parse_action("13/7")) == ((0, 0), (10, 5))
    assert names("7 bar B 5-3") == ["bar/3", "bar/5"]


def test_bearing_off() -> None:
    assert names("6,3 24 W 6-3") == ["3/off", "6/3", "6/off"]
    assert names("4,3 24 W 6-5") == ["4/off:5", "4/off:6"]
    assert names("7,3 24 W 3-2") == ["3/1", "7/5", "7/4"]
    assert Position(GAME, "3 24 W 6-3").play("3/off:6").returns(0) == 1.0


def test_doubles_are_used_four_times() -> None:
    position = Position(GAME, "13x4 24 W 3x4")
    for left in ("3x3", "3x2", "3x1"):
        position.play(position.legal_actions()[0])
        assert position.to_text().endswith(f"W {left}")
    assert position.play(position.legal_actions()[0]).is_chance


@pytest.mark.parametrize(
    ("black", "returns"),
    [("6x14", [1, 1, 1]), ("6x15", [1, 2, 2]), ("6x14,23", [1, 2, 3])],
)
def test_what_a_game_counts(black: str, returns: list[int]) -> None:
    for number, scoring in enumerate(("win", "gammon", "full")):
        game = Backgammon(scoring=scoring)
        state = Position(GAME, f"1 {black} W 6").play("1/off:6").state
        assert game.returns(state, 0) == returns[number]
        assert game.returns(state, 1) == -returns[number]
        assert game.return_range == (-1 - number, 1 + number)


def test_bad_moves_and_positions_say_what_is_accepted() -> None:
    for text in (
        "24",
        "24/10",
        "0/3",
        "6/off:5",
        "26/25",
        "7-1",
        "bar/10",
        "25/22",
        "3/0",
    ):
        with pytest.raises(UsageError, match="moves are from one point to another"):
            GAME.parse_action(text)
    for text in ("", "13 6", "25 6 W", "13 6 W 7-1", "13 6 - 5-4", "13 6 W 5-5"):
        with pytest.raises(PositionError, match="expected White's checkers, Black's"):
            Position(GAME, text)
    with pytest.raises(PositionError, match="both have checkers on one point"):
        Position(GAME, "13 12 W")
    with pytest.raises(PositionError, match="a player has 15 checkers"):
        Position(GAME, "13x16 6 W")
    with pytest.raises(UsageError, match="scoring must be one of win, gammon, full"):
        Backgammon(scoring="money")
