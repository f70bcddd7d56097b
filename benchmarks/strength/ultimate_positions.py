"""Positions of ultimate tic-tac-toe and what searches say of them, for a network.

The default search plays itself, with some random moves at first and a few later. Of
every tree the nodes that were visited often enough are kept, each with the value that
the search has found for it, and with the result of the game where it was played. It
stops after so many seconds of processor time and adds a file to the directory.

    python benchmarks/strength/ultimate_positions.py DIR [--simulations 8000]
        [--least 250] [--seconds 300] [--seed 1] [--network NET]

`ultimate_network.py` learns from them; with `--network` its network searches.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playout import MCTS, Limit, Position, UltimateTicTacToe, load_network
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.search.solver.bounds import is_proven, lower_of
from playout.search.tree.children import list_children

Array = NDArray[Any]
GAME = UltimateTicTacToe()
#: How often a random move is played instead of the search's.
BLUNDER = 0.08
#: Nodes of a tree that are kept at most, and how deep they may lie.
MOST, DEEPEST = 20_000, 90
#: A node that is proven is kept after so many visits.
PROVEN = 8
COLUMNS = ("state", "value", "visits", "result", "game")


@dataclass
class Room:
    """What `harvest` works in: the way to a node, and what it has found."""

    states: Rows
    nodes: Array
    next: Array
    children: Array
    found: Rows
    values: Array
    visits: Array

    @classmethod
    def make(cls) -> Room:
        dtype = GAME.state_dtype()
        return cls(
            Rows(np.zeros(DEEPEST, dtype)),
            np.zeros(DEEPEST, np.int64),
            np.zeros(DEEPEST, np.int64),
            np.zeros((DEEPEST, 81), np.int32),
            Rows(np.zeros(MOST, dtype)),
            np.zeros(MOST, np.float32),
            np.zeros(MOST, np.int64),
        )

    def all(self) -> tuple[Any, ...]:
        way = self.states, self.nodes, self.next, self.children
        return *way, self.found, self.values, self.visits


@kernel
def harvest(
    game: Any,
    tree: Any,
    least: int,
    states: Rows,
    nodes: Any,
    next_child: Any,
    children: Any,
    found: Rows,
    values: Any,
    visits: Any,
) -> int:
    """Write the nodes that are kept, depth first; returns how many.

    `states[0]` is that of the root. Values are for the player to move.
    """
    count = depth = 0
    nodes[0], next_child[0] = 0, -1
    while depth >= 0:
        row = tree.nodes[nodes[depth]]
        if next_child[depth] < 0:
            next_child[depth] = 0
            list_children(tree, nodes[depth], children[depth])
            if count < len(values):
                proven = is_proven(row.proven)
                mean = row.value_sum / max(row.visits, 1)
                values[count] = -float(lower_of(row.proven)) if proven else -mean
                visits[count] = row.visits
                found[count] = states[depth]
                count += 1
        goes_down = False
        while next_child[depth] < row.num_children and not goes_down:
            child = children[depth][next_child[depth]]
            next_child[depth] += 1
            below = tree.nodes[child]
            wanted = PROVEN if is_proven(below.proven) else least
            if below.visits >= wanted and below.num_children > 0:
                states[depth + 1] = states[depth]
                game.apply(states[depth + 1], below.action)
                depth += 1
                nodes[depth], next_child[depth] = child, -1
                goes_down = True
        if not goes_down:
            depth -= 1
    return int(count)


def play(given: argparse.Namespace) -> None:
    """Add a file of positions to a directory."""
    network = load_network(given.network, GAME) if given.network else None
    search = MCTS(GAME, evaluator=network, seed=given.seed)
    search.compile()
    rng, room = np.random.default_rng(given.seed), Room.make()
    games: list[list[Array]] = []
    began = time.process_time()
    while time.process_time() - began < given.seconds:
        number = len(games)
        games.append(
            one_game(search, given.simulations, given.least, rng, room, number)
        )
    columns = [np.concatenate(parts) for parts in zip(*games, strict=True)]
    given.directory.mkdir(parents=True, exist_ok=True)
    file = given.directory / f"{given.simulations}-{given.least}-{given.seed}.npz"
    np.savez(file, **dict(zip(COLUMNS, columns, strict=True)))
    print(f"{len(columns[0]):,} positions of {len(games):,} games in {file}")


def one_game(
    search: MCTS, simulations: int, least: int, rng: Any, room: Room, number: int
) -> list[Array]:
    """The columns of a game's positions, each position once."""
    position, parts = Position(GAME), []
    for _ in range(rng.integers(2, 9)):
        if not position.is_terminal:
            position.play(int(rng.choice(position.legal_actions())))
    search.reset(int(rng.integers(2**30)))
    result = None if not position.is_terminal else position.returns(0)
    while result is None:
        found = search.search(position, Limit(simulations=simulations))
        parts.append(positions_of(search, position, least, room))
        if found.proven is not None:
            own = {"win": 1.0, "draw": 0.0, "loss": -1.0}[found.proven]
            result = own if position.current_player == 0 else -own
            break
        blunders = rng.random() < BLUNDER
        legal = position.legal_actions()
        position.play(int(rng.choice(legal)) if blunders else found.action)
        result = position.returns(0) if position.is_terminal else None
    if not parts:
        return one_game(search, simulations, least, rng, room, number)
    states, values, visits, played = map(np.concatenate, zip(*parts, strict=True))
    chosen = once(states, visits)
    states, values, visits = states[chosen], values[chosen], visits[chosen]
    own = np.where(states["player"] == 0, result, -float(result))
    results = np.where(played[chosen], own, np.nan).astype(np.float32)
    return [states, values, visits, results, np.full(len(states), number)]


def positions_of(
    search: MCTS, position: Position, least: int, room: Room
) -> tuple[Array, Array, Array, Array]:
    """The states that are kept of a tree, their values and visits; which was played."""
    room.states.array[0] = position.array[0]
    arguments = GAME, search.tree, least, *room.all()
    count = harvest.compile(*arguments)(*arguments)
    columns = room.found.array, room.values, room.visits
    states, values, visits = (column[:count].copy() for column in columns)
    return states, values, visits, np.arange(count) == 0


def once(states: Array, visits: Array) -> Array:
    """The numbers of the rows to keep: of equal states the one visited most."""
    order = np.argsort(visits, kind="stable")[::-1]
    whole = np.dtype((np.void, states.dtype.itemsize))
    _, first = np.unique(states[order].view(whole), return_index=True)
    return np.sort(order[first])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument("--simulations", type=int, default=8000, help="a move")
    parser.add_argument("--least", type=int, default=250, help="visits of a node")
    parser.add_argument("--seconds", type=float, default=300, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--network", metavar="NET", help="its directory or name")
    play(parser.parse_args())


if __name__ == "__main__":
    main()
