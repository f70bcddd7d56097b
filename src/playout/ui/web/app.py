"""The application: the page, the requests, the socket, behind the guard."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from . import api, socket
from .faults import form_faults
from .guard import Guard
from .lobby import Lobby
from .settings import Settings

__all__ = ["STATIC", "make_app"]

STATIC = Path(__file__).with_name("static")


def make_app(settings: Settings | None = None) -> FastAPI:
    """A server's application.

    Args:
        settings: its limits; those for one's own machine by default.
    """
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.lobby = lobby = Lobby(settings)
        _ = lobby.games  # now, and not when the first page waits for it
        yield
        await lobby.close()

    app = FastAPI(
        title="Playout",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        exception_handlers={RequestValidationError: refuse},
    )
    app.include_router(api.router)
    app.include_router(socket.router)
    app.mount("/static", StaticFiles(directory=STATIC))
    app.add_api_route("/", show_page, include_in_schema=False)
    app.add_middleware(Guard, settings=settings)
    return app


async def refuse(request: Request, error: Exception) -> Response:
    """What is wrong with a request's form; what it said is not repeated.

    That may be what no answer can say: a number that is none, half a character.
    """
    assert isinstance(error, RequestValidationError)
    detail = form_faults(error.errors())
    return Response(json.dumps({"detail": detail}), 422, media_type="application/json")


async def show_page() -> FileResponse:
    """The page; it asks for all else by itself."""
    return FileResponse(STATIC / "index.html")
