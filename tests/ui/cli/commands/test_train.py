"""`playout train`, as its users meet it.

Also of `learning/folder.py`.
"""

import json
import os
import signal
import subprocess
import sys

import pytest

from playout.learning.replay import numbers_of
from tests.arena.killing import wait
from tests.learning.training import GAME, kept, write_config
from tests.packages import needed
from tests.ui.support import error_of, output_of, run

for package in ("torch", "onnx", "onnxruntime"):
    needed(package)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder, the options that it was trained with, and what that said."""
    place = tmp_path_factory.mktemp("trained")
    options = [GAME, "--out", str(place / "a net"), "--config", write_config(place)]
    done = run("train", *options, "--games", "12")
    assert done.exit_code == 0, done.output
    return place / "a net", options, done


def test_it_says_what_it_does_and_what_to_do_then(trained):
    folder, _, done = trained
    assert "policy loss" in done.stderr
    assert f"play against it: playout play {GAME} 'net:{folder}'" in done.stdout
    assert "games with" in done.stdout
    assert "<svg" in (folder / "report.html").read_text()


def test_resumed_it_prints_the_card_and_draws_curves(trained, tmp_path):
    folder, _, _ = trained
    there = len(numbers_of(folder / "games.db"))
    more = str(there + 4)
    picture = tmp_path / "curves.svg"
    options = ["--resume", "--games", more, "--json", "--plot", str(picture)]
    done = run("train", GAME, "--out", str(folder), *options)
    assert "<svg" in picture.read_text()
    assert f"goes on after {there} games" in done.stderr
    card = json.loads(done.stdout)
    assert card["training"]["games"] >= there + 4
    assert card["training"]["config"]["batch"] == 16  # as it was told before
    assert card == json.loads((folder / "card.json").read_text())


def test_what_cannot_be_is_refused(trained, tmp_path):
    folder, options, _ = trained
    out = ["--out", str(folder)]
    assert "--resume goes on with it" in error_of("train", *options)
    assert "of the kind onnx, not native" in error_of(
        "train", GAME, *out, "--resume", "--kind", "native"
    )
    other = write_config(tmp_path, network="dense: 8")
    assert "cannot become another; name another folder" in error_of(
        "train", GAME, *out, "--resume", "--config", other
    )
    assert "holds games of tic-tac-toe" in error_of(
        "train", "connect-four", *out, "--resume"
    )
    new = ["--out", str(tmp_path / "new")]
    config = ["--config", write_config(tmp_path, match_minutes=1, opponents=["me"])]
    said = error_of("train", GAME, *new, *config)
    assert f"{config[1]}: opponents: unknown player 'me'" in said
    assert "--games must be above 0" in error_of("train", GAME, *new, "--games", "0")
    assert "games of two players" in error_of("train", "2048", *new)
    minutes = error_of("train", GAME, *new, "--minutes", "1e9")
    assert minutes.endswith("--minutes=1000000000.0 is more than 600,000")
    assert "is not local, ray or ray:ADDRESS" in error_of(
        "train", GAME, *new, "--executor", "far"
    )
    assert not (tmp_path / "new").exists()


def test_a_damaged_card_is_named(trained, tmp_path):
    (tmp_path / "card.json").write_text("{")
    assert "card.json is no JSON" in error_of(
        "train", GAME, "--out", str(tmp_path), "--resume"
    )


def test_help_names_all_options():
    said = output_of("train", "--help")
    for option in (
        "--out",
        "--minutes",
        "--games",
        "--resume",
        "--kind",
        "--config",
        "--executor",
    ):
        assert option in said


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX")
def test_ctrl_c_keeps_everything_and_says_how_to_go_on(tmp_path):
    folder = tmp_path / "net"
    line = [sys.executable, "-m", "playout", "train", GAME, "--out", str(folder)]
    line += ["--config", write_config(tmp_path)]
    running = subprocess.Popen(line, stderr=subprocess.PIPE, text=True)
    path = folder / "games.db"
    wait(120, lambda: len(kept(path)) >= 8)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=120)
    assert running.returncode == 130, said
    games = len(numbers_of(path))
    assert f"{games} games with" in said
    assert "--resume goes on" in said
    assert "Traceback" not in said
    assert f"Training of {GAME}" in (folder / "report.html").read_text()
