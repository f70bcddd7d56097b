"""Why a move was played, in words."""

from dataclasses import dataclass

from playout import MCTS, SETTLED_LOSS, SETTLED_WIN, Limit, Position
from playout.players.player import Decision
from playout.players.reasons import urgent_reason
from tests.toys import Nim


@dataclass(frozen=True)
class ToldNim(Nim):
    """Says why it wins; it fails to say so at one number of stones."""

    def settle(self, state, nodes, table):
        take = state.left % 4
        return (SETTLED_WIN, take, 0) if take else (SETTLED_LOSS, -1, 0)

    def why_settled(self, state, action):
        if state.left == 7:
            raise KeyError("seven")
        return f"leaves {state.left - action}"


def reason(stones: int) -> str:
    search = MCTS(ToldNim(stones), seed=1, interpreted=True)
    result = search.search(limit=Limit(simulations=20))
    return urgent_reason(Position(ToldNim(stones)), Decision(result.action, result))


def test_the_reason_of_a_proof_is_told() -> None:
    assert reason(21) == "leaves 20"


def test_rules_that_fail_do_not_end_the_game() -> None:
    assert reason(7) == "why_settled failed: KeyError('seven')"


def test_another_move_has_no_reason() -> None:
    assert urgent_reason(Position(ToldNim(21)), Decision(2)) == ""
