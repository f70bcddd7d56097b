"""Requests: games begin, go on, are taken back, saved and loaded."""

import inspect
import json

import pytest

from playout import Gomoku
from playout.players.mcts import mcts
from playout.ui.web.app import STATIC
from playout.ui.web.specs import PARAMETERS

from .support import client, follow, new_table


@pytest.fixture(scope="module")
def requests():
    with client() as found:
        yield found


def play(requests, state, *moves):
    for move in moves:
        answer = requests.post(f"/api/tables/{state['id']}/moves", json={"move": move})
        assert answer.status_code == 200, answer.text
        state = answer.json()
    return state


def problem(answer, status=400):
    assert answer.status_code == status, answer.text
    return answer.json()["detail"]


def test_the_page_is_small_and_complete(requests):
    page = requests.get("/").text
    assert "<main" in page
    files = sorted(STATIC.iterdir())
    assert sum(file.stat().st_size for file in files) < 200_000
    for file in files:
        assert requests.get(f"/static/{file.name}").status_code == 200
        text = file.read_text(encoding="utf-8").replace(
            "http://www.w3.org/2000/svg", ""
        )
        assert "//" not in text.replace("// ", "").replace("//${", ""), file.name


def test_the_games(requests):
    games = {game["spec"]: game for game in requests.get("/api/games").json()}
    assert {"tic-tac-toe", "connect-four", "ultimate-tic-tac-toe"} <= set(games)
    gomoku = {field["name"]: field for field in games["gomoku"]["parameters"]}
    assert "renju" in gomoku["rule"]["choices"]
    assert (gomoku["size"]["least"], gomoku["size"]["most"]) == (5, 22)
    assert games["gomoku"]["names"] == ["Black", "White"]
    assert "perfect" in games["tic-tac-toe"]["players"]
    assert "perfect" not in games["gomoku"]["players"]


def test_what_a_fresh_page_begins(requests):
    start = requests.get("/api/start").json()
    assert start["game"] == "connect-four"
    assert start["players"] == ["human", "level:1"]


def test_a_game_between_people(requests):
    state = new_table(requests)
    state = play(requests, state, "a1", "b1", "a2", "b2", "a3")
    assert state["outcome"]["winner"] == 0
    assert state["board"]["winning"] == [[0, 0], [1, 0], [2, 0]]
    assert state["board"]["to_move"] is None
    assert state["moves"] == ["a1", "b1", "a2", "b2", "a3"]
    assert problem(
        requests.post(f"/api/tables/{state['id']}/moves", json={"move": "c1"})
    )


def test_undo_redo_and_back(requests):
    state = play(requests, new_table(requests), "b2", "a1", "c3")
    path = f"/api/tables/{state['id']}"
    assert requests.post(f"{path}/undo").json()["moves"] == ["b2", "a1"]
    again = requests.post(f"{path}/redo").json()
    assert (again["moves"], again["redo"]) == (["b2", "a1", "c3"], 0)
    assert requests.post(f"{path}/back", json={"ply": 1}).json()["redo"] == 2
    assert requests.get(f"{path}/positions/0").json()["ply"] == 0
    assert "0 to 1 moves" in problem(requests.get(f"{path}/positions/2"))
    requests.post(f"{path}/undo")
    assert "take back" in problem(requests.post(f"{path}/undo"))


def test_a_move_that_comes_too_late(requests):
    state = play(requests, new_table(requests), "b2")
    path = f"/api/tables/{state['id']}/moves"
    answer = requests.post(path, json={"move": "a1", "ply": 0})
    assert "meanwhile" in problem(answer)


def test_resigning_and_players(requests):
    state = new_table(requests, players=["human", "greedy"])
    path = f"/api/tables/{state['id']}"
    swapped = requests.post(f"{path}/players", json={"players": ["greedy", "human"]})
    assert swapped.json()["players"] == ["greedy", "human"]
    assert requests.post(f"{path}/resign").json()["outcome"]["winner"] == 0
    answer = requests.post(f"{path}/players", json={"players": ["nobody", "human"]})
    assert "unknown player" in problem(answer)


