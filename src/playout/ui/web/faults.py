"""Errors of foreign rules while a request is answered: the page is told of them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from ..common.messages import foreign_failure

__all__ = ["RulesErrorRoute"]


class RulesErrorRoute(APIRoute):
    """A route that answers 500 with the line of the rules that has failed."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await answer(request)
            except (HTTPException, RequestValidationError):
                raise
            except Exception as error:
                if (failure := foreign_failure(error)) is None:
                    raise
                raise HTTPException(500, failure) from None

        return handle
