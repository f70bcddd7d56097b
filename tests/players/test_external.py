"""We as the manager: conversations written down, and engines that behave badly.

Also of `players/exec_spec.py`, `players/answers.py`, `players/dialogues.py` and
`players/wire.py`.
"""

import sys
import time
from pathlib import Path

import pytest

from playout.arena.clock import Clock, TimeControl
from playout.core.errors import UsageError
from playout.games.connect_four.rules import ConnectFour
from playout.games.gomoku.rules import Gomoku
from playout.games.positions.position import Position
from playout.games.registry import make_game
from playout.players.dialogues import JsonDialogue
from playout.players.exec_spec import ExecSpec, parse_exec
from playout.players.external import ExternalPlayer, make_external
from playout.players.player import Allowance, PlayerFailure
from playout.players.wire import Wire
from playout.protocols.transport import ScriptedTransport
from tests.conversations import find, read

ENGINES = Path(__file__).parents[1] / "data" / "engines"


# -- conversations ---------------------------------------------------------------------


class Script:
    """A conversation, cut into what we are asked and what the engine then says."""

    def __init__(self, path):
        self.settings, self.steps = read(path)
        self.transport = ScriptedTransport()
        self.game = make_game(self.settings["game"])
        memory = self.settings.get("memory")
        self.player = ExternalPlayer(
            "engine",
            self.game,
            self.settings.get("protocol"),
            memory=int(memory) if memory else None,
            start=lambda command: self.transport,
        )

    def run(self):
        self._expect_until_question()
        if "refused" in self.settings:
            with pytest.raises(UsageError) as error:
                self.player.prepare()
            assert str(error.value) == self.settings["refused"]
            return
        self.player.prepare()
        while self.steps:
            question = self.steps.pop(0)
            assert question.sign == "?", question.place
            self._expect_until_question()
            wanted = self.steps.pop(0)
            assert self._ask(question.text) == wanted.text, wanted.place
        self.transport.finish()
        if "spoken" in self.settings:
            assert self.player._dialogue.name == self.settings["spoken"]

    def _expect_until_question(self):
        """Hand the engine's part of the conversation to the transport."""
        said, replies = None, []
        while self.steps and self.steps[0].sign in "<>+":
            step = self.steps.pop(0)
            if step.sign == ">":
                if said is not None:
                    self.transport.expect(said, replies)
                said, replies = step.text, []
            elif step.sign == "+":
                replies.append(None if step.text == "end" else float(step.text))
            else:
                replies.append(step.text)
        if said is not None:
            self.transport.expect(said, replies)

    def _ask(self, text):
        """What comes of a question, as the files write it."""
        action, _, rest = text.partition(" ")
        values = dict(word.split("=") for word in rest.split())
        try:
            if action == "new_game":
                self.player.new_game(0)
                return "ready"
            position = self._position(values)
            limits = {name: float(value) for name, value in values.items()}
            if "simulations" in limits:
                limits["simulations"] = int(limits["simulations"])
            decision = self.player.choose(position, Allowance(**limits))
        except PlayerFailure as failure:
            assert self.transport.closed
            return str(failure)
        shown = self.game.action_name(decision.action)
        shown += f" ({decision.comment})" * bool(decision.comment)
        return shown + (f" value {decision.value}" if decision.value else "")

    def _position(self, values):
        moves = values.pop("moves", "").split(",")
        start = values.pop("start", None)
        if start is not None:
            *rows, mover = start.split("/")
            cells = [row.ljust(self.game.size, ".") for row in rows][: self.game.size]
            return Position(self.game, f"{'/'.join(cells)} {mover}")
        return Position.from_moves(self.game, filter(None, moves))


@pytest.mark.parametrize("path", find("manager"), ids=lambda path: path.stem)
def test_manager(path):
    Script(path).run()


def test_somebody_who_watches_ends_the_thought():
    script = Script(find("manager")[0].with_name("ugi_hang.txt"))
    script.steps.clear()
    transport, player = script.transport, script.player
    transport.expect("ugi", ["ugiok"])
    player.prepare()
    transport.expect("position startpos")
    transport.expect("go movetime 60000", [1.0])
    transport.expect("stop", ["bestmove 4"])
    asked = []

    def progress(result):
        asked.append(result)
        return len(asked) < 5

    allowance = Allowance(seconds=60, progress=progress)
    assert player.choose(Position(script.game), allowance).action == 3
    assert len(asked) == 5
    transport.finish()


