"""The layers of a dense network, from arrays with names, and back."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.errors import UsageError, counted

__all__ = [
    "PARTS",
    "POLICY",
    "SKIPPING",
    "Layer",
    "read_layer",
    "read_layers",
    "read_numbers",
]

#: The heads: the names of their weights and biases.
VALUE, POLICY = ("wv", "bv"), ("wp", "bp")

#: What the policy head of a network that sees a state in parts makes of their rows.
SKIPPING = ("ws", "bp")

#: The table of a network that sees a state in parts.
PARTS = "parts"

#: Sums of larger numbers might be infinite.
LARGEST = 1e30


class Layer(NamedTuple):
    """What makes `x @ weights + biases`.

    Attributes:
        weights: `[inputs, outputs]` float32.
        biases: `[outputs]` float32.
    """

    weights: NDArray[np.float32]
    biases: NDArray[np.float32]


def read_layers(
    arrays: Mapping[str, Any], inputs: int, values: list[int], actions: int | None
) -> list[Layer]:
    """The hidden layers, then the value head, then the policy head.

    Args:
        arrays: `w1` [inputs, H1], `b1` [H1], `w2` [H1, H2], `b2` and so on; the heads
            `wv` [H, 1 or players], `bv`, `wp` [H, actions], `bp`.
        inputs: what the game's `observe` writes.
        values: how many the value head may have.
        actions: of the game; None where there is no policy head.

    >>> ones = {"w1": np.ones((4, 2)), "b1": np.ones(2)}
    >>> heads = {"wv": np.ones((2, 1)), "bv": [0], "wp": np.ones((2, 3)), "bp": [0] * 3}
    >>> [layer.weights.shape for layer in read_layers({**ones, **heads}, 4, [1], 3)]
    [(4, 2), (2, 1), (2, 3)]

    Raises:
        UsageError: an array is missing, has another shape, holds no numbers, or is of a
            layer behind one that is missing.
    """
    layers, width = [], inputs
    for number in itertools.count(1):
        if number > 1 and f"w{number}" not in arrays:
            break
        layers.append(read_layer(arrays, (f"w{number}", f"b{number}"), width, None))
        width = len(layers[-1].biases)
    for name in arrays:
        if re.fullmatch("[wb][0-9]+", name) and int(name[1:]) not in range(1, number):
            raise UsageError(f"{name} is of no layer: there is no array 'w{number}'")
    layers.append(read_layer(arrays, VALUE, width, values))
    if actions is not None:
        layers.append(read_layer(arrays, POLICY, width, [actions]))
    return layers


def read_layer(
    arrays: Mapping[str, Any], names: tuple[str, str], inputs: int, outputs: Any
) -> Layer:
    """A layer of so many inputs and, where they are given, one of these outputs.

    Args:
        arrays: by name.
        names: of its weights and of its biases.
        inputs: how many rows the weights must have.
        outputs: the numbers of columns that they may have; any where it is None.

    Raises:
        UsageError: an array is missing, has another shape, or holds no numbers.
    """
    weights, biases = (read_numbers(arrays, name) for name in names)
    told = " or ".join(map(str, outputs)) if outputs else "any number of"
    good = weights.ndim == 2 and weights.shape[0] == inputs and weights.size > 0
    if not good or (outputs and weights.shape[1] not in outputs):
        raise UsageError(
            f"{names[0]} is of shape {list(weights.shape)}; here it must have "
            f"{counted(inputs, 'row')} (its inputs) and {told} columns (its outputs)"
        )
    if biases.shape != weights.shape[1:]:
        raise UsageError(
            f"{names[1]} is of shape {list(biases.shape)}, and {names[0]} of "
            f"{list(weights.shape)}: there must be a bias for each column"
        )
    return Layer(weights, biases)


def read_numbers(arrays: Mapping[str, Any], name: str) -> NDArray[np.float32]:
    """An array of finite numbers."""
    if name not in arrays:
        raise UsageError(
            f"there is no array {name!r}; a dense network has w1, b1, w2, b2 and so "
            f"on, wv, bv, wp and bp, with ws where it sees parts; this one has "
            f"{', '.join(arrays) or 'none'}"
        )
    try:
        found = np.asarray(arrays[name])
    except Exception as error:  # whatever a tensor raises
        raise UsageError(f"{name} cannot be read as an array: {error}") from error
    good = found.dtype.kind in "fiu"
    if not (good and (np.abs(found.astype(float)) <= LARGEST).all()):
        raise UsageError(
            f"{name} holds other things than numbers from -{LARGEST:g} to {LARGEST:g}"
        )
    return found.astype(np.float32)
