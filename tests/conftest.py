"""What all tests share."""

import os
import signal

import hypothesis
import pytest

# The matrices of the tests are small, and on a busy machine the threads of BLAS wait
# for each other much longer than one of them computes. Read when NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# What tests see must not depend on what was compiled before: searches wait for that.
os.environ.setdefault("PLAYOUT_COMPILE", "first")

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
