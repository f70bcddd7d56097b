"""Positions of ultimate tic-tac-toe and what searches say of them, for a network.

The default search plays itself, with some random moves at first and a few later. Of
every tree the nodes that were visited often enough are kept, each with the value that
the search has found for it, with the visits of its moves, and with the result of the
game where it was played. It adds a file to the directory every `--chunk` seconds, of
processor time as `--seconds` is, and stops after those.

    python benchmarks/strength/ultimate_positions.py DIR [--simulations 3000]
        [--least 40] [--seconds 300] [--chunk 60] [--seed 1] [--network NET]

`ultimate_network.py` learns from them; with `--network` its network searches, read anew
for each file.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playout import MCTS, Limit, Position, UltimateTicTacToe, load_network
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.ultimate_tic_tac_toe.threats import outlook
from playout.players.policies import make_policies
from playout.search.solver.bounds import is_proven, lower_of
from playout.search.tree.children import list_children

Array = NDArray[Any]
GAME = UltimateTicTacToe()
#: How often a random move is played instead of the search's.
BLUNDER = 0.08
#: What suits a network with a policy, as its card says it, too.
SEARCH = {
    "c_puct": 2.0,
    "first_play": -0.4,
    "expansion": "likeliest-first",
    "at_once": 4,
}
#: Nodes of a tree that are kept at most, and how deep they may lie.
MOST, DEEPEST = 20_000, 90
#: A node that is proven is kept after so many visits.
PROVEN = 8
#: Of nodes with fewer visits it is not kept which moves these went to.
POLICY = 250
COLUMNS = ("state", "value", "visits", "moves", "result", "game")
#: The logarithm of the prior of a move that is not legal.
NEVER = -1e4


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
    moves: Array

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
            np.zeros((MOST, 81), np.uint8),
        )

    def all(self) -> tuple[Any, ...]:
        way = self.states, self.nodes, self.next, self.children
        return *way, self.found, self.values, self.visits, self.moves


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
    moves: Any,
) -> int:
    """Write the nodes that are kept, depth first; returns how many.

    `states[0]` is that of the root. Values are for the player to move, and a node's
    `moves` the share of visits that each has, of 255; all 0 where it is not known.
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
                moves[count] = 0
                if row.visits >= POLICY and not proven:
                    total = 0
                    for index in range(row.num_children):
                        total += tree.nodes[children[depth][index]].visits
                    for index in range(row.num_children):
                        below = tree.nodes[children[depth][index]]
                        share = (255 * below.visits + total // 2) // total
                        moves[count, below.action] = share
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
    """Add files of positions to a directory."""
    given.directory.mkdir(parents=True, exist_ok=True)
    rng, room = np.random.default_rng(given.seed), Room.make()
    began, number = time.process_time(), 0
    while (left := given.seconds - (time.process_time() - began)) > 0:
        until = time.process_time() + min(left, given.chunk)
        games: list[list[Array]] = []
        network = load_network(given.network, GAME) if given.network else None
        policies = policies_for(network)
        search = MCTS(GAME, evaluator=network, seed=given.seed, **policies)
        search.compile()
        while not games or time.process_time() < until:
            games.append(
                one_game(search, given.simulations, given.least, rng, room, len(games))
            )
        columns = [np.concatenate(parts) for parts in zip(*games, strict=True)]
        found = seen(dict(zip(COLUMNS, columns, strict=True)))
        file = given.directory / f"{given.seed}-{number}.npz"
        with file.with_suffix(".part").open("wb") as out:
            np.savez(out, **found)
        file.with_suffix(".part").rename(file)  # whoever looks sees whole files
        count = len(found["parts"])
        print(f"{count:,} positions of {len(games):,} games in {file}", flush=True)
        number += 1


def policies_for(network: Any) -> dict[str, Any]:
    """What suits a network with a policy."""
    if network is None or not network.has_priors:
        return {}
    return make_policies(GAME, SEARCH, evaluator=network)


def one_game(
    search: MCTS, simulations: int, least: int, rng: Any, room: Room, number: int
) -> list[Array]:
    """The columns of a game's positions, each position once."""
    position, parts = Position(GAME), []
    for _ in range(rng.integers(9)):
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
    columns = map(np.concatenate, zip(*parts, strict=True))
    states, values, visits, moves, played = columns
    chosen = once(states, visits)
    states, values = states[chosen], values[chosen]
    visits, moves = visits[chosen], moves[chosen]
    own = np.where(states["player"] == 0, result, -float(result))
    results = np.where(played[chosen], own, np.nan).astype(np.float32)
    games = np.full(len(states), number)
    return [states, values, visits, moves, results, games]


def positions_of(
    search: MCTS, position: Position, least: int, room: Room
) -> tuple[Array, Array, Array, Array, Array]:
    """What is kept of a tree: states, values, visits, moves, and which was played."""
    room.states.array[0] = position.array[0]
    arguments = GAME, search.tree, least, *room.all()
    count = harvest.compile(*arguments)(*arguments)
    kept = room.found.array, room.values, room.visits, room.moves
    states, values, visits, moves = (column[:count].copy() for column in kept)
    return states, values, visits, moves, np.arange(count) == 0


def once(states: Array, visits: Array) -> Array:
    """The numbers of the rows to keep: of equal states the one visited most."""
    order = np.argsort(visits, kind="stable")[::-1]
    whole = np.dtype((np.void, states.dtype.itemsize))
    _, first = np.unique(states[order].view(whole), return_index=True)
    return np.sort(order[first])


@kernel
def look(
    game: Any,
    states: Rows,
    parts: Any,
    open_: Any,
    values: Any,
    priors: Any,
    actions: Any,
    buffer: Any,
) -> int:
    """Write what is seen of states; `open_` where two plies do not show the end."""
    for index in range(len(values)):
        state = states[index]
        game.observe_parts(state, parts[9 * index : 9 * index + 9])
        open_[index] = outlook(game, state) == 0
        values[index] = game.evaluate(state, np.int64(state.player))
        count = game.legal_actions(state, actions)
        game.priors(state, actions, count, buffer)
        for place in range(count):
            priors[index, actions[place]] = math.log(buffer[place])
    return len(values)


def seen(columns: dict[str, Array]) -> dict[str, Array]:
    """The columns of a file, of those positions in which something is to be judged.

    That is `parts`, the game's own value (`known`) and the logarithms of its own priors
    (`priors`), instead of `state`.
    """
    states = columns.pop("state")
    count = len(states)
    parts, open_ = np.zeros(9 * count, np.int32), np.zeros(count, np.bool_)
    values, priors = (
        np.zeros(count, np.float32),
        np.full((count, 81), NEVER, np.float32),
    )
    buffers = np.zeros(81, np.int32), np.zeros(81)
    arguments = GAME, Rows(states), parts, open_, values, priors, *buffers
    look.compile(*arguments)(*arguments)
    columns["parts"] = parts.reshape(-1, 9).astype(np.uint16)
    columns["known"], columns["priors"] = values, priors.astype(np.float16)
    columns["visits"] = columns["visits"].astype(np.int32)
    columns["game"] = columns["game"].astype(np.int32)
    return {name: column[open_] for name, column in columns.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument("--simulations", type=int, default=3000, help="a move")
    parser.add_argument("--least", type=int, default=40, help="visits of a node")
    parser.add_argument("--seconds", type=float, default=300, help="of processor time")
    parser.add_argument("--chunk", type=float, default=60, help="seconds of a file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--network", metavar="NET", help="its directory or name")
    play(parser.parse_args())


if __name__ == "__main__":
    main()
