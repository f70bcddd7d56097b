"""What share of a search's time each phase takes, against bare rollouts.

The search's own functions, with the processor's cycle counter read between them (which
itself costs some 25 cycles a time, a few percent in all).

    python benchmarks/phases.py [GAME...]
"""

import sys
import time
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.extending import intrinsic

from playout import (
    MCTS,
    UCT,
    ConnectFour,
    Game,
    Gomoku,
    RandomChild,
    TicTacToe,
    Tree,
    UltimateTicTacToe,
    Uniform,
    Unsolved,
    random_play,
)
from playout.core.jit.native import kernel
from playout.search.kernels.simulate import evaluate, select_leaf
from playout.search.kernels.structure import descend
from playout.search.tree.nodes import ROOT
from playout.search.work import AT_ROOT, CURRENT

GAMES: dict[str, tuple[Game, int]] = {
    "tic-tac-toe": (TicTacToe(), 100_000),
    "connect-four": (ConnectFour(), 100_000),
    "ultimate-tic-tac-toe": (UltimateTicTacToe(), 100_000),
    "gomoku": (Gomoku(), 10_000),
}


@intrinsic
def cycles(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [])
        function = builder.module.declare_intrinsic("llvm.readcyclecounter", (), kind)
        return builder.call(function, [])

    return types.int64(), codegen


@kernel
def timed(policies: Any, tree: Any, work: Any, until: int, spent: Any) -> None:
    """`simulate` for one new child at a time; adds cycles to `spent[phase]`."""
    policies.structure.start(policies, tree, work)
    while tree.nodes[ROOT].visits < until:
        t0 = cycles()
        depth = select_leaf(policies, tree, work)
        t1 = cycles()
        leaf = work.path[depth].node
        count = 0
        if policies.expansion.is_due(tree, leaf):
            first, count = policies.expansion.expand(
                policies.game, work.states[CURRENT], tree, leaf, work
            )
            if count > 0:
                descend(policies, tree, work, depth, first)
                depth += 1
        t2 = cycles()
        state = work.states[CURRENT]
        plies = policies.rollout.play(policies.game, state, work, depth)
        t3 = cycles()
        evaluate(policies.game, policies.rollout, state, work)
        policies.backup.update(tree, work, depth, depth + plies)
        t4 = cycles()
        spent[0] += t1 - t0
        spent[1] += t2 - t1
        spent[2] += t3 - t2
        spent[3] += t4 - t3


def main() -> None:
    print(
        f"{'':<22}{'selection':>10}{'expansion':>10}{'rollout':>9}{'backup':>8}"
        f"{'search/s':>13}{'rollouts/s':>13}{'generic/s':>13}"
    )
    for name in sys.argv[1:] or GAMES:
        game, simulations = GAMES[name]
        search = MCTS(
            game,
            selection=UCT(2.0),
            expansion=RandomChild(urgent="never"),
            rollout=Uniform(),
            solver=Unsolved(),
            seed=1,
        )
        search.compile()  # leaves a state of its own at the root
        tree = Tree.reserve(2 * simulations + 1000, search.policies.node_dtype)
        spent = np.zeros(4, dtype=np.int64)
        work = search._forest.teams[0].works[0]
        work.states.array[AT_ROOT] = search.position.array[0]
        arguments = search.policies, tree, work
        native = timed.compile(*arguments, simulations, spent)
        for _ in range(5):
            tree.clear(1)
            native(*arguments, simulations, spent)
        plain = measure_search(search, tree, simulations)
        own = random_play(game, simulations)
        generic = random_play(game, simulations, generic=True)
        shares = spent / spent.sum()
        print(
            f"{name:<22}{shares[0]:>10.0%}{shares[1]:>10.0%}{shares[2]:>9.0%}"
            f"{shares[3]:>8.0%}{plain:>13,.0f}{own.games / own.seconds:>13,.0f}"
            f"{generic.games / generic.seconds:>13,.0f}",
            flush=True,
        )


def measure_search(search: MCTS, tree: Tree, simulations: int) -> float:
    """Simulations a second of the untouched kernel."""
    native, work, best = search._forest.native, search._forest.teams[0].works[0], 0.0
    assert native is not None
    for _ in range(5):
        tree.clear(1)
        started = time.process_time()
        native(search.policies, tree, work, simulations, simulations)
        best = max(best, simulations / (time.process_time() - started))
    assert tree.num_nodes > 1, "the kernel found the game to be over"
    return best


if __name__ == "__main__":
    main()
