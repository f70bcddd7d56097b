"""Which strategies of Tsinghua's Connect Four course does Playout beat, and how often?

(Source 5 of `docs/presets.md`; its strategies: `docs/protocols.md`.) Every library in a
directory is an opponent on boards that are drawn anew for every pair of games: 9 to 12
rows and columns and a forbidden cell. Playout thinks for seconds of its processor time
a move; how long a library thinks is a constant in it. Games are saved, a file for each
library: a second call goes on where the first one ended.

    python benchmarks/strength/course.py LIBRARIES --save GAMES --seconds 3

Run libraries of unknown origin in a container. The least is to keep them from the
network, on Linux:

    unshare --map-root-user --net python benchmarks/strength/course.py ...
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BOARDS = "rows=9-12,columns=9-12,forbidden=random"
#: Seconds by which an answer may be late by the clock on the wall.
PATIENCE = 60
#: The exit code of a program that Ctrl-C has ended.
INTERRUPTED = 130


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("libraries", type=Path, help="a directory of .so files")
    parser.add_argument(
        "--save", type=Path, required=True, help="a directory for the games"
    )
    parser.add_argument("--only", nargs="+", help="the names of some of them: 98 100")
    parser.add_argument("--seconds", default="3", help="a move, of processor time")
    parser.add_argument("--games", type=int, default=10, help="against each of them")
    parser.add_argument("--seed", type=int, default=20)
    given = parser.parse_args()
    found = {each.stem: each for each in given.libraries.glob("*.so")}
    chosen = given.only or sorted(found, key=natural_key)
    if missing := [each for each in chosen if each not in found]:
        parser.error(f"{given.libraries}: there is no {missing[0]}.so")
    if not chosen:
        parser.error(f"{given.libraries}: there are no .so files")
    try:
        given.save.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"{given.save}: {error.strerror}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the match ends, too
    fewest, failed = given.games, 0
    for name in chosen:
        ended = match(found[name], given)
        if ended is None:
            failed += 1
            print(f"{name:>12}  no match: see above", flush=True)
            continue
        fewest = min(fewest, ended["wins"])
        results = [f"{ended[each]} {each}" for each in ("wins", "draws", "losses")]
        forfeits = f" ({ended['forfeits']} by forfeit)" if ended["forfeits"] else ""
        print(f"{name:>12}  {', '.join(results)}{forfeits}", flush=True)
    print(f"opponents: {len(chosen) - failed}; won against each: at least {fewest}")
    if failed:
        sys.exit(1)


def match(library: Path, given: argparse.Namespace) -> dict[str, int] | None:
    """The result of a match, as `playout match --json` has it; None if there is none.

    Where the library cannot be loaded, the match has said so.
    """
    player = f"{HERE / 'by_processor.py'}:player"
    words = ["match", "connect-four", player, str(library.resolve()), "--json"]
    words += ["--vary", BOARDS, "--games", str(given.games), "--seed", str(given.seed)]
    words += ["--seconds", given.seconds, "--tolerance", str(PATIENCE)]
    words += ["--save", str(given.save / f"{library.stem}.db")]
    command = [sys.executable, "-m", "playout", *words]
    ended = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if ended.returncode == INTERRUPTED:
        sys.exit(INTERRUPTED)
    if ended.returncode:
        return None
    found: dict[str, int] = json.loads(ended.stdout)
    return found


def natural_key(name: str) -> tuple[list[int], str]:
    """A key to sort by: 98 comes before 100."""
    return [int(each) for each in re.findall(r"\d+", name)], name


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
