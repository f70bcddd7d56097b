"""A pytest plugin: notes which functions every test calls, in `calls.json`.

What is called for a fixture that several tests share counts for all tests of its file.
A function is named by its file, from `src/playout`, and its name there: what is called
compiled is not seen.
"""

import json
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from .areas import PACKAGE


class _Notes:
    """What the tests called until now.

    Attributes:
        tests: that called a function, by its name.
        seconds: of the processor, by test.
        now: the test that runs, or the file whose fixture is made; none between them.
    """

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, None]] = {}
        self.seconds: dict[str, float] = {}
        self.now = ""
        self._names: dict[Any, str] = {}
        self._root = f"{Path(PACKAGE).absolute()}/"

    def note(self, frame: FrameType, _event: str, _argument: object) -> None:
        """Called by Python before every call."""
        if not self.now:
            return
        name = self._names.get(frame.f_code)
        if name is None:
            name = self._names[frame.f_code] = self._name(frame.f_code)
        if name:
            self.tests.setdefault(name, {})[self.now] = None

    def _name(self, code: Any) -> str:
        path = code.co_filename
        if not path.startswith(self._root):
            return ""
        where = re.sub(r"\.<\w+>", "", code.co_qualname)
        return f"{path.removeprefix(self._root)} {where}"


_notes = _Notes()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    threading.settrace(_notes.note)
    sys.settrace(_notes.note)  # for each, as tests may set another
    _notes.now, started = item.nodeid, time.process_time()
    yield
    _notes.seconds[item.nodeid] = time.process_time() - started
    _notes.now = ""


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Any:
    before = _notes.now
    if fixturedef.scope != "function":
        _notes.now = before.partition("::")[0]
    found = yield
    _notes.now = before
    return found


def pytest_sessionfinish() -> None:
    tests = {name: list(tests) for name, tests in _notes.tests.items()}
    Path("calls.json").write_text(json.dumps([tests, _notes.seconds]))
