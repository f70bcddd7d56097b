"""Every planted fault is found and said; correct games are told of none.

Also of `games/check/random_games.py`, `games/check/hints.py`,
`games/check/side_effects.py`, `games/check/broken_rules.py` and
`games/check/report.py`.
"""

import re
from typing import Any

import pytest

from playout import Game, RulesError, check_game
from playout.games.registry import game_names, make_game
from tests.games.check.planted_compiled import COMPILED
from tests.games.check.planted_luck import FAULTS, HINTS
from tests.games.check.poker import Kuhn, Race
from tests.toys import Coins, Nim, PassNim, Payoffs, ThreeWays, TwiceNim


def name(value: object) -> str:
    return type(value).__name__ if isinstance(value, Game) else ""


def said(game: Game, compiled: bool = False) -> str:
    with pytest.raises(RulesError) as caught:
        check_game(game, compiled=compiled)
    return str(caught.value)


def test_there_are_many() -> None:
    assert len(FAULTS + HINTS + COMPILED) >= 50


@pytest.mark.parametrize(("game", "sentence"), FAULTS, ids=name)
def test_faults_are_found(game: Game, sentence: str) -> None:
    assert re.search(sentence, said(game)), said(game)


@pytest.mark.parametrize(("game", "sentence"), HINTS, ids=name)
def test_hints_are_given(game: Game, sentence: str) -> None:
    hints = check_game(game, compiled=False).hints
    assert any(re.match(sentence, hint) for hint in hints), hints


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize(("game", "sentence"), COMPILED, ids=name)
def test_faults_of_compiled_rules_are_found(game: Game, sentence: str) -> None:
    assert re.search(sentence, said(game, compiled=True))


#: Several moves in a row, passes, three players, chance, hidden cards.
ODD = [TwiceNim(), PassNim(), ThreeWays(), Payoffs(), Coins(), Kuhn(), Race(), Nim()]


@pytest.mark.parametrize("game", ODD, ids=str)
def test_odd_games_are_told_of_nothing(game: Game) -> None:
    assert check_game(game, games=30, compiled=False).hints == ()


class Lopsided(Nim):
    """Each takes once; who begins wins unless both take as much as they may."""

    def legal_actions(self, state: Any, actions: Any) -> int:
        count: int = super().legal_actions(state, actions)
        return 0 if self.is_terminal(state) else count

    def is_terminal(self, state: Any) -> bool:
        return bool(state.left < self.stones and state.player == self.first)

    def returns(self, state: Any, player: int) -> float:
        return 1.0 if (state.left > 0) == (player == self.first) else -1.0


@pytest.mark.parametrize("seed", range(20))
def test_a_few_equal_results_are_no_hint(seed: int) -> None:
    """Ten random games end alike in three of ten checks, sixty in one of 1,200."""
    game = Lopsided(stones=6)
    assert check_game(game, games=10, seed=seed, compiled=False).hints == ()


#: Of games with many actions fewer are played, and of Go the smallest.
FEW = {
    "2048": 2,
    "backgammon": 2,
    "go": 2,
    "gomoku": 1,
    "hex": 3,
    "pig": 10,
    "samegame": 1,
    "ultimate-tic-tac-toe": 10,
}
SMALL = {"go": "go:size=3"}


@pytest.mark.parametrize("spec", game_names())
def test_bundled_games_are_told_of_nothing(spec: str) -> None:
    game, games = make_game(SMALL.get(spec, spec)), FEW.get(spec, 20)
    assert check_game(game, games=games, compiled=False).hints == ()
