"""Networks in files: what their directory holds, how it is written and read.

A directory holds `card.json`, which tells of the network, and its numbers: `net.onnx`,
of any library, or `net.npz`, of a dense network that runs inside the search. Either
file is a network by itself, too; only a card tells for which game.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import UsageError, quote
from ..core.files import read_bytes, read_text, replacing, write_text
from ..core.text.spec import NETWORK_FILES, network_place
from ..core.version import version
from ..games.contract.game import Game, has_own
from ..games.contract.parts import expect_parts
from ..games.registry import make_game
from ..search.evaluation.dense import DenseNetwork
from ..search.evaluation.evaluator import Evaluator
from ..search.evaluation.layers import PARTS
from ..search.evaluation.parts import PartsNetwork
from ..search.evaluation.planes import expect_planes
from .onnx import OnnxNetwork

__all__ = [
    "card_of",
    "is_network",
    "load_network",
    "read_card",
    "save_network",
    "shipped",
]

CARD, NATIVE, ONNX = NETWORK_FILES
#: A directory for each network that comes with Playout.
SHIPPED = Path(__file__).parent / "nets"
#: Of the card; a later one may mean other things.
FORMAT = 1
#: The file of each kind.
KINDS = {"native": NATIVE, "onnx": ONNX}


def is_network(text: str) -> bool:
    """Whether a text names the place of a network.

    >>> is_network("best.onnx"), is_network("net.py:load(weights=best.npz)")
    (True, False)
    """
    named = text.lower().endswith((".onnx", ".npz"))
    return named or (text != "" and Path(text).is_dir())


def shipped() -> list[str]:
    """The names of the networks that come with Playout, each that of its game."""
    return sorted(path.parent.name for path in SHIPPED.glob(f"*/{CARD}"))


def load_network(place: str | Path, game: Game, threads: int = 1) -> Evaluator:
    """The evaluator that a file or directory holds.

    Args:
        place: a directory with a card, an `.onnx` or an `.npz` file; or the name of one
            of `shipped`, where nothing else bears it.
        game: what is judged.
        threads: on how many ONNX Runtime works at a question.

    Raises:
        UsageError: there is no network there, or none for this game.
    """
    path = network_place(place, SHIPPED)
    if path.is_dir():
        card = read_card(path)
        expect_own_game(path, card, game)
        path = path / str(card["file"])
    if path.suffix.lower() == ".npz":
        try:
            return native_network(_arrays(path), game)
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None
    if path.suffix.lower() != ".onnx":
        there = "" if path.exists() else "there is no such file or directory; "
        own = f"; with Playout come {', '.join(shipped())}" if shipped() else ""
        raise UsageError(
            f"{path}: {there}a network is a directory, or an .onnx or .npz file{own}"
        )
    return OnnxNetwork(path, game, threads)


def native_network(arrays: Mapping[str, Any], game: Game) -> Evaluator:
    """The network of arrays with names, which runs inside the search.

    Raises:
        UsageError: they make no network, or none for this game.
    """
    kind: Any = PartsNetwork if PARTS in arrays else DenseNetwork
    network: Evaluator = kind.of(arrays, game)
    return network


def save_network(
    directory: str | Path, network: bytes | Mapping[str, Any], card: Mapping[str, Any]
) -> None:
    """Write a network and its card; whoever reads meanwhile finds the old or the new.

    Args:
        directory: made where there is none.
        network: what an `.onnx` file holds, or the arrays of a dense network.
        card: what is told of it; `game` is the spec of its game, `search` the policies
            that suit it, as a player's parameters are written. The kind and the file,
            the shapes, the version of Playout and the weights' SHA-256 are added.

    Raises:
        UsageError: it cannot be written, or it is no network of the game (of an `.onnx`
            file only ONNX Runtime can tell, where it is installed), or there is no such
            game, or the card is not such as JSON can hold.
    """
    if "game" not in card:
        raise UsageError('a network\'s card must tell its "game"')
    place, game = Path(directory), make_game(str(card["game"]))
    kind, content = "onnx", network
    if not isinstance(content, bytes | Mapping):
        raise UsageError(
            f"a network is the content of an .onnx file, or arrays by name, not "
            f"{quote(network)}"
        )
    if not isinstance(content, bytes):
        kind, room = "native", io.BytesIO()
        arrays: Any = {key: _floats(each) for key, each in content.items()}
        try:
            native_network(arrays, game)  # refuses what `load_network` would refuse
        except UsageError as error:
            raise UsageError(f"{place}: {error}") from None
        np.savez_compressed(room, **arrays)
        content = room.getvalue()
    else:
        _expect_onnx(content, game, place / ONNX)
    own = {
        "format": FORMAT,
        "kind": kind,
        "file": KINDS[kind],
        "input": _input_of(game),
        "actions": game.num_actions(),
        "playout": version(),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    try:
        told = json.dumps({**card, **own}, indent=1)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the card of {place} cannot be written ({error})") from None
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{place} cannot be made ({error.strerror})") from None
    with replacing(place / KINDS[kind]) as file:
        file.write_bytes(content)
    write_text(place / CARD, told + "\n")


def _expect_onnx(content: bytes, game: Game, place: Path) -> None:
    """Complain about what would not be a network of the game at its place."""
    if find_spec("onnxruntime") is None:
        return
    with TemporaryDirectory() as room:
        file = Path(room) / ONNX  # alone: what lies beside another file is not saved
        file.write_bytes(content)
        try:
            OnnxNetwork(file, game)
        except UsageError as error:
            raise UsageError(str(error).replace(room, str(place.parent))) from None


def card_of(place: str | Path) -> dict[str, Any]:
    """What is told of a network, as `load_network` finds it; {} of a file alone.

    Raises:
        UsageError: there is no card in a directory, or it is none.
    """
    path = network_place(place, SHIPPED)
    return read_card(path) if path.is_dir() else {}


def read_card(directory: str | Path) -> dict[str, Any]:
    """What a network's directory tells of it.

    Raises:
        UsageError: there is no card, or it is none.
    """
    path = Path(directory) / CARD
    if not path.exists():
        own, beside = SHIPPED / directory, ""
        if (own / CARD).exists():
            beside = f"; it hides the one that comes with Playout, {own}"
        raise UsageError(f"{directory} is no network: it has no {CARD}{beside}")
    try:
        card = json.loads(read_text(path))
    except ValueError as error:
        raise UsageError(f"{path} is no JSON ({error})") from None
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise UsageError(f"{path} is no card of a network, or of another format")
    if card.get("file") not in KINDS.values() or "game" not in card:
        raise UsageError(
            f'{path}: a card tells its "game" and its "file", which is one of '
            f"{', '.join(KINDS.values())}, not {quote(card.get('file'))}"
        )
    return card


def expect_own_game(place: Path, card: Mapping[str, Any], game: Game) -> None:
    """Complain about a network of another game; other parameters may do.

    Raises:
        UsageError: the game, or the size of its board, is another.
    """
    head, *_ = str(card["game"]).split(":")
    named = type(game).__name__ if head.endswith(".py") else game.name
    told = str(card["game"]).split(":")[1:2] if head.endswith(".py") else [head]
    if told != [named]:
        raise UsageError(f"{place} is a network of {card['game']}, not of {named}")
    wanted = _input_of(game)
    if card.get("input", wanted) != wanted:
        raise UsageError(
            f"{place} is a network of {card['game']}, which sees planes of "
            f"{card['input']}; those of this game are {wanted}"
        )


def _input_of(game: Game) -> list[int]:
    """The shape of the planes that a game shows, else how many parts and kinds."""
    parts = has_own(game, "observe_parts") and not has_own(game, "observe")
    return list(expect_parts(game) if parts else expect_planes(game))


def _floats(numbers: Any) -> NDArray[Any]:
    """As they are written: float32, or the shorter kinds where they come so."""
    found = np.asarray(numbers)
    if found.dtype.kind not in "fiu":  # what reads the arrays refuses it
        return found
    if found.dtype in (np.float16, np.int8):
        return found
    with np.errstate(over="ignore"):  # what becomes infinite is refused, too
        return found.astype(np.float32)


#: What reading an archive raises that is cut off, changed or no archive. NumPy's own
#: words are not told: they advise to unpickle the file, which may run anything.
_DAMAGE = (ValueError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


def _arrays(path: Path) -> dict[str, Any]:
    """The arrays of an `.npz` file."""
    content = read_bytes(path)
    try:
        found = np.load(io.BytesIO(content), allow_pickle=False)
        if isinstance(found, np.ndarray):
            raise ValueError("a single array")
        return {name: found[name] for name in found.files}
    except _DAMAGE as error:
        raise UsageError(
            "it is no whole .npz file of numbers: it is damaged, or no network; get it "
            "or save it again (playout.save_network)"
        ) from error
