import contextlib
import json
import shutil

import numpy as np
import pytest

from playout.core.errors import UsageError
from playout.learning.config import TrainConfig
from playout.learning.replay import numbers_of
from playout.learning.trainer import Budget, Training
from tests.learning.training import GAME, TINY
from tests.packages import needed

for package in ("torch", "onnx", "onnxruntime"):
    needed(package)


def training(folder, resume=False, kind="onnx", spec=GAME, **changed) -> Training:
    return Training(spec, folder, TrainConfig(**TINY | changed), kind, resume=resume)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with some thirty games, what was observed, and the measurements."""
    folder, seen, measured = tmp_path_factory.mktemp("trained"), [], []

    def measure(training):
        measured.append(training.replay.games)
        training.facts.strength.append({"opponent": "nobody", "elo": 0.0})

    first = training(folder, match_minutes=1e-6)
    first.run(Budget(games=30), lambda _, what: seen.append(what), measure)
    return folder, seen, measured, first


def test_it_plays_and_learns_until_there_are_so_many_games(trained):
    folder, seen, measured, first = trained
    assert set(seen) == {"playing", "learning", "measuring"}
    assert numbers_of(folder / "games.db") == list(range(1, first.facts.games + 1))
    assert 30 <= first.facts.games < 40
    assert len(measured) >= 2
    assert measured == sorted(measured)
    steps = first.facts.positions * first.config.passes / first.config.batch
    assert first.facts.steps == int(steps)


def test_the_card_tells_what_was_done(trained):
    folder, _, _, first = trained
    card = json.loads((folder / "card.json").read_text())
    assert (card["game"], card["kind"], card["file"]) == (GAME, "onnx", "net.onnx")
    assert (card["input"], card["actions"]) == ([2, 3, 3], 9)
    assert card["network"] == "dense: 16"
    assert card["training"]["games"] == first.facts.games
    assert card["training"]["config"]["simulations"] == TINY["simulations"]
    assert card["curve"][-1]["positions"] == first.facts.positions
    assert card["strength"][0]["opponent"] == "nobody"
    assert (folder / "net.onnx").read_bytes()[:1] == b"\x08"


def test_a_file_is_no_place_for_a_training(tmp_path):
    place = tmp_path / "net"
    place.write_text("")
    with pytest.raises(UsageError, match="net: this is a file, not a directory"):
        training(place)


def test_it_goes_on_where_it_was(trained):
    folder, _, _, first = trained
    with pytest.raises(UsageError, match="holds a training already: --resume"):
        training(folder)
    second = training(folder, resume=True)
    assert second.facts.curve == first.facts.curve
    assert second.learner.steps == first.learner.steps
    for name, value in first.learner.weights().items():
        assert (second.learner.weights()[name] == value).all()
    second.run(Budget(games=first.facts.games + 5))
    assert second.facts.seconds > first.facts.seconds
    assert numbers_of(folder / "games.db") == list(range(1, second.facts.games + 1))
    with pytest.raises(UsageError, match="not of this network, or damaged"):
        training(folder, resume=True, network="dense: 8")
    training(folder, resume=True).close()  # the refusal has left nothing open


@pytest.mark.parametrize(
    ("content", "said"), [(None, "it is missing"), (b"PK", "it is not of this network")]
)
def test_without_its_checkpoint_a_network_is_not_written_over(
    trained, tmp_path, content, said
):
    folder = shutil.copytree(trained[0], tmp_path / "here")
    network, checkpoint = folder / "net.onnx", folder / "checkpoint.pt"
    before = network.read_bytes()
    checkpoint.unlink()
    if content is not None:
        checkpoint.write_bytes(content)
    with pytest.raises(UsageError, match=rf"checkpoint\.pt: {said}.*; get it back: "):
        training(folder, resume=True)
    assert network.read_bytes() == before
    network.unlink()
    checkpoint.unlink(missing_ok=True)
    anew = training(folder, resume=True)
    anew.close()
    assert anew.learner.steps == 0
    assert anew.replay.games == len(numbers_of(folder / "games.db"))


def test_interrupted_and_resumed_it_learns_what_is_due(tmp_path):
    """Ctrl-C comes during a game; finished games are kept and learnt from later."""

    def interrupt(training, what):
        if training.replay.games >= 8:
            raise KeyboardInterrupt

    first = training(tmp_path, checkpoint_positions=10_000)
    with pytest.raises(KeyboardInterrupt):
        first.run(Budget(), interrupt)
    kept = first.replay.games
    assert numbers_of(tmp_path / "games.db") == list(range(1, kept + 1))
    second = training(tmp_path, resume=True)
    assert (second.replay.games, second.learner.steps) == (kept, 0)
    second.run(Budget(games=kept))
    assert second.facts.steps == int(second.facts.positions * 4.0 / 16)
    assert second.facts.games == kept


def test_a_native_network_is_arrays(tmp_path):
    native = training(tmp_path, kind="native")
    native.run(Budget(games=4))
    with np.load(tmp_path / "net.npz") as arrays:
        shapes = {name: arrays[name].shape for name in arrays.files}
    assert shapes == {
        "w1": (18, 16), "b1": (16,), "wv": (16, 1), "bv": (1,),
        "wp": (16, 9), "bp": (9,),
    }  # fmt: skip


def rates(training, budget, stop_at=None):
    """The learning rates of the run's networks."""
    found, learner = [], training.learner
    usual = learner.set_rate

    def note(rate):
        usual(rate)
        found.append([group["lr"] for group in learner._optimizer.param_groups])
        if len(found) == stop_at:
            raise KeyboardInterrupt

    learner.set_rate = note
    with contextlib.suppress(KeyboardInterrupt):
        training.run(budget)
    assert all(len(set(each)) == 1 for each in found)
    return [each[0] for each in found]


