"""The socket of a page: programs answer, searches tell what they think, and stop."""

import json
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playout.ui.web import analyst
from playout.ui.web.socket import BURST, LONGEST_MESSAGE, Analyse

from .support import client, code_of, follow, new_table, room_of, say, until, wait_for

FAST = "mcts:simulations=200"
#: Longer than what is asked for takes on a machine that is busy.
LONG = 60


@pytest.fixture(scope="module")
def requests():
    with client() as found:
        yield found


def test_a_program_answers(requests):
    state = new_table(requests, players=["human", FAST])
    with follow(requests, state) as socket:
        assert wait_for(socket, "state")["moves"] == []
        requests.post(f"/api/tables/{state['id']}/moves", json={"move": "b2"})
        message = wait_for(socket, "state", lambda found: len(found["moves"]) == 2)
        assert message["board"]["to_move"] == 0


def test_programs_think_only_while_a_page_is_open(requests):
    state = new_table(
        requests, "connect-four", players=["mcts:book=no", "human"], seconds=LONG
    )
    time.sleep(0.3)
    room = room_of(requests, state)
    assert room.busy == ""
    with follow(requests, state) as socket:
        wait_for(socket, "state", lambda found: found["busy"] == "thinking")
        wait_for(socket, "thinking")
    until(lambda: room._driver.done())
    assert room.table.position.moves == []


def test_a_change_ends_what_is_being_thought(requests):
    state = new_table(
        requests, "connect-four", players=["human", "mcts:book=no"], seconds=LONG
    )
    with follow(requests, state) as socket:
        requests.post(f"/api/tables/{state['id']}/moves", json={"move": "4"})
        wait_for(socket, "thinking")
        undone = requests.post(f"/api/tables/{state['id']}/undo").json()
        assert undone["moves"] == []
        until(lambda: room_of(requests, state)._driver.done())
        assert room_of(requests, state).table.position.moves == []


def test_move_now(requests):
    state = new_table(
        requests, "connect-four", players=["mcts:book=no", "human"], seconds=LONG
    )
    with follow(requests, state) as socket:
        wait_for(socket, "thinking")
        say(socket, "hurry")
        assert wait_for(socket, "state", lambda found: found["moves"])


def test_watching(requests):
    # Games of so many moves that this one is not over before it is paused.
    state = new_table(requests, "gomoku:size=9", players=["random", "random"])
    with follow(requests, state) as socket:
        say(socket, "watch", playing=False)
        paused = wait_for(socket, "state", lambda found: not found["playing"])
        before = len(paused["moves"])
        say(socket, "watch", playing=False, steps=1, delay=0)
        stepped = wait_for(socket, "state", lambda found: len(found["moves"]) > before)
        assert len(stepped["moves"]) == before + 1
        assert not stepped["playing"]
        say(socket, "watch", playing=True, delay=0)
        wait_for(socket, "state", lambda found: found["outcome"])


def test_analysis_comes_while_it_is_made_and_can_be_stopped(requests):
    state = new_table(requests, "connect-four")
    with follow(requests, state) as socket:
        say(socket, "analyse", ply=0, seconds=LONG)
        first = wait_for(socket, "analysis", lambda found: "visits" in found)
        enough = max(20_000, first["visits"] + 1)
        later = wait_for(socket, "analysis", lambda found: found["visits"] > enough)
        assert not later.get("done")
        assert later["move"] in {row["move"] for row in later["actions"]}
        row = later["actions"][0]
        assert {"move", "visits", "win_rate", "error", "proven", "line"} <= set(row)
        assert row["line"][0] == row["move"]
        say(socket, "stop")
        end = wait_for(socket, "analysis", lambda found: found.get("done"))
        assert end["stopped_by"] == "callback"
        until(lambda: room_of(requests, state).analyst.busy == "")


def test_all_moves_are_told_at_the_end_of_an_analysis(requests, monkeypatch):
    monkeypatch.setattr(analyst, "ON_THE_WAY", 2)
    state = new_table(requests, "connect-four")
    with follow(requests, state) as socket:
        say(socket, "analyse", ply=0, seconds=LONG)
        first = wait_for(socket, "analysis", lambda found: found.get("visits", 0) > 99)
        assert len(first["actions"]) == 2
        say(socket, "stop")
        end = wait_for(socket, "analysis", lambda found: found.get("done"))
        assert len(end["actions"]) == 7


def test_more_time_goes_on_with_the_same_tree(requests):
    state = new_table(requests, "connect-four")
    with follow(requests, state) as socket:
        visits = []
        for _ in range(2):
            say(socket, "analyse", ply=0, seconds=0.3)
            end = wait_for(socket, "analysis", lambda found: found.get("done"))
            visits.append((end["visits"], end["simulations"]))
        assert visits[1][0] > visits[0][0]
        assert visits[1][0] == visits[0][0] + visits[1][1]


