"""Networks in ONNX files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    ConnectFour,
    EvaluatorError,
    Limit,
    TicTacToe,
    UsageError,
    load_network,
    save_network,
)
from playout.core.text.spec import named_files
from playout.search.evaluation.dense import DenseNetwork
from tests.networks import arrays
from tests.packages import needed

needed("onnxruntime")
onnx = needed("onnx")

from playout.players.onnx import OnnxNetwork  # noqa: E402

GAME = TicTacToe()
SHAPE = ["batch", 2, 3, 3]


def write(path: Path, given: dict[str, Any], **other: Any) -> Path:
    """The dense network of these arrays as a file of ONNX's."""
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    name, shape = other.get("input", "planes"), other.get("shape", SHAPE)
    outputs = other.get("outputs", ("policy", "value"))
    constants = {**given, "zero": np.float32(0), "one": np.float32(1)}
    nodes, x, layers = [helper.make_node("Flatten", [name], ["x0"])], "x0", 0
    while f"w{layers + 1}" in given:
        layers += 1
        weights = [x, f"w{layers}", f"b{layers}"]
        nodes.append(helper.make_node("Gemm", weights, [f"y{layers}"]))
        inputs = [f"y{layers}", "zero", "one"]
        nodes.append(helper.make_node("Clip", inputs, [f"x{layers}"]))
        x = f"x{layers}"
    nodes += [
        helper.make_node("Gemm", [x, "wp", "bp"], [outputs[0]]),
        helper.make_node("Gemm", [x, "wv", "bv"], ["v"]),
        helper.make_node("Tanh", ["v"], [outputs[1]]),
    ]
    wide = given["wp"].shape[1]
    graph = helper.make_graph(
        nodes,
        "dense",
        [helper.make_tensor_value_info(name, kind, shape)],
        [
            helper.make_tensor_value_info(outputs[0], kind, [shape[0], wide]),
            helper.make_tensor_value_info(outputs[1], kind, [shape[0], 1]),
        ],
        [onnx.numpy_helper.from_array(np.asarray(a), k) for k, a in constants.items()],
    )
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=9)
    onnx.save(model, path)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "net.onnx", arrays())


def test_it_says_what_the_native_network_says(file: Path) -> None:
    rng = np.random.default_rng(2)
    planes = (rng.random((30, 2, 3, 3)) < 0.3).astype(np.float32)
    values, priors = OnnxNetwork(file, GAME)(planes)
    others, weights = DenseNetwork.of(arrays(), GAME)(planes)
    assert values == pytest.approx(others, abs=1e-5)
    assert priors == pytest.approx(weights, rel=1e-3)


def test_the_search_asks_it(file: Path) -> None:
    keywords: Any = {"seed": 1, "interpreted": True}
    shares = []
    for network in (OnnxNetwork(file, GAME), DenseNetwork.of(arrays(), GAME)):
        search = MCTS(GAME, evaluator=network, **keywords)
        result = search.search(limit=Limit(simulations=40), forced_too=True)
        shares.append({row.move: row.visits for row in result.actions})
    assert shares[0] == shares[1]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"input": "x"}, "has inputs x .* export it with the input planes"),
        ({"outputs": ("p", "v2")}, "outputs p, v2; export it with .* policy and value"),
        ({"shape": ["batch", 3, 3, 2]}, "another game: its planes are .batch, 3, 3, 2"),
        ({"shape": [1, 2, 3, 3]}, "takes 1 at a time: export it with a batch of any"),
    ],
)
def test_another_networks_shapes_are_told(
    tmp_path: Path, other: dict[str, Any], said: str
) -> None:
    path = write(tmp_path / "other.onnx", arrays(), **other)
    with pytest.raises(UsageError, match=said):
        OnnxNetwork(path, GAME)


def test_a_network_of_another_game_is_told(tmp_path: Path, file: Path) -> None:
    with pytest.raises(UsageError, match="another game: its planes are"):
        OnnxNetwork(file, ConnectFour())
    few = {
        **arrays(),
        "wp": np.zeros((16, 8), np.float32),
        "bp": np.zeros(8, np.float32),
    }
    with pytest.raises(UsageError, match=r"its policy are .batch, 8., .* .batch, 9."):
        OnnxNetwork(write(tmp_path / "few.onnx", few), GAME)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", None, 10**6])
def test_threads_that_cannot_be_are_told(file: Path, threads: Any) -> None:
    """ONNX Runtime ends the process where there are too many."""
    with pytest.raises(UsageError, match="threads must be a whole number from 1 to"):
        load_network(file, GAME, threads=threads)


@pytest.mark.parametrize("content", [b"", b"no network", None])
def test_what_is_no_onnx_file_is_told(file: Path, content: bytes | None) -> None:
    file.write_bytes(file.read_bytes()[:200] if content is None else content)
    with pytest.raises(UsageError, match="is no network that ONNX Runtime can run"):
        OnnxNetwork(file, GAME)
    with pytest.raises(UsageError, match=r"missing\.onnx"):
        OnnxNetwork(file.parent / "missing.onnx", GAME)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"shape": [1, 2, 3, 3]}, r"best/net.onnx takes 1 at a time"),
        (
            {"outputs": ("p", "v2")},
            r"best/net.onnx has inputs planes and outputs p, v2",
        ),
    ],
)
def test_what_is_no_network_of_the_game_is_not_saved(
    tmp_path: Path, file: Path, other: dict[str, Any], said: str
) -> None:
    best, card = tmp_path / "best", {"game": "tic-tac-toe"}
    save_network(best, file.read_bytes(), card)
    wrong = write(tmp_path / "wrong.onnx", arrays(), **other).read_bytes()
    with pytest.raises(UsageError, match=said):
        save_network(best, wrong, card)
    assert (best / "net.onnx").read_bytes() == file.read_bytes()
    with pytest.raises(UsageError, match=r"four/net.onnx is a network of another game"):
        save_network(tmp_path / "four", file.read_bytes(), {"game": "connect-four"})
    assert not (tmp_path / "four").exists()


def test_weights_in_a_file_beside_it(tmp_path: Path, file: Path) -> None:
    """As PyTorch's exporter writes them, unless it is told `external_data=False`."""
    both = tmp_path / "both" / "net.onnx"
    both.parent.mkdir()
    onnx.save(
        onnx.load(file),
        both,
        save_as_external_data=True,
        location="net.onnx.data",
        size_threshold=0,
    )
    OnnxNetwork(both, GAME)
    for place in (both, both.parent):
        assert f"{both}.data" in named_files(f"net:{place}")
    with pytest.raises(UsageError, match="export it with external_data=False"):
        save_network(tmp_path / "best", both.read_bytes(), {"game": "tic-tac-toe"})


def test_nan_is_told_with_its_state(tmp_path: Path) -> None:
    bad = {**arrays(), "bv": np.array([np.nan], np.float32)}
    network = OnnxNetwork(write(tmp_path / "nan.onnx", bad), GAME)
    search = MCTS(GAME, evaluator=network, seed=1, interpreted=True)
    with pytest.raises(EvaluatorError, match="its value is nan"):
        search.search(limit=Limit(simulations=10))
