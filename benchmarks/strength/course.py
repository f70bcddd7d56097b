"""Which strategies of the course of source 5 does Playout beat, and how often?

Strategies are shared libraries (`docs/protocols.md`). Each of a directory is an
opponent on boards that are drawn anew for every pair of games: 9 to 12 rows and columns
and a forbidden cell. Playout thinks for seconds of its processor time a move; how long
a library does is its own constant. Games are kept, a file for each library: a second
call goes on where the first one ended. No library of unknown origin should reach the
network: `unshare --net` sees to that on Linux.

    python benchmarks/strength/course.py LIBRARIES --files GAMES --seconds 3
    unshare --net python benchmarks/strength/course.py LIBRARIES --files GAMES
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BOARDS = "rows=9-12,columns=9-12,forbidden=random"
#: Seconds by which an answer may be late by the clock on the wall.
PATIENCE = 60


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("libraries", type=Path, help="a directory of .so files")
    parser.add_argument("--files", type=Path, required=True, help="keeps the games")
    parser.add_argument("--only", nargs="+", help="the names of some of them: 98 100")
    parser.add_argument("--seconds", default="3", help="a move, of processor time")
    parser.add_argument("--games", type=int, default=10, help="against each of them")
    parser.add_argument("--seed", type=int, default=20)
    given = parser.parse_args()
    found = sorted(given.libraries.glob("*.so"), key=lambda each: numbers(each.stem))
    chosen = [each for each in found if not given.only or each.stem in given.only]
    if not chosen:
        parser.error(f"{given.libraries}: no such library there")
    given.files.mkdir(parents=True, exist_ok=True)
    fewest = given.games
    for library in chosen:
        ended = match(library, given)
        fewest = min(fewest, ended["wins"])
        results = [f"{ended[each]} {each}" for each in ("wins", "draws", "losses")]
        forfeits = f"{ended['forfeits']} forfeits" if ended["forfeits"] else ""
        print(f"{library.stem:>12}  {', '.join(results)} {forfeits}", flush=True)
    print(
        f"{len(chosen)} libraries; at least {fewest} of {given.games} won against each"
    )


def match(library: Path, given: argparse.Namespace) -> dict[str, int]:
    """The result of a match, as `playout match --json` has it."""
    player = f"{HERE / 'by_processor.py'}:player"
    words = ["match", "connect-four", player, str(library.resolve()), "--json"]
    words += ["--vary", BOARDS, "--games", str(given.games), "--seed", str(given.seed)]
    words += ["--seconds", given.seconds, "--tolerance", str(PATIENCE)]
    words += ["--save", str(given.files / f"{library.stem}.db")]
    command = [sys.executable, "-m", "playout", *words]
    ended = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if ended.returncode:
        sys.exit(ended.returncode)
    found: dict[str, int] = json.loads(ended.stdout)
    return found


def numbers(name: str) -> tuple[list[int], str]:
    """Sorts names by the numbers in them."""
    return [int(each) for each in re.findall(r"\d+", name)], name


if __name__ == "__main__":
    main()
