"""The network of ultimate tic-tac-toe that comes with Playout, from its positions.

It learns what searches say of positions (`ultimate_positions.py`): their values, and
half that and half the game's result where a position was played; and by what the visits
of moves differ from the game's own priors. A twentieth of the games is held back; the
errors there are printed, next to those of the game's own value and priors. It needs
PyTorch, and takes a graphics card where there is one.

    python benchmarks/strength/ultimate_network.py OUT DIR... [--seconds 300]
        [--window 40000000] [--first FROM] [--width 24] [--hidden 64,32] [--seed 1]

Files that are added to a DIR meanwhile are read, too, and OUT, the directory of a
network, is written every `--every` seconds: so positions can be made by the network
that is learning. What is learnt is one small network that sees a local board, whose
answers for all boards there are make the table of `parts`, and the dense layers behind
it. Weights to go on from are OUT.pt or the directory of a network, whose table then is
learnt row by row. They may be those of a narrower network; what is added to it says
nothing at first.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from ultimate_model import Network, turned, weights_of
from ultimate_positions import GAME, SEARCH

from playout import save_network

Array = NDArray[Any]
#: Numbers that say what a local board is like, and the widths of the layers, where they
#: are not given.
WIDTH, HIDDEN = 24, "64,32"
BATCH, RATE, AVERAGE = 2048, 2e-3, 0.999
#: Positions that are held back, at most.
HELD = 100_000


# -- what is learnt from ---------------------------------------------------------------


class Positions:
    """The latest positions of files in some directories, where the network is.

    Args:
        directories: of the files; those that are added later are found, too.
        most: how many positions are kept.
        device: where.

    Raises:
        FileNotFoundError: there is no such directory.
    """

    def __init__(self, directories: list[str], most: int, device: Any) -> None:
        for each in directories:
            if not Path(each).is_dir():
                raise FileNotFoundError(f"there is no directory {each}")
        self.directories, self.most, self.device = directories, most, device
        self.read: set[Path] = set()
        self.columns: dict[str, Any] = {}
        self.held: dict[str, Any] = {}
        self.games = self.count = self.total = 0

    def look(self, files: int = 10**9) -> None:
        """Read files that were not read before, so many at most."""
        found = [f for each in self.directories for f in Path(each).glob("*-*.npz")]
        new = sorted(set(found) - self.read, key=lambda file: file.stat().st_mtime)
        for file in new[:files]:
            self.read.add(file)
            self.add(dict(np.load(file)))

    def add(self, given: dict[str, Array]) -> None:
        """Add the columns of a file; the oldest positions make room."""
        value, result = given["value"], given["result"]
        mixed = np.where(np.isnan(result), value, (value + result) / 2)
        rows = {
            "parts": given["parts"].astype(np.int32),
            "target": mixed.astype(np.float32),
            "moves": given["moves"],
            "priors": given["priors"],
        }
        held = given["game"] % 20 == 19
        self.games += len(np.unique(given["game"]))
        if len(self.held.get("known", ())) < HELD:
            extra = {"known": given["known"], "value": value}
            for name, column in {**rows, **extra}.items():
                before = self.held.get(name, column[:0])
                self.held[name] = np.concatenate([before, column[held]])[:HELD]
        learnt = np.flatnonzero(~held)[-self.most :]
        place, size = self.total % self.most, len(learnt)
        for name, column in rows.items():
            kept = torch.from_numpy(column[learnt])
            if name not in self.columns:
                shape = (self.most, *kept.shape[1:])
                self.columns[name] = torch.zeros(
                    shape, dtype=kept.dtype, device=self.device
                )
            first = min(size, self.most - place)
            self.columns[name][place : place + first] = kept[:first]
            self.columns[name][: size - first] = kept[first:]
        self.total += size
        self.count = min(self.most, self.total)

    def draw(self, size: int) -> list[Any]:
        """Parts, targets, moves and priors of so many, each drawn by chance."""
        chosen = torch.randint(self.count, (size,), device=self.device)
        return [column[chosen] for column in self.columns.values()]


# -- what is wrong, in numbers ---------------------------------------------------------


def cross_entropy(guess: Any, truth: Any) -> Any:
    """In nats, of values from -1 to 1 as chances."""
    guess = ((1 + guess) / 2).clamp(1e-4, 1 - 1e-4)
    truth = (1 + truth) / 2
    return -(truth * guess.log() + (1 - truth) * (1 - guess).log()).mean()


def surprise(logits: Any, moves: Any) -> Any:
    """The cross entropy of moves in nats, of positions whose moves are known."""
    visits = moves.float()
    total = visits.sum(dim=1, keepdim=True)
    shares = visits / total.clamp(min=1.0)
    nats = -(shares * nn.functional.log_softmax(logits, dim=1)).sum(dim=1)
    known = total.flatten() > 0
    return (nats * known).sum() / known.sum().clamp(min=1)


# -- learning --------------------------------------------------------------------------


def learn(given: argparse.Namespace) -> None:
    """Learn for so many seconds, and write the network now and then."""
    cuda = torch.cuda.is_available()
    device = torch.device("cuda" if cuda else "cpu")
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    torch.set_float32_matmul_precision("high")
    data = Positions(given.directories, given.window, device)
    while data.total < given.begin or not data.held["parts"].size:
        data.look()
        time.sleep(0.1)
    boards, places, kinds = (torch.from_numpy(each).to(device) for each in turned())
    hidden = [int(each) for each in given.hidden.split(",")]
    first = weights_of(given.first, device) if given.first else {}
    network, averaged = (
        Network(given.width, hidden, "rows" in first).to(device) for _ in range(2)
    )
    if first:
        network.load(first)
    averaged.load_state_dict(network.state_dict())
    optimizer = torch.optim.AdamW(
        network.parameters(), RATE, weight_decay=1e-6, fused=cuda
    )
    pairs = [list(each.parameters()) for each in (averaged, network)]
    curve: list[dict[str, float]] = []
    steps, saved, looked, began = 0, 0.0, 0.0, time.monotonic()
    while (spent := time.monotonic() - began) < given.seconds:
        left = (given.seconds - spent) / (given.seconds * given.falling)
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (1 + steps) / 200) * min(1.0, max(0.01, left))
        parts, target, moves, priors = data.draw(given.batch)
        ways = torch.randint(8, (given.batch,), device=device)
        parts = kinds[ways[:, None], parts.gather(1, boards[ways]).long()]
        cells = places[ways]
        values, logits = network(parts)
        logits = logits + priors.gather(1, cells)
        loss = cross_entropy(values, target)
        loss = loss + given.policy * surprise(logits, moves.gather(1, cells))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        steps += 1
        with torch.no_grad():
            kept = min(AVERAGE, (1 + steps) / (10 + steps))
            torch._foreach_lerp_(*pairs, 1 - kept)
        if spent > looked + 1:
            looked = spent
            data.look(1)
        if spent > saved + given.every:
            saved = spent
            curve.append(row(steps, spent, data, averaged, device))
            write(given, averaged, data, curve)
    curve.append(row(steps, spent, data, averaged, device))
    write(given, averaged, data, curve)


def row(
    steps: int, seconds: float, data: Positions, network: Network, device: Any
) -> dict[str, float]:
    """A row of the curve, which is printed, too: what is wrong in held games."""
    held = {name: torch.from_numpy(each) for name, each in data.held.items()}
    with torch.no_grad():
        found = [network(each.to(device)) for each in held["parts"].split(20_000)]
        values, logits = (torch.cat(each).cpu() for each in zip(*found, strict=True))
    priors, moves = held["priors"].float(), held["moves"]
    numbers = {
        "error": ((values - held["value"]) ** 2).mean(),
        "error_of_game": ((held["known"] - held["value"]) ** 2).mean(),
        "policy": surprise(logits + priors, moves),
        "policy_of_game": surprise(priors, moves),
        "least": surprise((moves.float() / 255).clamp(min=1e-9).log(), moves),
    }
    rounded = {name: round(float(each), 5) for name, each in numbers.items()}
    about = {"steps": steps, "seconds": round(seconds, 1), "positions": data.total}
    print(json.dumps({**about, **rounded}), flush=True)
    return {**about, **rounded}


def write(
    given: argparse.Namespace,
    network: Network,
    data: Positions,
    curve: list[dict[str, float]],
) -> None:
    """The network's directory, and its weights as PyTorch has them."""
    torch.save(network.state_dict(), given.out.with_suffix(".pt"))
    training = {
        "games": data.games,
        "positions": data.total,
        "steps": curve[-1]["steps"],
        "seconds": given.seconds,
        "config": {name: each for name, each in vars(given).items() if name != "out"},
    }
    shape = f"parts: {network.width}; dense: {', '.join(map(str, network.hidden))}"
    search = ",".join(f"{name}={value}" for name, value in SEARCH.items())
    about = {"game": GAME.name, "network": shape, "search": search}
    card = {**about, "training": training, "curve": curve}
    save_network(given.out, network.arrays(), card)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("directories", nargs="+", metavar="DIR")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--window", type=int, default=40_000_000, help="positions kept")
    parser.add_argument("--begin", type=int, default=1, help="with so many positions")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--width", type=int, default=WIDTH, help="numbers a board")
    parser.add_argument("--hidden", default=HIDDEN, help="the dense layers' widths")
    parser.add_argument("--policy", type=float, default=1.0, help="its weight")
    parser.add_argument("--falling", type=float, default=0.6, help="share of the time")
    parser.add_argument("--every", type=float, default=60, help="seconds to a saving")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--first", metavar="FROM", help="weights to go on from")
    parser.add_argument("--seed", type=int, default=1)
    learn(parser.parse_args())


if __name__ == "__main__":
    main()
