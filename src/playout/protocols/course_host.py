"""A process that holds a strategy for Tsinghua's course platform, a shared library.

Read off many public solutions: two functions with C names,

    struct Point { int x; int y; };
    struct Point *getPoint(int M, int N, const int *top, const int *board,
                           int lastX, int lastY, int noX, int noY);
    void clearPoint(struct Point *p);

M rows and N columns; x is a row, 0 at the top, y a column. `top[y]` is the row of the
highest stone, M in an empty column and 0 in a full one; `board` holds rows of 0 for
empty, 1 for the opponent, 2 for the strategy. The cell (noX, noY) belongs to nobody.
What getPoint returns, clearPoint frees.

The manager writes `ABOUT`, which is answered by `course`, and

    MOVE M N noX noY lastX lastY TOP... BOARD...

which is answered by `x y`. What the library prints goes to standard error. Playout
itself is not needed here beyond this file.
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from typing import IO, Any

__all__ = ["ABOUT", "MOVE", "NAME", "main", "move_line"]

#: The words of the conversation.
ABOUT, MOVE, NAME = "ABOUT", "MOVE", "course"
#: Address space that a strategy may take, in bytes; many have pools of nodes.
MOST_MEMORY = 8 << 30
#: GCC's standard library of C++, on Linux.
CPP_LIBRARY = "libstdc++.so.6"
#: Numbers in a line before the columns' tops.
HEAD = 6


class Point(ctypes.Structure):
    _fields_ = (("x", ctypes.c_int), ("y", ctypes.c_int))


def move_line(
    size: tuple[int, int],
    forbidden: tuple[int, int],
    last: tuple[int, int],
    top: list[int],
    board: list[int],
) -> str:
    """The line that asks for a move.

    >>> move_line((1, 2), (-1, -1), (0, 1), [1, 0], [0, 1])
    'MOVE 1 2 -1 -1 0 1 1 0 0 1'
    """
    return " ".join([MOVE, *map(str, (*size, *forbidden, *last, *top, *board))])


def main() -> None:
    """Answer lines of standard input until it ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    _limit()
    try:
        library = load(sys.argv[-1])
    except OSError as error:
        sys.exit(f"cannot be loaded: {error}")
    except AttributeError as error:
        sys.exit(f'cannot be loaded: {error}; in C++ it stands in extern "C" {{ ... }}')
    for line in sys.stdin:
        word, *numbers = line.split()
        if word == ABOUT:
            _say(answers, NAME)
        elif word == MOVE:
            _say(answers, "{} {}".format(*ask(library, list(map(int, numbers)))))


def load(path: str) -> Any:
    """The library with the types of its functions."""
    try:
        library = ctypes.CDLL(path)
    except OSError:  # some are C++ and not linked with it, the course's own among them
        with suppress(OSError):
            ctypes.CDLL(CPP_LIBRARY, mode=ctypes.RTLD_GLOBAL)
        library = ctypes.CDLL(path)
    numbers = ctypes.POINTER(ctypes.c_int)
    library.getPoint.restype = ctypes.POINTER(Point)
    library.getPoint.argtypes = (
        *(ctypes.c_int,) * 2,
        *(numbers,) * 2,
        *(ctypes.c_int,) * 4,
    )
    library.clearPoint.restype = None
    library.clearPoint.argtypes = (ctypes.POINTER(Point),)
    return library


def ask(library: Any, numbers: list[int]) -> tuple[int, int]:
    """The cell (x, y) that the strategy chooses.

    Args:
        library: as `load` gives it.
        numbers: those of a line, behind its word.
    """
    rows, columns, no_x, no_y, last_x, last_y = numbers[:HEAD]
    top, board = numbers[HEAD : HEAD + columns], numbers[HEAD + columns :]
    found = library.getPoint(
        rows,
        columns,
        (ctypes.c_int * columns)(*top),
        (ctypes.c_int * (rows * columns))(*board),
        *(last_x, last_y, no_x, no_y),
    )
    if not found:
        sys.exit("getPoint returned NULL instead of a Point")
    cell = found.contents.x, found.contents.y
    library.clearPoint(found)
    return cell


def _say(answers: IO[str], line: str) -> None:
    print(line, file=answers, flush=True)


def _limit() -> None:
    """Limit what a strategy does not need: writing files, and memory."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        for what, most in (
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_AS, MOST_MEMORY),
        ):
            with suppress(ValueError, OSError):
                resource.setrlimit(what, (most, resource.getrlimit(what)[1]))
