"""How fast a dense network runs inside the search: evaluations a second of one core.

    python benchmarks/networks.py

First the network 162-64-32-1: ultimate tic-tac-toe as the stones of both players, and
all its 81 actions; then games as they show themselves. Numbers are random, as they do
not matter here, and states are those of random games. The time is the processor's, the
least of some runs: "observe" is the game writing its planes, "value" that and the
network's value, "and priors" that and the priors of all legal actions. The last line is
a whole search. `--assembly` shows the machine code of the innermost loops instead.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import tempfile
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout import MCTS, ConnectFour, Limit, Position, UltimateTicTacToe
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.search.evaluation.dense import DenseNetwork
from playout.search.evaluation.parts import PartsNetwork

STATES, RUNS = 20_000, 5


@dataclass(frozen=True)
class Stones(UltimateTicTacToe):
    """Ultimate tic-tac-toe of which a network sees the stones alone."""

    def observation_shape(self) -> tuple[int, ...]:
        return (2, 81)

    def observe(self, state: Any, planes: Any) -> None:
        for plane in range(2):
            player = state.player if plane == 0 else 1 - state.player
            for board in range(9):
                stones = int(state.stones[player, board])
                for cell in range(9):
                    planes[plane, 9 * board + cell] = stones >> cell & 1


def network_of(game: Any, hidden: tuple[int, ...] = (64, 32)) -> DenseNetwork:
    """Random numbers, of which about half of those between layers are 0."""
    rng, width = np.random.default_rng(1), math.prod(game.observation_shape())
    arrays: dict[str, Any] = {}
    for number, outputs in enumerate(hidden, 1):
        arrays[f"w{number}"] = rng.normal(0, 0.3, (width, outputs))
        arrays[f"b{number}"] = np.zeros(outputs)
        width = outputs
    arrays["wv"], arrays["bv"] = rng.normal(0, 0.3, (width, 1)), np.zeros(1)
    arrays["wp"] = rng.normal(0, 0.3, (width, game.num_actions()))
    arrays["bp"] = np.zeros(game.num_actions())
    return DenseNetwork.of(arrays, game)


def parts_network_of(game: Any) -> PartsNetwork:
    """One that sees states in parts, of the size of the one that comes with Playout."""
    rng, (count, kinds) = np.random.default_rng(1), game.parts_shape()
    arrays: dict[str, Any] = {"parts": rng.normal(0, 0.3, (kinds, 24))}
    actions = game.num_actions()
    arrays["ws"] = rng.normal(0, 0.03, (24 * count, actions))
    arrays["wp"], arrays["bp"] = rng.normal(0, 0.3, (96, actions)), np.zeros(actions)
    for number, (inputs, outputs) in enumerate([(24 * count, 64), (64, 32)], 1):
        arrays[f"w{number}"] = rng.normal(0, 0.3, (inputs, outputs))
        arrays[f"b{number}"] = np.zeros(outputs)
    arrays["wv"], arrays["bv"] = rng.normal(0, 0.3, (32, 1)), np.zeros(1)
    return PartsNetwork.of(arrays, game)


def states_of(game: Any, count: int) -> Rows:
    """States of random games, in which somebody is to move."""
    rng, found = np.random.default_rng(2), []
    while len(found) < count:
        position = Position(game)
        while not position.is_terminal:
            found.append(position.array.copy())
            position.play(int(rng.choice(position.legal_actions())))
    return Rows(np.concatenate(found[:count]))


@kernel
def observe_all(
    network: Any, game: Any, states: Rows, tables: Any, actions: Any
) -> float:
    total = 0.0
    for index in range(len(states)):
        tables.planes[:] = 0.0
        game.observe(states[index], tables.planes.reshape(game.observation_shape()))
        total += tables.planes[0]
    return total


@kernel
def value_all(
    network: Any, game: Any, states: Rows, tables: Any, actions: Any
) -> float:
    total = 0.0
    for index in range(len(states)):
        network.judge(game, states[index], tables)
        total += network.value(game, states[index], tables, 0)
    return total


@kernel
def weigh_all(
    network: Any, game: Any, states: Rows, tables: Any, actions: Any
) -> float:
    total = 0.0
    for index in range(len(states)):
        network.judge(game, states[index], tables)
        total += network.value(game, states[index], tables, 0)
        network.weigh(game, states[index], tables)
        for n in range(game.legal_actions(states[index], actions)):
            total += network.prior(tables, actions[n])
    return total


def innermost(kernel: Any, given: tuple[Any, ...]) -> str:
    """The machine code of the loops in which rows are added."""
    library = kernel.compile(*given)._entry.needs[0].library
    lines = library.get_asm_str().splitlines()
    found, label = [], 0
    for number, line in enumerate(lines):
        if line.startswith(".L"):
            label = number
        jumps_back = re.search(rf"\tj\w+\t{re.escape(lines[label][:-1])}$", line)
        block = lines[label : number + 1]
        if jumps_back and any("mulps" in inner for inner in block):
            found += [*block, ""]
    return "\n".join(found)


def least_seconds(run: Any) -> float:
    """Of some runs, the least processor time."""
    found = []
    for _ in range(RUNS):
        started = time.process_time()
        run()
        found.append(time.process_time() - started)
    return min(found)


def measure(game: Any, network: Any, sizes: str) -> None:
    """Print a line for each thing that is measured."""
    few = states_of(game, 500)
    states = Rows(np.tile(few.array, STATES // 500))
    actions = np.zeros(game.num_actions(), np.int32)
    given = network, game, states, network.tables(game), actions
    print(f"{game.title}, {sizes}")
    for name, each in (
        ("observe", observe_all),
        ("value", value_all),
        ("value and priors", weigh_all),
    ):
        if each is observe_all and isinstance(network, PartsNetwork):
            continue
        native = each.compile(*given)
        seconds = least_seconds(lambda native=native: native(*given))
        print(f"  {name:18} {STATES / seconds:12,.0f} a second")
    search = MCTS(game, evaluator=network, seed=1)
    search.compile()

    def think() -> None:
        search.reset(1)
        search.search(limit=Limit(simulations=STATES))

    print(f"  {'simulations':18} {STATES / least_seconds(think):12,.0f} a second")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assembly", action="store_true")
    if parser.parse_args().assembly:
        os.environ["PLAYOUT_CACHE_DIR"] = tempfile.mkdtemp()  # what is loaded has none
        game = Stones()
        network, actions = network_of(game), np.zeros(81, np.int32)
        states = states_of(game, 10)
        given = network, game, states, network.tables(game), actions
        print(innermost(value_all, given))
        return
    for game in (Stones(), UltimateTicTacToe(), ConnectFour()):
        sizes = f"{math.prod(game.observation_shape())}-64-32-1"
        measure(game, network_of(game), sizes)
    parts = UltimateTicTacToe()
    measure(parts, parts_network_of(parts), "nine parts, 24 each: 216-64-32-1")


if __name__ == "__main__":
    main()
