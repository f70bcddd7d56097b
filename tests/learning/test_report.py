import json

import pytest

from playout.learning import report
from playout.learning.card import card_of
from playout.learning.config import TrainConfig
from playout.learning.facts import Facts

CURVE = {"games": 9, "positions": 60, "steps": 5, "seconds": 2.0}
CURVE |= {"policy_loss": 0.5, "value_loss": 0.25}
MATCH = {"games": 9, "seconds": 2.0, "elo": 120.0, "low": -10.0, "high": 300.0}


@pytest.fixture
def folder(tmp_path):
    """One that holds a card alone, of a game whose name must be escaped."""
    opponents = ("random", "net:DIR/earlier/4")
    strength = [{**MATCH, "opponent": opponent} for opponent in opponents]
    facts = Facts(9, 60, 5, 2.0, 0.1, [CURVE, CURVE], strength)
    card = card_of("<b>.py:Game", "onnx", TrainConfig(), facts)
    own = {"format": 1, "kind": "onnx", "file": "net.onnx", "playout": "0"}
    (tmp_path / "card.json").write_text(json.dumps(card | own))
    return tmp_path


def test_the_page_tells_all(folder):
    text = report.write_report(folder).read_text()
    for part in (
        "Training of &lt;b&gt;.py:Game",
        "<td>+120</td><td>-10 to +300</td>",
        "<td>net:DIR/earlier/4</td>",
        "<td>games_at_once</td><td>128</td>",
        "10.0%",
    ):
        assert part in text
    assert "src=" not in text  # it needs nothing beside it


def test_curves_are_drawn_where_they_can_be(folder, monkeypatch):
    pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    assert "<svg" in report.write_report(folder).read_text()
    monkeypatch.setattr(report.importlib.util, "find_spec", lambda name: None)
    text = report.write_report(folder).read_text()
    assert "<svg" not in text
    assert "pip install playout[plots]" in text
