"""Kernels and threads; what kernels compute is tested with what they are made of."""

import threading

from playout.core.jit.internals import compiler_lock
from playout.core.jit.native import warm_up


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
