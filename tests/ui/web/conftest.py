"""A server, once for all tests of the page."""

from contextlib import ExitStack

import pytest

from .browser import as_new, new_page, watched
from .support import server


@pytest.fixture(scope="session")
def running():
    with server() as found:
        yield found


@pytest.fixture
def open_page(running, chromium, tab):
    """Opens pages of the server; what they complain about fails the test.

    The first is the `tab` that other tests use too, unless it is to be `alone`: for
    what a page keeps to its end.
    """
    with ExitStack() as stack:
        pages = []

        def open_one(address="", alone=False, has_touch=False, **options):
            page = tab
            if pages or alone or has_touch:
                page = new_page(chromium, has_touch=has_touch)
                stack.callback(page.close)
            pages.append(page)
            as_new(page, running.address, **options)
            stack.enter_context(watched(page, running.address))
            page.goto(running.address + address)
            page.wait_for_selector("#games button")
            page.wait_for_selector("#status:not(:empty), #message:visible")
            return page

        yield open_one
