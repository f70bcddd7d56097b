"""The memory that trees take of the system: the limit, and what is given back."""

import gc
import subprocess
import sys
import weakref

import pytest

from playout import MCTS, ConnectFour, Limit, Position, TicTacToe, Unsolved


def resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_a_tree_is_not_given_up_for_the_memory_that_it_takes_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Free memory is measured once: a second measurement would not count the tree's."""
    free = iter([200_000, 10_000])
    monkeypatch.setattr("playout.search.limit._free_memory", lambda: next(free))
    search = MCTS(ConnectFour(), seed=1)
    search.search(limit=Limit(simulations=1000))
    assert search.search(limit=Limit(simulations=500)).visits == 1500


LIMITED = """
import resource
from playout import MCTS, Limit, TicTacToe

search = MCTS(TicTacToe(), seed=1)
search.compile()
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 100_000_000, resource.RLIM_INFINITY))
print(search.search(limit=Limit(simulations=2000)).visits)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux what is taken")
def test_a_process_whose_addresses_are_limited_has_a_smaller_tree() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, check=False
    )
    assert (run.stdout, run.stderr) == ("2000\n", "")


def test_memory_is_flat_over_a_thousand_searches() -> None:
    """200 searches to warm up, then 1,000; each makes up to 200 nodes of 32 bytes.

    A search that kept its tree would add 6 MB in all, or, where memory comes in large
    pages, 2 MB a search.
    """
    pytest.importorskip("resource")
    search = MCTS(TicTacToe(), seed=1)
    moves = ["b2", "a1", "a2", "c2"]

    def play(games: int) -> None:
        for _ in range(games):
            position = Position(TicTacToe())
            for move in moves:
                search.search(position, Limit(simulations=200))
                position.play(move)

    play(50)
    before = resident_bytes()
    play(250)
    assert resident_bytes() - before < 3_000_000


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"trees": 2}], ids=str)
def test_nobody_holds_the_old_tree_after_a_move(options: dict[str, int]) -> None:
    """Its memory is free at once, without waiting for a collection of garbage."""
    search = MCTS(ConnectFour(), seed=1, solver=Unsolved(), **options)
    best = search.search(limit=Limit(simulations=3000)).move
    old = [weakref.ref(tree.nodes.array) for tree in search.trees]
    gc.disable()
    try:
        search.advance(best)
        assert [tree() for tree in old] == [None] * len(old)
    finally:
        gc.enable()


PEAKS = """
import threading, time
from playout import MCTS, UCT, ConnectFour, Limit, Uniform, Unsolved

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def watch():
    while True:
        now = resident()
        peaks[0] = max(peaks[0], now)
        time.sleep(0.001)

search = MCTS(ConnectFour(), selection=UCT(), rollout=Uniform(), solver=Unsolved(),
              seed=1, {options})
search.search(limit=Limit(simulations=5000, nodes=1000))
search.advance("4")
search.reset()
base, peaks = resident(), [0]
threading.Thread(target=watch, daemon=True).start()
for simulations in (600_000, 450_000, 450_000, 450_000):  # a part is kept
    found = search.search(limit=Limit(simulations=simulations, memory=16 << 20))
    search.advance(found.move)
print(max(peaks) - base)
"""


@pytest.mark.optimised
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux what is taken")
@pytest.mark.parametrize("options", ["threads=1", "threads=2", "trees=2"])
def test_a_process_holds_the_limit_over_searches_and_moves(options: str) -> None:
    """An eighth more for a moment, and some for all else; with two trees it was twice.

    Nearly all of the tree is below the move that is played.
    """
    program = PEAKS.replace("{options}", options)
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert int(run.stdout) < 24 << 20


def test_a_smaller_limit_gives_memory_back_at_another_position() -> None:
    search = MCTS(ConnectFour(), seed=1)
    search.search(limit=Limit(simulations=300_000))
    before = resident_bytes()
    elsewhere = Position.from_moves(ConnectFour(), "123")
    search.search(elsewhere, Limit(simulations=1000, memory=32_000))
    assert before - resident_bytes() > 5_000_000
    assert search.tree.num_bytes <= 32_000
