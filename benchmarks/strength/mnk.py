"""Which m,n,k-games does the first player win? Proven here, beside what was published.

The proofs are `mnk_prover.py`'s, by proof numbers. What is proven is appended to a
file, and not proven again.

    python benchmarks/strength/mnk.py
    python benchmarks/strength/mnk.py --seconds 600 --output mnk.jsonl

Published: Uiterwijk and van den Herik, "The Advantage of the Initiative", Information
Sciences 122, 2000.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from mnk_prover import Proof

#: Rows, columns, in a row: what the first player can reach.
PUBLISHED = {
    (3, 3, 3): "draw",
    (2, 5, 3): "draw",
    (4, 3, 3): "win",
    (4, 4, 3): "win",
    (4, 4, 4): "draw",
    (5, 4, 4): "draw",
    (6, 4, 4): "draw",
    (5, 5, 4): "draw",
    (6, 5, 4): "win",
    (6, 6, 4): "win",
    (5, 5, 5): "draw",
}
#: States looked at between two looks at the clock.
SLICE = 1_000_000
#: The first player does not lose: a stone more does no harm (strategy stealing).
WORDS = {True: "win", False: "draw", None: "unknown"}


def prove(board: tuple[int, int, int], seconds: float) -> dict[str, Any]:
    """What the first player can reach, and the seconds of processor time it took."""
    proof, started = Proof(board), time.process_time()
    while proof.answer is None and time.process_time() - started < seconds:
        proof.go_on(SLICE)
    return {
        "board": board,
        "proven": WORDS[proof.answer],
        "seconds": round(time.process_time() - started, 2),
        "states": proof.states,
    }


def read(path: Path) -> dict[tuple[int, ...], dict[str, Any]]:
    """What was proven before."""
    lines = path.read_text().splitlines() if path.exists() else []
    found = (json.loads(line) for line in lines)
    return {tuple(one["board"]): one for one in found if one["proven"] != "unknown"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="for a board")
    parser.add_argument("--output", type=Path, default=Path("mnk.jsonl"))
    given = parser.parse_args()
    known = read(given.output)
    print("m,n,k    published  proven   seconds       states")
    for board, published in PUBLISHED.items():
        if board not in known:
            known[board] = prove(board, given.seconds)
            with given.output.open("a") as file:
                file.write(json.dumps(known[board]) + "\n")
        found = known[board]
        name = ",".join(map(str, board))
        wrong = found["proven"] not in (published, "unknown")
        print(
            f"{name:8} {published:10} {found['proven']:8} {found['seconds']:7.2f} "
            f"{found.get('states', 0):12,}{'  WRONG' if wrong else ''}",
            flush=True,
        )


if __name__ == "__main__":
    main()
