"""`info` lines of `ui/engine/protocols/ugi.py`, by a clock that the test moves."""

from types import SimpleNamespace

from playout.games.registry import make_game
from playout.ui.engine.protocols.ugi import _Watcher


def test_a_search_reports_once_a_second(monkeypatch):
    now, said = [100.0], []
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    watcher = _Watcher(said.append, make_game("tic-tac-toe"), None)
    for tenths in range(1, 26):
        now[0] = 100 + tenths / 10
        assert watcher.watch(found(tenths / 10))
    assert [line.partition(" nps ")[0] for line in said] == [
        "info depth 3 nodes 10 time 1000",
        "info depth 3 nodes 20 time 2000",
    ]
    assert all(line.endswith(" nps 10 winrate 0.7500 pv b2 a1") for line in said)


def test_a_search_ends_when_it_is_deep_enough():
    game = make_game("tic-tac-toe")
    deep = [_Watcher([].append, game, depth) for depth in (3, 4, None)]
    assert [watcher.watch(found(0.5)) for watcher in deep] == [False, True, True]


def found(seconds):
    """A result after these seconds."""
    return SimpleNamespace(
        depth=3,
        simulations=round(10 * seconds),
        seconds=seconds,
        simulations_per_second=10.0,
        win_rate=0.75,
        pv=["b2", "a1"],
    )
