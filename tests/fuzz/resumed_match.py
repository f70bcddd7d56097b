"""Fuzz of the resumed match: killed at random moments, it ends as if undisturbed.

    python -m tests.fuzz.resumed_match --kills 20 --seed 1

One match with `--save` is killed by SIGKILL again and again: while it starts, while it
plays, while it writes. The same command then goes on. What must hold in the end:

- every game is there exactly once, and as in a match that nobody disturbed;
- the file passes SQLite's own check of its integrity;
- nothing that the match has started is left.
"""

import argparse
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from dataclasses import replace
from pathlib import Path
from random import Random

from playout.arena.record import GameRecord

from ..arena.killing import kept, survivors, wait
from ..forks import ForkServer

#: Search, chance and two games at once: what could depend on which process plays.
MATCH = ["match", "tic-tac-toe", "mcts:simulations=20,blunder=0.3", "random"]
MATCH += ["--openings", "random:plies=1", "--concurrency", "2", "--seed", "7"]
#: Games that are waited for before a kill, at most, or seconds of a match that starts.
MORE, STARTING = 4, 0.7
#: So many more may be finished by then.
GAMES_PER_KILL = 50
#: Seconds for a game to finish, and for a match to end.
PATIENCE, TO_THE_END = 120, 600


def fuzz(kills: int, seed: int, place: Path) -> list[str]:
    """Kill a match so often; returns what is wrong with what it left."""
    path, calm, tag = place / "games.db", place / "calm.db", uuid.uuid4().hex
    command = [*MATCH, "--games", str((kills + 1) * GAMES_PER_KILL)]
    _play(command, calm)
    server, random = ForkServer(PLAYOUT_TEST_MARK=tag), Random(seed)
    for number in range(kills):
        pid = server.start([*command, "--save", str(path)], place / f"{number}.log")
        _wait_for_a_moment(path, random)
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            server.close()
            return [f"the match has ended after {number} of {kills} kills"]
        print(f"kill {number + 1} of {kills}: {_count(path)} games kept", flush=True)
    server.close()
    wrong = [] if wait_for_none(tag) else ["processes of a killed match go on"]
    _play(command, path)
    return wrong + _differences(kept(path), kept(calm)) + _damage(path)


def wait_for_none(tag: str) -> bool:
    """Whether all processes with a tag end by themselves."""
    wait(PATIENCE, lambda: not survivors(tag))
    return not survivors(tag)


def _wait_for_a_moment(path: Path, random: Random) -> None:
    """Until some more games are finished, or for a time in which it is starting."""
    if random.random() < 0.25:
        wait(random.uniform(0, STARTING))
        return
    wanted = _count(path) + random.randint(1, MORE)
    wait(PATIENCE, lambda: _count(path) >= wanted)
    wait(random.uniform(0, 0.05))


def _count(path: Path) -> int:
    """How many games are kept; none where the file has only begun to be made."""
    if not path.exists():
        return 0
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    with contextlib.closing(file), contextlib.suppress(sqlite3.OperationalError):
        return int(file.execute("SELECT COUNT(*) FROM games").fetchone()[0])
    return 0


def _play(command: list[str], path: Path) -> None:
    line = [sys.executable, "-m", "playout", *command, "--save", str(path)]
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL, timeout=TO_THE_END)


def _differences(
    games: dict[int, GameRecord], calm: dict[int, GameRecord]
) -> list[str]:
    wrong = [f"game {number} is missing" for number in calm.keys() - games.keys()]
    wrong += [f"game {number} is too many" for number in games.keys() - calm.keys()]
    for number in games.keys() & calm.keys():
        if _timeless(games[number]) != _timeless(calm[number]):
            wrong.append(f"game {number}: {games[number]}, not {calm[number]}")
    return wrong


def _timeless(record: GameRecord) -> GameRecord:
    """All of a game that follows from its seed."""
    return replace(record, seconds=())


def _damage(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        said = [text for (text,) in connection.execute("PRAGMA integrity_check")]
        twice = connection.execute(
            "SELECT number FROM games GROUP BY match, number HAVING COUNT(*) > 1"
        ).fetchall()
        matches = connection.execute("SELECT COUNT(*) FROM matches").fetchone()[0]
        claims = connection.execute("SELECT COUNT(*) FROM claims").fetchone()[0]
    finally:
        connection.close()
    wrong = [] if said == ["ok"] else said
    wrong += [f"game {number} is there twice" for (number,) in twice]
    wrong += [f"{matches} matches, not 1"] * (matches != 1)
    return wrong + [f"{claims} games are still claimed"] * (claims > 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        wrong = fuzz(given.kills, given.seed, Path(place))
    print("\n".join(wrong) or f"{given.kills} kills, and the match is as undisturbed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
