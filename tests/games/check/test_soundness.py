"""Rules that cannot be played, and texts that are no position, are named at once.

Also of `core/text/signatures.py`, `games/positions/counting.py` and
`games/positions/position.py`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    CompileError,
    ConnectFour,
    Game,
    Position,
    PositionError,
    RulesError,
    TicTacToe,
    UsageError,
    check_game,
    make_game,
    perft,
)
from playout.games.positions.counting import divide, random_play
from tests.toys import Corridor, Nim, ThreeWays


@dataclass(frozen=True)
class Empty(Game):
    """Nothing is written yet."""


class Undecorated(Game):
    """The decorator was forgotten."""

    stones: int = 21


class HalfDecorated(Nim):
    """Its own default would silently stay 21."""

    stones: int = 5


@dataclass
class Thawed(Corridor.__mro__[1]):  # type: ignore[misc]
    """A dataclass that can be changed."""


@dataclass(frozen=True)
class Diceless(Nim):
    has_chance = True


@dataclass(frozen=True)
class Sized(Nim):
    """`num_actions` and `max_game_length` are what the test says."""

    actions: Any = 4
    length: Any = 100

    def num_actions(self):
        return self.actions

    def max_game_length(self):
        return self.length


@dataclass(frozen=True)
class Shaped(Nim):
    """`state_dtype` is what the test says."""

    shape: Any = None

    def state_dtype(self):
        return self.shape


@dataclass(frozen=True)
class Narrow(Nim):
    def state_dtype(self):
        return np.dtype([("left", "u1"), ("player", "i1")])


@dataclass(frozen=True)
class Silent(Nim):
    """`legal_actions` has no `return`."""

    def legal_actions(self, state, actions):
        actions[0] = 1


@dataclass(frozen=True)
class SilentEnd(Nim):
    def is_terminal(self, state):
        state.left == 0  # noqa: B015


@dataclass(frozen=True)
class SilentPlayer(Nim):
    def current_player(self, state):
        pass


@dataclass(frozen=True)
class SilentReturns(Nim):
    def returns(self, state, player):
        pass


@dataclass(frozen=True)
class Fails(Nim):
    def initial_state(self, state):
        state.left = [][0]


@dataclass(frozen=True)
class TooFewParameters(Nim):
    def legal_actions(self, state):  # type: ignore[override]
        return 0


@dataclass(frozen=True)
class NoLastMove(Nim):
    def render(self, state):  # type: ignore[override]
        return ""


@dataclass(frozen=True)
class NamesNothing(Nim):
    def action_name(self, action):
        return action


@dataclass(frozen=True)
class OddNames(Nim):
    player_names = None  # type: ignore[assignment]


@dataclass(frozen=True)
class OddTitle(Nim):
    title = 5  # type: ignore[assignment]


@dataclass(frozen=True)
class ReadsNumbers(Nim):
    """Its texts are numbers alone, which it does not check."""

    def state_from_text(self, text, state):
        state.left = int(text)


@dataclass(frozen=True)
class DrawsText(Nim):
    def board(self, state, last_action):
        return "a board"


@dataclass(frozen=True)
class DrawsNothing(Nim):
    def render(self, state, last_action, color):
        pass


@dataclass(frozen=True)
class OwnNames(Nim):
    """Parameters may have any names, and the last move needs no default."""

    def board(self, s, last):  # type: ignore[override]
        return None


MIXED = np.dtype([("left", "i4"), ("owner", "O")])
WORDS = np.dtype([("word", "U8")])
SPACED = np.dtype([("stones left", "i4")])
FOREIGN = np.dtype([("left", ">i4"), ("player", "i1")])


class ListsActions(Nim):
    def legal_actions(self, state, actions):
        return [1, 2, 3][: min(3, state.left)]


class NumberForMethod(Nim):
    num_actions = 4  # type: ignore[assignment]


@dataclass(frozen=True)
class Counts(Nim):
    def initial_state(self, state):
        self.moves = 0


UNPLAYABLE = [
    (ListsActions(), r"\[1, 2, 3\], which is not a number; write the actions into"),
    (
        NumberForMethod(),
        r"num_actions is 4; it must be a method, def num_actions\(self",
    ),
    (Counts(), r"Counts.initial_state, .* line \d+: .*moves'; put what changes during"),
    (Empty(), r"not complete: it has no num_actions\(self\), state_dtype\(self\)"),
    (Empty(), r"returns\(self, state, player\)"),
    (Diceless(), r"no chance_probability\(self, state, action\); "),
    (Undecorated(), "must be a frozen dataclass: put @dataclass"),
    (HalfDecorated(), "must be a frozen dataclass"),
    (Thawed(), "must be a frozen dataclass"),
    (Sized(actions="4"), "num_actions returned '4', which is not a number"),
    (Sized(actions=None), "num_actions returned nothing"),
    (Sized(actions=0), r"num_actions\(\) gives 0; .*from 1 to 16,777,216"),
    (Sized(actions=4.0), r"num_actions\(\) gives 4.0; it must be a whole number"),
    (Sized(actions=10**12), r"num_actions\(\) gives 1000000000000; "),
    (Sized(length=0), r"max_game_length\(\) gives 0; "),
    (Sized(length=10**8 + 1), r"max_game_length\(\) gives 100000001; "),
    (Sized(length=10**12), r"max_game_length\(\) gives 1000000000000; "),
    (Shaped(shape=None), r"state_dtype\(\) gives None; .*named fields"),
    (Shaped(shape=[("left", "i4")]), r"state_dtype\(\) gives \[\('left', 'i4'\)\]"),
    (Shaped(shape=np.dtype("i4")), r"gives dtype\('int32'\); .*named fields"),
    (Shaped(shape=MIXED), "the field 'owner' is of type object; a state holds"),
    (Shaped(shape=WORDS), "of type <U8; .* text as the numbers of its letters"),
    (Shaped(shape=FOREIGN), "the field 'left' is of type >i4"),
    (Shaped(shape=SPACED), "the field 'stones left' needs another name"),
    (NamesNothing(), "action_name returned 1, which is not a text"),
    (OddNames(), "player_names must be a tuple of texts, not None"),
    (OddTitle(), "title must be a text, not 5"),
    (Nim(stones=2**31), "2147483648 does not fit the field 'left', .* to 2147483647"),
    (Narrow(stones=300), "300 does not fit the field 'left', which holds 0 to 255"),
    (Silent(), "Silent.legal_actions returned nothing; is there a `return`"),
    (SilentEnd(), "SilentEnd.is_terminal returned nothing"),
    (SilentPlayer(), "SilentPlayer.current_player returned nothing"),
    (Fails(), r"Fails.initial_state, .*test_soundness.py line \d+: .*IndexError"),
    (TooFewParameters(), r"it takes \(self, state\), .* has \(self, state, actions\)"),
    (NoLastMove(), r"NoLastMove.render, .*test_soundness.py line \d+: it takes"),
]


@pytest.mark.parametrize(("game", "message"), UNPLAYABLE)
@pytest.mark.parametrize("use", [Position, MCTS, check_game])
def test_rules_that_cannot_be_played(use: Any, game: Game, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        use(game)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Nim, r"write Nim\(\), with \(\)"),
        ("nim", "'nim' is not a game"),
        (None, "None is not a game"),
        ("x" * 10**6, r"\(1000000 characters\) is not a game"),
    ],
)
def test_what_is_no_game(game: Any, message: str) -> None:
    for use in (Position, MCTS, check_game):
        with pytest.raises(UsageError, match=message):
            use(game)


def test_a_number_that_just_fits_is_no_error() -> None:
    assert Position(Narrow(stones=255)).to_text() == "left=255 player=0"
    assert Position(Narrow(stones=-1)).to_text() == "left=255 player=0"
    assert Position(Nim(stones=2**31 - 1)).to_text() == "left=2147483647 player=0"


def test_returns_that_give_nothing() -> None:
    position = Position(SilentReturns(stones=1)).play(1)
    with pytest.raises(RulesError, match="returns returned nothing"):
        position.returns(0)
    with pytest.raises(RulesError, match=r"returned nothing.*after the moves: "):
        check_game(SilentReturns(stones=3), compiled=False)
    with pytest.raises(
        CompileError,
        match=r"(?s)SilentReturns.returns, .* returns nothing.*Instead: return a n",
    ):
        MCTS(SilentReturns()).search()


@pytest.mark.parametrize(
    ("game", "text", "why"),
    [
        (Nim(), "left=-5 player=0", "it would have -5 legal moves"),
        (Nim(), "left=5 player=7", "player 7 would move, and the players are 0 to 1"),
        (Nim(), "left=5 player=-1", "player -1 would move"),
        (Nim(), "left=0 player=7", r"returns would be \[1.0, 1.0\]"),
        (ReadsNumbers(), "many", r"'many' \(invalid literal for int"),
        (ThreeWays(), "picks=0,0,0 count=4", "player 4 would move"),
        (Nim(), "left=5 left=5 player=0", "expected left=... player=..."),
        (Nim(), "left=99999999999 player=0", "expected 1 value of type int32"),
        (Nim(), "x" * 10**5, r"\(100000 characters\); expected"),
        (Nim(), "left=" + "9" * 10**5 + " player=0", r"\(100000 characters"),
    ],
)
def test_texts_that_describe_no_position(game: Game, text: str, why: str) -> None:
    with pytest.raises(PositionError, match=why) as caught:
        Position(game, text)
    assert len(str(caught.value)) < 300


def test_texts_that_describe_a_finished_game_are_positions() -> None:
    assert Position(Nim(), "left=0 player=1").is_terminal
    assert Position(Nim(), "left=3 player=1").legal_actions() == [1, 2, 3]


def test_moves_after_the_end_say_that_it_was_over() -> None:
    with pytest.raises(PositionError, match=r"move 8 \(2\): the game was over"):
        Position(ConnectFour(), "12121212")
    with pytest.raises(PositionError, match=r"move 7 \(1\): cannot be played"):
        Position(ConnectFour(), "1111111")


@pytest.mark.parametrize("move", [None, 5.5, 4.0, True, np.float64(3), b"b2", ["b2"]])
def test_what_is_no_move(move: Any) -> None:
    with pytest.raises(UsageError, match="a move is a text or a whole number, not "):
        Position(TicTacToe()).play(move)
    with pytest.raises(UsageError, match="a move is a text or a whole number, not "):
        MCTS(TicTacToe(), seed=1).advance(move)


def test_integers_of_numpy_are_moves() -> None:
    for kind in (np.int8, np.int32, np.uint64):
        assert Position(TicTacToe()).play(kind(4)).actions == [4]


def test_a_game_that_reads_moves_carelessly() -> None:
    @dataclass(frozen=True)
    class Careless(Nim):
        def parse_action(self, text):
            return {"one": 1}.get(text) or int(text)

    assert Position(Careless()).play("one").actions == [1]
    with pytest.raises(UsageError, match="'many' is not a move"):
        Position(Careless()).play("many")
    with pytest.raises(UsageError, match="cannot be played here") as caught:
        Position(Careless()).play("9" * 1000)
    assert len(str(caught.value)) < 300


def test_texts_and_moves_of_the_wrong_kind() -> None:
    with pytest.raises(UsageError, match="described by a text, not 5"):
        Position(TicTacToe(), 5)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="one after another, not 5"):
        Position.from_moves(TicTacToe(), 5)  # type: ignore[arg-type]


def test_check_game_plays_at_least_one_game() -> None:
    for games in (0, -1, 1.5, "3", None):
        with pytest.raises(
            UsageError, match="games must be a whole number of at least 1"
        ):
            check_game(Nim(), games=games)  # type: ignore[arg-type]


def test_parameters_may_have_any_names() -> None:
    assert Position(OwnNames()).render() == "left=21 player=0"


def test_what_is_drawn_is_a_board_or_a_text() -> None:
    with pytest.raises(RulesError, match=r"gives a Board or None, not 'a board'"):
        Position(DrawsText()).render()
    with pytest.raises(RulesError, match="render returned None, which is not a text"):
        Position(DrawsNothing()).render()


def test_fields_that_cannot_be_compiled_are_named() -> None:
    @dataclass(frozen=True)
    class Listed(Nim):
        table: Any = None

    for table in ([], [1], {}, {1}):
        with pytest.raises(CompileError, match=r"table = .* not (list|dict|set)"):
            MCTS(Listed(table=table), interpreted=False).compile()


def test_counting_asks_for_a_depth_and_a_position_of_the_game() -> None:
    for depth in (-1, 10, 2.5, "3", None):
        for count in (perft, divide):
            with pytest.raises(UsageError, match=r"depth must be .* from 0 to 9, not"):
                count(TicTacToe(), depth)  # type: ignore[arg-type]
    for position in ("a1", 5, Position(ConnectFour())):
        with pytest.raises(UsageError, match="must be a Position of TicTacToe"):
            perft(TicTacToe(), 2, position)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="games must be a whole number of at least 0"):
        random_play(TicTacToe(), -1)


def test_players_and_names_that_do_not_exist() -> None:
    with pytest.raises(UsageError, match=r"player must be .* from 0 to 1, not 5"):
        Position(TicTacToe()).returns(5)
    for name in (5, None):
        with pytest.raises(UsageError, match="a game is named by a text, not "):
            make_game(name)  # type: ignore[arg-type]
