"""Games as text: the board, the position and the legal moves after every move."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from playout import Position, make_game

DATA = Path(__file__).parents[1] / "data" / "playthroughs"
#: The file, the game, where it begins, its moves.
GAMES = [
    ("line-three", "line-three", None, "b2 c3 b3 a1 b1 b4 a2 c2 d1 a3"),
    ("pig", "pig:target=12", None, "roll 6 roll 5 hold roll 1 roll 3 hold"),
    (
        "2048",
        "2048:size=2,goal=16",
        None,
        "a1=2 b1=4 up a1=4 right a1=2 up a1=4 up b1=2 left",
    ),
]


@pytest.mark.parametrize(("file", "game", "start", "moves"), GAMES, ids=lambda v: v)
def test_playthrough(file: str, game: str, start: str | None, moves: str) -> None:
    expected = (DATA / f"{file}.txt").read_text(encoding="utf-8").splitlines()
    assert list(playthrough(game, start, moves.split())) == expected


def playthrough(spec: str, start: str | None, moves: list[str]) -> Iterator[str]:
    game = make_game(spec)
    position = Position(game, start)
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
