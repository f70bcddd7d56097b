"""The network of Connect Four that comes with Playout, from exact labels.

It learns what positions are worth and which moves keep that, as files of
`connect_four_labels.py` tell. A value x, before tanh, says how likely a win is,
sigmoid(2 (x - t)), and how likely at least a draw, sigmoid(2 (x + t)), with a t that is
learnt, too (an ordered logit: McCullagh, "Regression Models for Ordinal Data", 1980);
so something is learnt where one of both is known alone. Moves are learnt as what the
game's own priors are to be multiplied by. A twentieth of the positions whose moves are
known is held back, with what follows from them and the positions of `connect_four.py`:
printed is of how many the outcome is right, and in how many the likeliest move keeps
it where some do not. It needs PyTorch.

    python benchmarks/strength/connect_four_network.py OUT DIR... [--seconds 1380]
        [--width 24] [--hidden 128,32] [--first OUT.pt] [--seed 1]

OUT, the directory of a network, is written every `--every` seconds, and its weights
as PyTorch has them to OUT.pt.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from connect_four_labels import FULL, held_back, keys_of
from connect_four_prover import BOTTOM, CELLS, HEIGHT, NO, UNKNOWN, YES
from numpy.typing import NDArray
from parts_arrays import arrays_of
from torch import nn

from playout import ConnectFour, save_network
from playout.core.jit.hashing import MIX_1
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows

Array = NDArray[Any]
GAME = ConnectFour()
PARTS, KINDS = GAME.parts_shape()
#: What suits the network, as its card says it.
SEARCH = (
    "c_puct=2,first_play=-0.4,expansion=likeliest-first,at_once=4,leaf_nodes=0,"
    "visited_at=256,root_nodes=10000,root_every=100"
)
RATE, DECAY, AVERAGE, LEAK = 4e-3, 0.05, 0.999, 0.01
#: Every number of stones is drawn as often, but where there are fewer positions.
MANY = 1_000_000
#: One of so many positions is held back, and so many are judged at most; the first and
#: the last ply of each band.
HELD_SHARE, HELD, BANDS = 20, 30_000, ((4, 8), (9, 11), (12, 16), (17, 25))
#: The logarithm of the prior of a move that is not legal.
NEVER = -50.0


# -- what is learnt from ---------------------------------------------------------------


def read(directories: list[Path]) -> tuple[Array, Array, Array, Array]:
    """Stones and what their moves are worth; stones and what is known of them.

    Raises:
        FileNotFoundError: there are no files of moves.
    """
    files = [file for each in directories for file in sorted(each.glob("*.npz"))]
    found: dict[str, list[Array]] = {"worth": [], "known": []}
    stones: dict[str, list[Array]] = {"worth": [], "known": []}
    for file in files:
        with np.load(file) as columns:
            label = "worth" if "worth" in columns else "known"
            stones[label].append(columns["stones"])
            found[label].append(columns[label])
    if not found["worth"]:
        raise FileNotFoundError("connect_four_labels.py has written no moves there")
    nothing = [np.zeros((0, 2), np.uint64)], [np.zeros((0, 2), np.int8)]
    moves = np.concatenate(stones["worth"]), np.concatenate(found["worth"])
    places = np.concatenate(stones["known"] or nothing[0])
    return *moves, places, np.concatenate(found["known"] or nothing[1])


def after_moves(stones: Array, worth: Array) -> tuple[Array, Array]:
    """The stones after every legal move, and what they are worth to who moves then."""
    mine, occupied = stones.T
    landing = (occupied + BOTTOM) & ~occupied & CELLS
    places, values = [], []
    for column in range(7):
        legal = worth[:, column] != FULL
        stone = landing & np.uint64(127 << HEIGHT * column)
        after = np.stack([occupied & ~mine, occupied | stone], axis=1)
        places.append(after[legal])
        values.append(-worth[legal, column])
    return np.concatenate(places), np.concatenate(values)


def best_of(worth: Array) -> Array:
    """What positions are worth whose moves are worth that."""
    return np.where(worth == FULL, -1, worth).max(axis=1)


def known_of(values: Array) -> Array:
    """`[N, 2]` whether outcomes are wins, and whether they are draws at least."""
    return np.where(np.stack([values == 1, values >= 0], axis=1), YES, NO)


def mirrored(stones: Array) -> Array:
    """The same, left and right exchanged."""
    found = np.zeros_like(stones)
    for column in range(7):
        bits = stones >> np.uint64(HEIGHT * column) & np.uint64(127)
        found |= bits << np.uint64(HEIGHT * (6 - column))
    return found


def shared_keys(stones: Array) -> Array:
    """A number for each position that its mirror image shares."""
    return np.minimum(keys_of(stones), keys_of(mirrored(stones)))


def hold_back(stones: Array) -> tuple[Array, Array]:
    """Which positions are held back, each once, and which are learnt from."""
    keys = shared_keys(stones)
    share = (keys * MIX_1 >> np.uint64(40)) % np.uint64(HELD_SHARE) == 0
    _, first = np.unique(keys, return_index=True)
    return np.intersect1d(first, np.flatnonzero(share))[:HELD], np.flatnonzero(~share)


class Draw:
    """Draws positions by chance, of each number of stones as often if there are enough.

    Args:
        stones: `[N, 2]`.
        rng: draws.
    """

    def __init__(self, stones: Array, rng: np.random.Generator) -> None:
        self.rng, plies = rng, np.bitwise_count(stones[:, 1])
        shares = 1.0 / np.maximum(np.bincount(plies, minlength=43), MANY)
        self.sums = np.cumsum(shares[plies])

    def __call__(self, size: int) -> Array:
        drawn = self.rng.random(size) * self.sums[-1]
        return np.minimum(np.searchsorted(self.sums, drawn), len(self.sums) - 1)


@kernel
def look(game: Any, states: Rows, parts: Any, priors: Any, room: Any, own: Any) -> int:
    """Write what is seen of states, and where it is asked for what the priors are."""
    for index in range(len(parts)):
        game.observe_parts(states[index], parts[index])
        if index < len(priors):
            count = game.legal_actions(states[index], room)
            game.priors(states[index], room, count, own)
            for place in range(count):
                priors[index, room[place]] = math.log(own[place])
    return len(parts)


def seen(stones: Array, with_priors: int = 0) -> tuple[Array, Array]:
    """`[N, parts]` int32 kinds; `[with_priors, 7]` float32 logarithms of own priors."""
    mine, occupied = stones.T
    states = np.zeros(len(stones), GAME.state_dtype())
    mover = np.bitwise_count(occupied) % 2
    first = np.where(mover == 0, mine, occupied & ~mine)
    states["stones"][:, 0, 0], states["stones"][:, 1, 0] = first, occupied & ~first
    states["occupied"][:, 0], states["player"] = occupied, mover
    states["winner"] = -1
    parts = np.zeros((len(stones), PARTS), np.int32)
    priors = np.full((with_priors, 7), NEVER, np.float32)
    arguments = GAME, Rows(states), parts, priors, np.zeros(7, np.int32), np.zeros(7)
    look.compile(*arguments)(*arguments)
    return parts, priors


# -- the network -----------------------------------------------------------------------


class Network(nn.Module):
    """The table, the hidden layers and the two heads.

    Args:
        width: numbers in a row of the table.
        hidden: how wide the hidden layers are.
    """

    def __init__(self, width: int, hidden: list[int]) -> None:
        super().__init__()
        self.width, self.hidden = width, hidden
        self.table = nn.Embedding(KINDS, width)
        nn.init.normal_(self.table.weight, 0.0, 0.3)
        widths = (PARTS * width, *hidden)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        for layer in self.layers:  # the middle of the clipped ReLU
            nn.init.constant_(layer.bias, 0.3)
        self.outcome = nn.Linear(widths[-1], 1)
        self.policy = nn.Linear(sum(hidden), 7)
        self.skipping = nn.Linear(widths[0], 7, bias=False)
        self.theta = nn.Parameter(torch.tensor(0.3))

    def forward(self, parts: Any) -> tuple[Any, Any]:
        """`[B]` values before tanh and `[B, 7]` logits.

        While it learns, what is cut off leaves a trace, so that it may come back.
        """
        x = self.table(parts).flatten(1)
        skipped, hidden = self.skipping(x), []
        for layer in self.layers:
            x = layer(x)
            x = x.clamp(0.0, 1.0) + (LEAK * (x - x.clamp(0, 1)) if self.training else 0)
            hidden.append(x)
        return self.outcome(x)[:, 0], self.policy(torch.cat(hidden, dim=1)) + skipped

    def arrays(self) -> dict[str, Array]:
        """As `PartsNetwork` takes them."""
        table = self.table.weight.detach().numpy()
        heads = self.outcome, self.policy, self.skipping
        return arrays_of(table, self.layers, *heads)


# -- what is wrong, in numbers ---------------------------------------------------------


def value_loss(values: Any, theta: Any, known: Array) -> Any:
    """The cross entropy of what is known, in nats."""
    told = torch.from_numpy(known != UNKNOWN)
    truth = torch.from_numpy((known == YES).astype(np.float32))
    logits = 2 * torch.stack([values - theta, values + theta], dim=1)
    found = nn.functional.binary_cross_entropy_with_logits(
        logits, truth, reduction="none"
    )
    return found[told].mean()


def policy_loss(logits: Any, best: Array) -> Any:
    """The cross entropy of the moves that keep what a position is worth, in nats."""
    shares = torch.from_numpy(best / best.sum(axis=1, keepdims=True)).float()
    return -(shares * nn.functional.log_softmax(logits, dim=1)).sum(dim=1).mean()


def best_moves(worth: Array) -> Array:
    """`[N, 7]` which moves keep what a position is worth."""
    return worth == best_of(worth)[:, None]


def row(
    network: Network, stones: Array, worth: Array, about: dict[str, Any]
) -> dict[str, Any]:
    """A row of the curve, which is printed, too: shares of what is held back."""
    network.eval()
    parts, priors = seen(stones, len(stones))
    after, values = after_moves(stones, worth)
    with torch.no_grad():
        _, logits = network(torch.from_numpy(parts))
        x = network(torch.from_numpy(seen(after)[0]))[0].numpy()
    theta = float(network.theta.detach())
    right = np.where(x > theta, 1, np.where(x < -theta, -1, 0)) == values
    best = best_moves(worth)
    matters = ((worth != FULL) & ~best).any(axis=1)
    chosen = {"kept": logits.numpy() + priors, "kept_by_game": priors}
    found: dict[str, Any] = dict(about)
    for first, last in BANDS:
        plies = np.bitwise_count(after[:, 1])
        band = (first < plies) & (plies <= last + 1)
        name = f"{first}-{last}"
        if band.any():
            found[f"right_{name}"] = round(float(right[band].mean()), 4)
        plies = np.bitwise_count(stones[:, 1])
        band = (first <= plies) & (plies <= last) & matters
        for sort, weights in chosen.items():
            if band.any():
                keeps = best[band, weights[band].argmax(axis=1)]
                found[f"{sort}_{name}"] = round(float(keeps.mean()), 4)
    print(json.dumps(found), flush=True)
    network.train()
    return found


# -- learning --------------------------------------------------------------------------


def learn(given: argparse.Namespace) -> None:
    """Learn for so many seconds, and write the network now and then."""
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    stones, worth, places, known = read(given.directories)
    held, learnt = hold_back(stones)
    after, values = after_moves(stones[learnt], worth[learnt])
    own = known_of(best_of(worth[learnt]))
    places = np.concatenate([places, after, stones[learnt]])
    known = np.concatenate([known, known_of(values), own]).astype(np.int8)
    follow, _ = after_moves(stones[held], worth[held])
    unseen = np.concatenate([stones[held], follow, np.array(sorted(held_back()), "u8")])
    kept = ~np.isin(shared_keys(places), shared_keys(unseen))
    places, known = places[kept], known[kept]
    best = best_moves(worth)
    learnt = learnt[((worth != FULL) & ~best)[learnt].any(axis=1)]
    draw = Draw(places, rng)
    hidden = [int(each) for each in given.hidden.split(",")]
    network, averaged = (Network(given.width, hidden) for _ in range(2))
    if given.first:
        network.load_state_dict(torch.load(given.first))
    averaged.load_state_dict(network.state_dict())
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    pairs = [list(each.parameters()) for each in (averaged, network)]
    curve: list[dict[str, Any]] = []
    steps, saved, began = 0, 0.0, time.monotonic()
    while (spent := time.monotonic() - began) < given.seconds:
        left = (given.seconds - spent) / (0.7 * given.seconds)
        for group in optimizer.param_groups:
            warm = min(1.0, (1 + steps) / 200)
            group["lr"] = given.rate * warm * min(1.0, max(0.01, left))
        chosen = draw(given.batch)
        asked = rng.choice(learnt, given.batch // 4)
        shown = np.concatenate([stones[asked], places[chosen]])
        good = best[asked]
        if steps % 2:
            shown, good = mirrored(shown), good[:, ::-1]
        parts, priors = seen(shown, len(asked))
        x, logits = network(torch.from_numpy(parts))
        logits = logits[: len(asked)] + torch.from_numpy(priors)
        loss = value_loss(x[len(asked) :], network.theta, known[chosen])
        loss = loss + given.policy * policy_loss(logits, good)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        steps += 1
        with torch.no_grad():
            kept = min(AVERAGE, (1 + steps) / (10 + steps))
            torch._foreach_lerp_(*pairs, 1 - kept)
        if spent > saved + given.every:
            saved = spent
            about = {"steps": steps, "seconds": round(spent)}
            curve.append(row(averaged, stones[held], worth[held], about))
            write(given, averaged, len(places), curve)
    about = {"steps": steps, "seconds": round(given.seconds)}
    curve.append(row(averaged, stones[held], worth[held], about))
    write(given, averaged, len(places), curve)


def write(
    given: argparse.Namespace, network: Network, count: int, curve: list[dict[str, Any]]
) -> None:
    """The network's directory, and its weights as PyTorch has them."""
    torch.save(network.state_dict(), given.out.with_suffix(".pt"))
    config = {name: each for name, each in vars(given).items() if name != "out"}
    config["directories"] = [each.name for each in given.directories]
    training = {"positions": count, "steps": curve[-1]["steps"], "config": config}
    shape = f"parts: {network.width}; dense: {', '.join(map(str, network.hidden))}"
    about = {"game": GAME.name, "network": shape, "search": SEARCH}
    save_network(
        given.out, network.arrays(), {**about, "training": training, "curve": curve}
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("directories", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--seconds", type=float, default=1380)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument(
        "--rate", type=float, default=RATE, help="of learning, at first"
    )
    parser.add_argument("--width", type=int, default=24, help="numbers a part")
    parser.add_argument("--hidden", default="128,32", help="the layers' widths")
    parser.add_argument("--policy", type=float, default=0.3, help="its weight")
    parser.add_argument("--every", type=float, default=60, help="seconds to a saving")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--first", metavar="OUT.pt", help="weights to go on from")
    parser.add_argument("--seed", type=int, default=1)
    learn(parser.parse_args())


if __name__ == "__main__":
    main()
