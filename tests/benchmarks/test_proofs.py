"""The script that looks for false proofs: a small run, and a solver that lies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from playout import MCTS, SETTLED_WIN, TicTacToe

from .strength import import_strength


@pytest.fixture(scope="module")
def proofs() -> Any:
    return import_strength("proofs")


@pytest.mark.parametrize("way", ["threads", "transpositions"])
def test_no_proof_is_false(proofs, way) -> None:
    spec = "connect-four:rows=4,columns=4"
    [(_, counts)] = proofs.count_blocks(spec, way, [0], 9.0)
    assert counts["false"] == counts["unchecked"] == 0
    assert counts["true"] > 100


@dataclass(frozen=True)
class Boastful(TicTacToe):
    """Every position is won by the first free cell, it says."""

    def settle(self, state, nodes, table):
        for action in range(9):
            if (state.stones[0] | state.stones[1]) >> action & 1 == 0:
                return SETTLED_WIN, action, 0
        return SETTLED_WIN, 0, 0


def test_false_proofs_are_found(proofs, capsys) -> None:
    game, counts, rng = Boastful(), Counter(), Random(1)
    search = MCTS(game, solver=proofs.SOLVER, seed=1)
    truth = proofs.Truth(game, 9.0)
    for _ in range(5):
        position = proofs.draw_position(game, 1, 3, rng)
        proofs.play_on(search, position, truth, rng, counts)
    assert counts["false"] > 0
    assert "FALSE win" in capsys.readouterr().out


def test_what_was_counted_is_read_again(proofs, tmp_path) -> None:
    path = tmp_path / "proofs.txt"
    counted = Counter(positions=100, true=250, unchecked=3)
    proofs.note(path, "hex:size=3 threads 0", counted)
    proofs.note(path, "hex:size=3 threads 1", counted)
    assert proofs.summary(proofs.read(path)) == [
        f"{name}: 200 positions, 500 proofs true, 6 unchecked, 0 false"
        for name in ("hex:size=3 threads", "all")
    ]
