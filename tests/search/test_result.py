"""What a result says to people where a plain table of numbers would mislead."""

from playout import MCTS, AllChildren, Limit, Position, TicTacToe


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
