"""Pictures: real files, in both formats, of usual and of extreme matches.

Also of `core/pictures.py`.
"""

import struct
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from playout.arena.plots import numbered_results, plot_match, plot_ratings
from playout.arena.ranking import Rating
from playout.arena.rating import SPRT
from playout.arena.record import GameRecord
from playout.core.errors import UsageError
from playout.core.pictures import check_plot_path

SVG = "{http://www.w3.org/2000/svg}"


def match_results(games: int, seed: int = 1) -> list[tuple[int, float]]:
    scores = np.random.default_rng(seed).choice([0, 0.5, 1], size=games)
    return [(number // 2, float(score)) for number, score in enumerate(scores)]


def picture_size(path) -> tuple[int, int]:
    """Width and height of a PNG, from its header."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


def texts(path) -> str:
    """What an SVG's comments say: Matplotlib writes each text that it draws as one."""
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.parse(path, parser).getroot()
    assert root.tag == f"{SVG}svg"
    return "\n".join(e.text for e in root.iter() if e.tag is ElementTree.Comment)


def test_a_match_becomes_a_png(tmp_path):
    plot_match(tmp_path / "m.png", ("a", "b"), match_results(300), SPRT(0, 40))
    assert picture_size(tmp_path / "m.png") == (1200, 1050)
    plot_match(tmp_path / "n.PNG", ("a", "b"), match_results(1001))
    assert picture_size(tmp_path / "n.PNG") == (1200, 810)


def test_a_match_becomes_an_svg_that_says_what_it_shows(tmp_path):
    results = [(pair, score) for pair in range(20) for score in (1.0, 0.5)]
    plot_match(tmp_path / "m.svg", ("mcts:c_uct=1", "$x$"), results, SPRT(0, 40))
    shown = texts(tmp_path / "m.svg")
    for text in (
        "mcts:c_uct=1 against",
        "40 games: 20 won, 20 drawn, 0 lost",
        "Elo +190.8",
        "H1: 40 Elo",
        "H0: 0 Elo",
        "SPRT [0, 40] Elo: not decided",
    ):
        assert text in shown


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("games", [1, 2, 3, 500])
def test_matches_without_spread_can_be_drawn(tmp_path, games, score):
    results = [(number // 2, score) for number in range(games)]
    plot_match(tmp_path / "m.png", ("a", "b"), results, SPRT(0, 1))
    assert picture_size(tmp_path / "m.png")[0] == 1200


def test_results_are_counted_from_the_side_of_a():
    def game(result: float) -> GameRecord:
        return GameRecord("x", ("p", "q"), (), 0, (), (), (result, -result))

    games = [(3, game(-1)), (0, game(1)), (1, game(1)), (2, game(0))]
    assert numbered_results(games) == [(0, 1), (0, 0), (1, 0.5), (1, 1)]


def test_a_rating_list_is_drawn(tmp_path):
    ratings = [Rating(f"level:{n}", -100.0 * n, 20.0, 100, 0.5) for n in range(1, 11)]
    plot_ratings(tmp_path / "r.svg", ratings)
    assert "level:10" in texts(tmp_path / "r.svg")
    plot_ratings(tmp_path / "r.png", ratings[:1])
    assert picture_size(tmp_path / "r.png")[0] == 1200


def test_what_cannot_be_drawn_is_said(tmp_path, monkeypatch):
    with pytest.raises(UsageError, match=r"m\.jpg: pictures end in \.png or \.svg"):
        plot_match(tmp_path / "m.jpg", ("a", "b"), match_results(4))
    with pytest.raises(UsageError, match="there is no directory"):
        plot_match(tmp_path / "x" / "m.png", ("a", "b"), match_results(4))
    with pytest.raises(UsageError, match="no games"):
        plot_match(tmp_path / "m.png", ("a", "b"), [])
    with pytest.raises(UsageError, match="no ratings"):
        plot_ratings(tmp_path / "m.png", [])
    (tmp_path / "d.png").mkdir()
    with pytest.raises(UsageError, match=r"d\.png cannot be written: Is a directory"):
        plot_match(tmp_path / "d.png", ("a", "b"), match_results(4))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"pip install playout\[plots\]"):
        check_plot_path(tmp_path / "m.png")
