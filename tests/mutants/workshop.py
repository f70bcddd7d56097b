"""Where mutants are tried: a copy of the sources, in which tests are run."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from .areas import PACKAGE, Area, area_of, suite_of
from .operators import Mutant

#: What a run of tests may take, in seconds of the processor: so many times what it
#: takes without a mistake, and what comes before the first test. By the clock it may
#: take much longer, as others may be using the processor.
PATIENCE, LEAST_SECONDS, CLOCK = 4, 15, 10
#: More of it where a mistake has helpers of the tests compile anew.
COMPILE_SECONDS = 30
#: Exit codes of pytest: all passed, and no test was there to be run.
PASSED = (0, 5)
#: How the lines begin in which pytest names what failed.
_FAILURES = ("FAILED", "ERROR")
_PYTEST = ("-q", "-x", "--tb=line", "-p", "no:cacheprovider")
#: Plugins of pytest are loaded already, see `forks`.
_PYTEST += ("-W", "ignore::pytest.PytestAssertRewriteWarning")
_QUICK = ("-p", "tests.mutants.quick")
_NOTING = ("-p", "tests.mutants.calls")


@dataclass(frozen=True)
class Calls:
    """What was noted of the tests of an area when they ran without a mistake.

    Attributes:
        tests: that call a function, by its name: its file, and its name there.
        seconds: of the processor, by test.
    """

    tests: dict[str, list[str]]
    seconds: dict[str, float]

    def chosen(self, mutant: Mutant, suite: list[str]) -> list[str]:
        """Those of a suite that call what is changed, or all if none does.

        The tests that bear the file's name are always chosen.
        """
        called = self.tests.get(f"{mutant.path} {mutant.function}")
        if called is None:
            return suite
        name = Path(mutant.path).name
        chosen = []
        for file in suite:
            if file in called or file.endswith((f"/{name}", f"/test_{name}")):
                chosen.append(file)
            else:
                chosen += [test for test in called if test.startswith(f"{file}::")]
        return chosen

    def usual(self, tests: list[str]) -> float:
        """Seconds of the processor that tests, or files of tests, took."""
        return sum(
            seconds
            for test, seconds in self.seconds.items()
            if test in tests or test.partition("::")[0] in tests
        )


class Workshop:
    """A copy of the sources.

    Args:
        folder: where it is made.
        cache: where compiled code is kept, for the next time as well.
    """

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for name in ("src", "tests", "docs"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(name, folder / name, ignore=ignored)
        shutil.copy("pyproject.toml", folder)
        places = f"{folder / 'src'}{os.pathsep}{folder}"
        cached = {"PYTHONPATH": places, "PLAYOUT_CACHE_DIR": str(cache.absolute())}
        self._forks = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("forks.py").absolute())],
            cwd=folder,
            env=os.environ | cached,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._process = 0
        self._moment = int(time.time())

    def fate(self, mutant: Mutant, calls: Calls) -> tuple[str, str]:
        """What becomes of a mutant: "caught", "late" or "survived"; and by what."""
        place = self.folder / PACKAGE / mutant.path
        original = place.read_text()
        area, fate = area_of(mutant.path), ("survived", "")
        suite = calls.chosen(mutant, suite_of(mutant.path, self.folder))
        commands = [[*_QUICK * area.is_compiled, *suite]]
        commands += [[test] for test in area.compiled]
        self._write(place, mutant.text)
        for command in commands:
            least = LEAST_SECONDS + COMPILE_SECONDS * area.is_compiled
            fate = self._run(command, int(least + PATIENCE * calls.usual(command)))
            if fate[0] != "survived":
                break
        self._write(place, original)
        return fate

    def calls(self, area: Area) -> Calls:
        """Run the tests of an area without a mistake, and note what they call.

        Raises:
            SystemExit: they fail.
        """
        files = [str(PACKAGE / path) for path in area.files()]
        suite = [*files, *area.tests(self.folder)]
        print(f"first without a mistake: {area.place}", flush=True)
        if area.needs_warm:
            self._expect(suite)
        for test in area.compiled:
            self._expect([test])
        self._expect([*_NOTING, *_QUICK * area.is_compiled, *suite])
        return Calls(*json.loads((self.folder / "calls.json").read_text()))

    def _write(self, place: Path, text: str) -> None:
        """At a moment of its own, so that Python does not take it for what it knows."""
        place.write_text(text)
        self._moment += 2
        os.utime(place, (self._moment, self._moment))

    def _expect(self, command: list[str]) -> None:
        fate, by = self._run(command, 3600)
        if fate != "survived":
            sys.exit(f"{' '.join(command)} fails without a mistake: {fate} {by}")

    def _run(self, command: list[str], seconds: int) -> tuple[str, str]:
        """What becomes of the sources as they are, in so many seconds of work."""
        orders, answers = self._forks.stdin, self._forks.stdout
        assert orders is not None
        assert answers is not None
        order = [*_PYTEST, *command], seconds
        print(json.dumps(order), file=orders, flush=True)
        self._process = int(answers.readline())
        ending = threading.Timer(CLOCK * seconds, self._end_tests)
        ending.start()
        code = int(answers.readline())
        ending.cancel()
        self._end_tests()  # and what they have left
        return _fate(code, (self.folder / "output.txt").read_text(errors="replace"))

    def _end_tests(self) -> None:
        """End the tests that are run, with all that they have started."""
        if self._process:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process, signal.SIGKILL)

    def end(self) -> None:
        """End all that was started."""
        self._end_tests()
        self._forks.kill()
        self._forks.wait()


def _fate(code: int, output: str) -> tuple[str, str]:
    if code in PASSED:
        return "survived", ""
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "late", ""
    failed = [line for line in output.splitlines() if line.startswith(_FAILURES)]
    return "caught", failed[0][:150] if failed else f"exit code {code}"
