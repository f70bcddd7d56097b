"""Games as text: the board, the position and the legal moves after every move.

`python -m tests.games.test_playthroughs SPEC MOVE...` prints such a file, for
`tests/data/playthroughs/`, where it is found by itself; a person reads it first.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from playout import Position, make_game

DATA = Path(__file__).parents[1] / "data" / "playthroughs"
#: Those that begin with their game; others are read where their game is tested.
FILES = [
    path
    for path in sorted(DATA.glob("*.txt"))
    if path.read_text(encoding="utf-8").startswith("game: ")
]


def test_there_are_some() -> None:
    assert {path.stem for path in FILES} >= {"2048", "hex", "othello", "pig"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    expected = path.read_text(encoding="utf-8").splitlines()
    spec = expected[0].removeprefix("game: ")
    made = [line.removeprefix("move: ") for line in expected if line[:6] == "move: "]
    assert made[0] == "none"
    assert list(playthrough(spec, made[1:])) == expected


def playthrough(spec: str, moves: list[str]) -> Iterator[str]:
    game = make_game(spec)
    position = Position(game)
    yield f"game: {spec}"
    for move in [None, *moves]:
        if move:
            position.play(move)
        names = map(game.action_name, position.legal_actions())
        yield f"move: {move or 'none'}"
        yield from position.render().splitlines()
        yield position.to_text()
        yield f"{'chance' if position.is_chance else 'legal'}: {' '.join(names)}"
    if position.is_terminal:
        returns = [position.returns(seat) for seat in range(game.num_players())]
        yield f"returns: {' '.join(map(str, returns))}"


if __name__ == "__main__":
    print("\n".join(playthrough(sys.argv[1], sys.argv[2:])))
