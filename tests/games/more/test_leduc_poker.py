"""Leduc poker: bets, rounds, showdowns, and OpenSpiel's rules beside it."""

import numpy as np
import pytest

from playout import Position, PositionError, UsageError, check_game
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.more.leduc_poker import LeducPoker
from tests.games.more.lockstep import count, play_in_lockstep

GAME = LeducPoker()


def test_laws() -> None:
    assert check_game(GAME, games=20).longest > 6


def test_lockstep() -> None:
    def number_of(position: Position, action: int) -> int:
        return action - 3 if position.is_chance else action

    play_in_lockstep(GAME, "leduc_poker", number_of)


def test_sequences() -> None:
    """Thirty deals; call or raise; call or raise, and fold after a raise."""
    assert count(GAME, 4) == [1, 6, 30, 60, 30 * (2 + 3)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Kh Qs Js call call call call", 1.0),
        ("Kh Qs Qh call call call call", -1.0),
        ("Kh Ks Qh raise call raise raise call", 0.0),
        ("Js Kh Jh raise raise call raise raise call", 13.0),
        ("Js Kh .. raise fold", 1.0),
        ("Js Kh .. raise raise fold", -3.0),
        ("Js Kh Qs call call raise raise fold", -5.0),
    ],
)
def test_results_in_chips(text: str, first: float) -> None:
    position = Position(GAME, text)
    assert [position.returns(player) for player in (0, 1)] == [first, -first]


def test_two_raises_a_round() -> None:
    position = Position(GAME, "Js Kh .. raise raise")
    names = [GAME.action_name(action) for action in position.legal_actions()]
    assert names == ["fold", "call"]
    assert position.play("call").is_chance
    assert len(position.legal_actions()) == 4


def test_what_each_player_sees_and_what_may_be_behind_it() -> None:
    position = Position(GAME, "Kh Qs Js call call raise")
    assert position.seen_by(0).to_text() == "Kh ?? Js call call raise"
    assert position.seen_by(1).to_text() == "?? Qs Js call call raise"
    rng, found = make_rng(2), set()
    with np.errstate(over="ignore"):
        for _ in range(60):
            state = Position(GAME, "Kh ?? Js call call raise").array.copy()
            GAME.determinize(Rows(state)[0], 0, rng)
            found.add(GAME.state_to_text(Rows(state)[0])[3:5])
    assert found == {"Jh", "Qs", "Qh", "Ks"}


def test_drawing() -> None:
    text = Position(GAME, "Kh ?? Js raise call raise").render()
    assert text == "A  Kh   7 chips\nB  ??   3 chips\nopen Js, round 2"


def test_bad_moves_and_positions_say_what_is_accepted() -> None:
    with pytest.raises(UsageError, match="legal are Js, Jh, Qs, Qh, Ks, Kh"):
        Position(GAME).play("bet")
    for text in ("", "Kh Kh ..", "Kh Qs", "Kh Qs .. bet"):
        with pytest.raises(PositionError, match="expected A's card, B's and the open"):
            Position(GAME, text)
    for text in ("Kh .. .. call", "Kh Qs .. call call call", "Kh Qs .. fold"):
        with pytest.raises(PositionError, match=r"nobody may (call|fold) here"):
            Position(GAME, text)
    with pytest.raises(PositionError, match="the open card is dealt too early"):
        Position(GAME, "Kh Qs Js call")
