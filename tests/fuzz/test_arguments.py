"""A few of the command lines that `make fuzz` makes many of; and it sees faults."""

import gc
import os
import signal

import click
import pytest
from click.testing import CliRunner, Result

from . import arguments
from .arguments import fuzz
from .grammar import CommandLine, commands, likely
from .values import LINE, ODD_BY_TYPE
from .workshop import invoke, workshop

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs alarms")

SEED, CASES = 16, 250
#: No moves are those of the start.
MAY_BE_BLANK = ("moves",)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    before, place = os.getcwd(), tmp_path_factory.mktemp("fuzz")
    with workshop(place) as made:
        yield made
        os.chdir(before)


def test_any_command_line(folder):
    assert fuzz(range(CASES), SEED, folder, progress=False, known=True) == []


def blank_lines():
    """Every command with every text in turn blank, all others likely."""
    for path, command in commands():
        for blank in command.params:
            if isinstance(blank, click.Option) and blank.is_flag:
                continue
            for text in ("", " "):
                if blank.name not in MAY_BE_BLANK:
                    yield [*path, *words(command, blank, text)]


def words(command, blank, text):
    for each in command.params:
        if isinstance(each, click.Argument) and (each.required or each is blank):
            yield text if each is blank else likely(each)[0]
        elif each is blank:
            yield f"{each.opts[0]}={text}"


@pytest.mark.parametrize("line", list(blank_lines()), ids=" ".join)
def test_a_blank_text_is_refused(folder, line):
    result = invoke(line)
    assert result.exit_code == 2, result.output
    assert "not compiled" not in result.output  # what is refused is the blank
    assert arguments.faults(CommandLine(line), result, interrupted=False) == []
    assert arguments.strays([*line, "games.db"], folder.changed()) == []


def test_a_blank_game_is_answered_by_the_list_of_games(folder):
    for protocol in ("gomocup", "ugi", "codingame", "riddles", "jsonl"):
        said = invoke(["engine", protocol, ""]).stderr
        assert said.startswith("playout: error: unknown game ''; known are tic-tac-toe")


@pytest.mark.parametrize("web", [["play", LINE, "--web"], ["serve"]])
def test_a_page_is_not_served_for_a_player_that_nobody_is(folder, web):
    said = invoke([*web, "--player", "nobody"]).stderr
    assert said.startswith("playout: error: ")
    assert "unknown player 'nobody'" in said


def test_one_file_of_psq_holds_one_game(folder):
    said = invoke(["record", "export", "games.db", "-", "--format", "psq"]).stderr
    assert "psq holds one game, not 2" in said


@pytest.mark.parametrize("host", ["a..b", "é" * 70, "\udcff"])
def test_a_name_that_is_no_host_is_refused(folder, host):
    said = invoke(["serve", "--host", host]).stderr
    assert said.startswith("playout: error: cannot serve on ")


def test_new_options_need_no_entry():
    """All options of all commands get plausible values."""
    for _, command in commands():
        for parameter in command.params:
            assert likely(parameter)
    other = click.Option(["--new"], metavar="WHATEVER")
    assert "connect-four" in likely(other)
    assert likely(click.Option(["--new"], type=int))
    assert set(ODD_BY_TYPE) == {"integer", "float"}


def answer(code, stdout="", stderr=""):
    given = (stdout + stderr).encode()
    return Result(
        CliRunner(), stdout.encode(), stderr.encode(), given, None, code, None
    )


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (
            answer(1, stderr="playout: error: a fault of Playout itself\n"),
            "exit code 1",
        ),
        (answer(130), "exit code 130"),
        (answer(2), "no error is said"),
        (answer(2, stderr="playout: error: \x1b[31m\n"), "cannot be printed"),
        (answer(0, stderr="Traceback (most recent call last):\n"), "Traceback"),
        (answer(0, stdout='{"elo": Infinity}'), "no JSON"),
        (answer(0, stdout="{}", stderr=""), None),
    ],
)
def test_the_fuzz_sees_what_is_wrong(result, said):
    wrong = arguments.faults(CommandLine(json=True), result, interrupted=False)
    assert (said is None and wrong == []) or any(said in each for each in wrong)


def test_a_ctrl_c_that_a_collection_swallows_comes_again():
    def swallows(phase, _):
        if phase == "start":
            gc.callbacks.remove(swallows)
            signal.raise_signal(signal.SIGALRM)

    def collect_and_go_on():
        gc.callbacks.append(swallows)
        gc.collect()
        assert not alarm.rang
        while True:
            pass

    alarm = arguments.Alarm(60)
    with pytest.raises(KeyboardInterrupt), alarm:
        collect_and_go_on()
    assert alarm.rang


def test_the_fuzz_sees_files_that_nobody_named():
    strays = arguments.strays(["match", "--save", "new.db"], {"new.db-wal", "left"})
    assert strays == ["not asked for: left"]
    strays = arguments.strays(["train", "--out", "net"], {"net/games.db", "nets/x"})
    assert strays == ["not asked for: nets/x"]
    strays = arguments.strays(["train", "--out=net"], {"net/games.db", "nets/x"})
    assert strays == ["not asked for: nets/x"]
    written = {"race.py", "test_race.py", "test_left.py"}
    strays = arguments.strays(["new", "Race", "--chance"], written)
    assert strays == ["not asked for: test_left.py"]
