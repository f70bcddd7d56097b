"""Fuzz of the resumed training: killed at random moments, no finished game is lost.

    python -m tests.fuzz.resumed_training --kills 20 --seed 1

One training is killed by SIGKILL again and again: while it starts, plays, learns and
writes. The same command with `--resume` then goes on. What must hold after every kill:

- every game that was there before is there still, and as it was;
- games are numbered from 1 without a gap, and none is there twice;
- what the folder holds is whole: the card can be read, and the network plays.

In the end all that is due has been learnt.
"""

import argparse
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import numpy as np

from playout.games.tic_tac_toe.rules import TicTacToe
from playout.players.networks import load_network

from ..arena.killing import wait
from ..forks import ForkServer
from ..learning.training import GAME, TINY, kept, write_config

#: Games that are waited for before a kill, at most, or seconds of one that starts.
MORE, STARTING = 30, 2.0
#: Seconds for a game to finish, and for a training to end.
PATIENCE, TO_THE_END = 120, 600


def fuzz(kills: int, seed: int, place: Path) -> list[str]:
    """Kill a training so often; returns what is wrong with what it left."""
    folder, random = place / "trained", Random(seed)
    command = ["train", GAME, "--out", str(folder), "--resume"]
    command += ["--config", write_config(place)]
    server, before, wrong = ForkServer(), dict[int, tuple[str, bytes]](), list[str]()
    for number in range(kills):
        pid = server.start(command, place / f"{number}.log")
        _wait_for_a_moment(folder / "games.db", random)
        os.killpg(pid, signal.SIGKILL)
        games = kept(folder / "games.db")
        wrong += _losses(before, games) + _damage(folder)
        print(f"kill {number + 1} of {kills}: {len(games)} games kept", flush=True)
        before = games
    server.close()
    return wrong + _finish(command, folder, len(before) + 1)


def _wait_for_a_moment(path: Path, random: Random) -> None:
    """Until some more games are finished, or for a time in which it is starting."""
    if random.random() < 0.25:
        wait(random.uniform(0, STARTING))
        return
    wanted = len(kept(path)) + random.randint(1, MORE)
    wait(PATIENCE, lambda: len(kept(path)) >= wanted)
    wait(random.uniform(0, 0.05))


def _losses(
    before: dict[int, tuple[str, bytes]], after: dict[int, tuple[str, bytes]]
) -> list[str]:
    wrong = [
        f"game {n} is lost or changed" for n in before if before[n] != after.get(n)
    ]
    if sorted(after) != list(range(1, len(after) + 1)):
        wrong.append(f"the games are numbered {sorted(after)}")
    return wrong


def _damage(folder: Path) -> list[str]:
    """What is wrong with the files besides the games, where there are any yet."""
    if not (folder / "card.json").exists():
        return []
    try:
        values, _ = load_network(folder, TicTacToe())(
            np.zeros((1, 2, 3, 3), np.float32)
        )
        return [] if np.isfinite(values).all() else ["the network does not play"]
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def _finish(command: list[str], folder: Path, games: int) -> list[str]:
    """Train to the end, and compare what was learnt with what was due."""
    line = [sys.executable, "-m", "playout", *command, "--games", str(games), "--json"]
    done = subprocess.run(line, check=True, capture_output=True, timeout=TO_THE_END)
    told = json.loads(done.stdout)["training"]
    found = kept(folder / "games.db")
    due = int(told["positions"] * told["config"]["passes"] / int(str(TINY["batch"])))
    wrong = [] if told["steps"] == due else [f"{told['steps']} steps, not {due}"]
    if told["games"] != len(found):
        wrong.append(f"{told['games']} games are told of, and {len(found)} are there")
    states = "SELECT SUM(positions) FROM games"
    with contextlib.closing(sqlite3.connect(folder / "games.db")) as file:
        (positions,) = file.execute(states).fetchone()
        said = [text for (text,) in file.execute("PRAGMA integrity_check")]
    if told["positions"] != positions:
        wrong.append(f"{told['positions']} positions are told of, not {positions}")
    return wrong + ([] if said == ["ok"] else said)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        wrong = fuzz(given.kills, given.seed, Path(place))
    print("\n".join(wrong) or f"{given.kills} kills, and no finished game was lost")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
