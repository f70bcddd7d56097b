"""Players that fail, each in its own way; loaded by file, as foreign code is."""

import ctypes
import itertools
import os
import signal
import sys
import time

from playout.players.player import Decision, Player
from playout.search.result.result import Result


def good(game):
    return lambda position: position.legal_actions()[0]


def crash(game):
    def choose(position):
        raise ZeroDivisionError("a bad day")

    return choose


def leaves(game):
    return lambda position: sys.exit(3)


def vanishes(game):
    def choose(position):
        print("last words", file=sys.stderr, flush=True)
        os._exit(7)

    return choose


def segfault(game):
    return lambda position: ctypes.string_at(0)


def killed(game):
    return lambda position: os.kill(os.getpid(), signal.SIGKILL)


def hang(game):
    return lambda position: time.sleep(1000)


def busy(game):
    def choose(position):
        for _ in itertools.count():
            pass

    return choose


def flood(game):
    def choose(position):
        while True:
            print("x" * 1000)

    return choose


def late(game):
    def choose(position):
        time.sleep(0.4)
        return position.legal_actions()[0]

    return choose


def garbage(game):
    return lambda position: "the middle"


def illegal(game):
    return lambda position: 10**6


def taken(game):
    return lambda position: game.num_actions() - 1


def half(game):
    return _Raw(game, Decision(4, comment="a half \ud800"))


def mumbles(game):
    def choose(position):
        raise ValueError("a half \ud800")

    return choose


class _Raw(Player):
    """Not made of a function: what it returns goes straight to the session."""

    def __init__(self, game, answer):
        super().__init__("raw", game)
        self.answer = answer

    def choose(self, position, allowance):
        return self.answer


def nothing(game):
    return _Raw(game, None)


def impossible(game):
    return _Raw(game, Decision(-1))


class _Greedy(Player):
    def choose(self, position, allowance):
        return Decision(len(bytearray(2**60)))


def memory(game):
    return _Greedy("greedy", game)


class _Unready(Player):
    def prepare(self):
        raise OSError("no such engine")

    def choose(self, position, allowance):
        raise AssertionError


class _Trap(Result):
    """A result that ends the process when it is thrown away, after the answer."""

    def __del__(self):
        os._exit(9)


class _Trapper(Player):
    def choose(self, position, allowance):
        return Decision(8, object.__new__(_Trap))


def trap(game):
    return _Trapper("trap", game)


def unmade(game):
    return {}["x"]


def slow_to_make(game):
    time.sleep(0.5)
    return good(game)


def unready(game):
    return _Unready("unready", game)


class _Once(Player):
    """Plays one game, then fails to start again: what was closed stays closed."""

    started = 0

    def prepare(self):
        type(self).started += 1

    def new_game(self, seed):
        if type(self).started == 1:
            raise RuntimeError("not today")

    def choose(self, position, allowance):
        return Decision(position.legal_actions()[-1])


def slow_starter(game):
    """Fails in its first game only: it is made anew for the second."""
    return _Once("once", game)