def test_the_learning_rate_falls_towards_an_end_that_is_known(tmp_path):
    # Whatever ends last brings a step: no game begins with moves at random.
    changed = {"learning_rate": 0.01, "random_share": 0.0}
    found = rates(training(tmp_path / "a", **changed), Budget(games=60))
    assert found[0] == 0.01
    assert found == sorted(found, reverse=True)
    assert found[-1] == pytest.approx(0.001)
    short = training(tmp_path / "b", **changed)
    assert rates(short, Budget(minutes=1e-9)) == []
    assert short._done == 1.0
    endless = training(tmp_path / "c", **changed)
    assert rates(endless, Budget(), stop_at=4) == [0.01] * 4
    assert endless._done == 0.0


def test_minutes_end_it(tmp_path):
    short = training(tmp_path)
    short.run(Budget(minutes=1e-9))
    assert short.facts.games == 0
    assert (tmp_path / "net.onnx").exists()


def test_a_source_that_cannot_be_made_leaves_nothing_open(tmp_path):
    def fail(seed):
        raise UsageError("no Ray here")

    with pytest.raises(UsageError, match="no Ray here"):
        Training(GAME, tmp_path, TrainConfig(**TINY), make_source=fail)
    training(tmp_path, resume=True).close()


@pytest.mark.parametrize("resume", [False, True])
def test_a_network_of_others_is_not_written_over(tmp_path, resume):
    (tmp_path / "card.json").write_text("{}")
    with pytest.raises(UsageError, match="holds a network, which would be written"):
        training(tmp_path, resume)
    assert [path.name for path in tmp_path.iterdir()] == ["card.json"]


def test_what_a_kill_has_left_half_written_is_removed(tmp_path):
    (tmp_path / ".playout-0123.tmp").write_text("half of a checkpo")
    training(tmp_path).close()
    assert not list(tmp_path.glob(".playout*"))


def test_a_folder_that_no_player_can_name(tmp_path):
    with pytest.raises(UsageError, match="a comma ends DIR"):
        training(tmp_path / "first, second")
    assert not list(tmp_path.iterdir())


def test_steps_that_are_too_long_end_it_and_nothing_of_them_is_kept(tmp_path):
    """Weights that are no numbers are not written: it goes on from those before."""

    first = training(tmp_path)
    name = next(iter(first.learner.averaged))

    def spoil(training, what):
        if what == "learning" and training.facts.steps:
            training.learner.module.state_dict()[name][:] = np.nan

    with pytest.raises(UsageError, match=r"learning_rate = 0.002 is too large"):
        first.run(Budget(games=1000), spoil)
    second = training(tmp_path, resume=True, learning_rate=0.001)
    assert second.learner.steps == first.facts.steps > 0
    assert second.learner.is_finite()
    second.close()


def test_games_that_bring_no_step_of_learning_are_told_of(tmp_path):
    """Few games at the end of a training may be too little for a step."""
    seldom = training(tmp_path, passes=0.001)
    seldom.run(Budget(games=4))
    card = json.loads((tmp_path / "card.json").read_text())
    assert card["training"]["steps"] == 0
    assert card["training"]["games"] == seldom.replay.games >= 4
    assert card["training"]["positions"] == seldom.replay.positions
