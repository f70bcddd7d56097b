"""`playout bench`.

Also of `search/bench.py`.
"""

import json
from types import SimpleNamespace

import pytest

from playout import MCTS, TicTacToe
from playout.search.bench import measure, signature
from tests.ui.support import LINE, output_of


def test_bench_names():
    found = json.loads(output_of("bench", LINE, "--simulations", "100", "--json"))
    assert [set(row) for row in found] == [
        {
            "game",
            "threads",
            "simulations_per_second",
            "rollouts_per_second",
            "bytes_per_simulation",
            "compile_seconds",
        }
    ]
    assert found[0]["game"] == LINE
    assert found[0]["threads"] == 1
    assert found[0]["simulations_per_second"] > 0


def test_bench_table():
    heading, row = output_of("bench", LINE, "--simulations", "100").splitlines()
    assert heading.split()[0] == "game"
    assert row.startswith(LINE)


def test_measure_takes_a_game():
    from playout.games.registry import make_game

    assert measure(make_game(LINE), simulations=10).rollouts_per_second > 0


#: Changes with every change of what the search does, and is then kept here anew.
SIGNATURE = 25120


@pytest.mark.optimised
def test_signature_is_the_one_that_is_kept():
    assert output_of("bench", "--signature").strip() == str(SIGNATURE)
    assert signature() == SIGNATURE


def test_signature_is_json_too(monkeypatch):
    monkeypatch.setattr("playout.search.bench.signature", lambda: SIGNATURE)
    assert json.loads(output_of("bench", "--signature", "--json")) == SIGNATURE


@pytest.mark.parametrize("measured", [lambda: measure(TicTacToe(), 1000), signature])
def test_a_search_that_is_cut_short_is_not_measured(measured, monkeypatch):
    def interrupted(self, position, limit, **_more):
        return SimpleNamespace(stopped_by="interrupted")

    monkeypatch.setattr(MCTS, "search", interrupted)
    with pytest.raises(KeyboardInterrupt):
        measured()
