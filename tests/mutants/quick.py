"""A pytest plugin: tests that would have to compile rules anew are skipped.

A mistake in what is compiled with them makes every search compile anew, which takes
most of the time of the tests. Those that run interpreted mostly notice it in seconds.
"""

import functools
from typing import Any

import pytest

from playout import Game
from playout.core.jit.native import Kernel, NotCompiledError, only_loading


def pytest_configure() -> None:
    Kernel.compile = _or_skip(Kernel.compile)  # type: ignore[method-assign]


def _or_skip(compile_: Any) -> Any:
    @functools.wraps(compile_)
    def compiles(kernel: Kernel, *arguments: Any, **options: Any) -> Any:
        if not any(isinstance(getattr(a, "game", a), Game) for a in arguments):
            return compile_(kernel, *arguments, **options)
        try:
            with only_loading():
                return compile_(kernel, *arguments, **options)
        except NotCompiledError:
            raise pytest.skip.Exception("compiles", allow_module_level=True) from None

    return compiles
