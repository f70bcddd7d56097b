"""Hints and analysis of every face: one search that belongs to no player."""

import queue

import pytest

from playout import Limit
from playout.games.registry import make_game
from playout.players.player import Allowance
from playout.ui.common.adviser import Adviser
from playout.ui.notebook import GameBoard
from playout.ui.tui.messages import Hinted, Thought
from playout.ui.tui.thinking_thread import ThinkingThread
from tests.ui.support import LINE, output_of

GAME = make_game(LINE)


@pytest.fixture
def asked(monkeypatch):
    """The methods of advisers that are called."""
    calls = []

    def noting(name):
        method = getattr(Adviser, name)

        def note(*arguments):
            calls.append(name)
            return method(*arguments)

        return note

    for name in ("hint", "analyse"):
        monkeypatch.setattr(Adviser, name, noting(name))
    return calls


def test_the_dialogue(asked):
    arguments = ("play", LINE, "--simulations", "200", "--seed", "1")
    assert "Hint: b1 (win rate 100.0%)" in output_of(*arguments, typed="hint\nquit\n")
    assert asked == ["hint"]


def test_the_notebook(asked):
    board = GameBoard(GAME, "human", "random", seconds=60)  # or until it is proven
    assert board.hint() == "b1"
    board.close()
    assert asked == ["hint"]


def test_the_screen(asked):
    said = queue.SimpleQueue()
    thread = ThinkingThread(GAME, "mcts", Allowance(simulations=200), 1, said.put)
    position = GameBoard(GAME, "human", "human").position
    thread.hint(position, (0, 0))
    while not isinstance(message := said.get(timeout=300), Hinted):
        pass
    assert GAME.action_name(message.decision.action) == "b1"
    thread.analyse(position, (0, 1))
    while not (isinstance(message := said.get(timeout=300), Thought)):
        pass
    assert message.result.move == "b1"
    thread.close()
    assert asked == ["hint", "analyse"]


def test_a_seed_gives_the_same_hint_again():
    position = GameBoard(GAME, "human", "human").position
    found = [
        Adviser(GAME, seed=3).hint(position, Allowance(simulations=20)).result.to_dict()
        for _ in range(2)
    ]
    assert found[0]["actions"] == found[1]["actions"]


def test_a_position_is_analysed_though_only_one_move_is_legal():
    position = GameBoard(GAME, "human", "human").play("a1").play("b1").position
    assert position.legal_actions() == [2]
    found = Adviser(GAME).analyse(position, Limit(simulations=50))
    assert found.proven == "draw"


def test_what_was_never_asked_is_closed_without_a_word(monkeypatch):
    monkeypatch.setattr(Adviser, "prepare", None)
    Adviser(GAME).close()
