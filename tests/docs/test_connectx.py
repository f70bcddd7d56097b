"""The agent for Kaggle's ConnectX is loaded and called as Kaggle does it."""

import random
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests.docs.pages import ROOT

FILE = ROOT / "examples" / "connectx.py"


def load() -> dict[str, Any]:
    """As `kaggle_environments` does: no name, no module, and the last callable."""
    names: dict[str, Any] = {}
    exec(compile(FILE.read_text(encoding="utf-8"), str(FILE), "exec"), names)
    return names


@pytest.fixture(scope="module", params=["playout", "alone"])
def agent(request: Any) -> Any:
    names = load()
    found = [value for value in names.values() if callable(value)][-1]
    assert found is names["agent"]
    if request.param == "alone":
        choose = names["choose"]
        return lambda observation, configuration: choose(
            observation, configuration, None
        )
    return found


class Struct(dict):
    """Kaggle's own: a dictionary with attributes."""

    __getattr__ = dict.__getitem__


def given(
    rows: int, columns: int, inarow: int, seconds: float = 0.2, kind: Any = Struct
) -> Any:
    return kind(rows=rows, columns=columns, inarow=inarow, actTimeout=seconds)


def column(agent: Any, drawn: str, mark: int = 1, kind: Any = Struct) -> int:
    lines = drawn.split()
    board = [".XO".index(sign) for line in lines for sign in line]
    sizes = given(len(lines), len(lines[0]), 4, kind=kind)
    return int(agent(kind(board=board, mark=mark, step=0), sizes))


@pytest.mark.parametrize("kind", [Struct, SimpleNamespace])
def test_a_win_is_taken_and_a_loss_is_stopped(agent: Any, kind: Any) -> None:
    won = "....... ....... ....... O...... O.O.... XXX.O.."
    assert column(agent, won, 1, kind) == 3
    stopped = "....... ....... ....... X...... X...... X.OO..."
    assert column(agent, stopped, 2, kind) == 0


def test_the_player_to_move_is_the_one_who_is_marked(agent: Any) -> None:
    both = "....... ....... ....... X.....O X.....O X.....O"
    assert [column(agent, both, mark) for mark in (1, 2)] == [0, 6]


@pytest.mark.parametrize("size", [(1, 1, 1), (4, 5, 3), (13, 2, 4)])
def test_games_of_any_size_are_played_to_the_end(
    agent: Any, size: tuple[int, int, int]
) -> None:
    """Also on sizes that Playout does not have: the small search plays those."""
    rows, columns, inarow = size
    random_moves = random.Random(1)
    board = [0] * (rows * columns)
    mark = 1
    while 0 in board:
        open_columns = [c for c in range(columns) if board[c] == 0]
        chosen = random_moves.choice(open_columns)
        if mark == 1:
            observation = Struct(board=list(board), mark=1, step=0)
            chosen = agent(observation, given(rows, columns, inarow, 0.02))
        assert chosen in open_columns
        assert type(chosen) is int
        board[max(range(chosen, rows * columns, columns), key=_free(board))] = mark
        mark = 3 - mark


def _free(board: list[int]) -> Any:
    return lambda cell: (board[cell] == 0, cell)


def test_it_is_one_file() -> None:
    """It runs without Playout and without other files."""
    program = (
        "import sys; sys.modules['playout'] = None\n"
        f"names = {{}}; exec(open({str(FILE)!r}).read(), names)\n"
        "assert names['playout'] is None\n"
        "sizes = dict(rows=6, columns=7, inarow=4, actTimeout=0.2)\n"
        "print(names['agent']({'board': [0] * 42, 'mark': 1}, sizes))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True
    )
    assert done.stdout.strip() in "0123456", done.stderr
    assert done.stderr == ""
