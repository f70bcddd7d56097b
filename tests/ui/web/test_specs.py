"""What visitors cannot have: files, programs, endless thinking, others' games.

Also of `ui/web/faults.py` and `ui/web/models.py`.
"""

import inspect
import json

import pytest

from playout import Gomoku, UsageError, make_game
from playout.players.mcts import mcts
from playout.ui.web.guard import LARGEST_BODY
from playout.ui.web.models import MOST_MOVES
from playout.ui.web.settings import Settings
from playout.ui.web.specs import PARAMETERS, game_named

from .support import client, follow, new_table, play, problem, wait_for


@pytest.fixture(scope="module")
def requests():
    with client() as found:
        yield found


def test_no_file_of_rules_can_be_reached(requests, tmp_path, monkeypatch):
    """A directory may even be named so that its path looks like a game's spec."""
    trap = tmp_path / "connect-four:"
    trap.mkdir()
    (trap / "evil.py").write_text("raise SystemExit('ran')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    spec = "connect-four:/evil.py:G"
    for text in (f"# {spec}\n4", f'{{"game": "{spec}"}}'):
        assert problem(requests.post("/api/files", json={"text": text}))
        body = {"text": text, "game": spec}
        assert "unknown game" in problem(requests.post("/api/files", json=body))
    for body in (
        {"game": spec},
        {"game": "evil.py:G"},
        {"game": str(trap / "evil.py")},
    ):
        assert "unknown game" in problem(requests.post("/api/tables", json=body))


#: What ends a line for `str.splitlines`.
LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize(("game", "moves"), [("connect-four", "4"), ("gomoku", "h8")])
def test_no_line_of_a_text_reaches_a_file(requests, tmp_path, monkeypatch, game, moves):
    trap, ran = tmp_path / f"{game}:", tmp_path / "ran"
    trap.mkdir()
    program = f"open({str(ran)!r}, 'w').close()"
    (trap / "evil.py").write_text(program, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for line_break in LINE_BREAKS:
        line = f"#{game}:/evil.py:G{line_break}{moves}"
        for text in (line_break + line, f"1212121{line_break}{line}"):
            requests.post("/api/files", json={"text": text})
            assert not ran.exists(), repr(line_break)


@pytest.mark.parametrize(
    "spec",
    ["exec:ls", "exec: ls", "x.py:make", "/tmp/x.py:make", "mcts:x.py:y", "EXEC:ls",
     "level:../x", "mcts:c_uct=1.py:make", "mcts:trees=1000", "mcts:trees=+5",
     "mcts:ponder=True", "mcts:ponder=0", "mcts:threads=1000", "mcts:trees=x",
     "mcts:threads=3,trees=2", "mcts:trees=-9,threads=-9", "mcts:table_bits=28",
     "mcts:trees=1,trees=9", "mcts:trees=2,executor=ray", "mcts:evaluator=x.py:e",
     "greedy:ponder=1", "human:", "net:x.onnx", "net:/tmp",
     "net:connect-four,simulations=1000000000"],
)  # fmt: skip
def test_no_player_that_runs_programs_can_be_reached(requests, spec):
    body = {"game": "tic-tac-toe", "players": ["human", spec]}
    assert problem(requests.post("/api/tables", json=body))


def test_all_that_a_search_can_be_told_is_known_here():
    """A new option must be listed as allowed for visitors or not."""
    accepted = set(inspect.signature(mcts).parameters) - {"game"}
    hidden = {"batch", "evaluator", "executor", "ponder"}
    assert set(PARAMETERS["mcts"].split()) == accepted - hidden


def test_what_the_command_line_names_can_be_asked_for():
    game = Gomoku(size=7)
    with client(
        games={"mine.py:G": game}, players=frozenset(["exec:true"])
    ) as requests:
        assert new_table(requests, "mine.py:G")["game"] == "mine.py:G"
        entry = requests.get("/api/games").json()[0]
        assert entry["spec"] == "mine.py:G"
        assert "exec:true" in entry["players"]


def test_a_network_that_comes_with_playout_plays(requests):
    state = new_table(requests, "connect-four", ["human", "net:connect-four"])
    with follow(requests, state) as socket:
        play(requests, state, "4")
        moved = wait_for(socket, "state", lambda told: len(told["moves"]) == 2)
    assert moved["players"] == ["human", "net:connect-four"]


RULES = """
from tests.toys import Nim
class Dark(Nim):
    def render(self, state, last_action=None, color=False):
        return str(1 / 0)
"""


def test_rules_that_fail_are_told_with_their_line(tmp_path):
    path = tmp_path / "dark.py"
    path.write_text(RULES)
    game = make_game(f"{path}:Dark")
    with client(games={"dark.py:Dark": game}) as requests:
        wanted = {"game": "dark.py:Dark", "players": ["human", "human"]}
        said = problem(requests.post("/api/tables", json=wanted), 500)
        where = f"{path}, line 5, in render"
        assert said == f"{where}: ZeroDivisionError: division by zero"


# -- limits ----------------------------------------------------------------------------


def test_the_oldest_game_makes_place():
    with client(tables=2) as requests:
        first, second = new_table(requests), new_table(requests)
        new_table(requests)
        assert problem(requests.get(f"/api/tables/{first['id']}"), 404)
        assert requests.get(f"/api/tables/{second['id']}").status_code == 200


def test_a_request_that_is_refused_ends_no_game():
    with client(tables=1) as requests:
        state = new_table(requests)
        for wrong in ({"game": "nothing"}, {"game": "tic-tac-toe", "moves": ["x"]}):
            assert problem(requests.post("/api/tables", json=wrong))
        assert requests.get(f"/api/tables/{state['id']}").status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("tables", '{"game": "gomoku", "seconds": NaN}'),
        ("tables", '{"game": "gomoku", "seconds": 1e999}'),
        ("tables", '{"game": "gomoku", "base": -Infinity}'),
        ("tables", r'{"game": "\ud800"}'),
        ("tables", r'{"game": "gomoku", "\ud800": 1}'),
        ("files", r'{"text": "\ud800"}'),
    ],
)
def test_what_cannot_be_repeated_is_refused_without(requests, path, body):
    headers = {"Content-Type": "application/json"}
    answer = requests.post(f"/api/{path}", content=body, headers=headers)
    assert problem(answer, 422).isascii()


