"""What all tests share."""

import os

# The matrices of the tests are small, and on a busy machine the threads of BLAS wait
# for each other much longer than one of them computes. Read when NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gc
import resource
import signal
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from numba import config

from playout.core.jit.native import warm_up

# What tests see must not depend on what was compiled before: searches wait for that.
os.environ.setdefault("PLAYOUT_COMPILE", "first")

# What tests have compiled, mostly with little optimisation, is not mixed with what the
# developer's own searches run.
os.environ.setdefault(
    "PLAYOUT_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "compiled")
)

# Many containers keep Python from writing what it compiles of its sources. Tests start
# hundreds of processes, which would all compile Playout's anew, and pytest its tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What pytest has collected lives to the end, and looking through it again and again for
# cycles would take a twelfth of the tests' time.
gc.set_threshold(20_000, 50, 100)


def pytest_collection_finish() -> None:
    """Exclude all that was collected from the collection of garbage."""
    gc.freeze()


# Most tests run what they compile for some milliseconds, so it is only simplified, here
# and in the processes that tests start. Machine code is generated as users' is: the
# generator is made before the level is set.
LITTLE, FULL = "0", "3"
os.environ.setdefault("NUMBA_OPT", LITTLE)
_levels = {level: type(config.OPT)(level) for level in (os.environ["NUMBA_OPT"], FULL)}
warm_up()
config.OPT = _levels[os.environ["NUMBA_OPT"]]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Tests marked `optimised` compile with the optimisation that users get."""
    if item.get_closest_marker("optimised") is None:
        return (yield)
    usual, os.environ["NUMBA_OPT"] = os.environ["NUMBA_OPT"], FULL
    config.OPT = _levels[FULL]
    try:
        return (yield)
    finally:
        os.environ["NUMBA_OPT"] = usual
        config.OPT = _levels[usual]


# Compiled kernels stay in memory: two processes that took 12 GB each stopped a machine.
_peaks: list[int] = []


def _peak() -> int:
    """The most memory that this process has taken, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # one of several processes
        session.config.workeroutput["peak"] = _peak()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _peaks.append(getattr(node, "workeroutput", {}).get("peak", 0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    most = max(_peaks, default=_peak())
    terminalreporter.write_line(f"memory: {most:,} MiB at most in a process")


# A shell that starts a command in the background has it ignore Ctrl-C, and so would all
# that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


# An example takes as long as the machine is busy.
hypothesis.settings.register_profile("busy", deadline=None)
hypothesis.settings.load_profile("busy")


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests of a process: a second Playwright is refused."""
    from tests.ui.web.browser import CHROMIUM, FLAGS

    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: the page was not tested in a browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def window(chromium):
    """Where all tests of a process open their `tab`."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture
def tab(window):
    """A page for one test after another; `as_new` and `watched` keep them apart.

    To load a game on a page of the test's own takes Chromium twice as long.
    """
    from tests.ui.web.browser import LASTING, lasting, new_page

    if not window.pages:
        page = new_page(window)
        for name in LASTING:
            setattr(page, name, lasting)
    page = window.pages[0]
    yield page
    if page.url != "about:blank":  # it has crashed, or could not be left
        page.close()
