"""Numbers on the command line have limits: none takes all memory, or all time."""

import pytest

from tests.ui.support import error_of

MATCH = ["match", "tic-tac-toe", "random", "random"]
TUNE = ["tune", "tic-tac-toe", "c_uct=0.5..1"]
LADDER = ["levels", "calibrate", "tic-tac-toe"]
HUGE = "1000000000000000000000"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*MATCH, "--games", HUGE], f"games={HUGE} is more than 10,000,000"),
        ([*MATCH, "--concurrency", "100000000"], "concurrency=100000000 is more than"),
        ([*MATCH, "--seconds", "1e300"], "more than 10000000 seconds for a move"),
        ([*MATCH, "--openings", f"random:plies={10**12}"], "is more than 9"),
        ([*MATCH, "--openings", f"random:plies={HUGE}"], "expected random:plies=N"),
        ([*TUNE, "--games", HUGE], f"--games={HUGE} is more than 10,000,000"),
        ([*TUNE, "--per-trial", "100000000"], "games of a trial=100000000 is more"),
        ([*TUNE[:2], "trees=1..1000000"], "trees=1000000 is more than 1,024"),
        ([*LADDER, "--levels", HUGE], f"levels={HUGE} is more than 100"),
        ([*LADDER, "--games", HUGE], f"games={HUGE} is more than 10,000,000"),
        ([*LADDER, "--most", HUGE], "most must be a whole number from 50 to 4,294,967"),
        (["check", "tic-tac-toe", "--games", HUGE], "--games must be a whole number"),
        (["bench", "tic-tac-toe", "--simulations", HUGE], "--simulations must be"),
        (["analyze", "tic-tac-toe", "--seconds", "1e300"], "seconds=1e+300 is more"),
        (["solve", "tic-tac-toe", "--seconds", "1e300"], "seconds=1e+300 is more"),
        (["analyze", "tic-tac-toe", "--threads", HUGE], "threads must be at most 1024"),
        (["play", "tic-tac-toe", "mcts:trees=100000000"], "is more than 1,024"),
        (["perft", "tic-tac-toe", HUGE], "DEPTH must be 0 to 9"),
    ],
)
def test_too_much_is_refused(arguments, message):
    assert message in error_of(*arguments)
