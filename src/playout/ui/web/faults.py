"""What a page is told of requests without the right form, and where rules fail."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from ..common.messages import foreign_failure

__all__ = ["RulesErrorRoute", "form_faults"]

#: Of a request with more faults, so many are told.
MOST_FAULTS = 3


def form_faults(errors: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with the form of a request, as Pydantic has found it.

    >>> form_faults([{"loc": ("body", "moves", 2), "msg": "Field required"}])
    'moves 3: field required'
    >>> form_faults([{"loc": ("body", "players", 1), "type": "string_too_short"}])
    'players 2: it is empty'
    >>> told = {"type": "too_long", "ctx": {"max_length": 5000}}
    >>> form_faults([{"loc": ("body", "moves"), **told}])
    'moves: more than 5,000'
    """
    match errors:
        case [{"type": "json_invalid", "loc": ("body", int(place))}]:
            return f"the body is not JSON (character {place + 1})"
    told = [_form_fault(each["loc"], _problem(each)) for each in errors[:MOST_FAULTS]]
    return "; ".join(told) + "..." * (len(errors) > MOST_FAULTS)


def _problem(error: Mapping[str, Any]) -> str:
    """A fault in plain words, or in Pydantic's where a page makes no such request."""
    limits = error.get("ctx", {})
    match error:
        case {"type": "string_too_short"}:
            return "it is empty"
        case {"type": "string_too_long"}:
            return f"longer than {limits['max_length']:,} characters"
        case {"type": "too_long"}:
            return f"more than {limits['max_length']:,}"
        case _:
            return str(error["msg"])


def _form_fault(place: Sequence[str | int], problem: str) -> str:
    """A fault with the field that has it; the first word of a place is its kind."""
    words = [str(part + 1 if isinstance(part, int) else part) for part in place[1:]]
    said = problem[:1].lower() + problem[1:]
    return f"{' '.join(words)}: {said}" if words else said


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
