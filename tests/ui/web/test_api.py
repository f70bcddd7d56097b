"""Requests: games begin, go on, are taken back, saved and loaded."""

import json

import pytest
from starlette.testclient import TestClient

from playout import make_game
from playout.ui.web.app import STATIC, make_app
from playout.ui.web.settings import Settings
from tests.ui.ring import Ring

from .stub import install
from .support import (
    client,
    follow,
    new_table,
    play,
    problem,
    room_of,
    until,
    wait_for,
)


@pytest.fixture(scope="module")
def requests():
    with client() as found:
        yield found


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


def test_a_visitor_is_known_by_the_network():
    """So that nobody takes more turns with the compiler by changing the address."""
    app = make_app(Settings())
    with TestClient(app, base_url="http://localhost"):
        rooms = []
        for host in ("2001:db8::1", "2001:db8::2", "2001:db8:1::1", "192.0.2.1"):
            visitor = TestClient(app, base_url="http://localhost", client=(host, 1))
            rooms.append(app.state.lobby.find(new_table(visitor)["id"]))
    first, second, *others = [room.visitor for room in rooms]
    assert first == second
    assert len({first, *others}) == 3


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
    requests.post(f"{path}/players", json={"players": ["human", "greedy"]})
    saved = requests.get(f"{path}/file").json()  # by those who played it
    assert (saved["players"], saved["forfeit"]) == (["greedy", "human"], 1)


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
    assert ["4", [[3, 3]]] in board["legal"]
    assert board["last"] == [4, 3]
    cells = requests.get(f"/api/tables/{state['id']}/cells").json()
    assert cells["4"] == [[-1, 3]]


def test_the_forbidden_cell(requests):
    state = new_table(requests, "connect-four:forbidden=5/3")
    assert state["board"]["cells"][5] == "...#..."
    assert ["4", [[4, 3]]] in state["board"]["legal"]


def test_inner_boards(requests):
    state = play(requests, new_table(requests, "ultimate-tic-tac-toe"), "ae")
    board = state["board"]
    assert board["block"] == 3
    assert {(row // 3, column // 3) for _, ((row, column),) in board["legal"]} == {
        (1, 1)
    }
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


@pytest.mark.parametrize("seats", [1, 3, 8])
def test_any_number_of_seats_can_be_played(seats):
    """Each of a person or a program; whoever takes the last of the stones wins."""
    with client(games={"ring": Ring(players=seats)}) as requests:
        entry = next(
            e for e in requests.get("/api/games").json() if e["spec"] == "ring"
        )
        assert entry["names"] == [f"Player {seat + 1}" for seat in range(seats)]
        state = new_table(requests, "ring", players=["human"] * seats)
        state = play(requests, state, *["1"] * 10)
        assert state["movers"] == [ply % seats for ply in range(10)]
        assert state["outcome"]["winner"] == 9 % seats
        programs = [("random", "greedy")[seat % 2] for seat in range(seats - 1)]
        state = new_table(requests, "ring", players=["human", *programs])
        with follow(requests, state) as socket:
            play(requests, state, "2")
            # Programs draw their moves, and may end the game before all have moved.
            wait_for(
                socket,
                "state",
                lambda told: told["outcome"] or len(told["moves"]) >= seats,
            )


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


def test_what_all_players_saw_is_named(requests):
    """Of cards and bets only the cards are hidden."""
    seats, moves = ["human", "random"], ["K", "Q", "pass", "bet"]
    state = new_table(requests, "kuhn-poker", players=seats, moves=moves)
    assert state["moves"] == ["?", "?", "pass", "bet"]


@pytest.mark.parametrize("ended", [False, True])
def test_nothing_hidden_comes_out_by_a_change(requests, ended):
    """Not by other players in the seats, nor by going back, even from the end."""
    seats, moves = ["human", "random"], ["b2", "a1"]
    state = new_table(requests, "phantom-tic-tac-toe", players=seats, moves=moves)
    path = f"/api/tables/{state['id']}"
    if ended:
        state = requests.post(f"{path}/resign").json()
        assert state["moves"] == moves
    else:
        for others in (["random", "human"], ["human", "human"], ["random", "random"]):
            wanted = {"players": others}
            refused = problem(requests.post(f"{path}/players", json=wanted))
            assert "begin a new game" in refused
    for change, body in (("undo", {}), ("redo", {}), ("back", {"ply": 0})):
        refused = problem(requests.post(f"{path}/{change}", json=body))
        assert "begin a new game" in refused
    assert state["binding"]
    assert requests.get(path).json() == state


def test_a_change_of_seats_that_comes_too_late_is_refused(requests, monkeypatch):
    """The game may begin while players are made; those are closed again."""
    script = install(monkeypatch)
    state = new_table(requests, "phantom-tic-tac-toe", players=["human", "random"])
    table, path = room_of(requests, state).table, f"/api/tables/{state['id']}"
    make = table.make_players

    def late(specs):
        made = make(specs)
        table.play("b2")
        return made

    monkeypatch.setattr(table, "make_players", late)
    wanted = {"players": ["stub", "human"]}
    assert "begin a new game" in problem(requests.post(f"{path}/players", json=wanted))
    until(lambda: script.said == ["made", "closed"])
    assert requests.get(path).json()["players"] == ["human", "random"]


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


def test_a_long_game_that_was_saved_is_loaded(requests):
    """2,000 moves with what a search remarks on each: as long as games may be."""
    said = "71.4% 60 sims pv left c4=2 up b3=2 left b3=2 left a2=2 down b4=4 up"
    game = {
        "game": "pig", "players": ["human", "mcts"],
        "moves": ["roll", "1"] * 1000, "comments": [said] * 2000,
        "opening": 0, "seconds": [0.123456] * 2000, "returns": [0.0, 0.0],
        "reason": "unfinished",
    }  # fmt: skip
    answer = requests.post("/api/files", json={"text": json.dumps(game)})
    assert answer.status_code == 200, answer.text
    assert len(answer.json()["moves"]) == 2000


def test_a_game_of_thousands_of_moves_is_loaded(requests):
    moves = ["roll", "2"] * 1500
    text = json.dumps({"game": "pig:target=10000", "moves": moves})
    loaded = requests.post("/api/files", json={"text": text}).json()
    assert loaded["moves"] == moves
    players = ["human", "human"]
    wanted = {"game": loaded["game"], "moves": moves, "players": players}
    answer = requests.post("/api/tables", json=wanted)
    assert answer.json()["moves"] == moves


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


def test_the_kind_of_a_game_is_its_name_without_parameters(requests):
    state = new_table(requests, "gomoku:size=7")
    assert (state["kind"], state["game"]) == ("gomoku", "gomoku:size=7")


def test_a_game_of_a_file_is_loaded_as_it_was_saved(tmp_path):
    file = tmp_path / "rules.py"
    file.write_text("from tests.toys import Nim\n\nclass Heap(Nim):\n    pass\n")
    spec = f"{file}:Heap:stones=9"
    with client(games={spec: make_game(spec)}) as own:
        state = new_table(own, spec)
        play(own, state, "3")
        saved = own.get(f"/api/tables/{state['id']}/file").text
        loaded = own.post("/api/files", json={"text": saved}).json()
        assert (loaded["game"], loaded["moves"]) == (spec, ["3"])
        assert new_table(own, loaded["game"])["moves"] == []