@pytest.mark.parametrize("field", ["game", "players", "moves"])
def test_half_a_character_in_a_file(requests, field):
    state = play(requests, new_table(requests), "b2")
    game = requests.get(f"/api/tables/{state['id']}/file").json()
    game[field] = "\ud800" if field == "game" else ["\ud800"] * len(game[field])
    text = json.dumps(game)
    assert problem(requests.post("/api/files", json={"text": text}))


def test_games_that_are_looked_at_stay():
    with client(tables=1) as requests:
        state = new_table(requests)
        with follow(requests, state):
            body = {"game": "tic-tac-toe"}
            assert problem(requests.post("/api/tables", json=body), 503)


def test_large_requests_are_refused(requests):
    text = "4" * LARGEST_BODY
    assert requests.post("/api/files", json={"text": text}).status_code == 413
    many = {"game": "tic-tac-toe", "moves": ["a1"] * (MOST_MOVES + 1)}
    assert requests.post("/api/tables", json=many).status_code == 422


def test_long_thinking_is_refused(requests):
    body = {"game": "tic-tac-toe", "seconds": 1e6}
    why = problem(requests.post("/api/tables", json=body), 422)
    assert why == "seconds: input should be less than or equal to 60"


def test_of_many_faults_the_first_are_told(requests):
    body = {"game": "tic-tac-toe", "moves": [1, 2, 3, 4]}
    why = problem(requests.post("/api/tables", json=body), 422)
    assert why.startswith("moves 1: input should be a valid string; moves 2: ")
    assert why.endswith("moves 3: input should be a valid string...")


def test_a_body_that_is_no_json_is_called_that(requests):
    kind = {"Content-Type": "application/json"}
    answer = requests.post("/api/tables", content='{"game": x}', headers=kind)
    assert problem(answer, 422) == "the body is not JSON (character 10)"


def test_games_that_are_served_are_named_beside_our_own():
    served = Settings(games={"mine.py:Mine": make_game("tic-tac-toe")})
    said = r"unknown game 'mine.py:Mine:size=4'; known are mine.py:Mine, tic-tac-toe, "
    with pytest.raises(UsageError, match=said + ".*where the server is started"):
        game_named("mine.py:Mine:size=4", served)
