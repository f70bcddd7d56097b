"""The arrays of a network that looks parts up, from its table and PyTorch's layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["arrays_of"]


def arrays_of(
    table: NDArray[Any], layers: Iterable[Any], outcome: Any, policy: Any, skipping: Any
) -> dict[str, NDArray[Any]]:
    """As `PartsNetwork` takes them.

    The table is of whole numbers; the first layer turns them into those meant.

    Args:
        table: `[kinds, width]` the rows of all kinds of parts.
        layers: the hidden ones, as `torch.nn.Linear`, like those that follow.
        outcome: the value head.
        policy: what of the policy head sees the hidden layers.
        skipping: what of it sees the rows of the parts; it has no biases.
    """
    unit = np.maximum(np.abs(table).max(axis=0), 1e-6) / 127
    found: dict[str, NDArray[Any]] = {"parts": np.rint(table / unit).astype(np.int8)}
    names = {f"w{number}": each for number, each in enumerate(layers, 1)}
    for name, layer in {**names, "wv": outcome, "wp": policy}.items():
        found[name] = layer.weight.detach().cpu().numpy().T
        found["b" + name[1:]] = layer.bias.detach().cpu().numpy()
    found["ws"] = skipping.weight.detach().cpu().numpy().T
    for name in ("w1", "ws"):
        parts = len(found[name]) // table.shape[1]
        found[name] = found[name] * np.tile(unit, parts)[:, None].astype(np.float32)
    large = {name: found[name].astype(np.float16) for name in ("w1", "ws", "wp")}
    return found | large
