"""The files that networks play from: ONNX, or the arrays of a dense network.

The graph is written node by node: the networks are few and small, and so the file is
the same for every version of PyTorch, with batch normalisation folded into the
convolutions before it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .config import Network

__all__ = ["dense_weights", "to_onnx"]

Weights = dict[str, NDArray[Any]]
#: Of ONNX: old enough for every runtime of the last years.
OPSET, IR_VERSION = 17, 8
#: PyTorch's own.
EPSILON = 1e-5


def dense_weights(shape: Network, weights: Weights) -> Weights:
    """`w1 [S, H1]`, `b1`, ... and the heads `wv`, `bv`, `wp`, `bp`, all float32."""
    found = {}
    for index in range(len(shape.widths)):
        found[f"w{index + 1}"] = weights[f"layers.{index}.weight"].T
        found[f"b{index + 1}"] = weights[f"layers.{index}.bias"]
    for head, letter in (("outcome", "v"), ("logits", "p")):
        found[f"w{letter}"] = weights[f"{head}.weight"].T
        found[f"b{letter}"] = weights[f"{head}.bias"]
    return {name: np.ascontiguousarray(a, np.float32) for name, a in found.items()}


def to_onnx(
    shape: Network, planes: tuple[int, ...], actions: int, weights: Weights
) -> bytes:
    """A model: `planes` `[B, ...]` to logits `policy` `[B, A]` and `value` `[B]`."""
    graph = _Graph(weights)
    (graph.residual if shape.blocks else graph.dense)(shape)
    from onnx import TensorProto, checker, helper

    def tensor(name: str, *sizes: Any) -> Any:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["B", *sizes])

    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "playout",
            [tensor("planes", *planes)],
            [tensor("policy", actions), tensor("value")],
            graph.constants,
        ),
        producer_name="playout",
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    checker.check_model(model)
    return bytes(model.SerializeToString())


class _Graph:
    """Nodes and constants of a model that is being written."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def residual(self, shape: Network) -> None:
        x = self.node("Relu", self.conv("planes", "stem", 1))
        for index in range(shape.blocks):
            inner = self.node("Relu", self.conv(x, f"blocks.{index}.first", 1))
            outer = self.conv(inner, f"blocks.{index}.second", 1)
            x = self.node("Relu", self.node("Add", x, outer))
        policy = self.node("Relu", self.conv(x, "policy", 0))
        self.linear(self.node("Flatten", policy), "logits", "policy")
        value = self.node("Relu", self.conv(x, "value", 0))
        hidden = self.linear(self.node("Flatten", value), "hidden")
        self.outcome(self.node("Relu", hidden))

    def dense(self, shape: Network) -> None:
        x = self.node("Flatten", "planes")
        ends = self.constant(np.float32(0.0)), self.constant(np.float32(1.0))
        for index in range(len(shape.widths)):
            x = self.node("Clip", self.linear(x, f"layers.{index}"), *ends)
        self.linear(x, "logits", "policy")
        self.outcome(x)

    def outcome(self, x: str) -> None:
        value = self.node("Tanh", self.linear(x, "outcome"))
        row = self.constant(np.array([-1], np.int64))
        self.node("Reshape", value, row, output="value")

    def conv(self, x: str, name: str, padding: int) -> str:
        """A convolution and the batch normalisation after it, in one."""
        weights = {
            key: self.weights[f"{name}.1.{key}"].astype(np.float64)
            for key in ("weight", "bias", "running_mean", "running_var")
        }
        scale = weights["weight"] / np.sqrt(weights["running_var"] + EPSILON)
        kernels = self.weights[f"{name}.0.weight"] * scale[:, None, None, None]
        bias = weights["bias"] - weights["running_mean"] * scale
        inputs = x, self.constant(kernels), self.constant(bias)
        return self.node("Conv", *inputs, pads=[padding] * 4)

    def linear(self, x: str, name: str, output: str = "") -> str:
        weight = self.constant(self.weights[f"{name}.weight"])
        bias = self.constant(self.weights[f"{name}.bias"])
        return self.node("Gemm", x, weight, bias, output=output, transB=1)

    def constant(self, value: NDArray[Any] | np.float32) -> str:
        from onnx import numpy_helper

        name = f"c{len(self.constants)}"
        array = np.asarray(value)
        kind = array.dtype if array.dtype == np.int64 else np.float32
        plain = np.asarray(array, kind, order="C")
        tensor = numpy_helper.from_array(plain, name)
        self.constants.append(tensor)
        return name

    def node(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = output or f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name
