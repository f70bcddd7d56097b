"""The network of ultimate tic-tac-toe that comes with Playout, from its positions.

It learns what searches say of positions (`ultimate_positions.py`), and half that and
half the game's result where a position was played. A twentieth of the games is held
back; the errors there are printed, next to those of the game's own value. It needs
PyTorch.

    python benchmarks/strength/ultimate_network.py OUT DIR=SHARE... [--seconds 300]
        [--played 1] [--first OUT.pt] [--seed 1]

A DIR of positions is drawn from with its SHARE, and within it those that were played
so many times as often as others. What is learnt is one small network
that sees a local board, whose answers for all boards there are make the table of
`parts`, and the dense layers behind it. OUT is the directory of a network; OUT.pt holds
the weights, from which `--first` goes on.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from playout import UltimateTicTacToe, save_network
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.ultimate_tic_tac_toe.cells import COMPLETING, HAS_LINE
from playout.games.ultimate_tic_tac_toe.chances import FIRST_LINE, SWAPPED
from playout.games.ultimate_tic_tac_toe.threats import outlook

Array = NDArray[Any]
GAME = UltimateTicTacToe()
BOARDS, CELLS = 3**9, np.arange(9)
DIGITS = np.arange(BOARDS)[:, None] // 3**CELLS % 3
#: Numbers that say what a local board is like, and the widths of the layers.
WIDTH, HIDDEN, ENCODER = 16, (64, 32), 64
BATCH, RATE, AVERAGE = 2048, 2e-3, 0.998


# -- what is learnt from ---------------------------------------------------------------


@kernel
def look(
    game: Any, states: Rows, count: int, parts: Any, sights: Any, values: Any
) -> int:
    """Write the parts of states, whether two plies show the end, and their values."""
    for index in range(count):
        state = states[index]
        game.observe_parts(state, parts[9 * index : 9 * index + 9])
        sights[index] = outlook(game, state)
        values[index] = game.evaluate(state, np.int64(state.player))
    return count


def positions(given: list[str], played: float) -> dict[str, Array]:
    """All positions in which something is to be judged, and how often each is drawn.

    Args:
        given: `DIR=SHARE` each.
        played: how many times as often as others one that was played is drawn.
    """
    columns: dict[str, list[Array]] = {}
    games = 0
    for text in given:
        directory, _, share = text.partition("=")
        files = [np.load(file) for file in sorted(Path(directory).glob("*.npz"))]
        for file in files:
            states, count = file["state"], len(file["state"])
            parts, sights = np.zeros(9 * count, np.int32), np.zeros(count, np.int8)
            values = np.zeros(count, np.float32)
            arguments = GAME, Rows(states), count, parts, sights, values
            look.compile(*arguments)(*arguments)
            found, result = file["value"], file["result"]
            open_ = sights == 0
            every = sum(len(one["state"]) for one in files)
            rows = {
                "parts": parts.reshape(-1, 9).astype(np.uint16),
                "search": found,
                "target": np.where(
                    np.isnan(result), found, (found + result) / 2
                ).astype(np.float32),
                "result": result,
                "known": values,
                "game": file["game"].astype(np.int32) + games,
                "weight": np.where(np.isnan(result), 1, played).astype(np.float32)
                * (float(share or 1) / every),
            }
            for name, column in rows.items():
                columns.setdefault(name, []).append(column[open_])
            games += int(file["game"].max()) + 1
    return {name: np.concatenate(parts) for name, parts in columns.items()}


def turned() -> tuple[Array, Array]:
    """`[8, 9]` and `[8, kinds]` boards and their kinds, turned round in each way."""
    rows, columns = np.indices((9, 9))
    cells = 9 * (3 * (rows // 3) + columns // 3) + 3 * (rows % 3) + columns % 3
    boards, kinds = [], []
    for quarters in range(4):
        for mirrored in (False, True):
            found = np.rot90(cells, quarters)
            before = np.zeros(81, int)
            before[cells.ravel()] = (found.T if mirrored else found).ravel()
            boards.append(before[::9] // 9)
            number = (DIGITS[:, before[:9] % 9] * 3**CELLS).sum(axis=1)
            closed = 2 * BOARDS + np.arange(3)
            kinds.append(np.concatenate([number, BOARDS + number, closed]))
    return np.array(boards), np.array(kinds)


def features() -> Array:
    """`[kinds, F]` what the small network sees of every kind of local board."""
    own, other = DIGITS == 1, DIGITS == 2
    mine, theirs = (each @ (1 << CELLS) for each in (own, other))
    empty = 511 & ~(mine | theirs)
    wins, losses = COMPLETING[mine] & empty, COMPLETING[theirs] & empty
    chances = np.stack([FIRST_LINE, FIRST_LINE[SWAPPED]], axis=1)
    near = np.clip(chances, 0.01, 0.99)
    odds = np.log(near / (1 - near)) / 3
    cells = [own, other, wins[:, None] >> CELLS & 1, losses[:, None] >> CELLS & 1]
    room = (empty[:, None] >> CELLS & 1).mean(axis=1)
    facts = [room, wins > 0, losses > 0, *(chances == 0).T]
    plain = np.concatenate([*cells, chances, odds, np.stack(facts, axis=1)], axis=1)
    size = plain.shape[1]
    rows = np.zeros((2 * BOARDS + 3, size + 4))
    rows[:BOARDS, :size] = rows[BOARDS : 2 * BOARDS, :size] = plain
    rows[BOARDS : 2 * BOARDS, size] = 1.0  # one may play there
    rows[-3:, size + 1 :] = np.eye(3)
    return rows.astype(np.float32)


# -- the network -----------------------------------------------------------------------


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kinds = torch.from_numpy(features())
        sizes = [self.kinds.shape[1], ENCODER, ENCODER, WIDTH]
        self.encoder = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        widths = (9 * WIDTH, *HIDDEN)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        for layer in self.layers:  # the middle of the clipped ReLU
            nn.init.constant_(layer.bias, 0.25)
        self.outcome = nn.Linear(widths[-1], 1)

    def table(self, kinds: Any) -> Any:
        """The rows of some kinds of boards."""
        x = self.kinds[kinds]
        for layer in self.encoder[:-1]:
            x = layer(x).relu()
        return self.encoder[-1](x)

    def forward(self, parts: Any) -> Any:
        """`[B]` values for the player to move, of `[B, 9]` kinds."""
        kinds, places = torch.unique(parts, return_inverse=True)
        x = nn.functional.embedding(places, self.table(kinds)).flatten(1)
        for layer in self.layers:
            x = layer(x).clamp(0.0, 1.0)
        return self.outcome(x).tanh().flatten()

    def arrays(self) -> dict[str, Array]:
        """As `PartsNetwork` takes them; rows of boards that cannot be are 0."""
        with torch.no_grad():
            table = self.table(torch.arange(2 * BOARDS + 3)).numpy()
        own, other = ((side == DIGITS) @ (1 << CELLS) for side in (1, 2))
        table[: 2 * BOARDS][np.tile(HAS_LINE[own] | HAS_LINE[other], 2)] = 0.0
        found: dict[str, Array] = {"parts": table.astype(np.float16)}
        for number, layer in enumerate(self.layers, 1):
            found[f"w{number}"] = layer.weight.detach().numpy().T
            found[f"b{number}"] = layer.bias.detach().numpy()
        found["wv"] = self.outcome.weight.detach().numpy().T
        found["bv"] = self.outcome.bias.detach().numpy()
        return found


def cross_entropy(guess: Any, truth: Any) -> Any:
    """In nats, of values from -1 to 1 as chances."""
    guess = ((1 + guess) / 2).clamp(1e-4, 1 - 1e-4)
    truth = (1 + truth) / 2
    return -(truth * guess.log() + (1 - truth) * (1 - guess).log()).mean()


def errors(guess: Array, data: dict[str, Array], rows: Array) -> dict[str, float]:
    """The mean squared error of the searches' values, and how little results say."""
    played = ~np.isnan(data["result"][rows])
    kinds = torch.from_numpy(guess[played]), data["result"][rows][played]
    return {
        "search_error": float(np.mean((guess - data["search"][rows]) ** 2)),
        "result_nats": float(cross_entropy(kinds[0], torch.from_numpy(kinds[1]))),
    }


