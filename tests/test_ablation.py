"""The script that measures every enhancement: its cells, and its table."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from playout import make_game
from playout.arena.rating import Tally
from playout.players.mcts import PHASES, policies_of
from playout.players.registry import make_player

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "ablation.py"


@pytest.fixture(scope="module")
def ablation() -> Any:
    spec = importlib.util.spec_from_file_location("ablation", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_cell_names_a_search_that_is_not_the_default(ablation: Any) -> None:
    for name in ablation.GAMES:
        game = make_game(name)
        default = make_player(ablation.DEFAULT, game).search
        for change in ablation.CHANGES.values():
            search = make_player(f"{ablation.DEFAULT}:{change}", game).search
            assert (search.policies, search.choice) != (
                default.policies,
                default.choice,
            )


def test_no_policy_is_left_out(ablation: Any) -> None:
    """But for the defaults, and those that are for games of another kind."""
    named = " ".join(ablation.CHANGES.values()).replace(",", " ").split()
    defaults = {"uct", "random-child", "uniform", "mean", "score-bounds"}
    others = {"most-visits", "isuct", "max-nbounds"}
    for phase in PHASES:
        for policy in set(policies_of(phase)) - defaults - others:
            assert f"{phase}={policy}" in named


def test_the_table_tells_what_is_there(ablation: Any, tmp_path: Path) -> None:
    table = tmp_path / "table.md"
    cell = Tally(wins=6, draws=2, losses=2, pentanomial=(0, 1, 0, 3, 1))
    empty = Tally(wins=0, draws=0, losses=0, pentanomial=(0, 0, 0, 0, 0))
    tallies = {("RAVE", "connect-four"): cell, ("PUCT", "connect-four"): empty}
    ablation.write(table, tallies, 0.02)
    text = table.read_text(encoding="utf-8")
    assert "at 20 ms a move" in text
    assert "| RAVE | `selection=rave` | +147 (" in text
    assert "10 games |" in text
    assert "PUCT" not in text
    assert [path.name for path in tmp_path.iterdir()] == ["table.md"]