def test_nothing_hidden_is_told_by_what_cannot_be_played(requests):
    """A refused guess would list the cells that the other side knows as free."""
    seats = ["human", "random"]
    state = new_table(requests, "phantom-tic-tac-toe", players=seats, moves=["b2"])
    with follow(requests, state) as socket:
        for move in (f"{column}{row}" for column in "abc" for row in "123"):
            for ply in (0, 1):
                say(socket, "why", ply=ply, move=move)
                told = wait_for(socket, "error")["message"]
                assert told == "an analysis would show what this game hides"


def test_what_is_refused_is_told_to_whoever_waits(requests):
    state = new_table(requests, moves=["a1", "b1", "a2", "b2", "a3"])
    with follow(requests, state) as socket:
        for kind, answer in (("hint", "hint"), ("analyse", "analysis")):
            say(socket, kind, **({"ply": 5} if kind == "analyse" else {}))
            found = {}
            while not {"error", answer} <= found.keys():  # in either order
                message = socket.receive_json()
                found[message["type"]] = message
            assert found["error"]["message"] == "the game is over in this position"
            assert found[answer] == {"type": answer, "done": True, "stopped": True}


def test_a_message_of_another_form_is_told_what_is_wrong(requests):
    state = new_table(requests)
    with follow(requests, state) as socket:
        say(socket, "analyse", ply=-1)
        told = wait_for(socket, "error")["message"]
        assert told == (
            "a message is not understood: "
            "ply: input should be greater than or equal to 0"
        )
        say(socket, "why", ply=0, move="a move with a long name")
        assert "a move with a long name" in wait_for(socket, "error")["message"]


def test_analysis_ends_with_its_page(requests):
    state = new_table(requests, "connect-four")
    with follow(requests, state) as socket:
        say(socket, "analyse", ply=0, seconds=LONG)
        wait_for(socket, "analysis", lambda found: "visits" in found)
    until(lambda: room_of(requests, state).analyst.busy == "")


def test_trees_are_freed_when_no_page_comes_back(requests, monkeypatch):
    monkeypatch.setattr("playout.ui.web.room.REST_SECONDS", 0.1)
    state = new_table(requests, "connect-four")
    analyst = room_of(requests, state).analyst
    with follow(requests, state) as socket:
        say(socket, "analyse", ply=0, seconds=0.1)
        wait_for(socket, "analysis", lambda found: found.get("done"))
        assert analyst._main is not None
    until(lambda: analyst._main is None)


def test_the_tree_is_unfolded_branch_by_branch(requests):
    state = new_table(requests, "connect-four")
    with follow(requests, state) as socket:
        say(socket, "tree", path=[])
        assert wait_for(socket, "tree")["children"] == []
        say(socket, "analyse", ply=0, seconds=0.3)
        wait_for(socket, "analysis", lambda found: found.get("done"))
        say(socket, "tree", path=[])
        root = wait_for(socket, "tree")
        assert root["player"] == 0
        best = root["children"][0]["move"]
        visits = [child["visits"] for child in root["children"]]
        assert visits == sorted(visits, reverse=True)
        say(socket, "tree", path=[best, "4"])
        inner = wait_for(socket, "tree")
        assert (inner["path"], inner["player"]) == ([best, "4"], 0)
        assert sum(child["visits"] for child in inner["children"]) < visits[0]
        say(socket, "tree", path=["9"])
        assert wait_for(socket, "tree")["children"] == []


@pytest.fixture
def patience(monkeypatch):
    """A busy machine finds what it is to find; what is proven ends a search."""
    monkeypatch.setattr("playout.ui.web.socket.HINT_SECONDS", LONG)
    monkeypatch.setattr("playout.ui.web.socket.WHY_SECONDS", LONG)
    monkeypatch.setattr("playout.ui.web.room.REVIEW_SECONDS", LONG)


@pytest.mark.usefixtures("patience")
def test_a_hint(requests):
    state = new_table(requests, moves=["b2", "a1", "c3"])
    with follow(requests, state) as socket:
        say(socket, "hint")
        hint = wait_for(socket, "hint")
        assert hint["move"] in {"a3", "c1", "a2", "b1"}
        state = new_table(requests, moves=["a1", "b1", "a2", "b2"])
    with follow(requests, state) as socket:
        say(socket, "hint")
        hint = wait_for(socket, "hint")
        assert (hint["move"], hint["proven"]) == ("a3", "win")


@pytest.mark.usefixtures("patience")
def test_why_not_this_move(requests):
    state = new_table(requests, moves=["a1", "b1", "a2", "b2"])
    with follow(requests, state) as socket:
        say(socket, "why", ply=4, move="c3")
        answer = wait_for(socket, "why")
        assert answer["best"] == "a3"
        assert answer["win_rate"] == 0
        assert "c3 is a blunder: it wins 0% of the points, a3 100%" in answer["text"]
        assert "b3, and wins by force" in answer["text"]
        say(socket, "why", ply=4, move="a3")
        assert "the move the search would play" in wait_for(socket, "why")["text"]
        say(socket, "why", ply=4, move="a1")
        message = wait_for(socket, "error")["message"]
        assert "a1 cannot be played" in message


