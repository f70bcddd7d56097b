"""What requests may say and what answers look like; OpenAPI shows both."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "TABLE_ID",
    "BoardView",
    "GameEntry",
    "GameFile",
    "GameText",
    "Move",
    "MoveRequest",
    "NewTable",
    "Outcome",
    "ParameterEntry",
    "Place",
    "PlyRequest",
    "Problem",
    "SeatsRequest",
    "TableView",
]

Spec = Annotated[str, Field(min_length=1, max_length=200)]
Move = Annotated[str, Field(min_length=1, max_length=100)]
Place = tuple[int, int]
TABLE_ID = r"^[A-Za-z0-9_-]{16}$"
#: Longer games cannot be sent; they can be played.
MOST_MOVES = 5000
#: Of a file with a game, in characters: 4,000 moves, each with a search's remark.
LONGEST_TEXT = 500_000


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewTable(Request):
    """A game to begin; one with an `id` is begun again unless it is there already."""

    game: Spec
    players: Annotated[list[Spec], Field(max_length=8)] = []
    seconds: Annotated[float, Field(ge=0.01, le=60)] = 1.0
    base: Annotated[float | None, Field(ge=1, le=7200)] = None
    increment: Annotated[float, Field(ge=0, le=60)] = 0.0
    moves: Annotated[list[Move], Field(max_length=MOST_MOVES)] = []
    id: Annotated[str | None, Field(pattern=TABLE_ID)] = None


class MoveRequest(Request):
    """A person's move; with `ply`, only if so many moves were played before."""

    move: Move
    ply: Annotated[int | None, Field(ge=0, le=100_000)] = None


class PlyRequest(Request):
    """A number of moves from the start."""

    ply: Annotated[int, Field(ge=0, le=100_000)]


class SeatsRequest(Request):
    """Who plays from now on, by seat."""

    players: Annotated[list[Spec], Field(max_length=8)]


class GameText(Request):
    """A file with a game, or the moves as one string."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
    game: Annotated[str, Field(max_length=200)] = ""


class GameFile(BaseModel):
    """A game as it was read from a file."""

    game: str
    moves: list[str]
    players: list[str]


class Problem(BaseModel):
    """Why a request was refused."""

    detail: str


class ParameterEntry(BaseModel):
    """A field of a game."""

    name: str
    kind: str
    default: str
    choices: list[str] = []
    least: int | None = None
    most: int | None = None
    meaning: str = ""


class GameEntry(BaseModel):
    """A game that can be played here."""

    spec: str
    title: str
    about: str
    names: list[str]
    levels: int
    players: list[str]
    parameters: list[ParameterEntry]


class Outcome(BaseModel):
    """How a game ended, with a sentence about it."""

    returns: list[float]
    winner: int | None
    text: str


class BoardView(BaseModel):
    """A position as a person sees it.

    Cells are counted by row and column from the upper left. `legal` has, for every
    move, its name, and the cells to click for it; none where it has no place on the
    board. `points` has row, column, x and y of cells in a free layout; `texts` and
    `images` have what is shown for a character of `cells`; images, as `ground` below
    the cells, are addresses that hold all of them. `trail` has the cells through which
    the last move came, `playable` those that may be played where that is not obvious,
    `names` row, column and name of those that labels at the side cannot name.
    """

    ply: int
    to_move: int | None
    cells: list[str]
    marks: list[str]
    row_labels: list[str]
    column_labels: list[str]
    labels_below: bool
    last: Place | None
    trail: list[Place]
    winning: list[Place]
    forbidden: list[Place]
    playable: list[Place]
    names: list[tuple[int, int, str]]
    block: int
    blocks: list[str]
    layout: str
    style: str
    dark: int
    edges: str
    ground: str | None
    points: list[tuple[int, int, float, float]]
    lines: list[tuple[Place, Place]]
    texts: dict[str, str]
    images: dict[str, str]
    owners: dict[str, int]
    stands_for: list[tuple[Place, Place]]
    drops: bool
    legal: list[tuple[str, tuple[Place, ...]]]
    caption: str
    text: str


class LevelsView(BaseModel):
    """How many levels a game has, and the game whose matches measured them.

    `measured_on` is empty where none did; `exact` is whether it was these very rules.
    """

    count: int
    measured_on: str
    exact: bool


class TableView(BaseModel):
    """A game, and all that a page shows of it.

    `asked` is the game as it was asked for, where `game` has what chance has drawn;
    `undo` is whether there is a move that *Undo* would take back, of a person's if any
    plays, `redo` how many were taken back; `clocks` are the seconds left, `base` and
    `increment` what they began with; `values` are win rates of the first player by ply,
    `faults` what is said of the moves there; `offered` are players that play these very
    rules, besides people and levels;
    `hides` is whether something is hidden now, `binding` whether moves are therefore
    final.
    """

    id: str
    version: int
    game: str
    asked: str
    kind: str
    title: str
    names: list[str]
    players: list[str]
    levels: LevelsView
    offered: list[str]
    moves: list[str]
    movers: list[int]
    undo: bool
    redo: int
    outcome: Outcome | None
    seconds: float
    base: float | None
    increment: float
    clocks: list[float | None]
    hides: bool
    binding: bool
    busy: str
    playing: bool
    delay: float
    values: dict[int, float]
    faults: dict[int, str]
    board: BoardView
