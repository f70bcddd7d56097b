"""Errors of foreign rules while a request is answered: the page is told of them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from ..common.messages import one_line, place_in_foreign_code

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
                if (place := place_in_foreign_code(error)) is None:
                    raise
                what = one_line(f"{type(error).__name__}: {error}")
                raise HTTPException(500, f"{place}: {what}") from None

        return handle
