"""Games as somebody writes who has read the docs and no more: everything takes them.

Each stands in a file of its own, written from README.md and docs/ alone, in another
style of Python, and says at its head what was hard. All that one does with a game of
one's own is done with each: the laws, a search, a match, the page, the terminal.
"""

from dataclasses import fields
from itertools import pairwise, permutations
from typing import Any, NamedTuple

import numpy as np
import pytest

from playout import (
    MCTS,
    Game,
    InterpretedWarning,
    Limit,
    Position,
    check_game,
)
from playout.arena.executors import LocalExecutor
from playout.arena.match import Match, MatchSettings, play_matches
from playout.arena.store import Store
from tests.ui.tui.support import moves, play
from tests.ui.web.support import client, new_table
from tests.ui.web.support import play as play_on_page

from .breakthrough import MyBreakthrough
from .dice_race import DiceRace
from .hearts import Hearts
from .hex_game import MyHex
from .hounds import Hounds
from .kalah import Kalah
from .kuhn_poker import Kuhn
from .mines import Mines
from .morris import Morris
from .othello import MyOthello
from .pegs import Pegs
from .salesman import Salesman
from .three_players import CoinRow
from .word_game import Ghost


class Case(NamedTuple):
    game: Game
    file: str
    #: Whether the compiler's part is looked at: where the style is about it.
    compiled: bool = False
    #: Moves after which one move wins, and that move.
    before: str = ""
    wins: str = ""

    def position(self, moves: str = "") -> Position:
        found = Position(self.game)
        for move in moves.split():
            found = found.play(move)
        return found

    @property
    def spec(self) -> str:
        names = [field.name for field in fields(self.game)]
        given = ",".join(f"{name}={getattr(self.game, name)}" for name in names)
        spec = f"tests/strangers/{self.file}.py:{type(self.game).__name__}"
        return f"{spec}:{given}" if given else spec

    @property
    def humans(self) -> list[str]:
        return ["human"] * self.game.num_players()


CASES = [
    Case(MyOthello(size=4), "othello", True),
    Case(MyHex(size=3), "hex_game", True, "a1 b1 a2 b2", "a3"),
    Case(MyBreakthrough(5, 4), "breakthrough", False, "a2a3 d4d3 a3b4 d3c2", "b4a5"),
    Case(DiceRace(length=3), "dice_race", True, "die3 first die1 first die3", "second"),
    Case(CoinRow(coins=4), "three_players", False, "left left", "left"),
    Case(Kuhn(), "kuhn_poker", False, "K Q pass bet", "bet"),
    Case(Salesman(cities=6), "salesman"),
    Case(Ghost(), "word_game", False, "", "c"),
    Case(Kalah(houses=3, seeds=2), "kalah", True, "b a A c B a C b", "B"),
    Case(Hearts(ranks=2), "hearts"),
    Case(Pegs(), "pegs"),
    Case(Mines(2, 3, 1), "mines", True, "mine-a1 b1 c1 a2 c2", "b2"),
    Case(Hounds(), "hounds", True, "be kj ac jg eh gf cb fe", "df"),
    Case(Morris(3, 12), "morris", False, "a7 d6 a4 f6 g1 b4", "g1-a1"),
]
#: Those whose moves are cells, by a click or from and to.
CLICKED = {
    "othello",
    "hex_game",
    "hounds",
    "breakthrough",
    "salesman",
    "kalah",
    "mines",
    "morris",
    "pegs",
}
every = pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)


def search(case: Case, position: Position, simulations: int = 200) -> Any:
    found = MCTS(case.game, seed=1, interpreted=True)
    return found.search(position, limit=Limit(simulations=simulations))


@every
def test_the_laws_hold(case):
    check_game(case.game, games=3, compiled=case.compiled)


@pytest.mark.parametrize("case", [c for c in CASES if c.wins], ids=lambda c: c.file)
def test_the_search_sees_a_win(case):
    """In hidden games the one who wins knows no more than its own card."""
    position = case.position(case.before)
    assert search(case, position).move == case.wins


def test_the_last_stone_of_othello_is_counted():
    game = MyOthello(size=4)
    rng = np.random.default_rng(1)
    position = Position(game)
    while not position.is_terminal:
        before, actions = position.copy(), position.legal_actions()
        position = position.play(int(rng.choice(actions)))
    result = search(CASES[0], before, 20)
    mover = before.current_player
    ends = [before.copy().play(action) for action in before.legal_actions()]
    assert result.value == max(end.returns(mover) for end in ends)


def test_the_shortest_of_few_tours_is_found():
    game = Salesman(cities=6)
    tours = [(0, *order, 0) for order in permutations(range(1, 6))]
    lengths = [sum(game.distances[a, b] for a, b in pairwise(tour)) for tour in tours]
    result = search(CASES[6], Position(game), 600)
    assert result.best_return == pytest.approx(-min(lengths))
    assert sorted(result.best_line) == list("BCDEF")


class UnseenGhost(Ghost):
    """The same: of a class it is said once."""


def test_what_cannot_be_compiled_is_said_and_runs():
    found = MCTS(UnseenGhost(), seed=1)
    with pytest.warns(InterpretedWarning, match="a global dict or set"):
        result = found.search(limit=Limit(simulations=100))
    assert (found.interpreted, result.move) == (True, "c")


@every
def test_a_match_is_played(case):
    seats = max(2, case.game.num_players())
    players = ("random", "greedy", "random", "greedy")[:seats]
    match = Match(MatchSettings(case.spec, players), games=seats)
    with Store(None) as store, LocalExecutor(concurrency=1) as executor:
        play_matches([match], store, executor)
    assert match.counted == seats


@pytest.fixture(scope="module")
def requests():
    with client(games={case.spec: case.game for case in CASES}) as found:
        yield found


@every
def test_a_move_on_the_page(requests, case):
    state = new_table(requests, case.spec, case.humans)
    board, before = state["board"], len(state["moves"])
    name, *cells = board["legal"][0]
    assert board["cells"] or board["text"]
    assert bool(cells[0]) == (case.file in CLICKED)
    assert len(play_on_page(requests, state, name)["moves"]) > before


@every
def test_a_move_in_the_terminal(case):
    async def script(app, pilot):
        before = len(moves(app))
        position = app.host.table.position
        name = case.game.action_name(int(position.legal_actions()[0]))
        await pilot.press("m", *name, "enter")
        assert moves(app)[before] == name

    play(case.game, case.humans, script)
