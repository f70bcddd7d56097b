"""`Decisive`: a win at hand is taken."""

from playout import MCTS, AllChildren, Decisive, Limit, Position, TicTacToe


def test_decisive_rollouts_never_miss_a_win() -> None:
    """From a state with a win at hand, every rollout is won at once."""
    position = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2"])
    search = MCTS(
        TicTacToe(),
        expansion=AllChildren(threshold=1000, urgent="never"),
        rollout=Decisive(),
        seed=1,
        interpreted=True,
    )
    result = search.search(position, Limit(simulations=5))
    lost = [r for r in result.actions if r.mean == -1.0]
    assert len(lost) >= 3  # every other move lets O win with b3
