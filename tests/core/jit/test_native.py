"""Kernels and threads; what kernels compute is tested with what they are made of."""

import threading
import warnings

import numpy as np

from playout.core.jit import native
from playout.core.jit.compiled import compiled_type
from playout.core.jit.internals import compiler_lock
from playout.core.jit.native import kernel, warm_up
from playout.games.contract.in_python import in_python
from tests.toys import Nim


def test_nobody_loads_numbas_functions_while_another_thread_compiles():
    warm_up()  # from now on it takes no time
    ended = threading.Event()

    def load():
        warm_up()
        ended.set()

    with compiler_lock:
        thread = threading.Thread(target=load)
        thread.start()
        assert not ended.wait(0.5)
    thread.join(60)
    assert ended.is_set()


def test_rules_that_stay_in_python_are_not_said_to_be_compiled() -> None:
    """One kernel calls all such rules, so it bears no game's name."""
    assert native._title((compiled_type(Nim(), False),)) == "Nim"
    assert native._title((compiled_type(in_python(Nim()), False),)) == "kernel"


def test_numbas_remarks_do_not_reach_the_reader():
    def widen(value):
        values = [1]
        values.append(value)
        return values[1]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernel(widen).compile(np.uint64(7))(np.uint64(7)) == 7
