"""Engines as processes: orders in the middle of a thought, time, memory, the end.

Also of `ui/engine/loop.py` and `ui/cli/commands/engine.py`.
"""

import json
import subprocess
import sys
import time

import pytest

from playout.arena.clock import TimeControl
from playout.arena.session import Session
from playout.games.gomoku.rules import Gomoku
from playout.games.registry import make_game
from playout.players.external import ExternalPlayer
from playout.players.registry import make_player
from playout.protocols.process import ProcessTransport
from playout.protocols.transport import EngineClosed
from playout.search.mcts import MCTS
from tests.ui.slowness import Slowness

ENGINE = [sys.executable, "-m", "playout", "engine"]
PBRAIN = [
    sys.executable,
    "-c",
    "from playout.ui.engine.pbrain import main; main()",
]
#: For what takes no time by itself, on a busy machine.
SECONDS = 20


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Nothing here waits for a compiler."""
    for name in ("gomoku", "connect-four", "tic-tac-toe"):
        make_player("mcts", make_game(name)).prepare()


class Talk:
    """A process that is talked to; `with` ends it."""

    def __init__(self, *command):
        self.transport = ProcessTransport(list(command))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.transport.close()

    def say(self, *lines):
        for line in lines:
            self.transport.send(line)

    def hear(self, seconds=SECONDS):
        """The next line."""
        line = self.transport.receive(seconds)
        assert line is not None, "no answer"
        return line

    def hear_until(self, beginning, seconds=SECONDS):
        """The lines up to the first with this beginning."""
        lines = [self.hear(seconds)]
        while not lines[-1].startswith(beginning):
            lines.append(self.hear(seconds))
        return lines

    def hear_end(self, seconds=SECONDS):
        """The lines up to the end of the process."""
        lines = []
        while True:
            try:
                lines.append(self.hear(seconds))
            except EngineClosed:
                return lines


def gomocup(*infos):
    """An engine that has made a move: a busy machine may be slow to load the rules."""
    talk = Talk(*PBRAIN)
    talk.say("INFO max_node 50", "START 15", "BOARD", "7,7,2", "DONE")
    assert talk.hear() == "OK"
    talk.hear_until(tuple("0123456789"), 3 * SECONDS)
    talk.say("START 15", "INFO max_node 0", *(f"INFO {info}" for info in infos))
    assert talk.hear() == "OK"
    return talk


# -- Gomocup ---------------------------------------------------------------------------


def test_the_first_move_comes_in_time():
    """In every case; from the search if the turn is long enough to load the rules."""
    MCTS(Gomoku()).compile()  # onto the disk, for as long as that takes
    for turn in (0.5, 1, 2, 4, 8, 16):
        with Talk(*PBRAIN) as talk:
            talk.say(f"INFO timeout_turn {turn * 1000:.0f}", "START 15")
            assert talk.hear() == "OK"
            talk.say("ABOUT")
            talk.hear()
            with Slowness() as slowness:
                talk.say("INFO time_left 60000", "BOARD", "7,7,2", "DONE")
                *remarks, move = talk.hear_until(tuple("0123456789"), turn + SECONDS)
            assert slowness.seconds < turn + 2 * slowness.factor
            assert move != "7,7"
            if remarks and "sims" in remarks[0]:
                return
    pytest.fail("the search was never ready")


def test_stopped_in_the_middle_of_a_thought():
    with gomocup("timeout_turn 60000") as talk:
        talk.say("BOARD", "7,7,2", "DONE", "INFO timeout_turn 1", "ABOUT")
        time.sleep(0.5)
        started = time.monotonic()
        talk.say("YXSTOP")
        assert talk.hear().startswith("MESSAGE ")
        x, y = talk.hear().split(",")
        assert time.monotonic() - started < 10
        assert 0 <= int(x) < 15
        assert 0 <= int(y) < 15
        assert talk.hear().startswith('name="Playout"')


def test_ended_in_the_middle_of_a_thought():
    with gomocup("timeout_turn 60000") as talk:
        talk.say("BOARD", "7,7,2", "DONE")
        time.sleep(0.5)
        started = time.monotonic()
        talk.say("END")
        assert talk.hear_end() == []
        assert time.monotonic() - started < 10
        assert talk.transport.exit_code == 0
        assert talk.transport.stderr_tail == ""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_was_asked_before_the_end_of_input_is_answered(end):
    lines = ["INFO max_node 50", "START 15", "BEGIN", "TURN 0,0"]
    done = subprocess.run(
        PBRAIN,
        input=end.join(lines).encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    said = [line for line in done.stdout.splitlines() if b"MESSAGE" not in line]
    assert said[:2] == [b"OK", b"7,7"]
    assert len(said) == 3


@pytest.mark.parametrize(
    ("command", "lines", "answers"),
    [
        (
            [*ENGINE, "ugi", "tic-tac-toe"],
            ["isready", "position startpos moves b2", "go nodes 50", "quit", "isready"],
            [b"readyok", b"bestmove"],
        ),
        (PBRAIN, ["START 15", "ABOUT", "END", "ABOUT"], [b"OK", b'name="Playout"']),
    ],
)
def test_what_was_asked_before_the_order_to_end_is_answered(command, lines, answers):
    """As all engines are first tried: by a pipe that has every line at once."""
    text = "".join(f"{line}\n" for line in lines).encode()
    done = subprocess.run(
        command, input=text, capture_output=True, timeout=120, check=True
    )
    said = [line for line in done.stdout.splitlines() if not line.startswith(b"info")]
    assert len(said) == len(answers)
    for line, beginning in zip(said, answers, strict=True):
        assert line.startswith(beginning)


def test_prints_of_players_are_no_answers(tmp_path):
    """Not even those of a file that is loaded before the first line is read."""
    (tmp_path / "chatty.py").write_text(
        'print("loaded")\n\ndef make(game):\n    print("made")\n'
        "    return lambda position: position.legal_actions()[0]\n"
    )
    done = subprocess.run(
        [*ENGINE, "ugi", "tic-tac-toe", "--player", "chatty.py:make"],
        input=b"isready\nposition startpos\ngo nodes 9\nquit\n",
        capture_output=True,
        timeout=120,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.splitlines() == [b"readyok", b"bestmove a3"]
    assert b"loaded" in done.stderr


def test_a_line_that_is_too_long_is_called_that():
    long = {"id": 1, "action": "query_position", "moves": "b2 " * 400_000}
    done = subprocess.run(
        [*ENGINE, "jsonl", "tic-tac-toe"],
        input=f'{json.dumps(long)}\n{{"id":2,"action":"query_version"}}\n'.encode(),
        capture_output=True,
        timeout=120,
        check=True,
    )
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == {"error": "a line has at most 1,048,576 bytes"}
    assert second["id"] == 2


def test_nobody_listens():
    talk = Talk("sh", "-c", f"{sys.executable} -m playout engine gomocup | true")
    with talk:
        talk.say("START 15", "ABOUT", "ABOUT")
        assert talk.hear_end() == []
        assert "Traceback" not in talk.transport.stderr_tail


def test_memory_is_kept():
    limit = 250 << 20
    infos = ("timeout_turn 600", f"max_memory {limit}")
    with gomocup(*infos) as talk:
        held = []
        talk.say("BOARD", "7,7,2", "DONE")
        for turn in ("TURN 0,14", "TURN 14,0", None):
            said = talk.hear_until(tuple("0123456789"))
            held.append(talk.transport.memory())
            assert "sims" in said[0]
            if turn:
                talk.say(turn)
        assert max(held) < limit
        assert max(held) > 50_000_000  # the measure is no illusion


def test_arguments_of_the_tournament_program():
    for arguments, code in ((["chess"], 2), (["mcts", "x"], 0), (["--help"], 0)):
        done = subprocess.run(
            [*PBRAIN, *arguments], capture_output=True, text=True, stdin=None
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr


# -- UGI -------------------------------------------------------------------------------


def test_ugi_thinks_until_it_is_stopped():
    with Talk(*ENGINE, "ugi", "tic-tac-toe") as talk:
        talk.say("isready")
        assert talk.hear() == "readyok"
        # One legal move: the search is done at once, and waits all the same.
        talk.say("position startpos moves b2 a1 a2 c2 b3 b1 c1 a3", "go infinite")
        assert talk.transport.receive(0.5) is None
        talk.say("isready")
        assert talk.hear() == "readyok"
        talk.say("stop")
        assert talk.hear().startswith("info depth")
        assert talk.hear() == "bestmove c3"
        talk.say("go infinite", "stop", "go nodes 5", "quit")
        best = [line for line in talk.hear_end() if line.startswith("bestmove")]
        assert best == ["bestmove c3"] * 2


def test_ugi_reports_and_goes_as_deep_as_asked():
    with Talk(*ENGINE, "ugi", "connect-four") as talk:
        talk.say("position startpos moves 4", "go depth 12")
        *infos, best = talk.hear_until("bestmove")
        depth = int(infos[-1].split()[2])
        assert depth >= 12
        assert best.split()[1] in "1234567"
        talk.say("go movetime 2500")
        infos = talk.hear_until("bestmove")[:-1]
        # One a second, which a busy machine may miss once, and one at the end.
        assert len(infos) in (2, 3)


# -- JSON lines ------------------------------------------------------------------------


def test_analyses_are_reported_and_terminated():
    with Talk(*ENGINE, "jsonl", "connect-four") as talk:
        talk.say(
            '{"id":"long","limit":{"seconds":60},"reportEvery":0.2}',
            '{"id":"next","moves":"4","limit":{"seconds":60}}',
            '{"id":"short","limit":{"simulations":10}}',
        )
        parts = [json.loads(talk.hear()) for _ in range(3)]
        assert {part["id"] for part in parts} == {"long"}
        assert all(part["isDuringSearch"] for part in parts)
        simulations = [part["simulations"] for part in parts]
        assert simulations == sorted(set(simulations))
        talk.say('{"id":"long","moves":""}')  # an id that is in use
        talk.say('{"id":"x","action":"terminate","terminateId":"next"}')
        talk.say('{"id":"y","action":"terminate","terminateId":"long"}')
        said = [json.loads(line) for line in talk.hear_until('{"id":"long","error"')]
        said = [answer for answer in said if not answer.get("isDuringSearch")]
        assert [answer["id"] for answer in said[:2]] == ["x", "y"]
        done, nothing, short, in_use = said[2:]
        assert done["id"] == "long"
        assert done["stopped_by"] == "callback"
        assert nothing == {"id": "next", "isDuringSearch": False, "noResults": True}
        assert short["simulations"] == 10
        assert in_use["field"] == "id"


# -- against each other ----------------------------------------------------------------


def test_our_engines_under_our_own_manager():
    game = Gomoku()
    player = "--player mcts:simulations=60"
    gomocup = f"{sys.executable} -m playout engine gomocup {player}"
    ugi = f"{sys.executable} -m playout engine ugi gomoku {player}"
    jsonl = f"{sys.executable} -m playout engine jsonl {player}"
    with (
        ExternalPlayer(gomocup, game) as first,
        ExternalPlayer(ugi, game, "ugi") as second,
        ExternalPlayer(jsonl, game, "jsonl") as third,
    ):
        control = TimeControl(seconds=5.0)
        opening = ["H8", "A1", "I8", "A3", "G8", "A5"]  # an open three
        for seats in ([first, second], [second, first], [third, first]):
            record = Session(game, seats, time=control, opening=opening).run()
            assert record.reason == "rules", record.detail
            assert record.returns == (1.0, -1.0)
            assert len(record.moves) > len(opening)


def test_an_engine_by_its_spec():
    game = make_game("tic-tac-toe")
    spec = f"exec:{sys.executable} -m playout engine ugi tic-tac-toe --seed 1"
    player = make_player(spec, game)
    with player:
        seats = [player, make_player("random", game)]
        record = Session(game, seats, time=TimeControl(simulations=2000)).run()
    assert record.reason == "rules", record.detail
    assert record.returns[0] >= 0  # the search never loses to chance here
