"""Trees in processes of this machine: the same search, with rules in Python, too.

Also of `search/running/remote.py`, `search/running/executor.py`,
`search/running/tree_actor.py`, `search/running/tree_process.py`,
`search/running/naming.py`, `core/packing.py` and `core/pipes.py`.
"""

import gc
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from playout import (
    MCTS,
    ConnectFour,
    Limit,
    PlayoutError,
    Position,
    TicTacToe,
    UsageError,
    from_object,
)
from playout.players.registry import make_player
from playout.search.running.naming import (
    action_here,
    action_to_send,
    state_here,
    state_to_send,
)
from playout.search.running.processes import ProcessForest
from playout.search.running.tree_actor import TreeActor

from .remote_trees import (
    Named,
    expect_best_so_far,
    expect_the_search_on_threads,
    facts,
)


class Stones:
    """Take one to three stones; where a file is there, five of them break the rules."""

    def __init__(self, left: int = 10, broken: str = "") -> None:
        self.left, self.broken = left, broken

    def get_legal_actions(self) -> list[int]:
        return [n for n in (1, 2, 3) if n <= self.left]

    def is_game_over(self) -> bool:
        return self.left == 0

    def game_result(self) -> int:
        return -1

    def move(self, taken: int) -> "Stones":
        if self.left == 10:
            print("opened with", taken)  # must not get among the messages
        if self.left == 5 and self.broken and os.path.exists(self.broken):
            raise ZeroDivisionError("broken rules")
        return Stones(self.left - taken, self.broken)


@pytest.fixture(scope="module")
def there() -> Iterator[MCTS]:
    """A search in processes; what a test does with it, the next has to reset."""
    search = MCTS(ConnectFour(), trees=2, executor="processes", seed=0)
    search.compile()
    yield search
    search._forest._stop()  # type: ignore[attr-defined]


def processes(search: MCTS) -> list[psutil.Process]:
    return [psutil.Process(one._process.pid) for one in search._forest._actors]  # type: ignore[attr-defined]


def test_it_is_the_search_on_threads(there: MCTS) -> None:
    expect_the_search_on_threads(there)


def test_a_class_of_the_reader_is_sent_as_it_is(
    capfd: pytest.CaptureFixture[str],
) -> None:
    game = from_object(Stones)
    found = [
        MCTS(game, trees=2, executor=executor, seed=1).search(
            limit=Limit(simulations=400)
        )
        for executor in ("local", "processes")
    ]
    assert facts(found[0]) == facts(found[1])
    assert found[0].move == "2"
    assert "opened with 3" in capfd.readouterr().err


def test_actions_go_by_name_where_every_process_numbers_them_anew() -> None:
    """Before, searches from later positions failed, or played what was not meant."""
    game, limit = from_object(Named), Limit(simulations=300)
    here = MCTS(game, trees=2, seed=1)
    there = MCTS(game, trees=2, seed=1, executor="processes")
    position = Position(game)
    for move in ("60-1", "59-2", "57-1", "56-3"):
        position.play(move)
        results = [search.search(position.copy(), limit) for search in (here, there)]
        assert facts(results[0]) == facts(results[1])
        assert {row.move for row in results[1].actions} == {
            position.game.action_name(action) for action in position.legal_actions()
        }


class Letters:
    """Eight letters make a word; each action is the word so far: few are ever met."""

    def __init__(self, word: str = "") -> None:
        self.word = word

    def get_legal_actions(self) -> list[str]:
        return [self.word + letter for letter in "abcdefghijklmnop"]

    def is_game_over(self) -> bool:
        return len(self.word) == 8

    def game_result(self) -> int:
        return 1 if sum(map(ord, self.word)) % 3 else -1

    def move(self, word: str) -> "Letters":
        return Letters(word)


def test_a_move_that_no_tree_has_met_begins_new_ones() -> None:
    game = from_object(Letters, reward="first", num_actions=30_000)
    search = MCTS(game, trees=2, seed=1, executor="processes")
    search.search(limit=Limit(simulations=4))
    position = Position(game)
    for letter in "pagcan":
        moves = map(game.action_name, position.legal_actions())
        position.play(next(move for move in moves if move.endswith(letter)))
    result = search.search(position, Limit(simulations=20))
    assert result.visits == 20
    assert all(row.move.startswith("pagcan") for row in result.actions)


class Shuffled(Stones):
    """A start that is drawn: two processes that made it themselves would differ."""

    def __init__(self, left: int = 0) -> None:
        super().__init__(left or 1000 + random.SystemRandom().randrange(10**6))

    def get_legal_actions(self) -> list[int]:
        return [self.left] if self.left > 12 else super().get_legal_actions()

    def is_game_over(self) -> bool:
        return self.left < 13

    def move(self, taken: int) -> "Shuffled":
        return Shuffled(self.left - taken + 12)


def test_every_process_has_the_same_start() -> None:
    game = from_object(Shuffled, reward="to_move")
    search = MCTS(game, trees=2, seed=1, executor="processes")
    result = search.search(limit=Limit(simulations=10), forced_too=True)
    names = [game.action_name(action) for action in Position(game).legal_actions()]
    assert [row.move for row in result.actions] == names
    assert result.actions[0].visits == result.visits


