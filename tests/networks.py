"""Small networks of random numbers, for tests."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from playout import TicTacToe


def arrays(game: Any = None, hidden: Any = (32, 16), seed: int = 1) -> dict[str, Any]:
    """The arrays of a dense network whose values differ from state to state."""
    game = TicTacToe() if game is None else game
    rng, width = np.random.default_rng(seed), math.prod(game.observation_shape())
    found: dict[str, Any] = {}
    for number, outputs in enumerate(hidden, 1):
        found[f"w{number}"] = rng.normal(0.0, 0.5, (width, outputs))
        found[f"b{number}"] = rng.normal(0.3, 0.1, outputs)
        width = outputs
    found["wv"], found["bv"] = rng.normal(0.0, 0.7, (width, 1)), [0.1]
    actions = game.num_actions()
    found["wp"], found["bp"] = rng.normal(0.0, 1.0, (width, actions)), np.ones(actions)
    return {name: np.asarray(each, np.float32) for name, each in found.items()}


def parts_arrays(game: Any, width: int = 3, seed: int = 1) -> dict[str, Any]:
    """The arrays of a network that sees states in parts, with one hidden layer."""
    rng = np.random.default_rng(seed)
    count, kinds = game.parts_shape()
    found = {
        "parts": rng.normal(0, 1, (kinds, width)),
        "w1": rng.normal(0, 0.5, (count * width, 8)),
        "b1": rng.normal(0.3, 0.1, 8),
        "wv": rng.normal(0, 0.5, (8, 1)),
        "bv": np.array([0.1]),
    }
    return {name: np.float32(each) for name, each in found.items()}


def expected(given: dict[str, Any], planes: Any) -> tuple[Any, Any]:
    """`[B]` values and `[B, A]` logits, by the textbook, in float64."""
    x = np.asarray(planes, float).reshape(len(planes), -1)
    number = 1
    while f"w{number}" in given:
        x = np.clip(x @ given[f"w{number}"] + given[f"b{number}"], 0.0, 1.0)
        number += 1
    values = np.tanh(x @ given["wv"] + given["bv"])[:, 0]
    return values, x @ given["wp"] + given["bp"]
