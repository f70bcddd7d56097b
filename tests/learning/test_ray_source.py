"""The same training by actors of a Ray of this machine's own; one of them is killed."""

import pytest

from playout.learning.config import TrainConfig
from playout.learning.replay import numbers_of
from playout.learning.trainer import Budget, Training
from tests.learning.training import GAME, TINY
from tests.packages import needed

for package in ("torch", "onnx", "onnxruntime", "ray"):
    needed(package)

from playout.learning.ray_source import RaySource  # noqa: E402

# What Ray itself warns of is not ours to mend.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_actors_play_and_a_lost_one_is_replaced(tmp_path):
    config, sources = TrainConfig(**TINY), []

    def make_source(seed):
        sources.append(RaySource(None, GAME, config, seed, actors=2))
        return sources[0]

    def lose_one(training, what):
        if not killed:
            actor = next(iter(sources[0]._steps.values()))
            sources[0]._ray.kill(actor)
            killed.append(actor)

    killed = []
    training = Training(GAME, tmp_path, config, make_source=make_source)
    training.run(Budget(games=150), lose_one)
    assert killed
    assert numbers_of(tmp_path / "games.db") == list(range(1, training.facts.games + 1))
    assert training.facts.steps == int(training.facts.positions * 4.0 / 16)
    assert 0 < training.facts.outside < 1
