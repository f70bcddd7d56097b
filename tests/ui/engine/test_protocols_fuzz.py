"""Whatever is said to an engine: no traceback, no line that is not the protocol's.

10,000 lines for each protocol, by a seeded generator: lines of real conversations, with
characters changed, lines lost, repeated, cut and out of order, and noise. Answers are
checked against a model of each protocol: what must be answered, what must not, and that
every move is legal in the position that the engine says it is in.
"""

import json
import random
import re

import pytest

from playout.games.positions.position import Position
from playout.games.registry import make_game
from playout.protocols.gtp import parse_command
from tests.conversations import find, read

from .test_protocols import Bench

LINES = 10_000
#: Of 100 lines, how many are changed, and how many are nothing but noise.
CHANGED, NOISE = 30, 5
#: A conversation is begun anew with an engine of its own after so many lines.
SESSION = 2_000


def corpus(protocol):
    """The lines of all conversations of a protocol, in order."""
    paths = [path for path in find("engine") if path.stem.split("_")[0] == protocol]
    texts = [[s.text for s in read(path)[1] if s.sign == ">"] for path in paths]
    return [line for text in texts for line in text if line not in ("END", "quit")]


def fuzzed(protocol, seed):
    """Endlessly many lines."""
    rng, lines = random.Random(seed), corpus(protocol)
    while True:
        start = rng.randrange(len(lines))
        for line in lines[start : start + rng.randrange(1, 25)]:
            if rng.randrange(100) < CHANGED:
                yield mutated(line, rng)
            elif rng.randrange(100) < NOISE:
                yield noise(rng)
            else:
                yield line


def mutated(line, rng):
    if not line:
        return noise(rng)
    at = rng.randrange(len(line))
    kind = rng.randrange(6)
    if kind == 0:
        return line[:at]
    if kind == 1:
        return line[:at] + noise(rng) + line[at + 1 :]
    if kind == 2:
        return line + " " + line
    if kind == 3:
        return line.swapcase()
    if kind == 4:
        return re.sub(r"\d+", lambda _: str(rng.choice(NUMBERS)), line, count=2)
    return line[:at] + line[at + rng.randrange(1, 5) :]


NUMBERS = [-1, 0, 1, 2, 7, 14, 15, 22, 225, 10**6, -(10**12), 2147483647, 10**20]


def noise(rng):
    alphabet = 'abcXYZ019 ,;:.-+#/\\"{}[]()<>=\t\x00\x1b\x7fé€\u2028😀٣'
    return "".join(rng.choice(alphabet) for _ in range(rng.randrange(20)))


class Model:
    """Looks at every line said and at what was answered; one engine at a time."""

    def __init__(self, protocol):
        self.protocol = protocol
        self.moves = 0
        self.begin()

    def begin(self):
        self.bench = Bench(self.protocol)

    def say(self, line):
        engine = self.bench.engine
        before = getattr(engine, "position", None)
        before = before.copy() if self.protocol == "ugi" and before else None
        self.bench.hear(line)
        answers, self.bench.said[:] = list(self.bench.said), []
        for answer in answers:
            assert answer.isprintable(), (line, answer)
        getattr(self, self.protocol)(line, answers, before)
        if engine.ended:
            self.begin()

    def gomocup(self, line, answers, before):
        word = line.strip().partition(" ")[0].upper()
        moves = [a for a in answers if re.fullmatch(r"\d+,\d+", a)]
        others = [a for a in answers if a not in moves]
        if word in ("INFO", "", "YXSTOP", "END"):
            assert not answers or word == "INFO", (line, answers)
        if word == "INFO":
            assert not answers, (line, answers)
        for answer in others:
            known = (
                r"(OK|SWAP|ERROR .+|UNKNOWN .+|name=.+|FORBID (\d{4})*\.|MESSAGE .+)"
            )
            known += r"|\d+,\d+( \d+,\d+)+"
            assert re.fullmatch(known, answer), (line, answer)
        if moves and word in ("BEGIN", "TURN"):
            self.moves += 1
            x, y = map(int, moves[0].split(","))
            position = self.bench.engine.position
            action = y * position.game.size + x
            assert position.last_action == action
            position.undo().play(action)

    def ugi(self, line, answers, before):
        word = line.partition(" ")[0]
        best = [a for a in answers if a.startswith("bestmove")]
        assert len(best) == (word == "go"), (line, answers)
        if best and best[0] != "bestmove 0000":
            self.moves += 1
            before.play(best[0].split()[1])
        if word == "query" and line in ("query gameover", "query p1turn"):
            assert len(answers) == 1
            assert re.fullmatch("response (true|false|none)", answers[0])
        for answer in answers:
            known = r"(info|response|bestmove|id|option) .+|ugiok|readyok"
            assert re.fullmatch(known, answer), (line, answer)

    def codingame(self, line, answers, before):
        assert len(answers) <= 1
        for answer in answers:
            self.moves += 1
            assert re.fullmatch("[0-8] [0-8]", answer), (line, answer)

    def riddles(self, line, answers, before):
        assert len(answers) <= 1
        for answer in answers:
            assert line.split()[:2] == ["action", "move"]
            self.moves += 1
            position = self.bench.engine.position
            x, y = re.fullmatch("place_move ([0-8]) ([0-8])", answer).groups()
            assert position.last_action == position.game.parse_action(f"{x},{y}")
            position.undo().play(f"{x},{y}")

    def jsonl(self, line, answers, before):
        assert len(answers) == bool(line.strip("\t \x00")) or not line.strip()
        for answer in answers:
            value = json.loads(answer)
            assert isinstance(value, dict)
            assert "error" in value or "id" in value or "action" in value
            if value.get("isDuringSearch") is False:
                self.moves += 1
                query = json.loads(line)
                assert value["id"] == query["id"]
                position = Position(make_game(value["game"]), query.get("position"))
                for move in [*value["moves"], value["best"]]:
                    position.play(move)

    def gtp(self, line, answers, before):
        command = parse_command(line)
        if command is None:
            assert not answers, (line, answers)
            return
        assert re.match(rf"[=?]{command.identity}( |$)", answers[0]), (line, answers)
        assert answers[-1] == "", (line, answers)
        assert "" not in answers[:-1], (line, answers)
        move = re.fullmatch(r"=\d* ([A-T]\d+|pass)", answers[0])
        if move and command.name == "genmove":
            self.moves += 1


#: At least so many of the lines lead to a move, or the test tests nothing.
FEWEST_MOVES = {
    "gomocup": 300,
    "ugi": 300,
    "codingame": 20,
    "riddles": 300,
    "jsonl": 100,
    "gtp": 300,
}


@pytest.mark.parametrize("protocol", FEWEST_MOVES)
def test_ten_thousand_lines(protocol, capfd):
    model = Model(protocol)
    for number, line in enumerate(fuzzed(protocol, seed=1)):
        if number == LINES:
            break
        if number % SESSION == 0:
            model.begin()
        model.say(line.strip("\r\n\ufeff\0 \t"))
    assert model.moves >= FEWEST_MOVES[protocol]
    said = capfd.readouterr()
    assert "Traceback" not in said.err
    assert said.out == ""
