"""`ProcessTransport` and its stand-in: lines, limits, the end.

Also of `protocols/transport.py` and `protocols/process_tags.py`.
"""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from playout.core.errors import UsageError
from playout.protocols.process import (
    LONGEST_LINE,
    MOST_LINES,
    TAIL_BYTES,
    ProcessTransport,
    expect_program,
    kill_family,
    process_tree,
    tree_memory,
)
from playout.protocols.process_tags import (
    kill_tagged,
    new_tag,
    tagged_environment,
    tagged_processes,
)
from playout.protocols.transport import EngineClosed, ScriptedTransport

SECONDS = 20


def python(code):
    return ProcessTransport([sys.executable, "-S", "-E", "-c", code])


def end(transport, seconds=SECONDS):
    """Read to the end, which must come."""
    while True:
        try:
            assert transport.receive(seconds) is not None
        except EngineClosed:
            return


def test_lines_come_and_go():
    engine = ProcessTransport("cat")
    engine.send("hello")
    engine.send("grüße")
    assert engine.receive(SECONDS) == "hello"
    assert engine.receive(SECONDS) == "grüße"
    assert engine.receive(0) is None
    started = time.monotonic()
    assert engine.receive(0.2) is None
    assert 0.15 < time.monotonic() - started < 2
    engine.close()
    engine.close()
    assert engine.exit_code == -9


def test_all_ends_of_lines():
    engine = ProcessTransport(["printf", r"a\r\nb\n\nc"])
    assert [engine.receive(SECONDS) for _ in range(4)] == ["a", "b", "", "c"]
    end(engine)
    assert engine.exit_code == 0
    engine.close()


def test_the_end_keeps_coming():
    engine = ProcessTransport("true")
    end(engine)
    end(engine, 0)
    engine.send("nobody reads this")
    engine.close()


def test_long_lines_are_cut():
    engine = python(f"print('x' * {3 * LONGEST_LINE}); print('y')")
    assert len(engine.receive(SECONDS)) == LONGEST_LINE
    assert engine.receive(SECONDS) == "y"
    engine.close()


def test_a_flood_makes_its_source_wait():
    engine = python("while True: print('x' * 99)")
    assert engine.receive(SECONDS) == "x" * 99
    time.sleep(0.3)
    assert engine._lines.qsize() <= MOST_LINES
    engine.discard()
    engine.close()


def test_an_engine_that_does_not_read():
    engine = python("import time; time.sleep(60)")
    started = time.monotonic()
    for _ in range(10):
        engine.send("x" * 1_000_000)
    assert time.monotonic() - started < 5
    engine.close()


def test_only_the_end_of_stderr_is_kept():
    code = "import sys; sys.stderr.write('x' * 10**6 + 'the end'); print('done')"
    engine = python(code)
    end(engine)
    assert engine.stderr_tail.endswith("xthe end")
    assert len(engine.stderr_tail) <= 2 * TAIL_BYTES
    engine.close()


def test_memory_counts_the_whole_tree():
    hold = "x = b'x' * 50_000_000; print('ok', flush=True); input()"
    start = (
        f"import os, sys; os.spawnl(os.P_NOWAIT, sys.executable, 'p', '-c', {hold!r})"
    )
    engine = python(f"{start}; {hold}")
    assert [engine.receive(SECONDS) for _ in range(2)] == ["ok", "ok"]
    assert len(process_tree(engine.pid)) == 2
    assert 100_000_000 < engine.memory() < 200_000_000
    engine.close()


SLEEPS = [sys.executable, "-S", "-E", "-c", "input()"]
STARTS_ANOTHER = f"import subprocess; print(subprocess.Popen({SLEEPS}).pid); input()"


def test_descendants_end_where_there_are_no_groups(monkeypatch):
    """Windows has none; there a process alone was ended."""
    engine = python(STARTS_ANOTHER)
    child = psutil.Process(int(engine.receive(SECONDS)))
    monkeypatch.delattr(os, "killpg")
    kill_family(engine.pid)
    monkeypatch.undo()
    assert engine.wait(SECONDS)
    assert psutil.wait_procs([child], timeout=SECONDS) == ([child], [])
    engine.close()


def test_processes_are_known_by_the_whole_tag():
    tag = new_tag("PLAYOUT_TEST")
    others = [f"{tag}0", tag[:-1], tag.replace("PLAYOUT", "P")]
    started = [
        subprocess.Popen(
            SLEEPS, stdin=subprocess.PIPE, env=tagged_environment(os.environ, each)
        )
        for each in [tag, *others]
    ]
    assert [one.pid for one in tagged_processes(tag)] == [started[0].pid]
    kill_tagged(tag, spared=os.getpid())
    assert all(other.poll() is None for other in started[1:])
    for process in started:
        process.communicate(b"\n", timeout=SECONDS)
    assert [one.returncode for one in started] == [-signal.SIGKILL, 0, 0, 0]


def test_where_processes_cannot_be_seen(monkeypatch, tmp_path):
    """As in a container without /proc: nothing is known, and nothing goes wrong."""
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path), raising=False)
    assert process_tree(os.getpid()) == [os.getpid()]
    assert tree_memory(os.getpid()) == 0
    kill_tagged(new_tag("PLAYOUT_TEST"))


@pytest.mark.parametrize("command", ["", "'", "/no/such/file", "/tmp"])
def test_what_cannot_be_run(command):
    with pytest.raises(UsageError):
        ProcessTransport(command)
    with pytest.raises(UsageError):
        expect_program(command)


def test_programs_are_found_on_the_path_and_by_their_files(tmp_path, monkeypatch):
    (tmp_path / "engine").symlink_to(sys.executable)
    monkeypatch.setenv("HOME", str(tmp_path))
    expect_program("~/engine ~")
    engine = ProcessTransport("~/engine -c 'print(5)'")
    assert engine.receive(20.0) == "5"
    engine.close()
    expect_program("cat -n")
    expect_program([sys.executable, "-c", "..."])


def test_a_script_is_followed_to_the_letter():
    engine = ScriptedTransport()
    engine.expect("go", [1.5, "info", "best"])
    engine.expect("stop", [None])
    with pytest.raises(AssertionError, match="the script has 'go'"):
        engine.send("stop")
    engine = ScriptedTransport()
    engine.expect("go", [1.5, "info", "best"])
    engine.expect("stop", [None])
    engine.send("go")
    assert engine.receive(1) is None
    assert engine.clock() == 1
    assert engine.receive(1) == "info"
    assert engine.clock() == 1.5
    with pytest.raises(AssertionError, match=r"never sent: \['stop'\]"):
        engine.finish()
    engine.discard()
    engine.send("stop")
    with pytest.raises(EngineClosed):
        engine.receive(1)
    with pytest.raises(AssertionError, match="the script is over"):
        engine.send("more")
