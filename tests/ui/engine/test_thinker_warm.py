"""What is compiled already is neither compiled again nor has to wait."""

import threading
import time

import pytest

from playout.core.jit.native import Kernel, NativeFunction, _types_of, on_compile
from playout.games.connect_four.rules import ConnectFour
from playout.games.positions.position import Position
from playout.players.player import Allowance, Decision, Player
from playout.players.registry import make_player
from playout.search.tree.recycle import compile_recycler
from playout.search.tree.subtree import copy_subtree
from playout.search.tree.tree import _copier
from playout.ui.engine.loop import InputLine
from playout.ui.engine.making import engine_maker
from playout.ui.engine.thinker import Thinker, _announce
from tests.ui.support import output_of


@pytest.fixture
def compiled(monkeypatch):
    """What is asked for of kernels, none of which is compiled."""
    asked = []

    def compile(self, *args, checked=False, parts=()):
        asked.append((self.__name__, self._digest(_types_of(args, checked), checked)))
        return NativeFunction(self.function, 0.0, True)

    monkeypatch.setattr(Kernel, "compile", compile)
    forget()
    yield asked
    forget()


def forget():
    """Have kernels that were looked up once be looked up again."""
    compile_recycler.cache_clear()
    _copier.cache_clear()


@pytest.mark.parametrize("spec", ["mcts", "mcts:preset=tiny"])
def test_warm_compiles_all_that_a_player_runs(compiled, spec):
    """With the columns that the nodes of its tree have."""
    output_of("warm", "connect-four")
    warm = set(compiled)
    compiled.clear()
    forget()
    make_player(spec, ConnectFour()).prepare()
    assert {name for name, _ in compiled} == {"simulate", "copy_subtree", "keep_best"}
    assert set(compiled) <= warm


def test_warm_passes_over_presets_that_do_not_fit(compiled):
    rows = output_of("warm", "phantom-tic-tac-toe").splitlines()
    assert [row for row in rows if row.endswith("does not fit")] == [
        f"{'phantom-tic-tac-toe --preset tiny':<44} does not fit"
    ]


def test_an_engine_compiles_nothing_before_it_knows_the_game(tmp_path, monkeypatch):
    """The game's own compiling would have to wait for it."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(copy_subtree, "_compiled", {})
    forget()
    thinker = Thinker(lambda game: make_player("mcts", game))
    thinker.warm_up()
    thinker.wait_warm(120)
    on_compile(None)
    assert not list(tmp_path.iterdir())


class Prepared:
    """Stands for a `Thinker`, and notes which games are prepared."""

    def __init__(self, monkeypatch):
        self.games = []
        monkeypatch.setattr(Thinker, "warm_up", lambda self: None)
        monkeypatch.setattr(Thinker, "prepare", lambda _, game: self.games.append(game))


def test_gomocup_waits_for_the_rule(monkeypatch):
    prepared = Prepared(monkeypatch)
    engine = engine_maker("gomocup", None, "greedy")(lambda line: None)
    for number, text in enumerate(("START 15", "INFO rule 4", "INFO max_node 9")):
        engine.handle(InputLine(text, number, time.monotonic()))
        engine.idle()
    assert [game.rule for game in prepared.games] == ["renju", "renju"]


@pytest.mark.parametrize(("game", "count"), [(None, 0), ("tic-tac-toe", 1)])
def test_jsonl_prepares_the_game_that_was_named(monkeypatch, game, count):
    prepared = Prepared(monkeypatch)
    engine_maker("jsonl", game, "greedy")(lambda line: None).idle()
    assert len(prepared.games) == count


class Late(Player):
    """Gets ready when it is let."""

    def __init__(self, game):
        super().__init__("late", game)
        self.let = threading.Event()

    def prepare(self):
        self.let.wait(120)

    def choose(self, position, allowance):
        return Decision(position.legal_actions()[0])


def test_what_an_engine_waits_for_is_told(capsys):
    """Rules that only have to be loaded are not said to be compiled."""
    game = ConnectFour()
    player = Late(game)
    thinker = Thinker(lambda game: player)

    def told():
        thinker.think(Position(game), Allowance(seconds=0.01), 1)
        return capsys.readouterr().err

    assert "the rules are still being loaded; a simple move is played" in told()
    done = _announce("ConnectFour")
    assert "the rules are still being compiled; a simple move is played" in told()
    done()
    assert "still being loaded" in told()
    player.let.set()
    assert thinker.ready(game, 120)
    assert told() == ""
