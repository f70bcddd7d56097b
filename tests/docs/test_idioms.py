"""Every idiom of docs/rules-in-numpy.md gives the same in all three modes.

They are methods of one class, so that they are compiled together.
"""

from __future__ import annotations

import importlib.util
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from playout.core.errors import CompileError, RulesError
from playout.core.jit.checked import RuleFault
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.check.failures import rules_failure
from playout.games.check.randomness import expect_no_randomness
from tests.docs.idioms import DTYPE, GROUPS, PREAMBLE, REFUSED, a_state, body, page
from tests.docs.pages import ROOT, UPDATE

PAGE = ROOT / "docs" / "rules-in-numpy.md"
BEGIN, END = "<!-- idioms -->\n", "<!-- end of idioms -->\n"
ALL = [idiom for idioms in GROUPS.values() for idiom in idioms]

CLASS = """

@dataclass(frozen=True)
class {name}(Game):
    bonus: int = 5
    size: int = static(4)

    @constant
    def squares(self):
        return np.arange(self.size) ** 2

    def double(self, number):
        return 2 * number
"""


@kernel
def run(game: Any, states: Any, found: Any) -> None:
    """What the idioms give, each of a state as it was at first."""
    game.run(states, found)


def method(name: str, lines: list[str]) -> str:
    return "\n" + textwrap.indent(
        f"def {name}(self, state):\n" + textwrap.indent("\n".join(lines), "    "),
        "    ",
    )


def source() -> str:
    """A module with all idioms in one class, and a class for each that is refused."""
    text = PREAMBLE + CLASS.format(name="Idioms")
    for number, idiom in enumerate(ALL):
        text += method(f"idiom_{number}", body(idiom.code)) + "\n"
    text += "\n    def run(self, states, found):\n"
    for number in range(len(ALL)):
        text += "        states[1] = states[0]\n"
        text += f"        found[{number}] = self.idiom_{number}(states[1])\n"
    for number, refused in enumerate(REFUSED):
        text += CLASS.format(name=f"Refused{number}")
        text += method("idiom", body(refused.code)) + "\n"
        text += "\n    def run(self, states, found):\n"
        text += "        found[0] = self.idiom(states[1])\n"
    return text


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    file = tmp_path_factory.mktemp("idioms") / "rules_in_numpy.py"
    file.write_text(source())
    spec = importlib.util.spec_from_file_location("rules_in_numpy", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answers(game: Any, mode: str) -> np.ndarray:
    states, found = a_state(), np.zeros(len(ALL))
    if mode == "interpreted":
        run(game, Rows(states), found)
    else:
        arguments = game, Rows(states), found
        run.compile(*arguments, checked=mode == "checked")(*arguments)
    return found


def test_every_idiom_gives_the_same_in_all_modes(rules: ModuleType) -> None:
    modes = ("interpreted", "checked", "compiled")
    found = {mode: answers(rules.Idioms(), mode).tolist() for mode in modes}
    for number, idiom in enumerate(ALL):
        assert len({found[mode][number] for mode in modes}) == 1, idiom
    assert len(ALL) >= 40


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_refused_names_line_and_remedy(rules: ModuleType, number: int) -> None:
    refused = REFUSED[number]
    said = refusal(getattr(rules, f"Refused{number}")())
    assert refused.told in said
    assert "rules_in_numpy.py line " in said
    assert any(line.strip() in said for line in refused.code.splitlines())


def refusal(game: Any) -> str:
    """What somebody reads who writes this."""
    arguments = game, Rows(a_state()), np.zeros(1)
    try:
        expect_no_randomness(type(game))
        native = run.compile(*arguments, checked=True)
        native(*arguments)
        run(*arguments)
    except (CompileError, RulesError) as error:
        return str(error)
    except (RuleFault, OverflowError) as error:
        return str(rules_failure(game, error))
    return "nothing"


def test_the_page_shows_them() -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    shown, _, after = rest.partition(END)
    if shown != page() and UPDATE:
        text = f"{before}{BEGIN}{page()}{END}{after}"
        Path(PAGE).write_text(text, encoding="utf-8")
        return
    assert shown == page(), "PLAYOUT_UPDATE_DOCS=1 writes the tables"


def test_the_page_says_what_the_state_has() -> None:
    said = PAGE.read_text(encoding="utf-8")
    assert all(f"`{name}`" in said for name in DTYPE.names or ())
