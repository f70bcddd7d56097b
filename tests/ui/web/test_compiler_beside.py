"""Searches on the page that begin interpreted, while the server has them compiled.

Of `ui/web/compiler.py`, whose process is scripted.
"""

from playout.core.errors import PlayoutError
from playout.search.running import background
from playout.ui.web import compiler
from playout.ui.web.compile_process import CompileJob
from playout.ui.web.compiler import Requester

from .test_compiler import in_a_shop, so


def begin(shop, waits=lambda: True):
    """Ask for a search that begins interpreted, and is kept in `search`."""

    def work():
        shop.search = background._told.elsewhere
        shop.search.is_taken = True

    job, requester = CompileJob("begun", "mcts"), Requester("v", "t", waits)
    return shop.compiler.prepare(work, job, requester)


def test_a_search_that_has_begun_is_told_when_its_code_is_there():
    async def play(shop):
        assert await begin(shop)
        await shop.asked("begun")
        assert not shop.search.is_over
        shop.process.finish()
        await so(lambda: shop.search.is_over)
        await so(lambda: not shop.compiler._beside)

    in_a_shop(play)


def test_it_is_told_later_where_nobody_waits_for_a_while(monkeypatch):
    monkeypatch.setattr(compiler, "AGAIN_SECONDS", 0.01)

    async def play(shop):
        pages = [1]
        assert await begin(shop, lambda: bool(pages))
        await shop.asked("begun")
        pages.clear()
        other = shop.ask("other")
        await shop.asked("begun", "other")
        pages.append(1)
        shop.process.finish()
        assert await other
        await shop.asked("begun", "other", "begun")
        shop.process.finish()
        await so(lambda: shop.search.is_over)

    in_a_shop(play)


def test_nothing_is_compiled_for_a_search_that_is_gone(monkeypatch):
    monkeypatch.setattr(compiler, "AGAIN_SECONDS", 0.01)

    async def play(shop):
        pages = [1]
        assert await begin(shop, lambda: bool(pages))
        await shop.asked("begun")
        pages.clear()
        shop.process.fail(PlayoutError("ended"))
        shop.search = None
        await so(lambda: not shop.compiler._beside)
        assert shop.process.asked == ["begun"]

    in_a_shop(play)
