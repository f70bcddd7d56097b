"""Kuhn poker: every game there is, who knows what, and its value."""

import itertools

import numpy as np
import pytest

from playout import Position, PositionError, UsageError, check_game
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.more.kuhn_poker import KuhnPoker
from tests.games.more.lockstep import count, play_in_lockstep

GAME = KuhnPoker()


def test_laws() -> None:
    assert check_game(GAME, games=20).longest == 5


def test_lockstep() -> None:
    def number_of(position: Position, action: int) -> int:
        return action - 2 if position.is_chance else action

    play_in_lockstep(GAME, "kuhn_poker", number_of)


def test_sequences() -> None:
    """Six deals; two actions, two answers; pass and bet is answered once more."""
    assert count(GAME, 5) == [1, 3, 6, 12, 24, 12]


@pytest.mark.parametrize(
    ("bets", "chips"),
    [
        ("pass pass", 1),
        ("bet bet", 2),
        ("pass bet bet", 2),
    ],
)
def test_the_higher_card_wins(bets: str, chips: int) -> None:
    for first, second in itertools.permutations("JQK", 2):
        position = Position(GAME, f"{first}{second} {bets}")
        sign = 1 if "JQK".index(first) > "JQK".index(second) else -1
        assert [position.returns(p) for p in (0, 1)] == [sign * chips, -sign * chips]


def test_who_folds_loses_a_chip() -> None:
    assert Position(GAME, "JK bet pass").returns(0) == 1.0
    assert Position(GAME, "KJ pass bet pass").returns(1) == 1.0


def test_the_first_player_loses_an_eighteenth_of_a_chip() -> None:
    """Kuhn's equilibrium, a third of the bluffs left to A's choice, by our rules."""
    for bluff in (0.0, 1 / 6, 1 / 3):
        bets = {
            ("J", ""): bluff,
            ("Q", ""): 0.0,
            ("K", ""): 3 * bluff,
            ("J", "pb"): 0.0,
            ("Q", "pb"): bluff + 1 / 3,
            ("K", "pb"): 1.0,
            ("J", "p"): 1 / 3,
            ("Q", "p"): 0.0,
            ("K", "p"): 1.0,
            ("J", "b"): 0.0,
            ("Q", "b"): 1 / 3,
            ("K", "b"): 1.0,
        }

        def value(position: Position, bets: dict[tuple[str, str], float]) -> float:
            if position.is_terminal:
                return position.returns(0)
            if position.is_chance:
                legal = position.legal_actions()
                after = [value(position.copy().play(a), bets) for a in legal]
                return sum(after) / len(after)
            card, *done = position.seen_by(position.current_player).to_text().split()
            own = card.replace("?", "")
            chance = bets[own, "".join(word[0] for word in done)]
            ways = [value(position.copy().play(a), bets) for a in (0, 1)]
            return ways[0] * (1 - chance) + ways[1] * chance

        assert value(Position(GAME), bets) == pytest.approx(-1 / 18)


def test_what_each_player_sees_and_what_may_be_behind_it() -> None:
    position = Position.from_moves(GAME, ["K", "Q", "pass"])
    assert position.seen_by(0).to_text() == "K? pass"
    assert position.seen_by(1).to_text() == "?Q pass"
    assert position.play("pass").seen_by(1).to_text() == "KQ pass pass"
    rng, found = make_rng(2), set()
    with np.errstate(over="ignore"):
        for _ in range(30):
            state = Position(GAME, "?Q pass").array.copy()
            GAME.determinize(Rows(state)[0], 1, rng)
            found.add(GAME.state_to_text(Rows(state)[0]))
    assert found == {"JQ pass", "KQ pass"}


def test_drawing() -> None:
    assert Position(GAME, "K? pass bet").render() == "A  K  pass\nB  ?  bet\npot 3"


def test_bad_moves_and_positions_say_what_is_accepted() -> None:
    with pytest.raises(UsageError, match="legal are J, Q, K"):
        Position(GAME).play("call")
    for text in ("", "KK", "K", "KQ fold"):
        with pytest.raises(PositionError, match="expected the cards of both"):
            Position(GAME, text)
    for text in ("K. bet", "KQ pass pass bet"):
        with pytest.raises(PositionError, match="nobody may bet here"):
            Position(GAME, text)
