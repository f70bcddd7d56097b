"""Strategies from shared libraries, as the Tsinghua platform for Connect Four has them.

Also of `protocols/course_host.py`. Needs a C compiler.
"""

import ctypes
import shutil
import subprocess

import pytest
from numpy.random import mtrand

from playout import ConnectFour, Position, TicTacToe, UsageError
from playout.arena.session import Session
from playout.games.connect_four.text import grid_of
from playout.players.course import _top
from playout.players.player import Allowance, PlayerFailure
from playout.players.registry import make_player
from playout.protocols import course_host

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler (cc)")

#: Plays the first column that is not full, or does what its MODE says.
SOURCE = """
#include <stdio.h>
#include <stdlib.h>
struct Point { int x; int y; };
static int asked = 0;
struct Point *getPoint(int M, int N, const int *top, const int *board,
                       int lastX, int lastY, int noX, int noY) {
  struct Point *p = malloc(sizeof *p);
  int stones = 0, column = 0;
  asked++;
  printf("this belongs to nobody's protocol\\n");
  fflush(stdout);
  for (int i = 0; i < M * N; i++) stones += board[i] != 0;
  while (top[column] == 0) column++;
  p->x = top[column] - 1;
  p->y = column;
#if MODE == 1
  abort();
#elif MODE == 2
  for (;;) ;
#elif MODE == 3
  p->x -= 1;
#elif MODE == 4  /* what it was told, as the column */
  p->y = noX == 3 && noY == 0 && lastX == 3 && lastY == 2 && board[14] == 1 ? 3 : 0;
  p->x = top[p->y] - 1;
#elif MODE == 5  /* its own count of moves must be that of the board */
  if (stones / 2 + 1 != asked) abort();
#elif MODE == 6
  return NULL;
#elif MODE == 7  /* not linked with what C++ calls for new and delete */
  extern void *_Znwm(size_t);
  extern void _ZdlPv(void *);
  _ZdlPv(_Znwm(8));
#endif
  return p;
}
void clearPoint(struct Point *p) { free(p); }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Compiles the strategy of a mode."""
    folder = tmp_path_factory.mktemp("strategies")
    (folder / "strategy.c").write_text(SOURCE)

    def make(mode: int) -> str:
        made = folder / f"strategy{mode}.so"
        if not made.exists():
            subprocess.run(
                [COMPILER, "-shared", "-fPIC", f"-DMODE={mode}", "-o", made,
                 folder / "strategy.c"],
                check=True,
                timeout=120,
            )  # fmt: skip
        return str(made)

    return make


def test_it_need_not_be_linked_with_the_library_of_cpp(library):
    """As in the course's own libraries for Linux."""
    try:
        ctypes.CDLL(course_host.CPP_LIBRARY)
    except OSError:
        pytest.skip("there is no libstdc++")
    with make_player(library(7), ConnectFour()) as player:
        player.new_game(1)
        decision = player.choose(Position(ConnectFour()), Allowance(seconds=30))
    assert decision.action == 0


def test_a_game_between_two_of_them(library):
    """Each player has its own process, a new one for each game."""
    game, spec = ConnectFour(rows=4, columns=4, forbidden=(3, 0)), library(5)
    with make_player(spec, game) as first, make_player(spec, game) as second:
        assert first.spec == spec
        for seed in (1, 2):
            record = Session(game, [first, second], seed=seed).run()
            assert record.reason == "rules", record.detail
            assert record.moves[:4] == ("1", "1", "1", "2")


def test_what_it_is_told(library):
    game = ConnectFour(rows=4, columns=4, forbidden=(3, 0))
    position = Position.from_moves(game, ["3"])
    with make_player(library(4), game) as player:
        decision = player.choose(position, Allowance(seconds=30))
    assert decision.action == 3


@pytest.mark.parametrize(
    ("mode", "seconds", "reasons"),
    [(1, 30, {"crash"}), (2, 0.2, {"hang", "time"}), (3, 30, {"illegal move"})],
)
def test_what_fails_loses_the_game(library, mode, seconds, reasons):
    game = ConnectFour()
    with make_player(library(mode), game) as player:
        player.new_game(1)
        with pytest.raises(PlayerFailure) as caught:
            player.choose(Position(game), Allowance(seconds=seconds))
        assert caught.value.reason in reasons
        assert player._wire is None  # killed


def test_what_points_nowhere_is_told_in_a_line(library):
    with make_player(library(6), ConnectFour()) as player:
        player.new_game(1)
        with pytest.raises(PlayerFailure, match="getPoint returned NULL") as caught:
            player.choose(Position(ConnectFour()), Allowance(seconds=30))
    assert "Traceback" not in str(caught.value)


def test_tops_jump_over_the_forbidden_cell():
    """A stone just below it moves the column's top by two, others by one."""
    game = ConnectFour(rows=4, columns=4, forbidden=(2, 1))
    tops = []
    position = Position(game)
    for _ in range(4):
        tops.append(_top(grid_of(game, position.state), 1))
        if tops[-1]:
            position.play("2")
    assert tops == [4, 2, 1, 0]


def test_what_is_no_strategy(library, tmp_path):
    with pytest.raises(UsageError, match="play connect-four"):
        make_player(library(0), TicTacToe())
    with pytest.raises(UsageError, match="lines of four"):
        make_player(library(0), ConnectFour(line=5))
    with pytest.raises(UsageError, match="no such file"):
        make_player("./nothing.so", ConnectFour())
    (tmp_path / "text.so").write_text("no library")
    with pytest.raises(UsageError, match="cannot be loaded"):
        make_player(str(tmp_path / "text.so"), ConnectFour()).prepare()
    other = shutil.copy(mtrand.__file__, tmp_path / "other.so")
    with pytest.raises(UsageError, match=r'getPoint; in C.. it stands in extern "C"'):
        make_player(str(other), ConnectFour()).prepare()
