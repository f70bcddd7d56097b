"""Ctrl-C at random moments of commands: exit code 130, and the next run answers right.

    python -m tests.fuzz.interrupts --runs 500 --seed 1

A moment is drawn from the time that the command takes uninterrupted, two in three from
the second half. The clock starts when the command's own main function has begun: what
Python does before is not Playout's. Every third Ctrl-C is followed by another one. A
command that was done before, or that answers with what it has found so far, ends by 0.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: What is waited for at most, on whatever machine.
PATIENCE_SECONDS = 600
#: After so many interrupts the cache that went through them is put to use.
INTERRUPTS_OF_A_CACHE = 8
#: The command `playout`; it tells the pipe named last when Ctrl-C is its own affair.
LAUNCH = """
import os, signal, sys
ready, usual = int(sys.argv.pop()), signal.signal

def tell(number, handler):
    before, signal.signal = usual(number, handler), usual
    os.write(ready, b".")
    return before

signal.signal = tell
from playout.__main__ import main
main()
"""


@dataclass(frozen=True)
class Command:
    """A command line of `playout`.

    Attributes:
        line: its arguments.
        answer: what of its output does not change from run to run.
        compiles: whether it is run with an empty cache.
    """

    line: str
    answer: Callable[[str], object]
    compiles: bool = True

    def start(self, cache: Path) -> tuple[subprocess.Popen[str], float]:
        """Start it; returns it with the time when it had begun."""
        told, tell = os.pipe()
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "src"),
            "PLAYOUT_CACHE_DIR": str(cache),
            "PYTHONFAULTHANDLER": "1",  # where a crash comes from
        }
        process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *self.line.split(), str(tell)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            pass_fds=[tell],
            text=True,
        )
        os.close(tell)
        os.read(told, 1)
        os.close(told)
        return process, time.monotonic()

    def run(self, cache: Path) -> tuple[object, float]:
        """Run it undisturbed; returns its answer and the seconds it took."""
        process, started = self.start(cache)
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0, (self.line, process.returncode, errors)
        return self.answer(output), time.monotonic() - started


@dataclass(frozen=True)
class Ending:
    """How an interrupted command ended.

    Attributes:
        code: its exit code, negative for a signal.
        output: what it printed.
        errors: what it printed on stderr.
        delay: seconds from the last Ctrl-C to its end.
    """

    code: int
    output: str
    errors: str
    delay: float

    def complaint(self, command: Command, answer: object) -> str:
        """What is wrong with it; nothing if all is well."""
        words = ("Traceback", "Exception ignored", "Assertion", "Error")
        words += ("a fault of Playout", "Fatal Python error", "Segmentation fault")
        for word in words:
            if word in self.errors:
                return f"says {word!r}"
        if self.code == 0:
            right = command.line.startswith("play ") or "interrupted" in self.output
            if right or command.answer(self.output) == answer:
                return ""
            return "a wrong answer"
        return "" if self.code == 130 else f"exit code {self.code}"


def interrupt(
    command: Command, cache: Path, moment: float, again: float | None = None
) -> Ending:
    """Run a command and send it Ctrl-C at a moment, and once more so much later."""
    process, started = command.start(cache)
    try:
        time.sleep(max(0.0, started + moment - time.monotonic()))
        process.send_signal(signal.SIGINT)
        if again is not None:
            time.sleep(again)
            process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
    finally:
        process.kill()
    delay = time.monotonic() - sent
    return Ending(process.returncode, output, errors, delay)


def _best(output: str) -> object:
    found = json.loads(output)
    return found["best"], found["nodes"], found["actions"]


def _names(output: str) -> object:
    return [line[:44].strip() for line in output.splitlines()]


def _moves(output: str) -> object:
    return [line for line in output.splitlines() if " plays " in line]


ANALYZE = "analyze pig --simulations 50 --seed 1 --json"
COMMANDS = (
    Command("perft tic-tac-toe 4", str.strip),
    Command(ANALYZE, _best),
    Command("warm pig", _names),
    Command("play tic-tac-toe mcts mcts --plain --simulations 9 --seed 1", _moves),
    Command("check tic-tac-toe --games 2", str.strip),
    Command(ANALYZE, _best, compiles=False),
    Command("games", str.strip, compiles=False),
)


class Fuzz:
    """Interrupts of one command after the other.

    Args:
        seed: of all moments.
        log: told of every interrupt, a line each.
    """

    def __init__(self, seed: int, log: Callable[[str], None]) -> None:
        self.rng = random.Random(seed)
        self.log = log
        self.codes: Counter[int] = Counter()
        self.wrong: list[str] = []
        self.longest = 0.0
        #: The answer of each command, and the seconds it took when last undisturbed.
        self.known: dict[Command, tuple[object, float]] = {}

    def run(self, runs: int) -> None:
        """Interrupt so often in all."""
        done = 0
        for command in itertools.cycle(COMMANDS):
            count = min(INTERRUPTS_OF_A_CACHE, runs - done)
            if count <= 0:
                return
            self._run(command, count, done)
            done += count

    def _run(self, command: Command, count: int, done: int) -> None:
        cache = Path(tempfile.mkdtemp(prefix="playout-interrupts-"))
        try:
            if not command.compiles or command not in self.known:
                self.known[command] = command.run(cache)
            answer, seconds = self.known[command]
            complete = command.compiles
            for number in range(done, done + count):
                if complete:
                    shutil.rmtree(cache, ignore_errors=True)
                ending = self._interrupt(number, command, cache, answer, seconds)
                complete = command.compiles and ending.code == 0
            self.known[command] = command.run(cache)
            if self.known[command][0] != answer:
                self._complain(f"{command}: a wrong answer after the interrupts")
        finally:
            shutil.rmtree(cache, ignore_errors=True)

    def _interrupt(
        self, number: int, command: Command, cache: Path, answer: object, seconds: float
    ) -> Ending:
        half = seconds / 2 if self.rng.random() < 2 / 3 else 0.0
        moment = self.rng.uniform(half, seconds)
        again = self.rng.choice([None, None, self.rng.uniform(0, 0.6)])
        ending = interrupt(command, cache, moment, again)
        self.codes[ending.code] += 1
        self.longest = max(self.longest, ending.delay)
        second = "" if again is None else f" and {again:.3f} s later"
        what = f"{number} {command.line!r} at {moment:.3f} s"
        what += f"{second}: {ending.code} after {ending.delay:.2f} s"
        self.log(what)
        if complaint := ending.complaint(command, answer):
            self._complain(f"{what}: {complaint}\n{ending.errors}")
        return ending

    def _complain(self, text: str) -> None:
        self.wrong.append(text)
        self.log(f"WRONG {text}")


def main() -> None:
    """Interrupt commands and count how they end; exit code 1 if one ended wrongly."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=500, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    given = parser.parse_args()
    # A shell that starts this in the background has all of it ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fuzz = Fuzz(given.seed, lambda line: print(line, flush=True))
    fuzz.run(given.runs)
    print(f"exit codes {dict(fuzz.codes)}, the longest wait {fuzz.longest:.1f} s")
    print(f"{len(fuzz.wrong)} of {given.runs} ended wrongly")
    sys.exit(bool(fuzz.wrong))


if __name__ == "__main__":
    main()
