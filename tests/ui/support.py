"""Run the command line in this process, and what its errors must look like."""

from click.testing import CliRunner, Result

from playout.ui.cli.main import cli

#: Three cells in a row, two neighbours win: whoever begins in the middle wins, who
#: begins at the side draws. Small enough to compile fast and to know by heart.
LINE = "mnk:m=1,k=2"
#: A program thinks about its start to the end: nothing proves it, and no book has it.
UNSOLVED = "ultimate-tic-tac-toe"

#: The text of a class with the tutorials' four methods: whoever takes the last wins.
HEAP = """
class Heap:
    def __init__(self, left=5):
        self.left = left

    def get_legal_actions(self):
        return [n for n in (1, 2) if n <= self.left]

    def is_game_over(self):
        return self.left == 0

    def game_result(self):
        return -1

    def move(self, taken):
        return type(self)(self.left - taken)
"""


def run(*arguments: str, typed: str | None = None) -> Result:
    """Run a command; its output must never hold a traceback."""
    result = CliRunner().invoke(cli, list(arguments), input=typed)
    assert "Traceback" not in result.output
    return result


def output_of(*arguments: str, typed: str | None = None) -> str:
    """The standard output of a command that succeeds."""
    result = run(*arguments, typed=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def talk(*lines: str, arguments: tuple[str, ...] = ("--simulations", "200")) -> str:
    """What `playout play` says on `LINE` when these lines are typed."""
    typed = "".join(f"{line}\n" for line in lines)
    return output_of("play", LINE, "--seed", "1", *arguments, typed=typed)


def error_of(*arguments: str) -> str:
    """The message of a command that refuses its input: one line, exit code 2."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    notices = ("Compiling ", "Waiting for ")  # on a slow machine
    said = result.stderr.splitlines()
    lines = [line for line in said if not line.startswith(notices)]
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("playout: error: ")
    assert result.stdout == ""
    return lines[0].removeprefix("playout: error: ")
