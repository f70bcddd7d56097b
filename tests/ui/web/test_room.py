"""What a room does with programs: whose answers count, who waits for whom."""

import threading
from types import SimpleNamespace

import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect

from playout.ui.web import room as rooms
from playout.ui.web import view
from playout.ui.web.socket import Watch

from .stub import LONGEST, install
from .support import client, follow, new_table, room_of, say, until, wait_for

FAST = "mcts:simulations=200"


@pytest.fixture
def script(monkeypatch):
    return install(monkeypatch)


@pytest.fixture(scope="module")
def requests():
    with client() as found:
        yield found


def test_programs_play_at_the_pace_of_a_page_that_names_none(requests):
    state = new_table(requests, players=["human", "human"])
    assert state["delay"] == Watch(type="watch", playing=True).delay


# -- whose answers count ---------------------------------------------------------------


def test_a_pause_is_no_order_to_move(requests, script):
    """The move of an interrupted search is not played, even if play goes on by then."""
    state = new_table(requests, players=["stub", "stub"])
    with follow(requests, state) as socket:
        say(socket, "watch", playing=True, delay=0)
        until(lambda: script.said.count("asked") == 1)
        say(socket, "watch", playing=False)
        wait_for(socket, "state", lambda found: not found["playing"])
        say(socket, "watch", playing=True, delay=0)
        wait_for(socket, "state", lambda found: found["playing"])
        script.may_answer.set()
        until(lambda: script.said.count("asked") == 2)
        assert room_of(requests, state).table.position.moves == []
        say(socket, "hurry")
        wait_for(socket, "state", lambda found: len(found["moves"]) == 1)


def test_a_page_that_reloads_makes_nobody_move(requests, script):
    state = new_table(requests, players=["stub", "human"])
    room = room_of(requests, state)
    with follow(requests, state):
        until(lambda: script.said.count("asked") == 1)
    until(lambda: not room.pages)
    with follow(requests, state):
        until(lambda: room.pages)
        script.may_answer.set()
        until(lambda: script.said.count("asked") == 2)
        assert room.table.position.moves == []


def test_who_leaves_a_seat_is_closed_after_the_last_answer(requests, script):
    state = new_table(requests, players=["stub", "human"])
    with follow(requests, state):
        until(lambda: "asked" in script.said)
        body = {"players": ["human", "stub"]}
        answer = requests.post(f"/api/tables/{state['id']}/players", json=body)
        assert answer.json()["players"] == ["human", "stub"]
        assert script.said == ["made", "asked", "made"]
        script.may_answer.set()
        until(lambda: "closed" in script.said)
        assert script.said == ["made", "asked", "made", "answered", "closed"]
    where = {"made": "aside", "asked": "search", "answered": "search"}
    for said, thread in zip(script.said, script.threads, strict=True):
        assert thread.startswith(where.get(said, "search"))


def test_no_program_thinks_longer_than_the_server_allows(script):
    script.may_answer.set()
    with client(seconds=0.5) as requests:
        state = new_table(requests, players=["stub", "human"], base=7200, increment=60)
        with follow(requests, state):
            until(lambda: script.allowances)
    [allowance] = script.allowances
    assert allowance.seconds == 0.5
    assert 7000 < allowance.remaining <= 7200


# -- who waits for whom ----------------------------------------------------------------


def test_a_program_that_only_waits_keeps_no_search_from_a_core(script):
    with client(cores=1) as requests:
        slow = new_table(requests, players=["stub", "human"])
        fast = new_table(requests, players=[FAST, "human"])
        with follow(requests, slow):
            until(lambda: script.said == ["made", "asked"])
            with follow(requests, fast) as socket:
                wait_for(socket, "state", lambda found: len(found["moves"]) == 1)
            assert script.said == ["made", "asked"]
            script.may_answer.set()


def test_nothing_waits_for_what_compiles():
    """A new game, a file and the end of the server do not wait for it."""
    compiled = threading.Event()
    with client() as requests:
        compiler = requests.app.state.lobby.pool._compiler
        compiling = compiler.submit(compiled.wait, LONGEST)
        state = new_table(requests, players=[FAST, "human"])
        loaded = requests.post("/api/files", json={"text": "4455"})
        assert loaded.json()["game"] == "connect-four"
        with follow(requests, state) as socket:
            wait_for(socket, "state", lambda found: found["busy"] == "preparing")
    assert compiling.running()
    compiled.set()


def test_programs_get_ready_while_a_person_thinks(requests, script):
    state = new_table(requests, players=["human", "stub"])
    room = room_of(requests, state)
    assert room.table.unprepared == [1]
    with follow(requests, state):
        until(lambda: room.table.unprepared == [])
    assert script.said == ["made"]


