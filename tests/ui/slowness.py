"""How busy the machine is while a test takes the time."""

import threading
import time
from typing import Self


class Slowness:
    """How much slower than alone this process runs meanwhile, at least 1.

    What a test measures under `with` may take so many times as long as it would on a
    machine that does nothing else.

    Attributes:
        seconds: how long all under `with` took.
    """

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        self._wall = self._own = 0.0
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
        return max(1.0, self._wall / self._own)

    def _measure(self) -> None:
        while True:
            wall, own = time.perf_counter(), time.thread_time()
            while time.thread_time() - own < 0.005:
                pass
            self._own += time.thread_time() - own
            self._wall += time.perf_counter() - wall
            if self._over.wait(0.05):
                return
