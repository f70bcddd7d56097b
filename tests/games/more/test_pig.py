"""Pig: its rules, its chances reckoned in two ways, and what the search makes of it."""

import numpy as np
import pytest

from playout import MCTS, Limit, Position, PositionError, UsageError, check_game
from playout.games.more.pig import Pig
from playout.games.positions.counting import perft, random_play
from tests.oracles.pig_oracle import win_probabilities


def test_laws() -> None:
    assert check_game(Pig(), games=5).longest > 20
    assert check_game(Pig(target=8), games=20, compiled=False).games == 20


def test_sequences() -> None:
    """Roll, six faces; after a 1 only a roll, after another face roll or hold."""
    assert [perft(Pig(), depth) for depth in range(5)] == [1, 1, 6, 11, 41]


TURNS = ("roll", "6", "roll", "5", "hold", "roll", "3", "roll", "1")


def test_a_one_loses_the_turn_and_holding_keeps_it() -> None:
    position = Position.from_moves(Pig(), TURNS)
    assert position.to_text() == "11,0 0 A"
    assert position.legal_actions() == [0]  # a turn begins with a roll


def test_whoever_holds_with_enough_has_won() -> None:
    position = Position(Pig(target=12), "7,11 5 A")
    assert not position.is_terminal
    assert position.play("hold").is_terminal
    assert (position.returns(0), position.returns(1)) == (1.0, -1.0)


def ways_on(position: Position) -> list[tuple[float, Position]]:
    """The positions that come next, with the chances of those that are thrown.

    Nobody rolls on who can hold and win, or there would be no end of positions.
    """
    game, legal = position.game, position.legal_actions()
    if position.is_chance:
        chances = [game.chance_probability(position.state, action) for action in legal]
        return [
            (p, position.copy().play(a)) for p, a in zip(chances, legal, strict=True)
        ]
    after = [position.copy().play(action) for action in legal]
    return [(0.0, one) for one in after[-1:] if one.is_terminal] or [
        (0.0, one) for one in after
    ]


def value_by_rules(target: int) -> float:
    """The first player's winning probability by the game's own rules, interpreted.

    Value iteration over all positions that can be reached.
    """
    queue = [Position(Pig(target=target))]
    start = queue[0].to_text()
    values: dict[str, float] = {}
    ways: dict[str, list[tuple[float, str]]] = {}
    while queue:
        position = queue.pop()
        if (text := position.to_text()) in values:
            continue
        values[text] = (position.returns(0) + 1) / 2 if position.is_terminal else 0.5
        if not position.is_terminal:
            found = ways_on(position)
            ways[text] = [(chance, after.to_text()) for chance, after in found]
            queue += [after for _, after in found]
    for _ in range(100):
        for text in reversed(ways):
            reached = [(chance, values[after]) for chance, after in ways[text]]
            pick = max if text.endswith("A") else min
            if text.endswith("?"):
                values[text] = sum(chance * value for chance, value in reached)
            else:
                values[text] = pick(value for _, value in reached)
    return values[start]


def test_the_rules_have_the_value_that_theory_gives() -> None:
    """The game's rules and the equations of the paper give the same number."""
    assert value_by_rules(6) == pytest.approx(win_probabilities(6)[0, 0, 0], abs=1e-6)


def test_the_published_value() -> None:
    """Neller and Presser: with best play the first player wins 53.06 % of games."""
    values = win_probabilities(100, error=1e-6)  # a third fewer rounds
    assert values[0, 0, 0] == pytest.approx(0.5306, abs=5e-5)


@pytest.mark.parametrize(("target", "text"), [(10, "0,0 3 A"), (20, "10,10 2 B")])
def test_the_search_agrees_with_the_exact_chances(target: int, text: str) -> None:
    """The mean of 100,000 simulations has a standard error of 0.002."""
    game = Pig(target=target)
    score, turn = int(text.partition(",")[0]), int(text.split()[1])
    exact = win_probabilities(target)[score, score, turn]
    result = MCTS(game, seed=3).search(Position(game, text), Limit(simulations=100_000))
    assert result.move == "roll"
    assert result.win_rate == pytest.approx(exact, abs=0.015)
    assert result.proven is None


def test_random_play_frequencies() -> None:
    """Compiled games against the chances of random play, solved as a linear system.

    At 3 points, where a turn's total of 3 or more is held half of the time; 4 standard
    deviations, exceeded by one run in 16,000.
    """
    games = 200_000
    found = random_play(Pig(target=3), games, seed=5)
    p = first_wins_at_random(3)
    assert abs(found.wins[0] - games * p) < 4 * np.sqrt(games * p * (1 - p))


def first_wins_at_random(target: int) -> float:
    """The first player's chance where both roll and hold by the toss of a coin."""
    p = np.full((target, target, 80), 0.5)  # of the one to move
    for _ in range(60):
        for mine in range(target):
            for theirs in range(target):
                for k in range(p.shape[2] - 7, -1, -1):
                    lost = 1 - p[theirs, mine, 0]
                    roll = (lost + p[mine, theirs, k + 2 : k + 7].sum()) / 6
                    if k == 0:
                        p[mine, theirs, k] = roll
                        continue
                    won = mine + k >= target
                    hold = 1.0 if won else 1 - p[theirs, mine + k, 0]
                    p[mine, theirs, k] = (roll + hold) / 2
    return float(p[0, 0, 0])


@pytest.mark.parametrize("text", ["", "1,2 A", "100,100 0 A", "1,2 3 C", "-1,2 3 A"])
def test_bad_positions_say_what_is_accepted(text: str) -> None:
    with pytest.raises(PositionError, match=r"as in 34,58 12 A|both players have won"):
        Position(Pig(), text)


def test_bad_moves_and_targets_say_what_is_accepted() -> None:
    with pytest.raises(UsageError, match="moves are roll and hold"):
        Position(Pig()).play("7")
    with pytest.raises(UsageError, match="target must be 1 to 10000"):
        Pig(target=0)


def test_names_read_back() -> None:
    game = Pig()
    assert [game.parse_action(game.action_name(a)) for a in range(8)] == list(range(8))
    assert game.parse_action(" H") == 1
