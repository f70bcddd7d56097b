"""Trees in the actors of a Ray of this machine's own: the same search as on threads.

Also of `core/cluster.py`.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    make_game,
)
from playout.core.cluster import join_ray, start_ray
from playout.players.registry import make_player
from tests.packages import needed

from .remote_trees import (
    Named,
    expect_best_so_far,
    expect_the_search_on_threads,
    facts,
)

ray = needed("ray")

# What Ray itself warns of is not ours to mend.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

HELPER = "def take(left, count):\n    return left - count\n"

RULES = '''
from dataclasses import dataclass

from helper_of_nim import take
from tests.toys import Nim


@dataclass(frozen=True)
class Fragile(Nim):
    """Nim whose rules fail where five stones are left."""

    def apply(self, state, action):
        state.left = take(state.left, action)
        state.player = 1 - state.player
        if state.left == 5:
            raise ZeroDivisionError("broken rules")
'''


@pytest.fixture(scope="module")
def there() -> Iterator[MCTS]:
    """A search on a cluster; what a test does with it, the next has to reset."""
    search = MCTS(ConnectFour(), trees=2, executor="ray", seed=0)
    search.compile()
    yield search
    ray.shutdown()


def test_it_is_the_search_on_threads(there: MCTS) -> None:
    expect_the_search_on_threads(there)


def test_a_slow_connection_does_not_make_chunks_smaller() -> None:
    """A request takes 0.2 s, a simulation ten microseconds."""
    search = MCTS(ConnectFour(), seed=1)
    search.compile()
    forest, now, chunks = search._forest, [0.0], []
    native = forest.native
    assert native is not None

    def run(policies: Any, tree: Any, work: Any, until: int, end: int) -> None:
        chunks.append(until - tree.visits)
        native(policies, tree, work, until, end)
        forest.delay = 0.2
        now[0] += forest.delay + 1e-5 * chunks[-1]

    forest.native, search.clock = run, lambda: now[0]
    search.search(limit=Limit(simulations=10_000))
    assert len(chunks) < 20
    chunks.clear()
    result = search.search(limit=Limit(seconds=2))
    assert result.seconds < 2.3


def test_after_a_reset_it_is_a_new_one(there: MCTS) -> None:
    results = []
    for seed in (5, 5, 6):
        there.go_to(Position(ConnectFour()))
        there.reset(seed)
        results.append(facts(there.search(limit=Limit(simulations=500))))
    assert results[0] == results[1] != results[2]


def test_a_search_ends_in_time_and_when_it_is_told_to(there: MCTS) -> None:
    result = there.search(limit=Limit(seconds=0.2))
    assert result.stopped_by == "seconds"
    assert result.simulations > 0
    seen: list[Any] = []
    result = there.search(
        limit=Limit(seconds=60), progress=lambda r: seen.append(r) or False
    )
    assert (result.stopped_by, len(seen)) == ("callback", 1)
    assert len(seen[0].pv) > 1


def test_ctrl_c_returns_the_best_so_far(there: MCTS) -> None:
    expect_best_so_far(there)


def test_ctrl_c_between_two_calls_of_ray_loses_no_tree(
    there: MCTS, monkeypatch: pytest.MonkeyPatch
) -> None:
    get, presses = ray.get, []

    def get_amid_ctrl_c(calls: Any) -> Any:
        if presses:
            os.kill(os.getpid(), presses.pop())
        return get(calls)

    monkeypatch.setattr(ray, "get", get_amid_ctrl_c)
    result = there.search(
        limit=Limit(seconds=60), progress=lambda _: presses.append(signal.SIGINT)
    )
    assert result.stopped_by == "interrupted"
    before = result.visits
    assert there.search(limit=Limit(simulations=100)).visits == before + 100


def test_a_lost_tree_ends_the_search_and_the_next_begins_anew(there: MCTS) -> None:
    there.search(limit=Limit(simulations=10))
    actor = there._forest._actors[1]  # type: ignore[attr-defined]
    timer = threading.Timer(0.3, ray.kill, (actor,))
    timer.start()
    with pytest.raises(PlayoutError, match="Ray has lost a tree"):
        there.search(limit=Limit(seconds=60))
    there.reset(7)
    assert there.search(limit=Limit(simulations=100)).visits == 100


def test_a_game_in_a_file_goes_along_and_its_errors_come_back(
    there: MCTS, tmp_path: Path
) -> None:
    """So does what it imports from its own folder, which an actor cannot import."""
    (tmp_path / "helper_of_nim.py").write_text(HELPER, encoding="utf-8")
    (tmp_path / "fragile.py").write_text(RULES, encoding="utf-8")
    game = make_game(f"{tmp_path / 'fragile.py'}:Fragile")
    searches = [
        MCTS(game, executor=executor, interpreted=True, seed=1)
        for executor in ("local", "ray")
    ]
    whole = Position.from_moves(game, [3, 3, 3, 3, 3, 2])  # four stones are left
    limit = Limit(simulations=50)
    results = [search.search(whole, limit, forced_too=True) for search in searches]
    assert facts(results[0]) == facts(results[1])
    for _ in range(2):
        with pytest.raises(PlayoutError, match="ZeroDivisionError: broken rules"):
            searches[1].search(Position(game), limit)
    assert facts(searches[1].search(whole, limit))["moves"] == whole.moves


def test_an_object_is_searched_as_here_from_later_positions(there: MCTS) -> None:
    """Its actions have other numbers in an actor, which has met fewer of them."""
    game, limit = from_object(Named), Limit(simulations=300)
    searches = [MCTS(game, trees=2, seed=1, executor=one) for one in ("local", "ray")]
    position = Position(game)
    for move in ("60-1", "59-2", "57-1"):
        position.play(move)
        results = [search.search(position.copy(), limit) for search in searches]
        assert facts(results[0]) == facts(results[1])


@dataclass(frozen=True)
class Locked(ConnectFour):
    """Rules that hold what cannot be sent."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "lock", threading.Lock())


def test_what_cannot_be_sent_is_told(there: MCTS) -> None:
    with pytest.raises(UsageError, match=r"cannot be sent there: .*lock"):
        MCTS(Locked(), executor="ray", interpreted=True).compile()


def test_another_cluster_at_the_same_time_is_refused(there: MCTS) -> None:
    assert join_ray(None, "executor=ray") is ray
    with pytest.raises(UsageError, match="connected to another Ray already"):
        join_ray("127.0.0.1:1", "executor=ray")


def test_no_place_for_a_tree_is_told(
    there: MCTS, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playout.search.running.remote.START_SECONDS", 0)
    with pytest.raises(PlayoutError, match=r"2 trees .* no place in 0 seconds"):
        MCTS(ConnectFour(), trees=2, executor="ray").compile()


def test_a_ray_that_does_not_begin_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def init(*_: Any, **__: Any) -> None:
        raise Exception("The current node timed out during startup.")

    monkeypatch.setattr(ray, "init", init)
    with pytest.raises(UsageError, match=r"ray: no Ray here: The current node timed"):
        start_ray(None, "--executor ray")


def test_a_player_has_it_too() -> None:
    search = make_player("mcts:trees=2,executor=ray", TicTacToe()).search  # type: ignore[attr-defined]
    assert len(search._forest.streams) == 2


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match=r"executor=ray.*pip install playout\[cluster"):
        MCTS(TicTacToe(), executor="ray")


@pytest.mark.parametrize(
    "wrong", ["", "Ray", "rays", "ray:", "local:", "local:1", None, 3]
)
def test_wrong_executors_are_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match="is not local, processes, ray or ray:ADDRESS"):
        MCTS(TicTacToe(), executor=wrong)