@pytest.mark.usefixtures("patience")
def test_a_review_finds_the_blunder(requests):
    moves = ["b2", "a1", "c3", "b1", "a3", "c2"]  # c1 wins each of the last times
    state = new_table(requests, moves=moves)
    with follow(requests, state) as socket:
        say(socket, "review")
        wait_for(socket, "review")
    values = requests.get(f"/api/tables/{state['id']}").json()["values"]
    assert set(values) == {str(ply) for ply in range(len(moves) + 1)}
    assert values["4"] == 1.0
    assert values["5"] == 0.0
    assert values["6"] == 1.0


def test_two_pages_at_one_table_see_the_same(requests):
    state = new_table(requests)
    with follow(requests, state) as one, follow(requests, state) as other:
        requests.post(f"/api/tables/{state['id']}/moves", json={"move": "b2"})
        for socket in (one, other):
            assert wait_for(socket, "state", lambda found: found["moves"] == ["b2"])


def test_no_game_no_socket(requests):
    with follow(requests, {"id": "A" * 16}) as socket:
        assert code_of(socket) == 4404


def test_too_many_pages():
    with client(sockets_at_table=1) as requests:
        state = new_table(requests)
        with follow(requests, state), follow(requests, state) as second:
            assert code_of(second) == 4429


def test_too_many_messages(requests, monkeypatch):
    """So many at once are read, and the next one is too much."""
    monkeypatch.setattr("playout.ui.web.socket.RATE", 0.0)
    with follow(requests, new_table(requests)) as socket:
        for _ in range(BURST - 1):
            say(socket, "stop")
        say(socket, "none that there is")
        wait_for(socket, "error", errors=True)
        say(socket, "stop")
        assert code_of(socket) == 4408


def test_a_message_may_be_so_long_and_no_longer(requests):
    with follow(requests, new_table(requests)) as sock:
        wait_for(sock, "state")
        sock.send_text('{"type": "stop"}'.ljust(LONGEST_MESSAGE))
        say(sock, "analyse", ply=0, seconds=0.1)
        wait_for(sock, "analysis")
        sock.send_text('{"type": "stop"}'.ljust(LONGEST_MESSAGE + 1))
        wait_for(sock, "error", errors=True)


def test_that_a_search_is_prepared_is_told_once(requests):
    told = []

    def is_over(found):
        told.append(found)
        return found.get("done")

    with follow(requests, new_table(requests)) as sock:
        for _ in range(2):
            say(sock, "analyse", ply=0, seconds=0.1)
            wait_for(sock, "analysis", is_over)
    assert [bool(found.get("preparing")) for found in told] == [True] + [False] * (
        len(told) - 1
    )


def test_an_analysis_lasts_ten_seconds_unless_it_is_told():
    assert Analyse(type="analyse", ply=0).seconds == 10


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KINDS = ["analyse", "stop", "hint", "why", "tree", "review", "watch", "hurry", "x"]
FIELDS = ["ply", "seconds", "move", "path", "playing", "delay", "steps"]
MESSAGES = st.builds(
    lambda kind, fields: json.dumps({"type": kind, **fields}),
    st.sampled_from(KINDS),
    st.dictionaries(st.sampled_from(FIELDS), JSON | st.sampled_from([0, 1, "b2"])),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(MESSAGES | JSON.map(json.dumps) | st.text(), max_size=12), st.binary())
def test_whatever_is_sent_the_socket_answers(requests, texts, octets):
    """After any messages, a valid one is carried out."""
    state = new_table(requests, moves=["b2"])
    with follow(requests, state) as socket:
        for text in texts:
            socket.send_text(text)
        socket.send_bytes(octets)
        requests.post(f"/api/tables/{state['id']}/moves", json={"move": "a1"})
        played = ["b2", "a1"]
        assert wait_for(socket, "state", lambda f: f["moves"] == played, errors=True)


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("kind", ["hint", "why", "review"])
def test_whoever_waits_is_told_that_nothing_comes(requests, kind):
    state = new_table(requests, "connect-four", moves=["4"] * 5 + ["3"] * 5)
    more = {"ply": 0, "move": "4"} if kind == "why" else {}
    with follow(requests, state) as socket:
        say(socket, kind, **more)
        until(lambda: room_of(requests, state).analyst.busy == kind)
        say(socket, "analyse", ply=0, seconds=0.1)
        assert wait_for(socket, kind) == {"type": kind, "done": True, "stopped": True}
        wait_for(socket, "analysis", lambda found: found.get("done"))


def test_who_asks_twice_is_told_only_what_is_found(requests):
    state = new_table(requests, "connect-four")
    with follow(requests, state) as socket:
        for _ in range(3):
            say(socket, "hint")
        assert "move" in wait_for(socket, "hint")
