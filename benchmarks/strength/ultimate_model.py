"""The network of ultimate tic-tac-toe as PyTorch has it; see `ultimate_network.py`."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from parts_arrays import arrays_of
from torch import nn

from playout.games.ultimate_tic_tac_toe.cells import COMPLETING, HAS_LINE
from playout.games.ultimate_tic_tac_toe.chances import FIRST_LINE, SWAPPED

Array = NDArray[Any]
BOARDS, CELLS = 3**9, np.arange(9)
DIGITS = np.arange(BOARDS)[:, None] // 3**CELLS % 3
#: The width of the layers of the small network that sees a local board.
ENCODER = 64


def turned() -> tuple[Array, Array, Array]:
    """`[8, 9]`, `[8, 81]`, `[8, kinds]` boards, cells and kinds, turned in each way."""
    rows, columns = np.indices((9, 9))
    cells = 9 * (3 * (rows // 3) + columns // 3) + 3 * (rows % 3) + columns % 3
    boards, places, kinds = [], [], []
    for quarters in range(4):
        for mirrored in (False, True):
            found = np.rot90(cells, quarters)
            before = np.zeros(81, int)
            before[cells.ravel()] = (found.T if mirrored else found).ravel()
            boards.append(before[::9] // 9)
            places.append(before)
            number = (DIGITS[:, before[:9] % 9] * 3**CELLS).sum(axis=1)
            closed = 2 * BOARDS + np.arange(3)
            kinds.append(np.concatenate([number, BOARDS + number, closed]))
    return np.array(boards), np.array(places), np.array(kinds)


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


class Network(nn.Module):
    """The small network, the dense layers and the two heads.

    Args:
        width: how many numbers say what a local board is like.
        hidden: how wide the dense layers are.
        by_rows: whether the table is learnt itself, without the small network.
    """

    def __init__(self, width: int, hidden: list[int], by_rows: bool = False) -> None:
        super().__init__()
        self.width, self.hidden = width, hidden
        self.register_buffer("kinds", torch.from_numpy(features()), persistent=False)
        count = self.kinds.shape[1]
        if by_rows:
            mixed = self.kinds @ torch.randn(count, width) / count**0.5
            self.rows = nn.Parameter(mixed.tanh())
        else:
            sizes = [count, ENCODER, ENCODER, width]
            self.encoder = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        widths = (9 * width, *hidden)
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        for layer in self.layers:  # the middle of the clipped ReLU
            nn.init.constant_(layer.bias, 0.25)
        self.outcome = nn.Linear(widths[-1], 1)
        self.policy = nn.Linear(sum(hidden), 81)
        self.skipping = nn.Linear(widths[0], 81, bias=False)
        for weights in (self.policy.weight, self.policy.bias, self.skipping.weight):
            nn.init.zeros_(weights)

    def load(self, weights: dict[str, Any]) -> None:
        """Take weights, perhaps of a narrower network: it then says what that says."""
        found = self.state_dict()
        hidden = [weights[f"layers.{n}.weight"].shape[0] for n in range(2)]
        for name, own in found.items():
            given = weights[name]
            if name in ("layers.0.weight", "skipping.weight"):  # a block for each part
                own, given = (each.view(len(each), 9, -1) for each in (own, given))
            blocks = [(own, given)]
            if name == "policy.weight":  # and here for each hidden layer
                pairs = zip(
                    own.split(self.hidden, 1), given.split(hidden, 1), strict=True
                )
                blocks = list(pairs)
            for wide, narrow in blocks:
                if name != "rows":
                    wide[: len(narrow)] = 0.0  # of what is added nothing goes in
                wide[tuple(slice(size) for size in narrow.shape)] = narrow
        self.load_state_dict(found)

    def table(self, kinds: Any) -> Any:
        """The rows of some kinds of boards."""
        if hasattr(self, "rows"):
            return self.rows[kinds]
        x = self.kinds[kinds]
        for layer in self.encoder[:-1]:
            x = layer(x).relu()
        return self.encoder[-1](x).tanh()

    def forward(self, parts: Any) -> tuple[Any, Any]:
        """`[B]` values for the player to move and `[B, 81]` logits of `[B, 9]` kinds.

        The logits are what is added to the logarithms of the game's own priors.
        """
        if parts.is_cuda:  # where all rows cost less than finding out which
            rows = self.table(slice(None))[parts.long()]
        else:
            kinds, places = torch.unique(parts, return_inverse=True)
            rows = nn.functional.embedding(places, self.table(kinds.long()))
        x = rows.flatten(1)
        skipped, hidden = self.skipping(x), []
        for layer in self.layers:
            x = layer(x).clamp(0.0, 1.0)
            hidden.append(x)
        values = self.outcome(x).tanh().flatten()
        return values, self.policy(torch.cat(hidden, dim=1)) + skipped

    def arrays(self) -> dict[str, Array]:
        """As `PartsNetwork` takes them; rows of boards that cannot be are 0."""
        with torch.no_grad():
            table = self.table(slice(None)).cpu().numpy().copy()
        own, other = ((side == DIGITS) @ (1 << CELLS) for side in (1, 2))
        table[: 2 * BOARDS][np.tile(HAS_LINE[own] | HAS_LINE[other], 2)] = 0.0
        heads = self.outcome, self.policy, self.skipping
        return arrays_of(table, self.layers, *heads)


def weights_of(place: str, device: Any) -> dict[str, Any]:
    """Weights to go on from: what was written as OUT.pt, or those of a network.

    A network in a directory has a policy and two hidden layers, as here. Its table is
    of whole numbers up to 127; the rows learnt are from -1 to 1.
    """
    if Path(place).suffix == ".pt":
        return dict(torch.load(place, map_location=device))
    arrays = {
        name: torch.from_numpy(each.astype(np.float32)).to(device)
        for name, each in np.load(Path(place) / "net.npz").items()
    }
    unit = 1 / 127
    found = {"rows": arrays["parts"] * unit, "skipping.weight": arrays["ws"].T / unit}
    names = {"w1": "layers.0", "w2": "layers.1", "wv": "outcome", "wp": "policy"}
    for name, layer in names.items():
        scale = 1 / unit if name == "w1" else 1.0
        found[f"{layer}.weight"] = arrays[name].T * scale
        found[f"{layer}.bias"] = arrays["b" + name[1:]]
    return found
