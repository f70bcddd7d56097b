"""Players from files and from installed packages.

Also of `core/text/plugins.py`, `players/function.py` and `players/factories.py`.
"""

import sys

import pytest

from playout import ConnectFour, Position, UsageError, make_game
from playout.core.text.plugins import entry_points
from playout.games.registry import game_names
from playout.players.player import Allowance, Decision, Player, PlayerFailure
from playout.players.registry import make_player, player_names
from tests.players.test_registry import GAME

FILE = """
from playout.players.player import Decision, Player

class Mine(Player):
    def __init__(self, game, move):
        super().__init__("mine", game)
        self.move = move
    def choose(self, position, allowance):
        return Decision(self.move)

def make_player(game, *, move: int = 4):
    return Mine(game, move)

def last(game, skip=0):
    return lambda position: position.legal_actions()[-1 - skip]

def by_name(game):
    return lambda position: "b2"

def illegal(game):
    return lambda position: 4

def garbage(game):
    return lambda position: None

def crashing(game):
    return lambda position: 1 / 0

def number(game):
    return 7

def refuses(game):
    from playout import UsageError
    raise UsageError("not this game")

def breaks(game):
    raise KeyError("no weights")

def needs(game, depth):
    return None

def leaving(game):
    import sys
    return lambda position: sys.exit(1)

def without():
    return None

CONSTANT = 3
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def answer(spec: str) -> int:
    return make_player(spec, GAME).choose(Position(GAME), Allowance()).action


def test_players_from_a_file(file):
    assert answer(f"{file}:make_player") == 4
    assert answer(f"{file}:make_player:move=2") == 2
    assert answer(f"{file}:last") == 8
    assert answer(f"{file}:last:skip=3") == 5
    assert answer(f"{file}:by_name") == GAME.parse_action("b2")
    assert make_player(f"{file}:last:skip=3", GAME).spec == f"{file}:last:skip=3"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("illegal", "illegal move"),
        ("garbage", "garbage"),
        ("crashing", "crash"),
        ("leaving", "crash"),
    ],
)
def test_functions_that_fail_lose(file, name, reason):
    with pytest.raises(PlayerFailure) as caught:
        make_player(f"{file}:{name}", GAME).choose(
            Position.from_moves(GAME, ["b2"]), Allowance()
        )
    assert caught.value.reason == reason
    assert name in caught.value.detail


@pytest.mark.parametrize(
    ("name", "line"),
    [("crashing", 27), ("leaving", 44), ("within", 7)],
)
def test_an_exception_of_a_function_is_told_with_its_line(file, name, line):
    """The last of its own file, where a library has raised it."""
    mine = file.with_name(f"{name}.py")
    library = "\nimport json\n\ndef within(game):\n    def choose(position):\n"
    library += "        return read()\n    read = lambda: json.loads('{')\n"
    mine.write_text((library + "    return choose\n") if name == "within" else FILE)
    with pytest.raises(PlayerFailure) as caught:
        answer(f"{mine}:{name}")
    assert caught.value.detail.endswith(f"{name}.py line {line})")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "has no 'nothing'; it has make_player, last, by_name"),
        ("number", "returned int; it must return a player"),
        ("CONSTANT", "must be a function that is given the game"),
        ("without", "must be callable with the game"),
        ("refuses", "refuses: not this game"),
        ("last:skip=x", "skip must be a whole number, not 'x'"),
        ("needs", "missing a required argument: 'depth'"),
        ("make_player:moves=1", "did you mean move?"),
        ("breaks", "mine.py:breaks: "),
        ("breaks", "mine.py, line 37: KeyError: 'no weights'"),
    ],
)
def test_files_that_give_no_player(file, name, message):
    with pytest.raises(UsageError) as caught:
        make_player(f"{file}:{name}", GAME)
    assert message in str(caught.value)


THAWED = """from dataclasses import dataclass
from tests.toys import Nim

@dataclass
class Thawed(Nim):
    left: int = 3
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 +", "line 1: SyntaxError"),
        ("\n1 / 0", "line 2: ZeroDivisionError"),
        ("import sys; sys.exit(3)", "ends the program when loaded"),
        ("x = 1", "it has no function"),
        (THAWED, "line 4: TypeError: cannot inherit non-frozen dataclass"),
        (THAWED, "a frozen one: put @dataclass(frozen=True) above the class"),
    ],
)
def test_broken_files(tmp_path, text, message):
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        make_player(f"{path}:make_player", GAME)
    assert message in str(caught.value)


def test_a_file_is_read_again_when_it_has_changed(file):
    assert answer(f"{file}:last") == 8
    file.write_text("def last(game):\n    return lambda position: 1\n")
    assert answer(f"{file}:last") == 1


PACKAGE = """
from dataclasses import dataclass
from playout.games.tic_tac_toe.rules import TicTacToe

@dataclass(frozen=True)
class Noughts(TicTacToe):
    \"\"\"Tic-tac-toe under another name.\"\"\"
    name = "noughts"
    title = "Noughts"

def middle(game, *, move: int = 4):
    return lambda position: move
"""

ENTRY_POINTS = """
[playout.players]
middle = added_to_playout:middle
broken = added_to_playout:nowhere

[playout.games]
noughts = added_to_playout:Noughts
middle = added_to_playout:middle
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package that is installed as far as Python can tell."""
    (tmp_path / "added_to_playout.py").write_text(PACKAGE)
    information = tmp_path / "added_to_playout-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Name: added-to-playout\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("added_to_playout", None)


@pytest.mark.usefixtures("package")
def test_installed_packages_add_players():
    assert "middle" in player_names()
    assert answer("middle") == 4
    assert answer("middle:move=1") == 1
    with pytest.raises(UsageError, match=r"known are human.* middle"):
        make_player("muddle", GAME)
    with pytest.raises(UsageError, match="broken: the package added-to-playout is"):
        make_player("broken", GAME)


@pytest.mark.usefixtures("package")
def test_installed_packages_add_games():
    assert "noughts" in game_names()
    assert make_game("noughts").title == "Noughts"
    with pytest.raises(UsageError, match="not a class derived from Game"):
        make_game("middle")


def test_without_such_packages_there_are_none():
    assert "middle" not in entry_points("playout.players")


def test_a_player_must_choose():
    class Nothing(Player):
        pass

    with pytest.raises(TypeError):
        Nothing("nothing", ConnectFour())
    assert Decision(3).value is None
