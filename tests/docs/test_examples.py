"""The examples run, quickly, and say what their readers are told."""

from __future__ import annotations

import runpy
import sys

import pytest

from tests.docs.pages import ROOT, blocks

EXAMPLES = ROOT / "examples"
#: Arguments that make an example quick, and something that it must print.
QUICK = {
    "connectx.py": (["0.05"], "result: "),
    "nim.py": ([], "all laws hold"),
    "analyze_position.py": (["20000"], "most visited: column"),
    "own_policy.py": (["2", "200"], "of 2 games"),
    "ultimate_tic_tac_toe.py": (["100"], "boards a to i"),
}


def run(name, arguments, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_example(name, capsys, monkeypatch):
    arguments, wanted = QUICK[name]
    assert wanted in run(name, arguments, capsys, monkeypatch)


def test_nim_finds_the_winning_move(capsys, monkeypatch):
    """21 stones: whoever leaves a multiple of four wins, so take one."""
    printed = run("nim.py", [], capsys, monkeypatch)
    assert "Selected 1 with ratio" in printed


def test_own_policy_runs_natively():
    """The user's policy is compiled, not called back."""
    names = runpy.run_path(str(EXAMPLES / "own_policy.py"))
    search = names["MCTS"](names["ConnectFour"](), selection=names["Optimistic"]())
    search.compile()
    result = search.search(limit=names["Limit"](simulations=2000))
    assert result.simulations == 2000
    assert not search.interpreted


def test_readme_shows_the_nim_example():
    """The program in the README is the file, comment for comment."""
    program = (EXAMPLES / "nim.py").read_text(encoding="utf-8")
    shown = [block.text for block in blocks(ROOT / "README.md")]
    assert program in shown