@pytest.mark.parametrize(("tolerance", "late"), [(0.2, True), (2.0, False)])
def test_a_match_says_how_late_an_answer_may_be(tolerance, late):
    """The answer takes 1.5 of 1 s; the engine's own tolerance would be 0.5."""
    transport = ScriptedTransport()
    game = ConnectFour()
    player = ExternalPlayer("engine", game, "ugi", start=lambda command: transport)
    transport.expect("ugi", ["ugiok"])
    player.prepare()
    transport.expect("position startpos")
    transport.expect("go movetime 1000", [1.5, "bestmove 4"])
    transport.expect("stop")
    allowance = Clock(TimeControl(seconds=1), tolerance).allowance()
    if late:
        with pytest.raises(PlayerFailure, match=r"time: answered after 1\.5"):
            player.choose(Position(game), allowance)
    else:
        assert player.choose(Position(game), allowance).action == 3


# -- specs -----------------------------------------------------------------------------


def test_specs():
    assert parse_exec("gomocup:wine x") == ExecSpec("wine x", "gomocup")
    assert parse_exec("C:\\engine.exe") == ExecSpec("C:\\engine.exe")
    assert parse_exec("./engine --log=a:b") == ExecSpec("./engine --log=a:b")
    limited = ExecSpec("./engine", "gomocup", 350 << 20)
    assert parse_exec("gomocup,memory=350M:./engine") == limited
    assert parse_exec("memory=350m, gomocup: ./engine") == limited
    assert parse_exec("memory=7:x").memory == 7
    assert make_external("ugi:true", ConnectFour()).spec == "exec:ugi:true"
    with pytest.raises(UsageError, match="needs a command"):
        make_external("ugi:", ConnectFour())
    for wrong in ("ugi,speed=2:x", "ugi,jsonl:x", "memory=1,memory=2:x"):
        with pytest.raises(UsageError, match="is not an option, or there twice"):
            parse_exec(wrong)
    for wrong in ("memory=", "memory=0", "memory=-1", "memory=1T", "memory=1.5G"):
        with pytest.raises(UsageError, match="expected bytes, or as in 350M"):
            parse_exec(f"{wrong}:x")
    player = make_external("ugi,memory=2G:true", ConnectFour())
    assert player.memory == 2 << 30
    assert player.spec == "exec:ugi,memory=2147483648:true"
    with pytest.raises(UsageError, match="gomocup has Gomoku on square boards only"):
        make_external("gomocup:true", ConnectFour())


@pytest.mark.parametrize("command", ["./no-such-engine --fast", "/tmp", "no such"])
def test_a_program_that_is_not_there_is_refused_at_once(command):
    with pytest.raises(UsageError, match=r"cannot run '.+': there is no such program"):
        make_external(f"ugi:{command}", ConnectFour())


def test_one_that_answers_nothing_that_we_know_is_not_waited_for():
    """It repeats its input, as `cat` does."""
    transport = ScriptedTransport()
    transport.expect("ugi", ["ugi"])
    transport.expect(JsonDialogue.greeting, [JsonDialogue.greeting])
    player = ExternalPlayer("cat", ConnectFour(), start=lambda command: transport)
    with pytest.raises(UsageError, match="garbage: no answer to the greeting of ugi"):
        player.prepare()
    assert transport.clock() <= 8


def test_one_that_is_slow_to_start_is_waited_for():
    """It prints something at its start, and then nothing for a while."""
    transport = ScriptedTransport()
    transport.expect("ugi", ["loading", 20.0, "ugiok"])
    transport.expect(JsonDialogue.greeting)
    player = ExternalPlayer("slow", ConnectFour(), start=lambda command: transport)
    player.prepare()
    assert 20 <= transport.clock() <= 30


def test_one_that_is_silent_is_waited_for_as_long_as_any():
    transport = ScriptedTransport()
    transport.expect("ugi")
    transport.expect(JsonDialogue.greeting)
    player = ExternalPlayer("deaf", ConnectFour(), start=lambda command: transport)
    with pytest.raises(UsageError, match="hang: no answer to the greeting of ugi"):
        player.prepare()
    assert transport.clock() == pytest.approx(30)


