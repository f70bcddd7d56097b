"""The configuration of a training: a flat file of TOML; every key has a default."""

from __future__ import annotations

import dataclasses
import math
import re
import tomllib
from dataclasses import dataclass
from typing import Annotated, Any

from ..core.errors import UsageError, quote
from ..core.files import read_text
from ..core.text.fields import AtMost, check_fields, expect_at_most
from ..core.text.spec import unknown_name

__all__ = ["KINDS", "Network", "TrainConfig", "read_config", "read_network"]

#: A network in ONNX, and a dense one that is compiled into the search.
KINDS = ("onnx", "native")
_USUAL = {"onnx": "residual: 3 blocks, 32 channels", "native": "dense: 64, 32"}
_BLOCKS = re.compile(r"residual: *(\d+) blocks?, *(\d+) channels?")
_LAYERS = re.compile(r"dense: *(\d+(?: *, *\d+)*)")
_FORMS = "'residual: 4 blocks, 64 channels' or 'dense: 128, 64'"


@dataclass(frozen=True)
class Network:
    """The shape of a network.

    Attributes:
        blocks: residual blocks of two convolutions; 0 for a dense network.
        widths: channels of the blocks, or neurons of each hidden layer.
    """

    blocks: int
    widths: tuple[int, ...]


@dataclass(frozen=True)
class TrainConfig:
    """How a network learns; the keys of a configuration file.

    Attributes:
        network: its shape, such as `residual: 4 blocks, 64 channels` or
            `dense: 128, 64`; empty for what suits the kind.
        simulations: of every search in self-play, at least 2.
        considered: actions that the root of such a search considers at first.
        games_at_once: games that are played side by side; their leaves make a batch.
        random_share: the share of games, 0 to 1, that begin with some moves at random,
            from which nothing is learnt.
        random_moves: how many such moves there are at most.
        value_mix: what the value learns: 0 for the game's result, 1 for what the search
            found, or anything between.
        window: positions that are learnt from, the newest ones.
        passes: how often a position is learnt from, about.
        batch: positions of one step of learning.
        learning_rate: of AdamW, above 0 and at most 1.
        end_factor: what it is multiplied by at the end of a training whose end is
            known, 0 to 1; it falls linearly over the last third. 1 keeps it.
        weight_decay: of AdamW, 0 to 1.
        average: the share of the old in the averaged weights, with which games are
            played, after every step; 0 to below 1.
        checkpoint_positions: new positions between two networks.
        match_minutes: minutes between two measurements of the strength; 0 for none.
        match_games: games of such a match against each opponent.
        match_simulations: simulations of the network's searches there.
        opponents: fixed players that it is measured against.
        threads: of self-play and of learning; 0 for as many as there are processors.
        seed: what random numbers follow from.
    """

    network: str = ""
    simulations: Annotated[int, AtMost(100_000)] = 32
    considered: int = 16
    games_at_once: Annotated[int, AtMost(65_536)] = 128
    random_share: float = 0.25
    random_moves: int = 8
    value_mix: float = 0.5
    window: int = 200_000
    passes: float = 4.0
    batch: Annotated[int, AtMost(65_536)] = 256
    learning_rate: float = 0.002
    end_factor: float = 0.1
    weight_decay: float = 0.0001
    average: float = 0.99
    checkpoint_positions: int = 4000
    match_minutes: float = 10.0
    match_games: int = 20
    match_simulations: int = 32
    opponents: tuple[str, ...] = ("random", "mcts:simulations=100")
    threads: Annotated[int, AtMost(1024)] = 0
    seed: int = 1

    def __post_init__(self) -> None:
        check_fields(self)
        least = {
            "simulations": 2, "considered": 1, "games_at_once": 1, "random_moves": 0,
            "window": 1, "batch": 1, "checkpoint_positions": 1, "match_minutes": 0,
            "match_games": 2, "match_simulations": 2, "threads": 0, "seed": 0,
        }  # fmt: skip
        for name, lowest in least.items():
            _expect(name, getattr(self, name), lowest, math.inf)
        for name in ("random_share", "value_mix", "end_factor", "weight_decay"):
            _expect(name, getattr(self, name), 0, 1)
        _expect("average", self.average, 0, 0.99999)
        for name in ("passes", "learning_rate"):
            if not 0 < getattr(self, name) < math.inf:
                raise UsageError(f"{name} must be above 0, not {getattr(self, name)}")
        expect_at_most("learning_rate", self.learning_rate, 1)
        if self.network:
            read_network(self.network)

    def rate_at(self, done: float) -> float:
        """The learning rate when a share of the training, 0 to 1, is over.

        >>> config = TrainConfig(learning_rate=0.01, end_factor=0.1)
        >>> [round(config.rate_at(done), 4) for done in (0, 2 / 3, 5 / 6, 1)]
        [0.01, 0.01, 0.0055, 0.001]
        """
        falling = max(0.0, 3 * done - 2)
        return self.learning_rate * (1 + (self.end_factor - 1) * falling)

    def network_text(self, kind: str) -> str:
        """The shape in words; for a kind its usual one, where none was given."""
        return self.network or _USUAL[kind]

    def shape(self, kind: str) -> Network:
        """The network's shape; for a kind that takes dense ones alone, a dense one.

        Raises:
            UsageError: the kind cannot be of this shape.
        """
        network = read_network(self.network_text(kind))
        if kind == "native" and network.blocks:
            raise UsageError(
                f"network = {quote(self.network)}: a native network is dense, such as "
                "'dense: 64, 32'"
            )
        return network


def read_network(text: str) -> Network:
    """The shape that a text describes.

    >>> read_network("residual: 4 blocks, 64 channels")
    Network(blocks=4, widths=(64,))
    >>> read_network("dense: 128, 64")
    Network(blocks=0, widths=(128, 64))

    Raises:
        UsageError: it is none, or one of 0 or of thousands.
    """
    widths: tuple[int, ...]
    if found := _BLOCKS.fullmatch(text.strip()):
        blocks, widths = int(found[1]), (int(found[2]),)
        fits = 1 <= blocks <= 100
    elif found := _LAYERS.fullmatch(text.strip()):
        blocks, widths = 0, tuple(int(part) for part in found[1].split(","))
        fits = len(widths) <= 20
    else:
        raise UsageError(f"network = {quote(text)} must be like {_FORMS}")
    if not (fits and all(1 <= width <= 4096 for width in widths)):
        raise UsageError(
            f"network = {quote(text)}: there are 1 to 100 blocks or 1 to 20 layers, "
            "each 1 to 4096 wide"
        )
    return Network(blocks, widths)


def read_config(path: str | None) -> TrainConfig:
    """What a file of TOML says; the defaults where there is none.

    Raises:
        UsageError: names the file, and the key that is unknown or wrong.
    """
    if path is None:
        return TrainConfig()
    try:
        given = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: this is not TOML: {error}") from None
    try:
        return from_dict(given)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def from_dict(given: dict[str, Any]) -> TrainConfig:
    """The configuration with these keys, lists as tuples.

    Raises:
        UsageError: a key is unknown, or its value is wrong.
    """
    usual = {field.name: field.default for field in dataclasses.fields(TrainConfig)}
    for name, value in given.items():
        if name not in usual:
            raise unknown_name("key", name, usual, "no others")
        if isinstance(usual[name], tuple) and not isinstance(value, list | tuple):
            raise UsageError(f"{name} must be a list, not {quote(value)}")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in given.items()
    }
    return TrainConfig(**values)


def _expect(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        span = f"at least {least}" if most == math.inf else f"{least} to {most}"
        raise UsageError(f"{name} must be {span}, not {value}")
