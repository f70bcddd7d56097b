"""When a search may end early: worked out by hand on a root that is made by hand."""

import itertools
from dataclasses import dataclass
from typing import Any

import pytest

from playout import (
    MCTS,
    UCT,
    AllChildren,
    Limit,
    Position,
    TicTacToe,
    Unsolved,
)
from playout.games.more.tsp import Tour
from playout.search.result.summary import best_seen
from playout.search.running import run
from playout.search.running.run import Run
from playout.search.running.schedule import Schedule
from playout.search.solver.bounds import bounds
from playout.search.tree.nodes import ROOT
from playout.ui.common.messages import foreign_failure

from ...toys import Nim


def run_of(visits: dict[int, int], proven: dict[int, int], limit: Limit) -> Run:
    """A search of a root with all nine moves, before its first simulation.

    Args:
        visits: of some moves; the others have none.
        proven: what is known of some.
        limit: of the search.
    """
    search = MCTS(
        TicTacToe(),
        seed=1,
        expansion=AllChildren(),
        solver=Unsolved(),
        early_stop=True,
        interpreted=True,
    )
    search.search(limit=Limit(simulations=9))
    nodes = search.tree.nodes
    for child in search.tree.children(ROOT):
        row = nodes[child]
        row.visits = visits.get(int(row.action), 0)
        row.proven = proven.get(int(row.action), 0)
    nodes[ROOT].visits = sum(visits.values())
    run = search._run(limit, None, forced_too=False)
    run.schedule = Schedule(run.forest, limit)
    return run


@pytest.mark.parametrize(
    ("visits", "left", "decided"),
    [
        ({4: 30, 0: 20, 1: 5}, 9, True),
        ({4: 30, 0: 20, 1: 5}, 10, False),  # the second could draw level
        ({4: 30, 0: 20, 1: 5}, 11, False),
        ({0: 20, 1: 5, 4: 30}, 9, True),
        ({4: 30, 0: 30}, 1, False),
        ({4: 8}, 7, True),  # no other was tried
        ({4: 8}, 8, False),
    ],
)
def test_it_is_decided_when_the_second_cannot_catch_up(
    visits: dict[int, int], left: int, decided: bool
) -> None:
    assert run_of(visits, {}, Limit(simulations=left))._is_decided() is decided


def test_moves_that_are_settled_do_not_count() -> None:
    """They get no more visits: neither a loss, nor what is no better than a sure draw.

    The others are 30 and 15, so that 14 more decide nothing, where 50 and 30 would.
    """
    lost, drawn, at_most_drawn = bounds(-1, -1), bounds(0, 0), bounds(-1, 0)
    visits = {0: 50, 4: 30, 1: 15}
    for left, decided in ((14, True), (15, False)):
        limit = Limit(simulations=left)
        assert run_of(visits, {0: lost}, limit)._is_decided() is decided
        proven = {0: at_most_drawn, 2: drawn}
        assert run_of(visits, proven, limit)._is_decided() is decided
    proven = dict.fromkeys(range(9), drawn)
    assert not run_of(visits, proven, Limit(simulations=1))._is_decided()


def at_times(run: Run, speed: float, *times: float) -> None:
    """Have it look at the clock at these times, and no other."""
    run.started, run.speed, run.clock = 0.0, speed, iter(times).__next__


def test_of_seconds_the_fastest_chunk_tells_how_many_are_left() -> None:
    """5 simulations a second; in the first tenth of the time there is no estimate."""
    run = run_of({4: 60, 0: 20}, {}, Limit(seconds=10))
    for now, left in ((0.99, float("inf")), (1.0, 45), (2.0, 40), (9.0, 5)):
        at_times(run, 5.0, now, now)
        assert run._simulations_left() == left
    for now, decided in ((2.0, False), (2.5, True)):
        at_times(run, 5.0, now, now)
        assert run._is_decided() is decided


@pytest.mark.parametrize(("speed", "left"), [(5.0, 20), (3.0, 15)])
def test_the_first_of_two_limits_counts(speed: float, left: int) -> None:
    run = run_of({4: 60}, {}, Limit(seconds=10, simulations=20))
    at_times(run, speed, 5.0, 5.0)
    assert run._simulations_left() == left


@pytest.mark.parametrize(
    ("moves", "reason", "options"),
    [
        (["a1", "c3", "a2"], "only move", {}),  # a3 must be blocked
        ([], "decided", {"early_stop": True, "selection": UCT(c_uct=0.1)}),
    ],
)
def test_where_counted_simulations_end_the_clock_has_no_say(
    moves: list[str], reason: str, options: dict[str, Any]
) -> None:
    """Chunks are as large as the machine was fast; searches are the same."""
    counts = set()
    for pace in (1.0, 1e4, 1e9):
        search = MCTS(TicTacToe(), seed=1, solver=Unsolved(), **options)
        search.compile()
        search._forest.pace = pace
        position = Position.from_moves(TicTacToe(), moves)
        result = search.search(position, Limit(simulations=6400))
        assert result.stopped_by == reason
        counts.add(result.simulations)
    assert len(counts) == 1
    assert max(counts) == 100 if reason == "only move" else 100 < max(counts) < 6400


@dataclass(frozen=True)
class FailsLate(Nim):
    """Rules that raise where one stone is left."""

    stones: int = 9

    def apply(self, state: Any, action: int) -> None:
        state.left -= action
        state.player = 1 - state.player
        if state.left == 1:
            raise ArithmeticError("one is left")


@pytest.mark.parametrize("interpreted", [True, False])
def test_what_rules_raise_says_in_which_state(
    interpreted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kind stays that of the rules, whoever catches it."""
    looked_at = "playout.search.side_by_side.expect_bounds"
    monkeypatch.setattr(looked_at, lambda game, interpreted: None)
    search = MCTS(FailsLate(), seed=1, interpreted=True if interpreted else None)
    with pytest.raises(ArithmeticError, match="one is left") as caught:
        search.search(limit=Limit(simulations=500))
    (note,) = caught.value.__notes__
    assert note.startswith("the state was 'left=1 player=")
    assert note.endswith(", in a search from 'left=9 player=0'")
    line = foreign_failure(caught.value)
    assert line is not None
    assert "in apply: ArithmeticError: one is left; the state was 'left=1" in line


def test_what_fails_in_playout_itself_is_not_foreign() -> None:
    assert foreign_failure(ValueError("of nobody")) is None


def test_a_best_line_is_replayed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is replayed in Python, and a result made ten times a second."""
    told: list[Any] = []

    def note(position: Position, line: Any) -> dict[str, Any]:
        told.append(line)
        return best_seen(position, line)

    monkeypatch.setattr(run, "best_seen", note)
    seconds = itertools.count(step=0.01)
    search = MCTS(Tour(cities=5), seed=1)
    search.clock = lambda: next(seconds)
    looks: list[Any] = []
    search.search(limit=Limit(seconds=10), progress=looks.append)
    assert len(looks) > 20 > len(told) > 0
    assert all(a != b for a, b in itertools.pairwise(told))
