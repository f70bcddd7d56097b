"""Who may ask the server for anything."""

import pytest
from starlette.websockets import WebSocketDisconnect

from .support import client, follow, new_table


def test_only_names_of_this_machine_are_answered():
    with client() as requests:
        for host in ("localhost:8642", "127.0.0.1", "[::1]:80", "LOCALHOST"):
            assert requests.get("/", headers={"Host": host}).status_code == 200
        for host in ("evil.example", "localhost.evil.example", "192.168.0.1", ""):
            assert requests.get("/", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize(
    "host",
    ["localhost:evil.com", "localhost:8765@evil.com", "[::1]evil.com", "localhost:",
     "[::1]:80:80", "[::1", "::1", "localhost@evil.com", "localhost:80 ",
     "localhost:8²", "localhost/evil.com", "evil.com#localhost", "localhost.",
     "localhost, evil.com", "localhost:800000"],
)  # fmt: skip
def test_what_only_begins_like_a_name_of_this_machine_is_none(host):
    with client() as requests:
        headers = {"Host": host.encode("latin-1")}
        assert requests.get("/", headers=headers).status_code == 403


def test_two_names_are_none():
    with client() as requests:
        headers = [("Host", "localhost"), ("Host", "evil.com")]
        assert requests.get("/", headers=headers).status_code == 403


def test_other_sites_change_nothing():
    with client() as requests:
        body = {"game": "tic-tac-toe"}
        for origin, status in [
            ("http://evil.example", 403),
            ("null", 403),
            ("http://[", 403),
            ("//[x]", 403),
            ("http://localhost", 201),
        ]:
            headers = {"Origin": origin}
            answer = requests.post("/api/tables", json=body, headers=headers)
            assert answer.status_code == status
        state = new_table(requests)
        headers = {"Origin": "http://evil.example"}
        with (
            pytest.raises(WebSocketDisconnect),
            follow(requests, state, headers=headers),
        ):
            pass


def test_nothing_is_loaded_from_elsewhere():
    with client() as requests:
        policy = requests.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_token():
    with client(token="secret", hosts=()) as requests:
        assert requests.get("/").status_code == 401
        assert requests.get("/api/games").status_code == 401
        assert requests.get("/?token=wrong").status_code == 401
        assert requests.get("/?token=sécret").status_code == 401
        with pytest.raises(WebSocketDisconnect), follow(requests, {"id": "A" * 16}):
            pass
        bearer = {"Authorization": "Bearer secret"}
        assert requests.get("/api/games", headers=bearer).status_code == 200
        answer = requests.get("/?token=secret", follow_redirects=False)
        assert answer.headers["location"] == "/"
        assert "HttpOnly" in answer.headers["set-cookie"]
        assert "SameSite=lax" in answer.headers["set-cookie"]
        assert requests.get("/").status_code == 200
        state = new_table(requests)
        cookie = {"Cookie": "playout-token=secret"}
        with follow(requests, state, headers=cookie) as socket:
            assert socket.receive_json()["type"] == "state"


@pytest.mark.parametrize(
    "others",
    ["a/b=c; ", 'j={"a": 1}; ', "; =; ;;", 'q="; ', "x" * 5000 + "; ", "é=é; "],
)
def test_cookies_of_other_servers_on_this_machine(others):
    with client(token="secret", hosts=()) as requests:
        for known, status in (("playout-token=secret", 200), ("playout-token=", 401)):
            cookie = (others + known).encode("latin-1")
            answer = requests.get("/api/games", headers={"Cookie": cookie})
            assert answer.status_code == status


@pytest.mark.parametrize("length", ["-1", "x", "9" * 40])
def test_lengths_that_are_none(length):
    with client() as requests:
        headers = {"Content-Length": length, "Content-Type": "application/json"}
        answer = requests.post("/api/files", content=b"{}", headers=headers)
        assert answer.status_code == 413
