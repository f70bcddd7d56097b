"""The games of a server: which of them end when there is no place for another."""

from types import SimpleNamespace

from playout.games.registry import game_spec
from playout.ui.web import lobby as lobbies

from .stub import install
from .support import client, follow, new_table, problem, until, wait_for


def test_who_was_seated_is_closed_where_the_last_place_was_taken_meanwhile(monkeypatch):
    script = install(monkeypatch)
    make = lobbies.make_table
    with client(tables=1) as requests:
        rooms = requests.app.state.lobby._rooms

        def made_too_late(*arguments):
            rooms["another"] = SimpleNamespace(pages={"one"}, touched=0.0)
            return make(*arguments)

        monkeypatch.setattr(lobbies, "make_table", made_too_late)
        wanted = {"game": "tic-tac-toe", "players": ["stub", "human"]}
        refused = problem(requests.post("/api/tables", json=wanted), status=503)
        assert "too many" in refused
        until(lambda: script.said == ["made", "closed"])
        del rooms["another"]


def test_the_game_that_was_left_first_makes_place():
    with client(tables=2) as requests:
        rooms = requests.app.state.lobby._rooms
        first, second = new_table(requests), new_table(requests)
        rooms[first["id"]].touched += 1.0
        third = new_table(requests)
        assert list(rooms) == [first["id"], third["id"]]
        assert second["id"] not in rooms


def test_games_that_were_left_long_ago_end_with_the_next():
    """Games that somebody watches stay, however old they are."""
    with client(tables=9, idle=100.0) as requests:
        lobby = requests.app.state.lobby
        states = [new_table(requests) for _ in range(3)]
        long_ago, lately, looked_at = (lobby.find(state["id"]) for state in states)
        long_ago.touched -= 101.0
        lately.touched -= 50.0
        looked_at.touched -= 101.0
        with follow(requests, states[2]) as socket:
            wait_for(socket, "state")
            looked_at.touched -= 101.0
            last = new_table(requests)
            assert len(lobby) == 3
            ids = [lately.id, looked_at.id, last["id"]]
            assert list(lobby._rooms) == ids
            until(lambda: not lobby._closing)


def test_a_game_that_is_dropped_is_closed(monkeypatch):
    script = install(monkeypatch)
    with client() as requests:
        lobby = requests.app.state.lobby
        state = new_table(requests, players=["stub", "human"])
        requests.portal.call(lobby.drop, state["id"])
        until(lambda: script.said == ["made", "closed"])
        requests.portal.call(lobby.drop, state["id"])  # nothing to be done
        assert len(lobby) == 0


def test_a_cell_left_to_chance_is_that_of_the_game_from_then_on():
    spec = "connect-four:rows=4,columns=4,forbidden=random"
    with client() as requests:
        states = [new_table(requests, spec) for _ in range(8)]
        for state in states:
            assert "random" not in state["game"]
            room = requests.app.state.lobby.find(state["id"])
            assert game_spec(room.table.game) == state["game"]
        assert len({state["game"] for state in states}) > 1
        wanted = {"game": "nothing:forbidden=random"}
        assert "unknown game" in problem(requests.post("/api/tables", json=wanted))
