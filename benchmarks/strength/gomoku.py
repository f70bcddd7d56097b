"""How strong is the search in Gomoku, against whom, at equal processor time?

    python benchmarks/strength/gomoku.py "exec:gomocup:./pbrain-wine" --file wine.db
    python benchmarks/strength/gomoku.py mcts:c_puct=2 --sprt elo0=0,elo1=40

It is `playout match` with what fairness takes on a busy machine: seconds of processor
time (see `by_processor.py`), answers that may be late by the clock on the wall, and
openings of 4 to 6 stones that both sides have once with each colour. They were drawn at
random, and kept where our search and, some ten plies deep, a public program thought
neither side ahead; many still favour one colour. With the same file a match goes on
where it ended. An opponent's program is not part of Playout; Gomocup's are at
gomocup.org.
"""

import argparse
from pathlib import Path

from playout.ui.cli.main import cli

HERE = Path(__file__).parent
#: Seconds by which an answer may be late by the clock on the wall.
PATIENCE = 300


def timed(spec: str) -> str:
    """A spec of `mcts`, timed by the processor; another player as it is."""
    name, _, rest = spec.partition(":")
    if name != "mcts":
        return spec
    return f"{HERE / 'by_processor.py'}:player" + (f":{rest}" if rest else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("opponent", help="a spec, such as exec:gomocup:COMMAND")
    parser.add_argument("--player", default="mcts", help="whose strength is measured")
    parser.add_argument("--game", default="gomoku:size=15,rule=freestyle")
    parser.add_argument("--seconds", default="1", help="a move, of processor time")
    parser.add_argument("--games", default="60")
    parser.add_argument("--sprt", help="end by a sequential test: elo0=0,elo1=40")
    parser.add_argument("--file", help="keeps the games")
    given = parser.parse_args()
    words = ["match", given.game, timed(given.player), timed(given.opponent), "-v"]
    words += ["--seconds", given.seconds, "--tolerance", str(PATIENCE)]
    words += ["--openings", str(HERE / "gomoku_openings.txt"), "--games", given.games]
    words += ["--sprt", given.sprt] if given.sprt else []
    words += ["--save", given.file] if given.file else []
    cli.main(words)


if __name__ == "__main__":
    main()
