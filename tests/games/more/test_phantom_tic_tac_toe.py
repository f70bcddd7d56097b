"""Phantom tic-tac-toe: what is told to whom, and what may be behind it."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from playout import Position, PositionError, RulesError, check_game
from playout.core.jit.rows import Rows
from playout.core.rng import make_rng
from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from playout.games.positions.counting import perft

GAME = PhantomTicTacToe()


def test_laws() -> None:
    assert check_game(GAME, games=10).longest > 9


def test_sequences() -> None:
    """O knows nothing and may try nine cells; one is taken, and O tries again.

    After three actions: 72 ways in which O has put a stone, X then tries 8 cells, and 9
    in which it has found X's.
    """
    counts = [perft(GAME, depth) for depth in range(4)]
    assert counts == [1, 9, 81, 72 * 8 + 9 * 8]


def test_whoever_finds_a_stone_tries_again() -> None:
    position = Position.from_moves(GAME, ["b2", "b2"])
    assert position.current_player == 1
    assert "b2" not in [GAME.action_name(a) for a in position.legal_actions()]
    assert position.to_text() == ".../.x./... O"


def test_what_each_player_sees() -> None:
    position = Position.from_moves(GAME, ["b2", "a1", "a1", "c3", "b2"])
    assert position.to_text() == "..X/.x./o.. O"
    assert position.seen_by(0).to_text() == "..X/.X./o.. O"
    assert position.seen_by(1).to_text() == ".../.x./O.. O"
    assert position.seen_by(1).moves == []
    assert position.moves[0] == "b2"  # it is a copy


def test_the_end_is_seen_by_all() -> None:
    position = Position.from_moves(GAME, ["a1", "a2", "b1", "b2", "c1"])
    assert position.is_terminal
    assert [position.returns(player) for player in (0, 1)] == [1.0, -1.0]
    assert position.seen_by(1).to_text() == position.to_text() == ".../OO./XXX O"


def drawn(text: str, player: int, times: int) -> Counter[str]:
    rng, found = make_rng(5), Counter[str]()
    with np.errstate(over="ignore"):
        for _ in range(times):
            state = Position(GAME, text).array.copy()
            GAME.determinize(Rows(state)[0], player, rng)
            found[GAME.state_to_text(Rows(state)[0]).upper()] += 1
    return found


def test_what_is_hidden_is_drawn_uniformly() -> None:
    """O's stone may be on any of eight cells; within 5 standard deviations."""
    found = drawn(".../.X./... X", 0, 800)
    assert len(found) == 8
    assert all(abs(count - 100) < 5 * np.sqrt(800 * 7 / 64) for count in found.values())


def test_nobody_is_given_a_line() -> None:
    """Three stones of X on seven cells: 35 ways, four of them lines."""
    found = drawn("XX./X../OOX O", 1, 600)
    assert len(found) == 35 - 4
    assert not any(Position(GAME, text).is_terminal for text in found)


class Peeking(PhantomTicTacToe):
    def determinize(self, state: Any, player: int, rng: Any) -> None:
        return


class Telling(PhantomTicTacToe):
    def hide(self, state: Any, player: int) -> None:
        if not self.is_terminal(state):
            state.stones[1 - player] = 0


def test_who_looks_at_what_is_hidden_breaks_a_law() -> None:
    with pytest.raises(RulesError, match=r"law 11: for player \d, determinize leaves"):
        check_game(Peeking(), games=3, compiled=False)
    with pytest.raises(RulesError, match=r"law 11: for player \d"):
        check_game(Telling(), games=3, compiled=False)


@pytest.mark.parametrize("text", ["", ".../... X", "xxx/ooo/... X"])
def test_bad_positions_say_what_is_accepted(text: str) -> None:
    with pytest.raises(
        PositionError, match=r"expected 3 rows|both players have a line"
    ):
        Position(GAME, text)
