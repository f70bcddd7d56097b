"""How busy the machine is while a test takes the time."""

import threading
import time
from typing import Self

#: Seconds of the processor that a measurement takes, and between two of them.
WORK, PAUSE = 0.005, 0.05


class Slowness:
    """How much slower than alone this process runs meanwhile, at least 1.

    It has to wait for a processor while it works, or when it is to wake up; what is
    worse counts.

    What a test measures under `with` may take so many times as long as it would on a
    machine that does nothing else.

    Attributes:
        seconds: how long all under `with` took.
    """

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        self._working, self._work = 0.0, 0.0
        self._pausing, self._pauses = PAUSE, PAUSE
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._measure)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.monotonic() - self._began
        self._over.set()
        self._thread.join()

    @property
    def factor(self) -> float:
        return max(1.0, self._working / self._work, self._pausing / self._pauses)

    def _measure(self) -> None:
        while True:
            began, own = time.perf_counter(), time.thread_time()
            while time.thread_time() - own < WORK:
                pass
            self._work += time.thread_time() - own
            self._working += time.perf_counter() - began
            began = time.perf_counter()
            if self._over.wait(PAUSE):
                return
            self._pauses += PAUSE
            self._pausing += time.perf_counter() - began