def test_tables_do_not_disturb_each_other(requests):
    one, other = new_table(requests), new_table(requests)
    play(requests, one, "b2")
    assert requests.get(f"/api/tables/{other['id']}").json()["moves"] == []


def test_players_and_endings_are_named_as_everywhere(requests):
    moves = ["1", "2"] * 3 + ["1"]
    state = new_table(requests, "connect-four", moves=moves)
    assert state["names"] == ["Red", "Yellow"]
    assert state["outcome"]["text"] == "Red wins."
    state = new_table(requests, "line-three", players=["human"] * 3)
    assert state["names"] == ["X", "O", "Z"]
    state = new_table(requests)
    ended = requests.post(f"/api/tables/{state['id']}/resign").json()
    assert ended["outcome"]["text"] == "O wins. (X: resignation)"


def test_clocks(requests):
    state = new_table(requests, base=60, increment=1)
    assert state["clocks"][1] == 60
    assert 59 < state["clocks"][0] <= 60
    assert (state["base"], state["increment"]) == (60, 1)
    assert new_table(requests)["base"] is None
    answer = requests.post(f"/api/tables/{state['id']}/time").json()
    assert answer["outcome"] is None


# -- what is drawn ---------------------------------------------------------------------


def test_stones_that_fall(requests):
    state = play(requests, new_table(requests, "connect-four"), "4", "4")
    board = state["board"]
    assert board["drops"]
    assert ["4", 3, 3] in board["legal"]
    assert board["last"] == [4, 3]
    cells = requests.get(f"/api/tables/{state['id']}/cells").json()
    assert cells["4"] == [-1, 3]


def test_the_forbidden_cell(requests):
    state = new_table(requests, "connect-four:forbidden=5/3")
    assert state["board"]["cells"][5] == "...#..."
    assert ["4", 4, 3] in state["board"]["legal"]


def test_inner_boards(requests):
    state = play(requests, new_table(requests, "ultimate-tic-tac-toe"), "ae")
    board = state["board"]
    assert board["block"] == 3
    assert {(row // 3, column // 3) for _, row, column in board["legal"]} == {(1, 1)}
    assert board["blocks"] == ["...", "...", "..."]
    moves = ["ba", "ab", "bd", "db", "bg"]
    won = new_table(requests, "ultimate-tic-tac-toe", moves=moves)
    assert won["board"]["blocks"] == [".X.", "...", "..."]


def test_fouls(requests):
    moves = ["H8", "A1", "H9", "A3", "G10", "A5", "F10", "A7"]
    state = new_table(requests, "gomoku:rule=renju", moves=moves)
    assert [5, 7] in state["board"]["forbidden"]  # H10: two open threes


def test_games_without_a_board(requests):
    state = new_table(requests, "pig", moves=["roll", "5"])
    assert state["board"]["cells"] == []
    assert "this turn 5" in state["board"]["text"]
    assert [name for name, *_ in state["board"]["legal"]] == ["roll", "hold"]
    assert state["movers"] == [0, -1]
    alone = new_table(requests, "2048", players=["human"])
    assert len(alone["moves"]) == 2


def test_what_is_hidden_stays_so(requests):
    moves = ["b2", "a1", "a1"]  # X has found the stone of O
    seats = ["human", "random"]
    state = new_table(requests, "phantom-tic-tac-toe", players=seats, moves=moves[:2])
    assert state["moves"] == ["b2", "?"]
    assert "O" not in "".join(state["board"]["cells"]).upper()
    assert problem(requests.get(f"/api/tables/{state['id']}/positions/2"))
    assert problem(requests.get(f"/api/tables/{state['id']}/file"))
    found = new_table(requests, "phantom-tic-tac-toe", players=seats, moves=moves)
    assert "O" in "".join(found["board"]["cells"]).upper()


# -- files -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("connect-four", ["4", "4", "3"]),
        ("gomoku:size=9", ["E5", "E6", "A1"]),
        ("ultimate-tic-tac-toe", ["ae", "ea"]),
    ],
)
def test_a_game_that_goes_on_is_saved_and_loaded(requests, game, moves):
    state = new_table(requests, game, moves=moves)
    path = f"/api/tables/{state['id']}"
    for form in requests.get(f"{path}/formats").json():
        answer = requests.get(f"{path}/file", params={"format": form})
        if form == "psq":
            assert "finished" in problem(answer)
            continue
        assert answer.status_code == 200, answer.text
        loaded = requests.post("/api/files", json={"text": answer.text, "game": game})
        assert loaded.json()["moves"] == moves, form
        assert loaded.json()["game"] == game, form


