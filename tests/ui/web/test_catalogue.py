"""What a page offers: games, their parameters and ranges, players."""

import pytest

from playout.core.errors import UsageError
from playout.games.registry import make_game
from playout.search.presets import PRESETS
from playout.ui.web.catalogue import RANGES, catalogue
from playout.ui.web.settings import Settings

#: What else a parameter needs, to be as large as it can be.
OTHERS = {
    ("mnk", "n"): "m=2,k=2,",
    ("mnk", "k"): "m=2,n=26,",
    ("mnk", "m"): "n=1,k=1,",
    ("connect-four", "line"): "columns=12,",
}
#: Games accept more than anybody would choose on a page.
WIDER = {("mnk", "m"): 26, ("pig", "target"): 1000}


@pytest.mark.parametrize(("game", "name"), RANGES)
def test_a_range_ends_where_the_game_does(game: str, name: str) -> None:
    others = OTHERS.get((game, name), "")
    least, most = RANGES[game, name]
    for value in (least, most):
        make_game(f"{game}:{others}{name}={value}")
    outside = [least - 1]
    if (game, name) in WIDER:
        assert most == WIDER[game, name]
    else:
        outside.append(most + 1)
    for value in outside:
        with pytest.raises(UsageError, match=rf"{name}( \(.*\))? must be "):
            make_game(f"{game}:{others}{name}={value}")


@pytest.fixture(scope="module")
def entries():
    return {entry.spec: entry for entry in catalogue(Settings())}


def test_modes_are_offered_beside_variants(entries):
    fields = {each.name: each for each in entries["ultimate-tic-tac-toe"].parameters}
    assert {"classic", "first-board", "mode-1", "mode-2"} <= {
        *fields["variant"].choices
    }


def test_presets_are_offered(entries):
    for game in ("tic-tac-toe", "gomoku"):
        for name in PRESETS:
            assert f"mcts:preset={name}" in entries[game].players


def test_networks_that_come_with_playout_are_offered_for_their_game(entries):
    assert "net:connect-four" in entries["connect-four"].players
    assert "net:connect-four" not in entries["gomoku"].players


def test_players_of_the_command_line_are_offered_where_they_play(tmp_path):
    """A library plays Connect Four only; a function, what its factory takes."""
    library, file = tmp_path / "strategy.so", tmp_path / "mine.py"
    library.write_bytes(b"")  # looked at when it plays
    file.write_text("def make_player(game):\n    return lambda position: 0\n")
    searching = f"mcts:evaluator={file}:make_player(),batch=4"
    named = {str(library), f"{file}:make_player", searching}
    found = {each.spec: each for each in catalogue(Settings(players=frozenset(named)))}
    assert named <= {*found["connect-four"].players}
    assert named - {*found["gomoku"].players} == {str(library)}


def test_games_of_one_title_are_told_apart(tmp_path):
    file = tmp_path / "mine.py"
    rules = "from playout.games.more.hex import Hex\n\nclass Mine(Hex):\n    pass\n"
    file.write_text(rules)
    specs = ("connect-four:rows=9", f"{file}:Mine:size=4")
    found = catalogue(Settings(games={spec: make_game(spec) for spec in specs}))
    assert [entry.title for entry in found[:2]] == [
        "Connect Four (rows=9)", "Hex (mine.py, size=4)"
    ]  # fmt: skip
    assert {"Hex", "Connect Four"} < {entry.title for entry in found[2:]}


def test_a_class_without_a_description_has_its_files(tmp_path):
    path = tmp_path / "described.py"
    path.write_text(
        '"""Take stones; the last one wins.\n\nMore."""\n'
        "from dataclasses import dataclass\nfrom tests import toys\n\n"
        "@dataclass(frozen=True)\nclass Bare(toys.Nim):\n    piles: int = 1\n"
    )
    spec = f"{path}:Bare"
    entry = catalogue(Settings(games={spec: make_game(spec)}))[0]
    assert entry.about == "Take stones; the last one wins."


def test_an_object_has_its_classs_description_or_its_files(tmp_path):
    path = tmp_path / "objects.py"
    rules = (
        "    left: int = 5\n"
        "    def get_legal_actions(self): return [1, 2][:self.left]\n"
        "    def is_game_over(self): return self.left == 0\n"
        "    def game_result(self): return -1\n"
        "    def move(self, taken): return type(self)(self.left - taken)\n"
    )
    path.write_text(
        '"""Two games."""\nfrom dataclasses import dataclass\n\n'
        f'@dataclass\nclass Told:\n    """Take one or two.\n\n    More."""\n{rules}'
        f"@dataclass\nclass Bare:\n{rules}"
    )
    specs = [f"{path}:Told", f"{path}:Bare"]
    found = catalogue(Settings(games={spec: make_game(spec) for spec in specs}))
    assert [one.about for one in found[:2]] == ["Take one or two.", "Two games."]
