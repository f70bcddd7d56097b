"""The help, and how the group finds its commands."""

import click
import pytest

from playout.search.presets import PRESETS
from playout.ui.cli import commands
from playout.ui.cli.main import cli
from tests.ui.support import error_of, output_of

CONTEXT = click.Context(cli)
NAMES = cli.list_commands(CONTEXT)


def test_help_comes_without_a_command():
    assert output_of() == output_of("--help") == output_of("-h")


@pytest.mark.parametrize("command", NAMES)
def test_every_command_has_examples(command):
    shown = output_of(command, "--help")
    assert "Examples" in shown
    assert f"  playout {command}" in shown or command == "games"
    assert max(map(len, shown.splitlines())) <= 80


def test_every_command_is_listed_in_whole_sentences():
    assert "..." not in output_of("--help").partition("Commands:")[2]


def test_help_names_every_preset():
    shown = " ".join(output_of("play", "--help").split())
    assert all(name in shown for name in PRESETS)


def test_version():
    assert output_of("--version").startswith("playout ")


def test_a_new_file_is_a_command(tmp_path, monkeypatch):
    """Its name and its place come from the file, which is imported when needed."""
    text = (
        "import click\n\n@click.command()\ndef abolish(): click.echo('It is gone.')\n"
    )
    (tmp_path / "abolish.py").write_text(text)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    names = cli.list_commands(CONTEXT)
    assert [name for name in names if name != "abolish"] == NAMES
    assert names.index("abolish") > names.index("cache")
    assert "  abolish" in output_of("--help").partition("Commands:")[2]
    assert output_of("abolish") == "It is gone.\n"


def test_nothing_else_is_a_command():
    assert "No such command 'options'" in error_of("options")
    assert "No such command '__init__'" in error_of("__init__")
    assert {
        name for name in NAMES if cli.get_command(CONTEXT, name).name != name
    } == set()
