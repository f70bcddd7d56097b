"""What holds of trees in other processes, wherever these are."""

import os
import signal
import threading
from typing import Any

from playout import MCTS, ConnectFour, Limit, Position
from playout.search.result.excerpt import TreeTop


def facts(result: Any) -> dict[str, Any]:
    """All that a result says, but for times."""
    return {k: v for k, v in result.to_dict().items() if "second" not in k}


def expect_the_search_on_threads(there: MCTS) -> None:
    """Bit for bit: after moves that keep the tree, and with a full memory."""
    here = MCTS(ConnectFour(), trees=2, seed=3)
    there.go_to(Position(ConnectFour()))
    there.reset(3)
    for limit in (
        Limit(simulations=3001),
        Limit(simulations=5000, nodes=2000),
        Limit(simulations=2),
        Limit(simulations=3000, memory=10**6),
    ):
        results = [search.search(limit=limit) for search in (there, here)]
        assert facts(results[0]) == facts(results[1])
        for one, other in zip(there.trees, here.trees, strict=True):
            assert isinstance(one, TreeTop)
            assert one.visits == other.visits
        for search in (there, here):
            search.advance(results[0].move)
    for position in (there.position.play("3"), Position(ConnectFour())):
        limit = Limit(simulations=1000)
        results = [search.search(position, limit) for search in (there, here)]
        assert facts(results[0]) == facts(results[1])


def expect_best_so_far(search: MCTS) -> None:
    """Press Ctrl-C amid a search: its trees are kept."""
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    result = search.search(
        limit=Limit(seconds=60), progress=lambda _: timer.is_alive() or timer.start()
    )
    assert result.stopped_by == "interrupted"
    assert result.seconds < 50
    before = result.visits
    assert search.search(limit=Limit(simulations=100)).visits == before + 100


class Named:
    """Sixty stones; each action says how many lie there, so most are new for long."""

    def __init__(self, left: int = 60) -> None:
        self.left = left

    def get_legal_actions(self) -> list[str]:
        return [f"{self.left}-{n}" for n in (3, 1, 2) if n <= self.left]

    def is_game_over(self) -> bool:
        return self.left == 0

    def game_result(self) -> int:
        return -1

    def move(self, action: str) -> "Named":
        return Named(self.left - int(action.split("-")[1]))