def test_a_command_that_is_none():
    with pytest.raises(UsageError, match="cannot run '/no/such/engine'"):
        make_external("/no/such/engine", ConnectFour()).prepare()
    with pytest.raises(UsageError, match="No closing quotation"):
        make_external("'engine", ConnectFour()).prepare()
    with pytest.raises(UsageError, match="crash: the engine ended with exit code 0"):
        make_external("ugi:true", ConnectFour()).prepare()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('"best":"4","value":"x"', "the value must be a number from -1 to 1, not 'x'"),
        ('"best":"4","value":true', "not True"),
        ('"best":"4","value":NaN', "not nan"),
        ('"best":"4","value":-1e999', "not -inf"),
        ('"best":"4","value":1' + 400 * "0", "not a number of 1329 bits"),
        ('"best":"4","comment":"half \\ud800"', "half of a character"),
        ('"best":"4","comment":{"a":1}', "the comment {'a': 1} is not a text"),
        ('"best":4', "it answered"),
        ('"best":"banana"', "'banana' is not a move"),
        ('"best":"9"', "'9' is not a move"),
    ],
)
def test_what_an_engine_says_of_its_move_is_checked(fields, message):
    dialogue = JsonDialogue(ConnectFour())
    with pytest.raises(PlayerFailure) as failure:
        dialogue.read(Wire(ScriptedTransport()), f'{{"id":0,{fields}}}')
    assert failure.value.reason == "garbage"
    assert message in failure.value.detail


# -- engines that behave badly ---------------------------------------------------------


def bad_engine(how, game=None, **options):
    command = f"{sys.executable} -S -E {ENGINES / 'bad.py'} {how}"
    game = game or ConnectFour()
    protocol = "gomocup" if isinstance(game, Gomoku) else "ugi"
    return ExternalPlayer(command, game, protocol, **options)


REASONS = {
    "crash": ("crash", "exit code 3; its stderr ends: .*it hurts"),
    "killed": ("crash", "exit code -9"),
    "closes": ("crash", "the engine ended"),
    "hang": ("hang", "no answer within"),
    "deaf": ("hang", "no answer within"),
    "late": ("time", "answered after"),
    "illegal": ("illegal move", "is not legal here"),
    "nonsense": ("garbage", "is not a move"),
    "garbage": ("garbage", "no answer within .*, but"),
    "binary": ("garbage", "no answer within .*, but"),
    "flood": ("garbage", "no answer.*, but [0-9]+,[0-9]+ lines"),
    "endless-line": ("garbage", "no answer within .*, but"),
    "stderr-flood": ("hang", "its stderr ends: .*x{500}"),
}


@pytest.mark.parametrize("how", REASONS)
def test_a_bad_engine_loses_for_the_right_reason_and_comes_back(how):
    reason, detail = REASONS[how]
    game = ConnectFour()
    with bad_engine(how, tolerance=0.1) as player:
        player.new_game(1)
        assert player.choose(Position(game), Allowance(seconds=0.5)).action == 3
        later = Position.from_moves(game, ["4"] * 6)
        with pytest.raises(PlayerFailure) as failure:
            player.choose(later, Allowance(seconds=0.2))
        assert failure.value.reason == reason
        assert failure.match(f"(?s){detail}")
        player.new_game(2)
        assert player.choose(Position(game), Allowance(seconds=0.5)).action == 3


def test_an_engine_that_holds_too_much_memory():
    with bad_engine("memory", memory=100_000_000) as player:
        assert player.choose(Position(player.game), Allowance(seconds=1)).action == 3
        with pytest.raises(PlayerFailure, match=r"memory: holds 1[0-9]+ MB of 100 MB"):
            player.choose(Position.from_moves(player.game, ["4"] * 6), Allowance())


@pytest.mark.parametrize("how", ["children", "strays", "orphans"])
def test_all_that_an_engine_started_is_ended(how):
    with bad_engine(how) as player:
        comment = player.choose(Position(player.game), Allowance(seconds=2)).comment
        children = [int(word) for word in comment.split() if word.isdigit()]
        assert len(children) == 2
        assert all(Path(f"/proc/{pid}").exists() for pid in children)
    assert not any(is_running(pid) for pid in children)


def is_running(pid, seconds=3):
    """Whether a process still runs, given a moment to be buried."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.05)
    return True


def test_a_gomocup_engine_that_crashes_at_start():
    player = bad_engine("crash-at-start", Gomoku())
    player.prepare()
    with pytest.raises(PlayerFailure, match="crash"):
        player.new_game(1)
    player.close()
    player.close()


def test_a_stop_may_come_when_the_engine_has_just_ended():
    """The thread that asked has closed it between two looks of this one."""
    transport = ScriptedTransport()
    transport.expect(JsonDialogue.halt)
    wires = [Wire(transport)]

    class Ending(ExternalPlayer):
        @property
        def _wire(self):
            return wires.pop() if wires else None

        @_wire.setter
        def _wire(self, wire):
            """It has ended before it began."""

    player = Ending("engine", ConnectFour(), "jsonl")
    player._dialogue = JsonDialogue(ConnectFour())
    player.stop()
    transport.finish()
