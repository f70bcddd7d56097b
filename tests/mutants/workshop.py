"""Where mutants are tried: a copy of the sources, in which tests are run."""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from .areas import PACKAGE, area_of, suite_of
from .operators import Mutant

#: What a run of tests may take: so many times what it takes without a mistake, and in
#: seconds; of the processor, and twice that by the clock.
PATIENCE, LEAST_SECONDS = 4, 30
#: Exit codes of pytest: all passed, and no test was there to be run.
PASSED = (0, 5)
#: How the lines begin in which pytest names what failed.
_FAILURES = ("FAILED", "ERROR")
_PYTEST = ["-m", "pytest", "-q", "-x", "--tb=line", "-p", "no:cacheprovider"]
_QUICK = ("-p", "tests.mutants.quick")


class Workshop:
    """A copy of the sources.

    Args:
        folder: where it is made.
        cache: where compiled code is kept, for the next time as well.
    """

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder, self.cache = folder, cache.absolute()
        folder.mkdir()
        for name in ("src", "tests"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(name, folder / name, ignore=ignored)
        shutil.copy("pyproject.toml", folder)
        self._usual: dict[frozenset[str], float] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._moment = int(time.time())

    def fate(self, mutant: Mutant) -> tuple[str, str]:
        """What becomes of a mutant: "caught", "late" or "survived"; and by what."""
        place = self.folder / PACKAGE / mutant.path
        original = place.read_text()
        fate = "survived", ""
        for command in self._commands(mutant.path):
            usual = self._usual_seconds(command)
            self._write(place, mutant.text)
            try:
                fate = self._run(command, usual)
            finally:
                self._write(place, original)
            if fate[0] != "survived":
                break
        return fate

    def _commands(self, path: str) -> list[tuple[str, ...]]:
        """Arguments of pytest: the tests of a file, those that cost little first."""
        area, tests = area_of(path), suite_of(path, self.folder)
        if not area.is_compiled:
            return [tuple(tests)]
        if area.needs_warm:
            self._usual_seconds(tuple(area.tests(self.folder)))
        return [(*_QUICK, *tests), *((each,) for each in area.compiled)]

    def _usual_seconds(self, command: tuple[str, ...]) -> float:
        """What tests take without a mistake; doctests are the least of it."""
        tests = frozenset(each for each in command if not each.startswith("src"))
        if tests not in self._usual:
            print("    first without a mistake", flush=True)
            started = time.monotonic()
            fate, by = self._run(command, usual=1000)
            if fate != "survived":
                sys.exit(f"{' '.join(command)} fails without a mistake: {fate} {by}")
            self._usual[tests] = time.monotonic() - started
        return self._usual[tests]

    def _write(self, place: Path, text: str) -> None:
        """At a moment of its own, so that Python does not take it for what it knows."""
        place.write_text(text)
        self._moment += 2
        os.utime(place, (self._moment, self._moment))

    def _run(self, command: tuple[str, ...], usual: float) -> tuple[str, str]:
        seconds = int(LEAST_SECONDS + PATIENCE * usual)
        places = f"{self.folder / 'src'}{os.pathsep}{self.folder}"
        cache = {"PYTHONPATH": places, "PLAYOUT_CACHE_DIR": str(self.cache)}
        with (self.folder / "output.txt").open("w+") as output:
            self._process = subprocess.Popen(
                [sys.executable, *_PYTEST, *_ending_after(usual), *command],
                cwd=self.folder,
                env=os.environ | cache,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            limits = seconds, seconds + 5
            resource.prlimit(self._process.pid, resource.RLIMIT_CPU, limits)
            code = self._wait(2 * seconds)
            output.seek(0)
            return _fate(code, output.read())

    def _wait(self, seconds: float) -> int | None:
        """The exit code of the tests, or None where they take too long."""
        assert self._process is not None
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.end()

    def end(self) -> None:
        """End the tests that are run, with all that they have started."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def _ending_after(usual: float) -> list[str]:
    """Have pytest end with a single test that takes longer than all usually do."""
    seconds = f"faulthandler_timeout={LEAST_SECONDS + usual:.0f}"
    return ["-o", seconds, "-o", "faulthandler_exit_on_timeout=true"]


def _fate(code: int | None, output: str) -> tuple[str, str]:
    if code in PASSED:
        return "survived", ""
    if code is None or code == -signal.SIGXCPU or "Timeout (" in output:
        return "late", ""
    failed = [line for line in output.splitlines() if line.startswith(_FAILURES)]
    return "caught", failed[0][:150] if failed else f"exit code {code}"
