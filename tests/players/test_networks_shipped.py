"""The networks that come with Playout (`playout.players.networks.shipped`)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from playout import ConnectFour, Position
from playout.games.registry import make_game
from playout.players.networks import SHIPPED, load_network, read_card, shipped
from playout.players.perfect import bitbully_scores
from playout.players.player import Allowance
from playout.players.registry import make_player

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("name", shipped())
def test_it_is_small_and_its_card_is_its_own(name: str) -> None:
    card = read_card(SHIPPED / name)
    content = (SHIPPED / name / card["file"]).read_bytes()
    assert card["game"] == name
    assert hashlib.sha256(content).hexdigest() == card["sha256"]
    assert len(content) < 1_000_000
    training = card["training"]
    assert training["positions"] > 1_000_000
    assert training["config"]["seed"] == 1
    assert training.get("games", 0) > 1000 or "labels" in training
    assert len(card["curve"]) > 10
    assert all(row["played"] >= 40 and row["opponent"] for row in card["strength"])
    assert len(card["strength"]) > 1


@pytest.mark.parametrize("name", shipped())
def test_it_is_found_by_its_name(name: str) -> None:
    assert load_network(name, make_game(name)) is not None


def test_connect_fours_policy_keeps_what_positions_are_worth() -> None:
    pytest.importorskip("bitbully")
    game, scores = ConnectFour(), bitbully_scores()
    player = make_player("net:connect-four,policy=yes", game)
    lines = (DATA / "connect_four_middles.txt").read_text().splitlines()
    kept = []
    for line in lines[:60]:
        position = Position.from_moves(game, line.split()[0])
        signs = {action: sign for action, (sign, _) in scores(position).items()}
        action = player.choose(position, Allowance()).action
        kept.append(signs[action] == max(signs.values()))
    assert sum(kept) >= 0.85 * len(kept)
