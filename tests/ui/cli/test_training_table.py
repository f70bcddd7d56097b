"""What is shown of a training, of which the parts that are looked at are made up."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console, Group

from playout.core.jit.native import observed
from playout.learning.facts import Facts
from playout.ui.cli.training_table import TrainingLines, TrainingTable, draw

CURVE = {
    "games": 1200, "positions": 34_000, "steps": 530, "seconds": 90.0,
    "policy_loss": 0.51234, "value_loss": 0.25,
}  # fmt: skip
MATCH = {"games": 1200, "opponent": "random", "elo": 250.0, "low": 90, "high": 400}


@pytest.fixture
def training():
    return SimpleNamespace(
        spec="connect-four",
        facts=Facts(curve=[CURVE], strength=[MATCH]),
        replay=SimpleNamespace(games=1234, positions=35_000),
        source=SimpleNamespace(seconds=10.0, network_seconds=9.2),
    )


def test_the_table_shows_how_it_goes(training):
    console = Console(file=io.StringIO(), width=100)
    console.print(Group(*draw(training, "learning", 5678.4)))
    shown = console.file.getvalue()
    for part in (
        "connect-four: learning",
        "1,234 games",
        "5,678 games/hour",
        "8% outside the network",
        "0.5123",
        "+250 (+90 to +400)",
    ):
        assert part in shown


def test_a_log_has_a_line_for_every_new_network_and_match(training, capsys):
    with TrainingLines(training, None) as lines:
        lines.show(training, "playing")
        assert capsys.readouterr().err == ""  # what was known before is not repeated
        training.facts.curve.append({**CURVE, "games": 2400})
        lines.show(training, "learning")
        training.facts.strength.append(MATCH)
    first, second = capsys.readouterr().err.splitlines()
    assert "2,400 games" in first
    assert second == "against random: +250 (+90 to +400)"


def test_what_is_compiled_is_said_once(training, capsys):
    with TrainingLines(training, None):
        for _ in range(2):
            with observed("Nim"):
                pass
    with observed("Nim"):  # nobody listens any more
        pass
    said = capsys.readouterr().err.splitlines()
    assert said == ["Compiling Nim's rules for the first time (then kept on disk) ..."]


def test_the_table_says_what_is_compiled(training):
    table = TrainingTable(training, None)
    table._live.console = Console(file=io.StringIO(), force_terminal=True, width=200)
    with table, observed("Nim"):
        pass
    said = table._live.console.file.getvalue()
    assert "connect-four: Compiling Nim's rules for the first time" in said
