"""The search as a player: its clock, its tree, and what it says of its moves.

Also of `players/timing.py`.
"""

import threading
import time

import pytest

from playout import ConnectFour, Position, TicTacToe, make_game
from playout.core.errors import UsageError
from playout.players.player import Allowance
from playout.players.registry import make_player
from playout.players.timing import expected_moves, less_margin, move_seconds

GAME = ConnectFour()
START = Position(GAME)


# -- time ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("allowance", "seconds"),
    [
        (Allowance(), None),
        (Allowance(simulations=5), None),
        (Allowance(seconds=1), 0.97),
        (Allowance(seconds=0.01), 0.009),
        (Allowance(remaining=60), 59.97 / 10.5),  # 42 / 2 players / 2
        (Allowance(remaining=60, increment=1), 59.97 / 10.5 + 1),
        (Allowance(remaining=0.5, increment=10), 0.47),  # never more than there is
        (Allowance(remaining=0.0), 0.001),
        (Allowance(remaining=-3.0), 0.001),
        (Allowance(seconds=1, remaining=60), 0.97),
        (Allowance(seconds=9, remaining=6), 5.97 / 10.5),
    ],
)
def test_shares_of_a_clock(allowance, seconds):
    found = move_seconds(allowance, START)
    assert found == (seconds if seconds is None else pytest.approx(seconds))


def test_a_clock_is_shared_among_the_moves_still_expected():
    late = Position.from_moves(GAME, "11111122222243333334")
    assert expected_moves(START) == 10.5
    assert expected_moves(late) == (42 - 20) / 4
    assert expected_moves(Position(TicTacToe())) == 4
    assert expected_moves(Position(make_game("gomoku"))) == 30


@pytest.mark.parametrize("increment", [0.0, 0.1])
def test_a_clock_lasts_for_the_longest_game(increment):
    position, remaining = Position(make_game("gomoku")), 10.0
    for _ in range(113):
        allowance = Allowance(remaining=remaining, increment=increment)
        used = move_seconds(allowance, position)
        assert 0 < used <= less_margin(remaining)
        remaining += increment - used - 0.002
        for action in position.legal_actions()[:2]:
            if not position.is_terminal:
                position.play(action)
    assert remaining > 0


# -- limits ----------------------------------------------------------------------------


def test_simulations_are_exact():
    player = make_player("mcts", GAME)
    for count in (1, 2, 999):
        decision = player.choose(START, Allowance(simulations=count))
        assert decision.result.simulations == count


def test_without_any_limit_it_thinks_for_a_second():
    assert make_player("mcts", GAME).limit(Allowance(), START).seconds == 1
    assert make_player("mcts:seconds=3", GAME).limit(Allowance(), START).seconds == 3
    limit = make_player("mcts:simulations=3", GAME).limit(Allowance(), START)
    assert (limit.seconds, limit.simulations) == (None, 3)
    limit = make_player("mcts:memory=1000000", GAME).limit(Allowance(), START)
    assert (limit.seconds, limit.memory) == (1, 1000000)


def test_what_keeping_the_tree_took_is_part_of_the_time():
    limit = make_player("mcts", GAME).limit(Allowance(seconds=1), START, spent=0.3)
    assert limit.seconds == pytest.approx(0.67)


def test_stop_ends_a_search_with_the_best_so_far():
    player = make_player("mcts:book=no", GAME)
    player.prepare()

    def progress(result):
        player.stop()

    decision = player.choose(START, Allowance(seconds=100, progress=progress))
    assert decision.result.stopped_by == "interrupted"
    assert decision.action in START.legal_actions()
    decision = player.choose(START, Allowance(simulations=10))  # not stopped any more
    assert decision.result.stopped_by == "simulations"


def test_an_interrupt_is_not_a_move(monkeypatch):
    player = make_player("mcts:book=no", GAME)

    def interrupt(result):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        player.choose(START, Allowance(seconds=100, progress=interrupt))


# -- the tree, the seed, the remarks ---------------------------------------------------


def test_the_tree_is_kept_from_move_to_move():
    player = make_player("mcts:simulations=500", GAME)
    position = Position(GAME)
    decision = player.choose(position.copy(), Allowance())
    position.play(decision.action).play("4")
    result = player.choose(position.copy(), Allowance()).result
    assert result.simulations == 500
    assert result.visits > 500


def test_a_new_game_begins_afresh_and_compiles_nothing():
    player = make_player("mcts:simulations=300", GAME)
    player.new_game(3)
    first = player.choose(START, Allowance()).result
    player.choose(START, Allowance())
    player.new_game(3)
    again = player.choose(START, Allowance()).result
    assert again.actions == first.actions
    assert again.compile_seconds == 0
    player.new_game(4)
    assert player.choose(START, Allowance()).result.actions != first.actions
    assert player.choose(START, Allowance()).result.seed == 4