@pytest.fixture
def held_up(requests):
    """The thread that loads and compiles, which does something else until it is told.

    Gives a function that tells it, and waits until all before has been done.
    """
    thread, go_on = requests.app.state.lobby.pool._compiler, threading.Event()
    thread.submit(go_on.wait, LONGEST)

    def finish():
        go_on.set()
        thread.submit(int).result()

    yield SimpleNamespace(finish=finish, waiting=thread._work_queue.qsize)
    finish()


@pytest.mark.parametrize("players", [["human", "stub"], ["stub", "human"]])
def test_nothing_is_compiled_for_a_page_that_has_gone(
    requests, script, held_up, players
):
    state = new_table(requests, players=players)
    room = room_of(requests, state)
    with follow(requests, state):
        until(lambda: held_up.waiting() == 1)
    until(lambda: not room.pages)
    held_up.finish()
    assert room.table.unprepared == [players.index("stub")]


def test_nothing_is_compiled_for_a_hint_that_nobody_waits_for(requests, held_up):
    state = new_table(requests)
    room = room_of(requests, state)
    with follow(requests, state) as socket:
        say(socket, "hint")
        until(lambda: held_up.waiting() == 1)
    until(lambda: not room.pages)
    held_up.finish()
    until(lambda: room.analyst.busy == "")
    assert room.analyst._main is None


def test_a_position_is_drawn_once(requests, monkeypatch):
    drawn = []

    def draw(position, over):
        drawn.append(list(position.moves))
        return board_view(position, over)

    board_view = view.board_view
    monkeypatch.setattr(view, "board_view", draw)
    state = new_table(requests, players=["human", FAST])
    with follow(requests, state), follow(requests, state) as socket:
        requests.post(f"/api/tables/{state['id']}/moves", json={"move": "b2"})
        last = wait_for(socket, "state", lambda found: len(found["moves"]) == 2)
    moves = last["moves"]
    assert drawn == [moves[:0], moves[:1], moves]


# -- what was thought of other moves ---------------------------------------------------


def test_nothing_is_learned_of_moves_that_were_taken_back(requests):
    state = new_table(requests, moves=["b2", "a1"])
    room = room_of(requests, state)
    old = tuple(room.table.position.actions)
    for path, body in [("undo", None), ("moves", {"move": "c1"})]:
        requests.post(f"/api/tables/{state['id']}/{path}", json=body)
    thought = {"ply": 2, "to_move": 0, "visits": 9999, "win_rate": 0.9, "proven": None}
    with follow(requests, state) as socket:
        for kind in ("value", "analysis", "thinking"):
            requests.portal.call(room._hear, kind, thought, old)
        assert room.values.shown() == {}
        requests.portal.call(room._hear, "analysis", {**thought, "done": True}, old)
        assert wait_for(socket, "analysis").get("visits") is None
        requests.portal.call(room._hear, "analysis", {**thought, "ply": 1}, old[:1])
        assert wait_for(socket, "analysis")["visits"] == 9999
    assert list(room.values.shown()) == [1]


def test_a_review_ends_with_the_game_that_it_is_of(requests, monkeypatch):
    monkeypatch.setattr(rooms, "REVIEW_SECONDS", 30.0)
    state = new_table(requests, "connect-four", moves=["4", "4"])
    analyst = room_of(requests, state).analyst
    with follow(requests, state) as socket:
        say(socket, "review")
        until(lambda: analyst.busy == "review")
        requests.post(f"/api/tables/{state['id']}/moves", json={"move": "4"})
        assert not analyst._current.stopped  # the game still comes through it all
        for _ in range(2):
            requests.post(f"/api/tables/{state['id']}/undo")
        until(lambda: analyst.busy == "")


# -- pages -----------------------------------------------------------------------------


def test_a_room_may_be_gone_when_its_page_comes(requests, monkeypatch):
    state = new_table(requests)
    accept = WebSocket.accept

    async def accept_late(socket, *arguments, **options):
        requests.app.state.lobby.drop(state["id"])
        await accept(socket, *arguments, **options)

    monkeypatch.setattr(WebSocket, "accept", accept_late)
    with follow(requests, state) as socket, pytest.raises(WebSocketDisconnect) as end:
        socket.receive_json()
    assert end.value.code == 4404


def test_a_page_that_cannot_be_told_is_let_go(requests):
    """It connects anew; otherwise it would get no messages any more."""
    state = new_table(requests)
    room = room_of(requests, state)
    try:
        with follow(requests, state) as socket:
            wait_for(socket, "state")
            requests.portal.call(room.tell, "odd", {"what": object()})
            until(lambda: not room.pages)
    except* (TypeError, WebSocketDisconnect):
        pass
    assert not room.pages
