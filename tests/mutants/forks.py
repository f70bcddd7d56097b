"""Runs pytest in forks of a process that has loaded what every run of it needs.

    python forks.py    in the folder with the tests, which are not imported themselves

A line of JSON has the arguments of pytest, and the seconds of the processor that it may
take. The answers, a line each, are the number of the process in which it runs and, when
it has ended, its exit code. What it prints is written to `output.txt`.
"""

import contextlib
import importlib
import json
import os
import resource
import sys

#: What takes long to import. All of it is from others, so that no mutant is in it.
_LOADED = (
    "numba",
    "pytest",
    "hypothesis",
    "schemathesis.pytest",
    "fastapi.testclient",
    "uvicorn",
    "websockets",
    "click",
    "psutil",
    "scipy.optimize",
    "scipy.stats",
)


def main() -> None:
    sys.path.pop(0)  # the folder of this file
    for name in _LOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    _load_compiler()
    for line in sys.stdin:
        arguments, seconds = json.loads(line)
        process = os.fork()
        if not process:
            os._exit(_run(arguments, seconds))
        print(process, flush=True)
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _load_compiler() -> None:
    """Compile something, for which Numba loads all that it knows."""
    import numba

    numba.njit("int64(int64)")(lambda number: number)


def _run(arguments: list[str], seconds: int) -> int:
    """The exit code of pytest, at once or when it has taken too long."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    output = os.open("output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in enumerate((nothing, output, output)):
        os.dup2(file, number)
    sys.path[:0] = os.environ["PYTHONPATH"].split(os.pathsep)
    import pytest

    code = int(pytest.main(arguments))
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    main()