def test_it_never_begins_interpreted() -> None:
    """Actors are told once how they search, and would go on like that."""
    search = MCTS(TicTacToe(), trees=2, executor="processes")
    assert search._can_begin
    assert not search._forest.begin()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_begins_anew_and_lets_go(there: MCTS) -> None:
    there.reset(4)
    there.search(limit=Limit(simulations=20))
    started = processes(there)
    child = os.fork()
    if child == 0:
        try:
            there.search(limit=Limit(simulations=20))
        except PlayoutError as error:
            os._exit(42 if "fork" in f"{error}" else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42
    assert there.search(limit=Limit(simulations=20)).simulations == 20
    assert all(one.is_running() for one in started)


def test_what_is_sent_is_read_as_it_was_meant() -> None:
    """Numbers where they say the same everywhere; else names, and the moves' text."""
    plain, named = TicTacToe(), from_object(Named)
    start = Position(plain)
    assert state_to_send(plain, start.array) is start.array
    assert action_to_send(plain, 4) == action_here(plain, 4) == 4
    later = Position(named).play("60-3").play("57-2")
    sent = state_to_send(named, later.array)
    assert sent == "60-3 57-2"
    again = Position.at(named, state_here(named, sent))
    assert again.to_text() == later.to_text()
    number = later.legal_actions()[1]
    assert action_here(named, action_to_send(named, number)) == number


SCRIPT = """
from playout import MCTS, Limit, from_object


class Stones:
    def __init__(self, left=10):
        self.left = left

    def get_legal_actions(self):
        return [n for n in (1, 2, 3) if n <= self.left]

    def is_game_over(self):
        return self.left == 0

    def game_result(self):
        return -1

    def move(self, taken):
        return Stones(self.left - taken)


search = MCTS(from_object(Stones), trees=2, executor="processes", seed=1)
print(search.search(limit=Limit(simulations=200)).move)
"""


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    """Its own classes are sent, and nothing of it runs a second time."""
    (tmp_path / "stones.py").write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "stones.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == ("2\n", 0), done.stderr


def test_what_rules_raise_comes_back_and_the_next_search_begins_anew(
    tmp_path: Path,
) -> None:
    switch = tmp_path / "break"
    game = from_object(lambda: Stones(10, f"{switch}"))
    search = MCTS(game, trees=2, executor="processes", seed=1)
    search.compile()
    switch.touch()
    for _ in range(2):
        with pytest.raises(PlayoutError, match="broken rules"):
            search.search(limit=Limit(simulations=500))
    switch.unlink()
    assert search.search(limit=Limit(simulations=500)).move == "2"


def test_ctrl_c_returns_the_best_so_far(there: MCTS) -> None:
    expect_best_so_far(there)


def test_a_process_that_is_killed_ends_the_search_and_the_next_begins_anew(
    there: MCTS,
) -> None:
    there.reset(2)
    there.search(limit=Limit(simulations=10))
    threading.Timer(0.3, processes(there)[1].kill).start()
    with pytest.raises(PlayoutError, match=r"has lost a tree: .*exit code -9"):
        there.search(limit=Limit(seconds=60))
    there.reset(7)
    assert there.search(limit=Limit(simulations=100)).visits == 100


def test_processes_end_with_the_search() -> None:
    search = MCTS(TicTacToe(), trees=2, executor="processes")
    search.search(limit=Limit(simulations=10))
    started = processes(search)
    del search
    gc.collect()
    assert psutil.wait_procs(started, timeout=20)[1] == []


def test_processes_end_with_a_program_that_is_killed(tmp_path: Path) -> None:
    script = SCRIPT + "import time; print('ready', flush=True); time.sleep(600)\n"
    (tmp_path / "stones.py").write_text(script, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "stones.py"], cwd=tmp_path, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        while b"ready" not in program.stdout.readline():
            assert program.poll() is None
        started = psutil.Process(program.pid).children(recursive=True)
        assert len(started) == 2
        program.kill()
    assert psutil.wait_procs(started, timeout=20)[1] == []


def test_where_no_process_starts_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    started, start = [], subprocess.Popen

    def refuse(*given: Any, **more: Any) -> Any:
        if started:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        started.append(start(*given, **more))
        return started[0]

    monkeypatch.setattr("playout.search.running.processes.subprocess.Popen", refuse)
    with pytest.raises(PlayoutError, match=r"executor=processes: no process starts"):
        MCTS(TicTacToe(), trees=2, executor="processes", interpreted=True).compile()
    assert started[0].poll() is not None


def test_an_evaluator_is_asked_here() -> None:
    with pytest.raises(UsageError, match="it takes executor=local"):
        MCTS(TicTacToe(), executor="processes", evaluator=lambda state: (0.0, None))


def test_a_player_has_it_too() -> None:
    player = make_player("mcts:trees=2,executor=processes", TicTacToe())
    assert isinstance(player.search._forest, ProcessForest)  # type: ignore[attr-defined]


def test_what_fails_beyond_the_rules_is_returned_too() -> None:
    answer = TreeActor().do("grow", [1], [1], None)
    assert isinstance(answer, PlayoutError)
    assert "AttributeError" in f"{answer}"


def test_a_rule_that_hangs_is_ended_by_the_second_ctrl_c() -> None:
    game = from_object(Stones)
    search = MCTS(game, trees=2, executor="processes", seed=1)
    search.search(limit=Limit(simulations=2))
    started = processes(search)
    for one in started:
        one.suspend()  # as if its rules took for ever
    for delay in (0.5, 1.5):
        threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        search.search(limit=Limit(seconds=60))
    assert psutil.wait_procs(started, timeout=20)[1] == []