# -- learning --------------------------------------------------------------------------


def learn(out: Path, given: argparse.Namespace) -> None:
    """Learn for so many seconds of processor time, and write the network."""
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    data, rng = (
        positions(given.positions, given.played),
        np.random.default_rng(given.seed),
    )
    held = rng.permutation(np.flatnonzero(data["game"] % 20 == 0))[:100_000]
    rows = np.flatnonzero(data["game"] % 20)
    sums = np.cumsum(data["weight"][rows], dtype=float)
    boards, kinds = turned()
    print(f"{len(data['game']):,} positions; the game's own value:")
    print(errors(data["known"][held], data, held))
    network, averaged = Network(), Network()
    if given.first:
        network.load_state_dict(torch.load(given.first))
    averaged.load_state_dict(network.state_dict())
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-6)
    curve: list[dict[str, float]] = []
    began, steps = time.process_time(), 0
    while (spent := time.process_time() - began) < given.seconds:
        left = 1 - spent / given.seconds
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (1 + steps) / 200) * max(0.01, left)
        chosen = rows[np.searchsorted(sums, rng.random(BATCH) * sums[-1])]
        ways = rng.integers(0, 8, BATCH)
        parts = np.take_along_axis(data["parts"][chosen].astype(int), boards[ways], 1)
        values = network(torch.from_numpy(kinds[ways[:, None], parts]))
        target = torch.from_numpy(data["target"][chosen])
        optimizer.zero_grad()
        cross_entropy(values, target).backward()
        optimizer.step()
        steps += 1
        kept = min(AVERAGE, (1 + steps) / (10 + steps))
        with torch.no_grad():
            pairs = zip(averaged.parameters(), network.parameters(), strict=True)
            for old, new in pairs:
                old.lerp_(new, 1 - kept)
        if spent > given.seconds * len(curve) / 12:
            curve.append(row(steps, spent, measured(averaged, data, held)))
    curve.append(row(steps, spent, measured(averaged, data, held)))
    torch.save(averaged.state_dict(), out.with_suffix(".pt"))
    training = {
        "games": len(np.unique(data["game"])),
        "positions": len(rows),
        "steps": steps,
        "seconds": given.seconds,
        "config": {
            "positions": given.positions,
            "played": given.played,
            "first": given.first,
            "seed": given.seed,
            "batch": BATCH,
            "learning_rate": RATE,
            "average": AVERAGE,
        },
    }
    shape = f"parts: {WIDTH}; dense: {', '.join(map(str, HIDDEN))}"
    card = {"game": GAME.name, "network": shape, "training": training, "curve": curve}
    save_network(out, averaged.arrays(), card)


def row(steps: int, seconds: float, errors: dict[str, float]) -> dict[str, float]:
    """A row of the curve, which is printed, too."""
    rounded = {name: round(error, 5) for name, error in errors.items()}
    found = {"steps": steps, "seconds": round(seconds, 1), **rounded}
    print(found, flush=True)
    return found


def measured(network: Network, data: dict[str, Array], rows: Array) -> dict[str, float]:
    with torch.no_grad():
        parts = torch.from_numpy(data["parts"][rows].astype(int))
        guess = torch.cat([network(part) for part in parts.split(20_000)])
    return errors(guess.numpy(), data, rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("positions", nargs="+", metavar="DIR=SHARE")
    parser.add_argument("--seconds", type=float, default=300, help="of processor time")
    parser.add_argument(
        "--played", type=float, default=1, help="how often played ones are drawn"
    )
    parser.add_argument("--first", metavar="OUT.pt", help="weights to go on from")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    learn(given.out, given)


if __name__ == "__main__":
    main()
