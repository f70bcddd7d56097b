"""A server, once for all tests of the page."""

import pytest

from .support import server


@pytest.fixture(scope="session")
def running():
    with server() as found:
        yield found


@pytest.fixture
def open_page(running, chromium):
    """Opens pages of the server; what they complain about fails the test."""
    contexts, problems = [], []

    def open_one(address="", **options):
        context = chromium.new_context(**options)
        context.set_default_timeout(120_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "request",
            lambda request: (
                problems.append(request.url)
                if not request.url.startswith((running.address, "blob:", "data:"))
                else None
            ),
        )
        page.goto(running.address + address)
        page.wait_for_selector("#games button")
        page.wait_for_selector("#status:not(:empty), #message:visible")
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert problems == []
