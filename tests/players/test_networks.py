"""Networks in files: what is written is read, and what is no network is told."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playout import (
    ConnectFour,
    Gomoku,
    Position,
    TicTacToe,
    UltimateTicTacToe,
    UsageError,
)
from playout.core.text.spec import named_files
from playout.games.registry import make_game
from playout.players.evaluators import named_evaluator
from playout.players.networks import (
    SHIPPED,
    load_network,
    read_card,
    save_network,
)
from playout.players.player import Allowance
from playout.players.registry import make_player
from playout.search.evaluation.dense import DenseNetwork
from playout.search.evaluation.parts import PartsNetwork
from tests.networks import arrays, parts_arrays

GAME = TicTacToe()
CARD = {"game": "tic-tac-toe", "training": {"seed": 1}}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    save_network(tmp_path / "best", arrays(), CARD)
    return tmp_path / "best"


def test_what_is_saved_is_loaded(place: Path) -> None:
    from_place, from_file = (
        load_network(place, GAME),
        load_network(place / "net.npz", GAME),
    )
    whole = DenseNetwork.of(arrays(), GAME)
    for found in (from_place, from_file, named_evaluator(str(place), GAME)):
        assert isinstance(found, DenseNetwork)
        assert found.numbers.tolist() == whole.numbers.tolist()
    card = read_card(place)
    assert card["training"] == {"seed": 1}
    assert (card["kind"], card["file"], card["format"]) == ("native", "net.npz", 1)
    assert (card["input"], card["actions"]) == ([2, 3, 3], 9)
    assert len(card["sha256"]) == 64


@pytest.mark.parametrize("kind", [np.float16, np.int8])
def test_a_network_that_sees_parts_is_one_too(tmp_path: Path, kind: Any) -> None:
    """Its table may be kept as float16 or int8, which are shorter."""
    game = UltimateTicTacToe()
    given = parts_arrays(game)
    given["parts"] = (20 * given["parts"]).astype(kind)
    save_network(tmp_path / "best", given, {"game": "ultimate-tic-tac-toe"})
    found = load_network(tmp_path / "best", game)
    assert isinstance(found, PartsNetwork)
    assert found.table.dtype == np.float32
    assert found.table.tolist() == given["parts"].astype(float).ravel().tolist()
    kept = np.load(tmp_path / "best" / "net.npz")
    assert (kept["parts"].dtype, kept["w1"].dtype) == (kind, np.float32)
    player = make_player(f"net:{tmp_path}/best,simulations=30", game)
    assert player.choose(Position(game), Allowance()).action in range(81)
    for alone in ("policy=yes", "simulations=0"):
        with pytest.raises(UsageError, match="says nothing of actions"):
            make_player(f"net:{tmp_path}/best,{alone}", game)
    save_network(
        tmp_path / "two",
        parts_arrays(game, policy=True),
        {"game": "ultimate-tic-tac-toe"},
    )
    player = make_player(f"net:{tmp_path}/two,policy=yes", game)
    found = load_network(tmp_path / "two", game)
    position, tables = Position.from_moves(game, ["ee"]), found.tables(game)
    found.judge(game, position.state, tables)
    found.weigh(game, position.state, tables)
    likeliest = max(position.legal_actions(), key=lambda a: found.prior(tables, a))
    assert player.choose(position, Allowance()).action == likeliest


def test_arrays_that_make_no_network_are_not_saved(tmp_path: Path) -> None:
    short, other = arrays(), arrays(Gomoku(size=9))
    del short["bp"]
    endless = arrays() | {"w1": np.full((18, 32), 1e300)}
    for given, said in (
        (short, "best: there is no array 'bp'"),
        (other, "best: w1 is of shape"),
        (endless, "best: w1 holds other things than numbers"),
    ):
        with pytest.raises(UsageError, match=said):
            save_network(tmp_path / "best", given, CARD)
        assert not (tmp_path / "best").exists()


def test_a_match_knows_when_a_network_has_changed(place: Path) -> None:
    wanted = [f"{place}/card.json", f"{place}/net.npz"]
    assert named_files(f"net:{place},simulations=10") == wanted
    assert named_files(f"mcts:seconds=1,evaluator={place},c_puct=2") == wanted
    assert named_files(f"net:{place}/net.npz") == [f"{place}/net.npz"]
    shipped = [
        str(SHIPPED / "connect-four" / name) for name in ("card.json", "net.npz")
    ]
    assert named_files("net:connect-four,seconds=1", SHIPPED) == shipped
    assert named_files("net:no-such-game", SHIPPED) == []


def test_only_what_is_needed_is_imported() -> None:
    code = (
        "import sys; from playout.players.networks import load_network; "
        "print({'torch', 'onnx', 'onnxruntime'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("card.json", "{", "card.json is no JSON"),
        ("card.json", "[]", "is no card of a network"),
        ("card.json", json.dumps({"format": 2}), "or of another format"),
        ("card.json", json.dumps({"format": 1, "file": "../x"}), 'tells its "game"'),
        ("net.npz", "", "net.npz: it is no whole .npz file"),
        ("net.npz", "text", "net.npz: it is no whole .npz file"),
    ],
)
def test_a_broken_directory_is_told(
    place: Path, name: str, content: str, said: str
) -> None:
    (place / name).write_text(content)
    with pytest.raises(UsageError, match=said):
        load_network(place, GAME)


@pytest.mark.parametrize("seed", range(20))
def test_changed_bytes_are_told_without_numpys_advice(place: Path, seed: int) -> None:
    """NumPy takes what is no archive for pickled objects, and says how to load them."""
    rng = random.Random(seed)
    path = place / "net.npz"
    changed = bytearray(path.read_bytes())
    for _ in range(40):
        # Where archives are described: at both ends.
        changed[rng.choice((1, -1)) * rng.randrange(80)] = rng.randrange(256)
    path.write_bytes(changed)
    with pytest.raises(
        UsageError, match=r"net\.npz: it is no whole .* save it"
    ) as told:
        load_network(place, GAME)
    assert "pickle" not in str(told.value)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_file_cut_off_is_told(place: Path, share: float) -> None:
    whole = (place / "net.npz").read_bytes()
    (place / "net.npz").write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(UsageError, match=r"net\.npz: it is no whole \.npz file"):
        load_network(place, GAME)


def test_what_is_not_there_is_told(place: Path) -> None:
    (place / "net.npz").unlink()
    with pytest.raises(UsageError, match=r"net\.npz"):
        load_network(place, GAME)
    with pytest.raises(UsageError, match=r"is no network: it has no card\.json"):
        load_network(place.parent, GAME)
    with pytest.raises(UsageError, match=r"is a directory, or an \.onnx or \.npz file"):
        load_network(place / "none.txt", GAME)


def test_arrays_of_objects_are_not_read(tmp_path: Path) -> None:
    """They would be unpickled, which may run anything."""
    objects: Any = np.array([{}], dtype=object)
    np.savez(tmp_path / "net.npz", w1=objects)
    with pytest.raises(UsageError, match=r"it is no whole \.npz file") as told:
        load_network(tmp_path / "net.npz", GAME)
    assert "allow_pickle" not in str(told.value)


def test_a_network_of_another_game_is_told(place: Path) -> None:
    with pytest.raises(UsageError, match="a network of tic-tac-toe, not of connect-fo"):
        load_network(place, ConnectFour())
    with pytest.raises(UsageError, match="w1 is of shape"):
        load_network(place / "net.npz", ConnectFour())
    save_network(place, arrays(Gomoku(size=9)), {"game": "gomoku:size=9"})
    with pytest.raises(UsageError, match=r"planes of .3, 9, 9.; .* are .3, 15, 15."):
        load_network(place, Gomoku())
    assert load_network(place, Gomoku(size=9, rule="standard")) is not None


def test_a_card_that_cannot_be_written_leaves_what_there_was(tmp_path: Path) -> None:
    save_network(tmp_path / "best", arrays(), {"game": "tic-tac-toe"})
    before = (tmp_path / "best" / "net.npz").read_bytes()
    for card, said in [
        ({}, 'must tell its "game"'),
        ({"game": "tic-tac-toe", "of": np.float32(1)}, "float32 is not JSON"),
    ]:
        with pytest.raises(UsageError, match=said):
            save_network(tmp_path / "best", arrays(seed=2), card)
    assert (tmp_path / "best" / "net.npz").read_bytes() == before


PARTS_ALONE = """
from dataclasses import dataclass
from tests.toys import Nim

@dataclass(frozen=True)
class Parts(Nim):
    def parts_shape(self):
        return 1, 40

    def observe_parts(self, state, parts):
        parts[0] = state.left
"""


def test_a_game_may_show_parts_and_no_planes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("parts.py").write_text(PARTS_ALONE)
    game = make_game("parts.py:Parts")
    save_network("own", parts_arrays(game, policy=True), {"game": "parts.py:Parts"})
    assert read_card("own")["input"] == [1, 40]
    player = make_player("net:own,simulations=40", game)
    position = Position(game)
    assert player.choose(position, Allowance()).action in position.legal_actions()


def test_a_folder_that_hides_a_network_of_playouts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "connect-four").mkdir()
    with pytest.raises(UsageError, match="it hides the one that comes with Playout"):
        load_network("connect-four", ConnectFour())
