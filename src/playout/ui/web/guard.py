"""`Guard`: what every request must fulfil before anything else looks at it.

A server for this machine alone answers only requests to the machine's own names, and
refuses those of other sites' pages by their `Origin`. So another site in the same
browser, or a foreign name that points to this machine, reaches nothing. A server that
others can reach requires its token, first in the address, then in a cookie.
"""

from __future__ import annotations

import re
import secrets
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .settings import Settings

__all__ = ["Guard"]

COOKIE = "playout-token"
#: Bodies of requests, in bytes: the most moves of a game, each of the longest.
LARGEST_BODY = 600_000
#: What stands in the header `Host`: a name or an address, and perhaps a port.
_HOST = re.compile(r"(?P<name>[\w.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.A | re.I)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Refuses what comes from elsewhere, is too large, or lacks the token."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            limited = _limited(receive) if scope["type"] == "http" else receive
            await self.app(scope, limited, _with_headers(send))
        elif scope["type"] == "http":
            await refusal(scope, receive, _with_headers(send))
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to a request that goes no further."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if self.settings.hosts and _name(host) not in self.settings.hosts:
            return _problem(403, "this server answers only to the names of its machine")
        origin = headers.get("origin")
        if origin is not None and _place(origin) != host:
            return _problem(403, "requests come from the server's own pages")
        if _length(headers) > LARGEST_BODY:
            return _problem(413, "the request is too large")
        return self._ask_token(scope, headers) if self.settings.token else None

    def _ask_token(self, scope: Scope, headers: Headers) -> Response | None:
        # Cookies are sent to all ports of a machine, so that others' come here as well.
        cookies = cookie_parser(headers.get("cookie", ""))
        if self._is_token(cookies.get(COOKIE, "")):
            return None
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._is_token(bearer):
            return None
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if scope["path"] == "/" and self._is_token(query.get("token", [""])[0]):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(
                COOKIE, self.settings.token, httponly=True, samesite="lax"
            )
            return answer
        return _problem(401, "open the address that the server has printed")

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self.settings.token.encode())


def _problem(status: int, detail: str) -> Response:
    return JSONResponse({"detail": detail}, status)


def _place(origin: str) -> str | None:
    """The host and port of an origin; None where the text is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _name(host: str) -> str | None:
    """A host without its port; None where the text is more, or less, than both."""
    found = _HOST.fullmatch(host)
    return found and found["name"].lower()


def _length(headers: Headers) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isdecimal() and len(text) < 16 else LARGEST_BODY + 1


def _limited(receive: Receive) -> Receive:
    """Bodies without a length are cut when they become too large."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST_BODY:
            return {"type": "http.disconnect"}
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: Any = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
