"""Games of OpenSpiel's: Playout through its adapter next to OpenSpiel's Python bot.

The same game, the same number of simulations with one random rollout each, one thread,
in turn in one run; processor time. The bot is `open_spiel.python.algorithms.mcts`, with
its own `RandomRolloutEvaluator`. Prints ratios: the median of the rounds, the smallest
and the largest.

    python benchmarks/adapters.py [--rounds 5] [--simulations 1000] [--json FILE] [GAME]
"""

import argparse
import json
import time

import numpy as np
from in_turn import compare, heading, is_there

from playout import MCTS, UCT, Limit, RandomChild, Uniform, Unsolved, from_openspiel

GAMES = ("breakthrough(rows=6,columns=6)", "connect_four", "hex", "pig")


def playout(search: MCTS, simulations: int, seed: int) -> float:
    """Seconds a simulation, from the start of the game, with an empty store."""
    search.game.store.forget()
    search.reset(seed=seed)
    begun = time.process_time()
    search.search(limit=Limit(simulations=simulations))
    return (time.process_time() - begun) / simulations


def bot(rules: object, simulations: int, seed: int) -> float:
    from open_spiel.python.algorithms import mcts

    random = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    player = mcts.MCTSBot(
        rules, 1.4, simulations, evaluator, solve=False, random_state=random
    )
    state = rules.new_initial_state()
    begun = time.process_time()
    player.mcts_search(state)
    return (time.process_time() - begun) / simulations


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--json")
    options = parser.parse_args()
    if not is_there("pyspiel"):
        return
    print(heading("Playout", "MCTSBot"))
    rows = []
    for name in options.games:
        game = from_openspiel(name)
        search = MCTS(
            game,
            seed=0,
            selection=UCT(),
            expansion=RandomChild(urgent="never"),
            rollout=Uniform(),
            solver=Unsolved(),
        )
        search.search(limit=Limit(simulations=10))  # compiled before the clock runs
        rows.append(
            compare(
                name,
                lambda seed, s=search: playout(s, options.simulations, seed),
                lambda seed, g=game: bot(g.foreign.rules, options.simulations, seed),
                options.rounds,
            )
        )
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
