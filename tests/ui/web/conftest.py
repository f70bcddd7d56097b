"""A server, once for all tests of the page."""

from contextlib import ExitStack

import pytest

from .browser import as_new, watched
from .support import server


@pytest.fixture(scope="session")
def running():
    with server() as found:
        yield found


@pytest.fixture
def open_page(running, chromium, tab):
    """Opens pages of the server, the first on the tab that all tests use.

    What they complain about fails the test.
    """
    with ExitStack() as stack:
        pages = []

        def open_one(address="", has_touch=False, **options):
            if pages or has_touch:
                context = chromium.new_context(has_touch=has_touch)
                stack.callback(context.close)
                page = context.new_page()
            else:
                page = tab
            pages.append(page)
            as_new(page, **options)
            stack.enter_context(watched(page, running.address))
            page.goto(running.address + address)
            page.wait_for_selector("#games button")
            page.wait_for_selector("#status:not(:empty), #message:visible")
            return page

        yield open_one
