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


def parts_arrays(
    game: Any,
    width: int = 3,
    hidden: Any = (8,),
    policy: bool = False,
    values: int = 1,
    seed: int = 1,
) -> dict[str, Any]:
    """The arrays of a network that sees states in parts."""
    rng = np.random.default_rng(seed)
    count, kinds = game.parts_shape()
    found: dict[str, Any] = {"parts": rng.normal(0, 1, (kinds, width))}
    inputs = count * width
    for number, outputs in enumerate(hidden, 1):
        found[f"w{number}"] = rng.normal(0, 0.5, (inputs, outputs))
        found[f"b{number}"] = rng.normal(0.3, 0.1, outputs)
        inputs = outputs
    found["wv"] = rng.normal(0, 0.5, (inputs, values))
    found["bv"] = np.full(values, 0.1)
    if policy:
        actions = game.num_actions()
        found["wp"] = rng.normal(0, 0.7, (sum(hidden), actions))
        found["ws"] = rng.normal(0, 0.2, (count * width, actions))
        found["bp"] = rng.normal(0, 0.3, actions)
    return {name: np.float32(each) for name, each in found.items()}


def expected_of_parts(given: dict[str, Any], parts: Any) -> tuple[Any, Any]:
    """The values and the logits of `[P]` kinds, by the textbook, in float64.

    Logits are what the game's own priors are multiplied by e to the power of; 0
    without a policy.
    """
    rows = np.asarray(given["parts"], float)[parts].reshape(-1)
    x, hidden, number = rows, [], 1
    while f"w{number}" in given:
        x = np.clip(x @ given[f"w{number}"] + given[f"b{number}"], 0.0, 1.0)
        hidden.append(x)
        number += 1
    logits: Any = 0.0
    if "wp" in given:
        logits = rows @ given["ws"] + np.concatenate(hidden) @ given["wp"] + given["bp"]
    return np.tanh(x @ given["wv"] + given["bv"]), logits


def expected(given: dict[str, Any], planes: Any) -> tuple[Any, Any]:
    """`[B]` values and `[B, A]` logits, by the textbook, in float64."""
    x = np.asarray(planes, float).reshape(len(planes), -1)
    number = 1
    while f"w{number}" in given:
        x = np.clip(x @ given[f"w{number}"] + given[f"b{number}"], 0.0, 1.0)
        number += 1
    values = np.tanh(x @ given["wv"] + given["bv"])[:, 0]
    return values, x @ given["wp"] + given["bp"]
