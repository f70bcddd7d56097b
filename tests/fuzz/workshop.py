"""Where the fuzz of arguments runs: a folder of files, and nothing that is slow.

Left out, because a case has milliseconds: compiling rules (what was compiled before is
used, the rest is refused), workers for the games of a match (they are played here),
most of what `check` looks for by the clock, clusters, the board in the browser (its
server ends as soon as it is ready), names of hosts that somebody would have to be asked
for, and the streams of engines (they are told nothing, and end).
"""

import contextlib
import io
import ipaddress
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import click
from click.testing import CliRunner, Result

from playout.arena.executors import LocalExecutor
from playout.arena.task import GameRunner
from playout.core.errors import UsageError
from playout.core.jit.native import Kernel
from playout.search import survey
from playout.ui.cli.main import cli
from playout.ui.engine import loop
from playout.ui.web import server

from .values import LINE

__all__ = ["Folder", "invoke", "workshop"]

#: After these, what cases may use is compiled; more would be compiled by every run of
#: the tests. And it is imported: a module that Ctrl-C has left half imported stays like
#: that here, while the process of a user ends with it.
WARM = f"""
analyze {LINE} --simulations 3
solve {LINE}
perft {LINE} 2
check {LINE} --games 1
engine ugi {LINE}
engine jsonl {LINE}
analyze tic-tac-toe --simulations 3 --plot new.svg --tree new.dot
perft tic-tac-toe 2
match tic-tac-toe random mcts:simulations=5 --games 2 --plot new.png
record ratings games.db --plot new.png
record export games.db new.jsonl
tournament league.toml
tune tic-tac-toe c_uct=0.3..2 --simulations 5 --games 4 --per-trial 2
levels calibrate tic-tac-toe --levels 2 --games 2 --probe 2 --most 50 --last greedy
serve --port 0
"""
#: How long `check` looks for each thing that it looks for by the clock.
CHECK_SECONDS = 0.05
RULES = "from tests.toys import Nim as Base\nclass Nim(Base):\n    pass\n"
PLAYERS = """
def good(game):
    return lambda position: position.legal_actions()[0]

def crash(game):
    raise ZeroDivisionError("a bad day")
"""
LEAGUE = 'game = "tic-tac-toe"\nplayers = ["random", "greedy"]\ngames = 2\n'


class SameProcess(LocalExecutor):
    """Plays games where it is: a worker takes a second to start."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._runner = GameRunner().__enter__()

    @property
    def room(self) -> int:
        return self.concurrency - len(self._left_over)

    def prepare(self, tasks):
        for task in tasks:
            self._runner.prepare(task)

    def submit(self, task):
        self._left_over.append((task, self._runner.play(task)))

    def close(self):
        self._runner.__exit__()


class Folder:
    """A working directory that is as it was for every case.

    Args:
        place: an empty directory.
    """

    def __init__(self, place: Path) -> None:
        self.template, self.path = place / "template", place / "here"
        self.template.mkdir()
        os.chdir(self.template)
        (self.template / "folder").mkdir()
        (self.template / "folder.svg").mkdir()
        files = {"rules.py": RULES, "players.py": PLAYERS, "league.toml": LEAGUE}
        files |= {"openings.txt": "b2 a1\n# none\n", "empty.db": "", "damaged.db": "x"}
        for name, text in files.items():
            (self.template / name).write_text(text)
        match = ["match", "tic-tac-toe", "random", "greedy", "--games", "2"]
        assert invoke([*match, "--save", "games.db"]).exit_code == 0
        self.renew()

    def renew(self) -> None:
        """Put everything back as it was."""
        os.chdir(self.template)
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(self.template, self.path)
        os.chdir(self.path)
        self._before = self._files()

    def changed(self) -> set[str]:
        """The files that are new, gone or different since `renew`."""
        after = self._files()
        return {name for name, _ in after.items() ^ self._before.items()}

    def _files(self) -> dict[str, tuple[int, int]]:
        found = (entry for entry in self.path.rglob("*") if entry.is_file())
        return {
            str(file.relative_to(self.path)): (
                file.stat().st_size,
                file.stat().st_mtime_ns,
            )
            for file in found
            if "__pycache__" not in file.parts
        }


def invoke(words: list[str], typed: str = "") -> Result:
    """Run a command line in this process, with streams that take any text."""
    return CliRunner().invoke(
        _Forgiving(), words, input=typed.encode("utf-8", "replace")
    )


@contextlib.contextmanager
def workshop(place: Path) -> Iterator[Folder]:
    """A folder for cases; what they may use is compiled, and now nothing else is.

    Args:
        place: an empty directory; with a cache of compiled rules that cases may clear.
    """
    with contextlib.ExitStack() as stack:
        for name, value in (
            ("playout.arena.executors.LocalExecutor", SameProcess),
            ("playout.arena.ray_executor.RayExecutor", _no_cluster),
            ("playout.ui.web.server.bind", _bind),
            ("playout.ui.web.server.serve", lambda *given: given[2]()),
            ("playout.ui.engine.loop.run", _run_engine),
            ("click.launch", lambda address: None),
            ("playout.search.survey._survey", _short_survey),
            ("playout.games.check.ruled_out.SECONDS", CHECK_SECONDS),
        ):
            stack.enter_context(mock.patch(name, value))
        folder = Folder(place)
        for line in filter(None, WARM.splitlines()):
            assert (done := invoke(line.split())).exit_code == 0, (line, done.output)
        stack.enter_context(mock.patch.object(Kernel, "_compile", _refuse))
        cache = str(place / "cache")
        stack.enter_context(mock.patch.dict(os.environ, PLAYOUT_CACHE_DIR=cache))
        folder.renew()
        yield folder


class _Forgiving:
    """The command line as `playout.ui.cli.main.main` runs it: any text can be shown."""

    name = "playout"

    def main(self, **given: Any) -> Any:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        return cli.main(**given)


_real_survey = survey._survey


def _short_survey(game: Any, seed: int, _seconds: float) -> survey.Survey:
    return _real_survey(game, seed, CHECK_SECONDS)


_real_bind = server.bind


def _bind(host: str, port: int) -> Any:
    """Bind to an address, or to what is no name of a host."""
    with contextlib.suppress(UnicodeError):
        host.encode("idna")
        if host != "localhost" and not _is_address(host):
            raise UsageError("nobody is asked for the address of this name")
    return _real_bind(host, port)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _run_engine(make: Any) -> None:
    loop.serve(make(click.echo), io.BytesIO())


def _no_cluster(*_: object) -> None:
    raise UsageError("there is no cluster")


def _refuse(*_: object) -> None:
    raise UsageError("this is not compiled, and nothing is now")
