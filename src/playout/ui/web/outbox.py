"""`Outbox`: what is still to be sent to one page; its size is bounded."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from ...core.errors import PlayoutError
from ..common.messages import foreign_failure

__all__ = ["Outbox", "sentence"]

#: Of these only the latest matters.
LATEST = ("state", "values", "analysis", "thinking")
#: Others are kept in order, so many at most.
MOST_WAITING = 64


class Outbox:
    """Messages for a page that may be slow: of most kinds only the latest is kept.

    >>> box = Outbox()
    >>> for number in range(3):
    ...     box.put("analysis", {"n": number})
    >>> box.pop()
    [{'type': 'analysis', 'n': 2}]
    """

    def __init__(self) -> None:
        self._latest: dict[str, dict[str, Any]] = {}
        self._others: list[dict[str, Any]] = []
        self._something = asyncio.Event()

    def put(self, kind: str, message: dict[str, Any]) -> None:
        """Add a message; never waits."""
        if kind in LATEST:
            self._latest[kind] = {"type": kind, **message}
        else:
            self._others.append({"type": kind, **message})
            del self._others[:-MOST_WAITING]
        self._something.set()

    def pop(self) -> list[dict[str, Any]]:
        """All that waits; a game's state comes before what is thought of it."""
        found = [self._latest[kind] for kind in LATEST if kind in self._latest]
        found += self._others
        self._latest, self._others = {}, []
        self._something.clear()
        return found

    async def wait(self) -> None:
        """Until there is something to send."""
        await self._something.wait()


def sentence(error: Exception) -> str:
    """What a page is told of an error; one of our own making is logged as well."""
    if isinstance(error, PlayoutError):
        return str(error)
    if (failure := foreign_failure(error)) is not None:
        return f"the rules have failed: {failure}"
    logging.getLogger("playout").error("a fault of the server", exc_info=error)
    return f"a fault of the server: {type(error).__name__}"
