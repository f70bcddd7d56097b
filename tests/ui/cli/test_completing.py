"""What the Tab key completes, and that nothing else is said then."""

import pytest
from click.testing import CliRunner

from playout.ui.cli.completing import COMPLETE
from playout.ui.cli.main import cli


def press_tab(line: str):
    """What bash is given where the last word of the line is not complete."""
    words = line.split(" ")
    asked = {
        COMPLETE: "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": f"{len(words) - 1}",
    }
    result = CliRunner().invoke(cli, [], env=asked)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.split()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("playout an", ["plain,analyze"]),
        ("playout play conn", ["plain,connect-four"]),
        ("playout play my_game.py:M", ["file,my_game.py:M"]),
        ("playout play gomoku gr", ["plain,greedy"]),
        ("playout play gomoku --preset t", ["plain,tutorial", "plain,tiny"]),
        ("playout match gomoku mcts r", ["plain,random"]),
        ("playout engine gtp gom", ["plain,gomoku"]),
        ("playout engine ugi hex --player alph", ["plain,alphabeta"]),
        ("playout games back", ["plain,backgammon"]),
    ],
)
def test_words_are_completed(line, found):
    assert set(found) <= set(press_tab(line))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_told_how(shell):
    result = CliRunner().invoke(cli, [], env={COMPLETE: f"{shell}_source"})
    assert result.exit_code == 0
    assert f"{COMPLETE}={shell}_complete" in result.stdout
