"""What a result says to people where a plain table of numbers would mislead.

Also of `search/result/statistics.py` and `search/result/summary.py`.
"""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from playout import (
    CHANCE,
    MCTS,
    ActionStatistics,
    AllChildren,
    Game,
    Limit,
    Position,
    TicTacToe,
    Tree,
)
from playout.games.more.line_three import LineThree
from playout.games.more.pig import Pig
from playout.search.result.statistics import half_known, root_statistics, verdict
from playout.search.solver.bounds import bounds, is_proven
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT


def rows_one_by_one(position: Position, tree: Tree) -> list[ActionStatistics]:
    """The slow twin of `root_statistics`."""
    game, nodes = position.game, tree.nodes
    duel = game.num_players() == 2 and game.zero_sum
    children = [nodes[child] for child in tree.children(ROOT).tolist()]
    total = sum(row.visits for row in children)
    found = []
    for row in children:
        mean = row.value_sum / row.visits if row.visits else 0.0
        error = math.sqrt(max(0.0, 1 - mean**2) / row.visits) if row.visits else 1.0
        counted = is_proven(row.proven) and (duel or game.num_players() == 1)
        found.append(
            ActionStatistics(
                action=row.action,
                move=game.action_name(row.action),
                visits=row.visits,
                share=row.visits / max(1, total),
                value_sum=row.value_sum,
                mean=mean,
                standard_error=error,
                proven=verdict(row.proven),
                proof_plies=1 + row.proof_plies if counted else None,
                bound=half_known(row.proven) if duel else None,
            )
        )
    return sorted(found, key=lambda row: (-row.visits, -row.mean, row.action))


@pytest.mark.parametrize("game", [TicTacToe(), LineThree(), Pig()], ids=str)
def test_root_statistics_are_those_of_each_row(game: Game) -> None:
    """Whatever the rows hold: ties, no visits, all that a solver may know, no rows."""
    position, draw = Position(game), np.random.default_rng(1)
    names = min(9, game.num_actions())
    for count in (0, *range(1, names + 1)) * 20:
        tree = Tree.reserve(40)
        tree.nodes[ROOT].num_legal = count
        for action in draw.permutation(names)[:count].tolist():
            row = tree.nodes[add_child(tree, ROOT, action)]
            row.visits = int(draw.choice([0, 1, 1, 2, 1000, 2**32 - 1]))
            row.value_sum = float(draw.choice([-1.0, 0.0, 0.5, 1.0])) * row.visits
            if draw.random() < 0.5:
                low, high = sorted(draw.integers(-1, 2, 2).tolist())
                row.proven = bounds(low, high)
                row.proof_plies = int(draw.integers(0, 9))
        found = root_statistics(position, tree)
        assert list(found) == rows_one_by_one(position, tree)


def test_moves_without_a_visit_have_no_win_rate() -> None:
    search = MCTS(TicTacToe(), expansion=AllChildren(), seed=1)
    result = search.search(limit=Limit(simulations=2))
    unvisited = [row for row in result.actions if row.visits == 0]
    assert len(unvisited) == 7
    lines = str(result).splitlines()
    for row in unvisited:
        line = next(line for line in lines if line.split()[:1] == [row.move])
        assert line.split() == [row.move, "-", "-", "0", "0.0%"]


def test_one_simulation_is_no_plural() -> None:
    text = str(MCTS(TicTacToe(), seed=1).search(limit=Limit(simulations=1)))
    assert "after 1 simulation\n" in text
    assert "\n1 simulation in " in text


def test_a_proven_tree_that_was_kept_has_nothing_left_to_search() -> None:
    position = Position.from_moves(TicTacToe(), ["b2", "a1", "a2", "c3"])
    search = MCTS(TicTacToe(), seed=1)
    first = search.search(position, Limit(simulations=5000))
    assert first.stopped_by == "proven"
    again = search.search(position, Limit(simulations=5000))
    assert again.simulations == 0
    lines = str(again).splitlines()
    assert lines[0].endswith("after 1 simulation of earlier searches")
    assert "nothing left to search, stopped by proven" in lines


@dataclass(frozen=True)
class SealedBids(Game):
    """Two bid cards for prizes that chance draws; the first bid is hidden meanwhile."""

    cards: int = 3
    has_hidden = True
    has_chance = True

    def num_actions(self):
        return 2 * self.cards

    def max_game_length(self):
        return 3 * self.cards

    def state_dtype(self):
        fields = [("hands", "i4", 2), ("prizes", "i4"), ("points", "i1", 2)]
        return np.dtype([*fields, ("prize", "i1"), ("bid", "i1"), ("mover", "i1")])

    def initial_state(self, state):
        state.hands[0] = state.hands[1] = state.prizes = (1 << self.cards) - 1
        state.mover, state.bid = CHANCE, -1

    def current_player(self, state):
        return state.mover

    def legal_actions(self, state, actions):
        chance = state.mover == CHANCE
        bits = state.prizes if chance else state.hands[state.mover]
        count = 0
        for card in range(self.cards):
            if bits >> card & 1:
                actions[count] = card + self.cards * chance
                count += 1
        return 0 if self.is_terminal(state) else count

    def chance_probability(self, state, action):
        return 1 / bin(state.prizes).count("1")

    def apply(self, state, action):
        if state.mover == CHANCE:
            state.prize = action - self.cards
            state.prizes ^= 1 << state.prize
            state.mover = 0
        elif state.mover == 0:
            state.bid, state.mover = action, 1
        else:
            assert state.bid >= 0, "played on without the bid that is hidden"
            state.hands[0] ^= 1 << state.bid
            state.hands[1] ^= 1 << action
            if state.bid != action:
                state.points[int(state.bid < action)] += state.prize + 1
            state.mover, state.bid = CHANCE, -1

    def is_terminal(self, state):
        return state.mover == CHANCE and state.prizes == 0

    def returns(self, state, player):
        return float(np.sign(state.points[player] - state.points[1 - player]))

    def hide(self, state, player):
        if player == 1 and state.mover == 1:
            state.bid = -1

    def determinize(self, state, player, rng):
        if player == 1 and state.mover == 1:
            held = [card for card in range(self.cards) if state.hands[0] >> card & 1]
            state.bid = held[rng.below(len(held))]


def test_a_line_is_played_on_from_what_the_hidden_may_be() -> None:
    """Not from the state without it, with which no rule has to know what to do."""
    game = SealedBids()
    position = Position(game).play("3").play("1")
    assert position.current_player == 1
    search = MCTS(game, seed=1, interpreted=True)
    for simulations in (1, 5, 200):
        result = search.search(position.seen_by(1), Limit(simulations=simulations))
        assert result.pv[0] == result.move
        assert result.pv == result.pv[:1], "chance moves next"
    first = search.search(Position(game).play("4"), Limit(simulations=200))
    assert 1 <= len(first.pv) <= 2