def test_a_remark_for_the_record():
    player = make_player("mcts:simulations=1000", GAME)
    decision = player.choose(START, Allowance())
    win_rate, count, sims, pv, *moves = decision.comment.split()
    assert (count, sims, pv) == ("1,000", "sims", "pv")
    assert win_rate == f"{(decision.value + 1) / 2:.1%}"
    assert moves == list(decision.result.pv[:6])
    assert decision.value == decision.result.value


def test_gomoku_is_opened_in_the_centre():
    game = make_game("gomoku:size=5")
    decision = make_player("mcts", game).choose(Position(game), Allowance())
    assert game.action_name(decision.action) == "C3"


def test_blunders_are_as_frequent_as_asked():
    """1000 moves at 0.3: 300 +- 14.5, within 5 deviations; wrong in 1 of 10^6."""
    player = make_player("mcts:simulations=1,blunder=0.3", GAME)
    player.new_game(1)
    moves = [player.choose(START, Allowance()) for _ in range(1000)]
    blunders = [move for move in moves if move.result is None]
    assert 228 <= len(blunders) <= 372
    assert {move.action for move in blunders} == set(range(7))
    assert {move.comment for move in blunders} == {"at random"}


# -- thinking on -----------------------------------------------------------------------


def test_it_thinks_on_while_the_other_does_if_asked():
    player = make_player("mcts:simulations=200,ponder=true", GAME)
    position = Position(GAME)
    with player:
        position.play(player.choose(position.copy(), Allowance()).action)
        assert "pondering" in threads()
        end, forest = time.monotonic() + 60, player.search._forest
        while forest.trees[0].visits < 20_000 and time.monotonic() < end:
            time.sleep(0.01)
        position.play("4")
        result = player.choose(position.copy(), Allowance()).result
        assert result.simulations == 200
        assert result.visits > 400  # the rest was thought before
        assert "pondering" in threads()
    assert "pondering" not in threads()


def test_it_does_not_think_on_by_itself():
    player = make_player("mcts:simulations=200", GAME)
    player.choose(START, Allowance())
    assert "pondering" not in threads()


def test_pondering_ends_with_the_game_and_begins_after_any_move():
    player = make_player("mcts:simulations=10,ponder=true,blunder=1.0,nodes=500", GAME)
    with player:
        player.choose(START, Allowance())
        player.new_game(2)
        assert "pondering" not in threads()
        over = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2"])
        last = make_player("mcts:simulations=50,ponder=true", TicTacToe())
        assert last.choose(over, Allowance()).action == over.game.parse_action("a3")
        assert "pondering" not in threads()  # that was the last move


def threads():
    return " ".join(thread.name for thread in threading.enumerate())


@pytest.mark.parametrize(
    ("spec", "name", "value"),
    [
        ("threads=2", "threads", 2),
        ("trees=3", "num_trees", 3),
        ("early_stop=true", "early_stop", True),
        ("virtual_loss=0.5,threads=2", "virtual_loss", 0.5),
    ],
)
def test_what_a_search_can_be_told(spec, name, value):
    assert getattr(make_player(f"mcts:{spec}", GAME).search, name) == value


def test_two_threads_play():
    player = make_player("mcts:threads=2,simulations=300", TicTacToe())
    decision = player.choose(Position(TicTacToe()), Allowance())
    assert decision.result.simulations == 300


def test_a_new_tree_for_each_move():
    player = make_player("mcts:simulations=500,reuse=no", GAME)
    position = Position(GAME)
    decision = player.choose(position.copy(), Allowance())
    position.play(decision.action).play("4")
    result = player.choose(position.copy(), Allowance()).result
    assert result.visits == result.simulations == 500
    with pytest.raises(UsageError, match="ponder"):
        make_player("mcts:reuse=no,ponder=yes", GAME)


def test_the_first_move_may_have_another_time():
    spec = "mcts:seconds=0.01,first_seconds=0.05,simulations=20"
    player = make_player(spec, GAME)
    assert player.limit(Allowance(), START).seconds == 0.05
    assert player.limit(Allowance(seconds=0.04), START).seconds < 0.05
    player.choose(START.copy(), Allowance())
    assert player.limit(Allowance(), START).seconds == 0.01
    player.new_game(1)
    assert player.limit(Allowance(), START).seconds == 0.05
    with pytest.raises(UsageError, match="first_seconds must be above 0"):
        make_player("mcts:first_seconds=-1", GAME)
