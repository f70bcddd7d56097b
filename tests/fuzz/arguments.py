"""Fuzz of the command line: whatever is written there, the answer is one of ours.

    python -m tests.fuzz.arguments --cases 10000 --seed 1
    python -m tests.fuzz.arguments --seed 1 --only 4711    one case, with its output

A case that takes long is ended as by Ctrl-C. What must hold:

- the exit code is 0, 2 (said in one line on stderr) or 130 (after Ctrl-C only);
- no traceback, no fault of Playout itself, nothing raised in a thread;
- with --json and exit code 0, standard output is JSON;
- no file is made, changed or removed that the command line does not name.
"""

import argparse
import ctypes
import json
import os
import shlex
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from click.testing import Result

from .grammar import CommandLine, command_line
from .workshop import Folder, invoke, workshop

#: Seconds until Ctrl-C, and from there to the end.
PATIENCE, GRACE = 1.0, 30.0
#: Seconds until an alarm that was swallowed comes again.
AGAIN = 0.01
#: Of known cases only these commands take long; all others have the patience of any
#: machine, and must end by themselves.
LONG, PATIENCE_WITH_KNOWN = ("tune", "levels"), 180.0
#: What no answer holds. An error that went through the functions of the workshop is
#: taken for one in a file of the user's, which would hide that it is a fault.
SIGNS_OF_FAULTS = ("Traceback", "a fault of Playout itself", "Exception ignored")
SIGNS_OF_FAULTS += ("workshop.py, line",)
#: What stands beside a file that is asked for.
COMPANIONS = ("-wal", "-shm", "-journal", ".trials", ".trials.lock")


class Hangs(BaseException):
    """A case did not end on Ctrl-C."""


class Alarm:
    """Ends what takes long: as Ctrl-C does, then by `Hangs`.

    Args:
        seconds: until Ctrl-C.

    Attributes:
        rang: whether the time was over.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __enter__(self) -> "Alarm":
        self.rang = False
        self._report, sys.unraisablehook = sys.unraisablehook, self._swallowed
        self._before = signal.signal(signal.SIGALRM, self._ring)
        self._threads = set(threading.enumerate())
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        if self.rang:
            self._end_threads()

    def end(self) -> None:
        """Never ring again. May be called twice."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)
        sys.unraisablehook = self._report

    def _ring(self, *_: object) -> None:
        if self.rang:
            raise Hangs
        self.rang = True
        signal.setitimer(signal.ITIMER_REAL, GRACE)
        raise KeyboardInterrupt

    def _swallowed(self, unraisable: Any) -> None:
        """Ring again: no exception leaves a destructor, so this one has ended nothing.

        Nor does one leave what the garbage collector calls.
        """
        if not isinstance(unraisable.exc_value, KeyboardInterrupt | Hangs):
            self._report(unraisable)
            return
        self.rang = isinstance(unraisable.exc_value, Hangs)
        signal.setitimer(signal.ITIMER_REAL, AGAIN)

    def _end_threads(self) -> None:
        """End what was left to itself, and would have ended with the process."""
        for thread in set(threading.enumerate()) - self._threads:
            number = ctypes.c_ulong(thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                number, ctypes.py_object(SystemExit)
            )


def case(seed: int, number: int) -> CommandLine:
    """A command line by its number."""
    return command_line(Random(f"{seed} {number}"))


def run_case(
    made: CommandLine, folder: Folder, known: bool = False
) -> tuple[list[str], int, str]:
    """What is wrong with the answer to a command line; its code, and the answer."""
    must_end = known and not {*LONG} & {*made.words[:1]}
    alarm = Alarm(PATIENCE_WITH_KNOWN if must_end else PATIENCE)
    try:
        with alarm:
            result = invoke(made.words, made.typed)
    except KeyboardInterrupt:  # between the command's end and ours
        alarm.end()
        return [], 130, ""
    changed = folder.changed()
    if must_end and alarm.rang:
        return ["does not end"], result.exit_code, result.output
    wrong = [*faults(made, result, alarm.rang), *strays(made.words, changed)]
    if changed:
        folder.renew()
    code = result.exit_code
    return wrong, code, f"exit code {code}\n{result.output}"


