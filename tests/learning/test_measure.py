import json

import pytest

from playout.core.errors import UsageError
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.learning.config import TrainConfig
from playout.learning.measure import expect_opponents, measure
from playout.learning.trainer import Budget, Training
from tests.learning.training import GAME, TINY
from tests.packages import needed

for package in ("torch", "onnx", "onnxruntime"):
    needed(package)


def test_strength_is_told_against_players_and_an_earlier_self(tmp_path):
    """Earlier networks that were kept are players as well."""
    matches = {"match_games": 2, "match_simulations": 2, "opponents": ("random",)}
    config = TrainConfig(**TINY | matches | {"match_minutes": 600.0})
    first = Training(GAME, tmp_path, config)
    first.run(Budget(games=4), measure=measure)
    assert [row["opponent"] for row in first.facts.strength] == ["random"]
    kept = first.facts.games
    (tmp_path / "earlier" / str(kept + 1)).mkdir()  # a kill has left it empty
    (tmp_path / "earlier" / "7 as it was").mkdir()
    second = Training(GAME, tmp_path, config, resume=True)
    second.run(Budget(games=2 * kept + 2), measure=measure)
    rows = json.loads((tmp_path / "card.json").read_text())["strength"]
    earlier = f"net:{tmp_path / 'earlier' / str(kept)},simulations=2"
    assert [row["opponent"] for row in rows] == ["random", "random", earlier]
    for row in rows:
        assert row["played"] == 2
        assert -1000 <= row["low"] <= row["elo"] <= row["high"] <= 1000
    assert rows[0]["games"] == kept < rows[1]["games"] == second.facts.games


@pytest.mark.parametrize("opponent", ["radnom", "mcts:simulations=x", "level:99"])
def test_opponents_that_cannot_be_are_told_at_once(opponent):
    config = TrainConfig(opponents=("random", opponent))
    with pytest.raises(UsageError, match="opponents: "):
        expect_opponents(TicTacToe(), config)
    expect_opponents(TicTacToe(), TrainConfig())
