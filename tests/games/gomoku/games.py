"""Gomoku's rules as kernels call them, and its oracle read from texts."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

from playout.core.jit.native import kernel
from tests.oracles.gomoku_oracle import Oracle

DATA = Path(__file__).parents[2] / "data"
KNOWN = json.loads((DATA / "gomoku.json").read_text(encoding="utf-8"))

#: A normal deviate beyond this comes up once in a million (both sides).
DEVIATIONS = 4.9


@kernel
def play_natively(game, states, action, actions, seen):
    """Play an action, unless it is negative, and look at the state."""
    if action >= 0:
        game.apply(states[0], action)
    seen[0] = game.legal_actions(states[0], actions)
    seen[1] = game.is_terminal(states[0])
    seen[2] = game.current_player(states[0])
    seen[3] = game.returns(states[0], 0) if seen[1] else 0
    seen[4] = game.returns(states[0], 1) if seen[1] else 0


@kernel
def urgent_natively(game, states, actions):
    return game.urgent_actions(states[0], actions)


@kernel
def rollout_natively(game, states, actions, rng):
    return game.rollout(states[0], actions, rng)


@kernel
def legal_natively(game, states, actions):
    return game.legal_actions(states[0], actions)


def choose(
    oracle: Oracle, legal: list[int], rng: random.Random, clustered: bool
) -> int:
    """A random legal action; if clustered, next to a stone where there is one."""
    near = [
        cell
        for cell in legal
        if any(
            oracle.at(cell // oracle.size + dy, cell % oracle.size + dx) in "XO"
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
        )
    ]
    return rng.choice(near if clustered and near else legal)


def oracle_from_text(text: str, rule: str) -> Oracle:
    board, mover = text.split()
    grid = [list(row) for row in board.split("/")]
    return Oracle(len(grid), rule, grid, mover)


def stones(oracle: Oracle) -> list[int]:
    return sorted(set(range(oracle.height * oracle.size)) - set(oracle.empties()))


def crowded(rng: random.Random) -> str:
    """A board of six whose empty cells are one line and a few more."""
    cells = [rng.choice("XO") for _ in range(36)]
    k = rng.randrange(6)
    line = rng.choice([[6 * k + i for i in range(6)], [k + 6 * i for i in range(6)]])
    mark = rng.choice("XO")
    for cell in line:
        cells[cell] = "."
    for cell in rng.sample(line, 2):
        cells[cell] = mark
    for cell in rng.sample(range(36), 4):
        cells[cell] = "."
    rows = ["".join(cells[i : i + 6]) for i in range(0, 36, 6)]
    return "/".join(rows) + " " + rng.choice("XO")


def value_after(oracle: Oracle, action: int) -> int:
    """The value, for the player then to move, of the position after an action."""

    @cache
    def value(text: str) -> int:
        found = -1
        here = oracle_from_text(text, oracle.rule)
        legal = here.legal()
        for move in legal:
            if here.winning(move, here.mover):
                return 1
        for move in legal:
            found = max(found, -value(here.text_after(move)))
            if found == 1:
                break
        return found if legal else 0

    if oracle.winning(action, oracle.mover):
        return -1
    return value(oracle.text_after(action))