def fuzz(
    cases: range, seed: int, folder: Folder, progress: bool, known: bool = False
) -> list[str]:
    """Run cases; returns a text for every one that fails.

    Args:
        cases: their numbers.
        seed: of all of them.
        folder: where they run.
        progress: whether to tell how far it is.
        known: whether it is known which of them take long.
    """
    failures: list[str] = []
    started, codes = time.monotonic(), Counter[int]()
    for number in cases:
        made = case(seed, number)
        wrong, code, answer = run_case(made, folder, known)
        codes[code] += 1
        if wrong:
            failures.append(_failure(seed, number, made, wrong, answer))
            print(failures[-1], file=sys.stderr, flush=True)
        if progress and (number + 1) % 500 == 0:
            seconds = time.monotonic() - started
            shares = ", ".join(f"{codes[c]} {n}" for c, n in _CODES)
            print(
                f"{number + 1 - cases.start:,} of {len(cases):,} cases, "
                f"{len(failures)} failures, {seconds:.0f} s ({shares})",
                flush=True,
            )
    return failures


_CODES = ((0, "done"), (2, "refused"), (130, "interrupted"))


def faults(made: CommandLine, result: Result, interrupted: bool) -> list[str]:
    """What is wrong with an answer."""
    wrong = []
    code, said = result.exit_code, result.output
    if code not in ((0, 2, 130) if interrupted else (0, 2)):
        wrong.append(f"exit code {code}")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        wrong.append(f"raised {result.exception!r}")
    for words in SIGNS_OF_FAULTS:
        if words in said:
            wrong.append(words)
    lines = [line for line in result.stderr.split("\n") if line]
    if code == 2 and not (lines and lines[-1].startswith("playout: error: ")):
        wrong.append("no error is said")
    if not all(map(str.isprintable, lines)):
        wrong.append("stderr holds what cannot be printed")
    if made.json and code == 0 and not _is_json(result.stdout):
        wrong.append("standard output is no JSON")
    return wrong


def _is_json(text: str) -> bool:
    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


def strays(words: list[str], changed: set[str]) -> list[str]:
    """Files that have changed and are not named, with what stands beside them."""
    named = [*words, *(word.partition("=")[2] for word in words)]  # --out=NAME
    if words[:1] == ["new"]:  # NAME.py and its tests
        named += [f"test_{word.lower()}.py" for word in words]
    return [
        f"not asked for: {name}"
        for name in sorted(changed)
        if not any(_plain(name) in word or _is_below(name, word) for word in named)
    ]


def _is_below(name: str, folder: str) -> bool:
    return bool(folder) and name.startswith(f"{folder}/")


def _plain(name: str) -> str:
    plain = name
    for end in COMPANIONS:
        plain = plain.removesuffix(end)
    return name if plain == name else _plain(plain)


def _failure(
    seed: int, number: int, made: CommandLine, wrong: list[str], answer: str
) -> str:
    line = shlex.join(["playout", *made.words])
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
    return (
        f"case {number}: {'; '.join(wrong)}\n"
        f"  {shown[:2000]}\n"
        f"  python -m tests.fuzz.arguments --seed {seed} --only {number}\n"
        + "".join(f"  | {text}\n" for text in answer.splitlines()[-12:])
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="run this case, and show its answer")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, workshop(Path(place)) as folder:
        if given.only is not None:
            made = case(given.seed, given.only)
            wrong, _, answer = run_case(made, folder)
            print(_failure(given.seed, given.only, made, wrong, ""), answer, sep="\n")
        else:
            cases = range(given.cases)
            wrong = fuzz(cases, given.seed, folder, progress=True)
            print(f"{given.cases:,} command lines, {len(wrong)} failures")
        os.chdir("/")
    sys.stdout.flush()
    os._exit(bool(wrong))  # threads of cases may run on


if __name__ == "__main__":
    main()
