"""The socket of a page: it gets states and analyses, and sends requests."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ...core.errors import PlayoutError, UsageError
from .analyst import HINT_SECONDS, WHY_SECONDS, AnalysisRequest
from .faults import form_faults
from .lobby import Lobby
from .models import Move
from .outbox import Outbox
from .room import Room

__all__ = ["router"]

#: Why a socket is closed: no such game, too many pages, too many messages.
MISSING, CROWDED, FLOODED = 4404, 4429, 4408
#: A page may send so many messages at once, and then so many a second.
BURST, RATE = 60, 20.0
#: Longer messages are not read, in characters.
LONGEST_MESSAGE = 10_000
#: The answers that pages wait for, by what they ask.
ANSWERS = {"analyse": "analysis", "hint": "hint", "why": "why", "review": "review"}

router = APIRouter()


class _Wanted(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Analyse(_Wanted):
    """Search the position after so many moves, for so long."""

    type: Literal["analyse"]
    ply: Annotated[int, Field(ge=0, le=100_000)]
    seconds: Annotated[float, Field(gt=0, le=600)] = 10.0


class Stop(_Wanted):
    """End the analysis."""

    type: Literal["stop"]


class Hint(_Wanted):
    """Suggest a move."""

    type: Literal["hint"]


class Why(_Wanted):
    """Explain why this move is not the best."""

    type: Literal["why"]
    ply: Annotated[int, Field(ge=0, le=100_000)]
    move: Move


class Look(_Wanted):
    """Send the children of a node of the tree."""

    type: Literal["tree"]
    path: Annotated[list[Move], Field(max_length=60)]


class Review(_Wanted):
    """Search every position of the game for a short time."""

    type: Literal["review"]


class Watch(_Wanted):
    """Let programs play each other, stop them, or let them make some moves."""

    type: Literal["watch"]
    playing: bool
    delay: Annotated[float, Field(ge=0, le=10)] = 0.6
    steps: Annotated[int, Field(ge=0, le=10)] = 0


class Hurry(_Wanted):
    """Have the program that thinks move now."""

    type: Literal["hurry"]


Message = Annotated[
    Analyse | Stop | Hint | Why | Look | Review | Watch | Hurry,
    Field(discriminator="type"),
]
_READER: TypeAdapter[Any] = TypeAdapter(Message)


@router.websocket("/api/tables/{id}/live")
async def live(socket: WebSocket, id: str) -> None:
    """Follow a game, and ask for analysis."""
    lobby: Lobby = socket.app.state.lobby
    await socket.accept()
    room = lobby.find(id)  # not before: it may be dropped while one waits
    if room is None:
        await socket.close(MISSING, "there is no such game here, or no longer")
        return
    settings = lobby.settings
    crowded = len(room.pages) >= settings.sockets_at_table
    if crowded or lobby.pages >= settings.sockets:
        await socket.close(CROWDED, "too many pages are open")
        return
    page = Outbox()
    room.join(page)
    try:
        async with asyncio.TaskGroup() as both:  # the end of one ends the other
            sender = both.create_task(_send(socket, page))
            await _receive(socket, page, room)
            sender.cancel()
    except* (WebSocketDisconnect, RuntimeError):
        pass  # the page is gone
    finally:
        room.leave(page)


async def _send(socket: WebSocket, page: Outbox) -> None:
    while True:
        await page.wait()
        for message in page.pop():
            await socket.send_text(json.dumps(message))


async def _receive(socket: WebSocket, page: Outbox, room: Room) -> None:
    left, last = float(BURST), time.monotonic()
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        now = time.monotonic()
        left, last = min(float(BURST), left + RATE * (now - last)) - 1, now
        if left < 0:
            await socket.close(FLOODED, "too many messages")
            return
        text = message.get("text")
        if text is None or len(text) > LONGEST_MESSAGE:
            page.put("error", {"message": "a message is a short JSON text"})
            continue
        try:
            wanted = _READER.validate_json(text)
        except ValidationError as error:
            why = form_faults(error.errors(include_input=False, include_url=False))
            page.put("error", {"message": f"a message is not understood: {why}"})
            continue
        try:
            do(room, page, wanted)
        except PlayoutError as error:
            page.put("error", {"message": str(error)})
            if (kind := ANSWERS.get(wanted.type)) is not None:  # nothing comes
                page.put(kind, {"done": True, "stopped": True})


def do(room: Room, page: Outbox, wanted: Any) -> None:
    """What a message asks for.

    Raises:
        UsageError: it is not possible.
    """
    analyst, table = room.analyst, room.table
    if isinstance(wanted, Analyse):
        seconds = min(wanted.seconds, room.settings.seconds)
        _search(
            room, AnalysisRequest("analysis", table.position_at(wanted.ply), seconds)
        )
    elif isinstance(wanted, Stop):
        analyst.stop()
    elif isinstance(wanted, Hint):
        _search(room, AnalysisRequest("hint", table.position.copy(), HINT_SECONDS))
    elif isinstance(wanted, Why):
        position = table.position_at(wanted.ply)
        _expect_nothing_hidden(room)  # for what cannot be played tells what is there
        position.find(wanted.move)  # complains
        _search(room, AnalysisRequest("why", position, WHY_SECONDS, wanted.move))
    elif isinstance(wanted, Look) and not room.table.hides:
        analyst.look(wanted.path, lambda answer: page.put("tree", answer))
    elif isinstance(wanted, Review) and not room.table.hides:
        room.review()
    elif isinstance(wanted, Watch):
        room.watch(wanted.playing, wanted.delay, wanted.steps)
    elif isinstance(wanted, Hurry):
        room.hurry()


def _search(room: Room, request: AnalysisRequest) -> None:
    _expect_nothing_hidden(room)
    if request.position.is_terminal:
        raise UsageError("the game is over in this position")
    if request.position.is_chance:
        raise UsageError("chance moves in this position")
    room.analyst.request(request)


def _expect_nothing_hidden(room: Room) -> None:
    if room.table.hides:
        raise UsageError("an analysis would show what this game hides")