def test_a_finished_game_is_saved_and_loaded(requests):
    moves = ["A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4", "A5"]
    state = new_table(requests, "gomoku", moves=moves)
    for form in ("json", "sgf", "psq", "pos"):
        path = f"/api/tables/{state['id']}/file?format={form}"
        text = requests.get(path).text
        loaded = requests.post("/api/files", json={"text": text}).json()
        assert (loaded["game"], loaded["moves"]) == ("gomoku", moves), form


def test_moves_as_they_are_typed(requests):
    for text, game, moves in [
        ("4455", "connect-four", ["4", "4", "5", "5"]),
        ("4 4 5", "connect-four", ["4", "4", "5"]),
        ("h8h9", "gomoku", ["H8", "H7"]),
        ("b2 a1", "tic-tac-toe", ["b2", "a1"]),
        ("44 1-0", "", ["4", "4"]),
        ("44 55", "connect-four", ["4", "4", "5", "5"]),
        ("1. h8 i9 2. H9", "gomoku", ["H8", "I9", "H9"]),
        ("H8", "gomoku:size=9", ["H8"]),
        ("(;GM[4]SZ[15];B[hh];W[ii])", "", ["H8", "I7"]),
        ("Piskvorky 15x15, 11:11, 0\n8,8,120", "", ["H8"]),
    ]:
        answer = requests.post("/api/files", json={"text": text, "game": game})
        assert answer.json()["moves"] == moves, text


@pytest.mark.parametrize(
    "text",
    ["{}", "{", "[", "(;", "x", "Piskvorky", "9999", "4444444",
     "# connect-four:x.py:G\n4", '{"game": 1}', "\ufeff", "(;GM[1])",
     json.dumps({"game": "x"})],
)  # fmt: skip
def test_texts_that_are_no_games(requests, text):
    assert problem(requests.post("/api/files", json={"text": text}))


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
     "mcts:trees=1,trees=9", "greedy:ponder=1", "human:"],
)  # fmt: skip
def test_no_player_that_runs_programs_can_be_reached(requests, spec):
    body = {"game": "tic-tac-toe", "players": ["human", spec]}
    assert problem(requests.post("/api/tables", json=body))


def test_all_that_a_search_can_be_told_is_known_here():
    """What is new is either for visitors or not; this cannot be left open."""
    accepted = set(inspect.signature(mcts).parameters) - {"game"}
    assert set(PARAMETERS["mcts"].split()) == accepted - {"ponder"}


def test_what_the_command_line_names_can_be_asked_for():
    game = Gomoku(size=7)
    with client(
        games={"mine.py:G": game}, players=frozenset(["exec:none"])
    ) as requests:
        assert new_table(requests, "mine.py:G")["game"] == "mine.py:G"
        entry = requests.get("/api/games").json()[0]
        assert entry["spec"] == "mine.py:G"
        assert "exec:none" in entry["players"]


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
    detail = problem(answer, 422)
    assert [set(each) for each in detail] == [{"loc", "msg"}]


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
    text = "4" * 400_000
    assert requests.post("/api/files", json={"text": text}).status_code == 413
    many = {"game": "tic-tac-toe", "moves": ["a1"] * 3000}
    assert requests.post("/api/tables", json=many).status_code == 422


def test_long_thinking_is_refused(requests):
    body = {"game": "tic-tac-toe", "seconds": 1e6}
    assert requests.post("/api/tables", json=body).status_code == 422
