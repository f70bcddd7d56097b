"""The script that measures every enhancement: its cells, and its table."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from playout.arena.rating import Tally
from playout.search import catalogue
from playout.search.catalogue import PHASES, policies_of
from playout.search.selection.uct import UCT

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "ablation.py"


@pytest.fixture(scope="module")
def ablation() -> Any:
    return _load()


def _load() -> Any:
    spec = importlib.util.spec_from_file_location("ablation", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_cell_can_be_played_or_is_a_default(ablation: Any) -> None:
    """A game's default is not played against itself."""
    same = {
        (change, game)
        for change in ablation.CHANGES
        for game in ablation.GAMES
        if not ablation.is_change(change, game)
    }
    assert same == {
        ("PUCT", "connect-four"),  # others' have constants of their own
        ("decisive rollouts", "connect-four"),
    }


def test_no_policy_is_left_out(ablation: Any) -> None:
    """Except the defaults, and policies for other kinds of games."""
    named = " ".join(ablation.CHANGES.values()).replace(",", " ").split()
    defaults = {"uct", "random-child", "likeliest-first", "mean", "score-bounds"}
    others = {"most-visits", "isuct", "normalized-uct", "max-nbounds"}
    others |= {"spuct", "max", "mixed", "best-seen", "exhaustion"}  # for one player
    others |= {"reward-sum"}  # for rewards before the end
    assert defaults | others == ablation.NO_CHANGE
    for phase in PHASES:
        for policy in set(policies_of(phase)) - defaults - others:
            assert f"{phase}={policy}" in named


def test_a_policy_comes_in_by_itself(ablation: Any) -> None:
    """A named policy stays as it is; any other becomes a change of its own."""
    assert ablation.CHANGES["RAVE"] == "selection=rave"
    assert "rave" not in ablation.CHANGES
    module = _module_with_a_policy_more()
    assert module.CHANGES["boltzmann"] == "selection=boltzmann"


def _module_with_a_policy_more() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        known = catalogue.policies_of

        def more(phase: str) -> dict[str, Any]:
            return known(phase) | ({"boltzmann": UCT} if phase == "selection" else {})

        patch.setattr(catalogue, "policies_of", more)
        return _load()


def test_the_table_tells_what_is_there(ablation: Any, tmp_path: Path) -> None:
    table = tmp_path / "table.md"
    undecided, better, empty = (
        ablation.match_of(change, "connect-four", 0.02, 10)
        for change in ("RAVE", "GRAVE", "PUCT")
    )
    for match in (undecided, better):
        match.tally = Tally(wins=6, draws=2, losses=2, pentanomial=(0, 1, 0, 3, 1))
        match.counted = 10
    better.decision = "accept H1"
    matches = {(match.label, "connect-four"): match for match in (undecided, better)}
    ablation.write(table, matches | {("PUCT", "connect-four"): empty}, 0.02)
    text = table.read_text(encoding="utf-8")
    assert "at 20 ms a move" in text
    assert "| RAVE | `selection=rave` | ?: +147 (" in text
    assert "| GRAVE | `selection=grave` | yes: +147 (" in text
    assert "10 games |" in text
    assert "PUCT" not in text
    assert [path.name for path in tmp_path.iterdir()] == ["table.md"]
