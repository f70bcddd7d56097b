"""Networks that learn, and the files that they become.

Also of `learning/exports.py`.
"""

import numpy as np
import pytest

from playout.core.errors import UsageError
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.learning.config import TrainConfig, read_network
from playout.learning.exports import dense_weights, to_onnx
from playout.learning.networks import Learner
from playout.players.networks import load_network, save_network
from tests.packages import needed

torch = needed("torch")
needed("onnx")
needed("onnxruntime")

PLANES, ACTIONS = (2, 3, 3), 9
SHAPES = ["residual: 1 block, 8 channels", "dense: 16, 8"]


def learner(text: str, **changed) -> Learner:
    config = TrainConfig(learning_rate=0.01, average=0.5, **changed)
    return Learner(read_network(text), PLANES, ACTIONS, config, 1)


def batch(count=32):
    """Planes, and what is to be learnt of them: the first number, and where it is 1."""
    planes = np.random.default_rng(2).integers(0, 2, (count, *PLANES)).astype("f4")
    first = planes[:, 0, 0, 0]
    policies = np.zeros((count, ACTIONS), np.float32)
    policies[np.arange(count), first.astype(int)] = 1
    return planes, policies, first * 0.8 - 0.4


@pytest.fixture(scope="module", params=SHAPES)
def trained(request):
    network = learner(request.param)
    losses = [network.learn(*batch()) for _ in range(150)]
    return network, losses


def test_losses_fall_towards_nothing(trained):
    _, losses = trained
    assert sum(losses[-1]) < 0.1 * sum(losses[0])
    assert min(losses[-1]) > -1e-5


def test_the_files_answer_as_the_averaged_weights_do(trained, tmp_path):
    network, _ = trained
    planes, _, values = batch()
    network.module.load_state_dict(network.averaged)
    network.module.eval()
    with torch.inference_mode():
        logits, worth = network.module(torch.from_numpy(planes))
        shares = torch.softmax(logits, dim=1).numpy()
    assert np.abs(worth.numpy() - values).max() < 0.3
    files = [to_onnx(network.shape, PLANES, ACTIONS, network.weights())]
    if not network.shape.blocks:
        files.append(dense_weights(network.shape, network.weights()))
    for content in files:
        save_network(tmp_path, content, {"game": "tic-tac-toe"})
        evaluate = load_network(tmp_path, TicTacToe())
        found, priors = evaluate(planes)
        assert np.ravel(found) == pytest.approx(worth.numpy(), abs=1e-5)
        priors = priors / priors.sum(axis=1, keepdims=True)
        assert priors == pytest.approx(shares, abs=1e-5)
        assert len(evaluate(planes[:1])[0]) == 1


def test_learning_goes_on_as_if_it_had_not_stopped():
    one = learner(SHAPES[1])
    for _ in range(3):
        one.learn(*batch())
    other = learner(SHAPES[1], seed=9)
    assert other.load(one.to_bytes(games=7)) == {"games": 7}
    assert other.steps == 3
    assert one.learn(*batch()) == pytest.approx(other.learn(*batch()))
    for name, value in one.weights().items():
        assert value == pytest.approx(other.weights()[name])


def test_the_weights_of_another_network_are_refused():
    content = learner(SHAPES[1]).to_bytes()
    for broken in (learner("dense: 8").to_bytes(), b"", content[:100]):
        with pytest.raises(UsageError, match="not of this network, or damaged"):
            learner(SHAPES[1]).load(broken)


def test_a_residual_network_needs_rows_and_columns():
    with pytest.raises(UsageError, match="observation_shape is \\(18,\\)"):
        Learner(read_network(SHAPES[0]), (18,), ACTIONS, TrainConfig(), 1)
