"""The requests that a page makes, besides its socket."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response

from ...arena.record import GameRecord
from ...core.errors import PlayoutError
from ...core.text.spec import split_spec
from ...games.contract.game import Game
from .connections import network_of
from .faults import RulesErrorRoute
from .files import MEDIA, formats_of, read_game, write_game
from .lobby import Full, Lobby
from .models import (
    TABLE_ID,
    BoardView,
    GameEntry,
    GameFile,
    GameText,
    MoveRequest,
    NewTable,
    Place,
    PlyRequest,
    Problem,
    SeatsRequest,
    TableView,
)
from .room import Room
from .specs import game_named
from .view import board_view, cells_of

__all__ = ["router"]

Responses = dict[int | str, dict[str, Any]]

REFUSED: Responses = {
    400: {"model": Problem, "description": "It cannot be done; `detail` says why."},
    404: {"model": Problem, "description": "There is no such game, or no longer."},
    422: {"model": Problem, "description": "The request has another form."},
}
MISSING: Responses = {404: REFUSED[404], 422: REFUSED[422]}
BAD: Responses = {400: REFUSED[400], 422: REFUSED[422]}
FILES: dict[str, Any] = {
    media: {"schema": {"type": "object" if media.endswith("json") else "string"}}
    for media in sorted(set(MEDIA.values()))
}
TableId = Annotated[str, Path(pattern=TABLE_ID)]

router = APIRouter(prefix="/api", route_class=RulesErrorRoute)


def lobby_of(request: Request) -> Lobby:
    """The server's games."""
    lobby: Lobby = request.app.state.lobby
    return lobby


def room_of(id: TableId, request: Request) -> Room:
    """The room of a request; 404 where there is none."""
    room = lobby_of(request).find(id)
    if room is None:
        raise HTTPException(404, "there is no such game here, or no longer")
    return room


TheLobby = Annotated[Lobby, Depends(lobby_of)]
TheRoom = Annotated[Room, Depends(room_of)]


@router.get("/games")
async def list_games(lobby: TheLobby) -> list[GameEntry]:
    """The games, their parameters, and who plays them."""
    return lobby.games


@router.get("/start")
async def suggest_start(lobby: TheLobby) -> NewTable:
    """The game that a fresh page begins."""
    start = lobby.settings.start
    seats = game_named(start.game, lobby.settings).num_players()
    players = list(start.players) or ["human", *["level:1"] * (seats - 1)]
    return NewTable(game=start.game, players=players, seconds=start.seconds)


@router.post(
    "/tables",
    status_code=201,
    responses={**BAD, 503: {"model": Problem, "description": "Too many games."}},
)
async def open_table(wanted: NewTable, lobby: TheLobby, request: Request) -> TableView:
    """Begin a game."""
    visitor = network_of(request.client.host) if request.client else ""
    try:
        return (await lobby.open(wanted, visitor)).state()
    except PlayoutError as error:
        raise HTTPException(400, str(error)) from None
    except Full:
        raise HTTPException(503, "there are too many games on this server") from None


@router.get("/tables/{id}", responses=MISSING)
async def show_table(room: TheRoom) -> TableView:
    """How a game stands."""
    return room.state()


@router.get("/tables/{id}/positions/{ply}", responses=REFUSED)
async def show_position(
    room: TheRoom, ply: Annotated[int, Path(ge=0, le=100_000)]
) -> BoardView:
    """The position after so many moves."""
    _expect_open(room)
    try:
        position = room.table.position_at(ply)
        return await room.pool.aside(lambda: board_view(position))
    except PlayoutError as error:
        raise HTTPException(400, str(error)) from None


@router.get("/tables/{id}/cells", responses=MISSING)
async def list_cells(room: TheRoom) -> dict[str, list[Place]]:
    """The cells of every move by name; -1 for the row where stones fall."""
    return await room.pool.aside(lambda: cells_of(room.table.game))


@router.post("/tables/{id}/moves", responses=REFUSED)
async def play_move(wanted: MoveRequest, room: TheRoom) -> TableView:
    """Make a move for a person."""
    if wanted.ply not in (None, len(room.table.position.actions)):
        raise HTTPException(400, "another move was made meanwhile")
    return _changed(room, lambda table: table.play(wanted.move))


@router.post("/tables/{id}/undo", responses=REFUSED)
async def take_back(room: TheRoom) -> TableView:
    """Take back so many moves that it is a person's turn again."""
    if room.watched:
        room.playing = False
    return _changed(room, lambda table: table.take_back())


@router.post("/tables/{id}/redo", responses=REFUSED)
async def play_again(room: TheRoom) -> TableView:
    """Play again what was taken back last."""
    return _changed(room, lambda table: table.redo())


@router.post("/tables/{id}/back", responses=REFUSED)
async def go_back(wanted: PlyRequest, room: TheRoom) -> TableView:
    """Take back all moves after so many, to go on from there."""
    if room.watched:
        room.playing = False
    return _changed(room, lambda table: table.go_back_to(wanted.ply))


@router.post("/tables/{id}/resign", responses=REFUSED)
async def resign(room: TheRoom) -> TableView:
    """Give up, for the person to move."""
    return _changed(room, lambda table: table.resign())


@router.post("/tables/{id}/time", responses=REFUSED)
async def call_time(room: TheRoom) -> TableView:
    """End the game if the clock of the person to move has run out."""
    if room.table.call_time():
        room.changed()
    return room.state()


@router.post("/tables/{id}/players", responses=REFUSED)
async def change_players(
    wanted: SeatsRequest, room: TheRoom, lobby: TheLobby
) -> TableView:
    """Change who plays from now on, as when sides are swapped."""
    try:
        await lobby.seat(room, wanted.players)
    except PlayoutError as error:
        raise HTTPException(400, str(error)) from None
    return room.state()


@router.get("/tables/{id}/formats", responses=MISSING)
async def list_formats(room: TheRoom) -> list[str]:
    """The formats in which this game can be saved."""
    return formats_of(room.table.record().game)


@router.get(
    "/tables/{id}/file",
    response_class=Response,
    responses={**REFUSED, 200: {"content": FILES, "description": "The file."}},
)
async def save_game(
    room: TheRoom, format: Annotated[str, Query(max_length=10)] = "json"
) -> Response:
    """The game as a file: json, sgf, psq, pos or columns."""
    _expect_open(room)
    try:
        text = write_game(_record(room), format, room.table.over)
    except PlayoutError as error:
        raise HTTPException(400, str(error)) from None
    return Response(text, media_type=MEDIA[format])


def _record(room: Room) -> GameRecord:
    """The game so far; rules of a file are named by it, so that it can be loaded."""
    record = room.table.record()
    file, _, _ = split_spec(room.spec)
    return replace(record, game=room.spec) if file else record


@router.post("/files", responses=BAD)
async def load_game(wanted: GameText, lobby: TheLobby) -> GameFile:
    """Read a game from a file, or from its moves as one string."""

    def read() -> GameFile:
        def make(spec: str) -> Game:
            return game_named(spec, lobby.settings)

        if wanted.game:
            make(wanted.game)
        game, moves, players = read_game(wanted.text, make, wanted.game)
        make(game)
        return GameFile(game=game, moves=moves, players=players)

    try:
        return await lobby.pool.aside(read)
    except PlayoutError as error:
        raise HTTPException(400, str(error)) from None


def _expect_open(room: Room) -> None:
    if room.table.hides:
        raise HTTPException(400, "this game hides something until it is over")


def _changed(room: Room, do: Any) -> TableView:
    try:
        return room.change(do)
    except PlayoutError as error:
        raise HTTPException(400, str(error)) from None
