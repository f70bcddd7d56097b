"""Digests: the same in every process, others for other code."""

import collections
import functools
import math
import os
import re
import subprocess
import sys
import threading
import types

import numpy as np
import pytest

from playout.core.jit.digest import Digest

#: Prints digests: of all games, and of what rules may have among their globals.
DIGESTS = """
import functools, json, math, sys
import numpy as np
sys.path.insert(0, {here!r})
if {used}:  # in a process that has done a lot before
    import playout.ui.cli.main, playout.ui.engine.making, playout.players.registry
    import playout
    [getattr(playout, name) for name in playout.__all__]
from playout.core.jit.compiled import compiled_type
from playout.core.jit.digest import Digest
from playout.games.registry import make_game, game_names

def helper(value): return value
cached = functools.cache(helper)

import playout
def rules(state): return state.player == playout.CHANCE

class Words:
    def __init__(self, *words):
        self.words = set(words)

values = [Words("a", "b", "c"), frozenset(map(frozenset, ("ab", "cd", "ef"))),
          rules, {{"f": helper}}, cached, functools.partial(helper, 2), np.sum,
          functools.cached_property(helper), np.arange, math.floor]
found = [Digest().add(value).hexdigest() for value in values]
found += [str(compiled_type(make_game(name))) for name in game_names()]
print(json.dumps(found))
"""


def test_digests_are_those_of_every_process():
    """Otherwise a process would compile again what another has compiled."""
    scripts = [DIGESTS.format(here=os.getcwd(), used=used) for used in (False, True)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            stdout=subprocess.PIPE,
        )
        for seed, script in enumerate(scripts)
    ]
    first, second = (process.communicate(timeout=300)[0] for process in processes)
    assert first == second
    assert first.startswith(b"[")


def make_function(text: str, **space: object) -> types.FunctionType:
    exec(text, space)
    function = space["f"]
    assert isinstance(function, types.FunctionType)
    return function


ONE, TWO = (make_function(f"def f(n): return n + {number}") for number in (1, 2))
LONG = np.arange(5_000)
CHANGED = np.where(LONG == 2_500, 0, LONG)  # which no text of it shows


ITEMS: tuple[dict[str, int], ...] = ({"a": 1}, {"a": 2})
#: Which of two objects stands at the end is all that differs.
SHARED = [[*ITEMS, ITEMS[0]], [*ITEMS, ITEMS[1]]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (math.floor, np.floor),
        ({"f": ONE}, {"f": TWO}),
        ({"table": LONG}, {"table": CHANGED}),
        (types.MappingProxyType({1: LONG}), types.MappingProxyType({1: CHANGED})),
        (functools.cache(ONE), functools.cache(TWO)),
        (functools.partial(ONE, 1), functools.partial(TWO, 1)),
        (functools.partial(ONE, 1), functools.partial(ONE, 2)),
        (functools.cached_property(ONE), functools.cached_property(TWO)),
    ],
)
def test_what_a_global_holds_is_seen(before, after):
    text = "def f(n): return value(n)"
    digests = [
        Digest().add(make_function(text, value=value)).hexdigest()
        for value in (before, before, after)
    ]
    assert digests[0] == digests[1] != digests[2]


class Words:
    def __init__(self, *words: object) -> None:
        self.words = set(words)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Words("a", "b"), Words("a", "c")),
        (Words(Words), Words(np.ndarray)),
        (re.compile("a"), re.compile("b")),
        (collections.deque([1]), collections.deque([2])),
        (collections.OrderedDict(a=1), collections.OrderedDict(a=2)),
        ({frozenset("ab")}, {frozenset("ac")}),
        (SHARED[0], SHARED[1]),
    ],
    ids=["words", "classes", "pattern", "deque", "order", "sets", "shared"],
)
def test_objects_are_told_apart_by_what_they_hold(one: object, other: object) -> None:
    first, again, second = (
        Digest().add(each).hexdigest() for each in (one, one, other)
    )
    assert first == again != second


def test_what_cannot_be_known_is_never_the_same() -> None:
    lock = threading.Lock()
    assert Digest().add(lock).hexdigest() != Digest().add(lock).hexdigest()


def test_a_dict_that_holds_itself_is_hashed():
    around = {}
    around["me"] = around
    assert Digest().add(around).hexdigest() == Digest().add(around).hexdigest()


def test_a_list_that_holds_itself_is_hashed_by_what_else_it_holds():
    def around(*first):
        ring = [*first]
        ring.append((ring,))
        return Digest().add(ring).hexdigest()

    assert around(1) == around(1) != around(2)
