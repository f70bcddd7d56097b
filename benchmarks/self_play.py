"""Self-play of Connect Four: games an hour, next to alpha-zero-general.

The same residual network and the same number of simulations a move, in turn in one run.
Playout plays `--at-once` games side by side on so many threads, as `playout train`
does, with ONNX Runtime. alpha-zero-general plays as its `Coach` does, one game after
another and one leaf at a time, with PyTorch on so many threads, as its own networks do;
`--runtime` gives it ONNX Runtime, which it does not know. Hours are of the clock and of
the processor; "outside" is the share of the clock that the network does not take.

    git clone https://github.com/suragnair/alpha-zero-general ../alpha-zero-general
    python benchmarks/self_play.py ../alpha-zero-general --training c4

`c4` is the directory of a `playout train connect-four`; without it the network has
random weights, and `--network` may give it another shape. NumPy has dropped two names
that alpha-zero-general uses, `np.int` and `tostring`; they are given back.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from playout import ConnectFour
from playout.learning.config import TrainConfig
from playout.learning.exports import to_onnx
from playout.learning.networks import Learner
from playout.learning.selfplay import SelfPlay
from playout.players.networks import load_network

GAME = ConnectFour()


@dataclass(frozen=True)
class Run:
    """What some games took.

    Attributes:
        games: that were played, or as much as that.
        clock: seconds.
        processor: seconds of all threads.
        outside: the share of the clock's seconds that the network did not take.
    """

    games: float
    clock: float
    processor: float
    outside: float


class Network:
    """One network, as PyTorch and as ONNX Runtime run it.

    Attributes:
        path: of the ONNX file.
        seconds: of the clock, that `predict` has taken.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        training, threads = options.training, options.threads
        config, shape = TrainConfig(options.network), GAME.observation_shape()
        learner = Learner(
            config.shape("onnx"), shape, GAME.num_actions(), config, threads
        )
        if training is not None:
            learner.load((Path(training) / "checkpoint.pt").read_bytes())
        learner.module.load_state_dict(learner.averaged)
        learner.module.eval()
        self.module, self.seconds = learner.module, 0.0
        self.path = Path(tempfile.mkdtemp()) / "net.onnx"
        self.path.write_bytes(
            to_onnx(learner.shape, shape, GAME.num_actions(), learner.weights())
        )
        evaluator = load_network(self.path, GAME, threads)
        self.judge = evaluator if options.runtime else self.by_torch

    def by_torch(self, planes: Any) -> tuple[Any, Any]:
        import torch

        with torch.no_grad():
            logits, value = self.module(torch.from_numpy(planes))
            return value.numpy(), torch.softmax(logits, dim=1).numpy()

    def predict(self, board: Any) -> tuple[Any, float]:
        """What alpha-zero-general asks: priors and value of a board of 1, -1 and 0."""
        begun = time.perf_counter()
        planes = np.zeros((1, 3, *board.shape), np.float32)
        planes[0, 0], planes[0, 1] = board == 1, board == -1
        values, priors = self.judge(planes)
        self.seconds += time.perf_counter() - begun
        return priors[0], float(values[0])


def measured(games: Callable[[], float], network: Callable[[], float]) -> Run:
    """Have games played, and take the time."""
    before, clock, processor = network(), time.perf_counter(), time.process_time()
    count = games()
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    return Run(count, clock, processor, 1 - (network() - before) / clock)


def playout(network: Network, options: argparse.Namespace) -> Callable[[], Run]:
    """Plays for some moves of games that are under way.

    Games are counted by their moves, as many of those that end are of one age. What is
    remembered of the network is forgotten as often as a training has a new one.
    """
    config = TrainConfig(
        simulations=options.simulations,
        random_share=0.0,
        games_at_once=options.at_once,
    )
    play = SelfPlay(GAME, config, options.threads, seed=1)
    every = max(1, config.checkpoint_positions // config.games_at_once)
    lengths: list[int] = []

    def moves(count: int) -> float:
        """Play some moves in every game; so many games' worth."""
        for move in range(count):
            if move % every == 0:
                play.use(network.path)
            lengths.extend(len(lesson.moves) for lesson in play.step())
        return count * config.games_at_once / statistics.mean(lengths)

    moves(100)  # until games end evenly
    return lambda: measured(lambda: moves(options.moves), lambda: play.network_seconds)


def alpha_zero_general(
    network: Network, options: argparse.Namespace
) -> Callable[[], Run]:
    """Plays some games by `Coach.executeEpisode`."""
    np.int = int  # type: ignore[attr-defined]
    sys.path.insert(0, options.directory)
    from Coach import Coach
    from connect4.Connect4Game import Connect4Game

    class Game(Connect4Game):  # type: ignore[misc]
        def stringRepresentation(self, board: Any) -> bytes:
            return board.tobytes()

    class Player:
        def __init__(self, game: Any) -> None:
            self.predict = network.predict

    class Settings(dict):  # type: ignore[type-arg]
        __getattr__ = dict.__getitem__

    game = Game()
    settings = Settings(numMCTSSims=options.simulations, cpuct=1, tempThreshold=15)

    def play() -> float:
        for _ in range(options.games):
            Coach(game, Player(game), settings).executeEpisode()
        return options.games

    return lambda: measured(play, lambda: network.seconds)


def row(name: str, runs: list[Run]) -> dict[str, Any]:
    """Print what runs came to, as medians."""
    found = {
        "program": name,
        "games": sum(run.games for run in runs),
        "an_hour": statistics.median(3600 * run.games / run.clock for run in runs),
        "a_processor_hour": statistics.median(
            3600 * run.games / run.processor for run in runs
        ),
        "outside": statistics.median(run.outside for run in runs),
    }
    print(
        f"{name:<20} {found['games']:>7,.0f} {found['an_hour']:>10,.0f} "
        f"{found['a_processor_hour']:>18,.0f} {found['outside']:>9.1%}"
    )
    return found


def ratios(name: str, pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Print how many times as many games we play, by pairs of runs."""
    found = sorted(ours / theirs for ours, theirs in pairs)
    middle = statistics.median(found)
    print(f"{name}: {middle:.1f} x ({found[0]:.1f} to {found[-1]:.1f})")
    return {"hours": name, "ratio": middle, "from": found[0], "to": found[-1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("directory", help="where alpha-zero-general is")
    parser.add_argument("--training", metavar="DIR", help="whose network plays")
    parser.add_argument("--network", default="", help="its shape, as in TOML")
    parser.add_argument("--runtime", action="store_true", help="ONNX Runtime for both")
    parser.add_argument("--simulations", type=int, default=25, help="a move")
    parser.add_argument("--at-once", type=int, default=64, help="games of ours")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--moves", type=int, default=100, help="of ours, a round")
    parser.add_argument("--games", type=int, default=20, help="of theirs, a round")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    network = Network(options)
    ours, theirs = playout(network, options), alpha_zero_general(network, options)
    pairs = [(ours(), theirs()) for _ in range(options.rounds)]
    print(f"{'':<20} {'games':>7} {'an hour':>10} {'a processor-hour':>18} outside")
    rows = [
        row("Playout", [pair[0] for pair in pairs]),
        row("alpha-zero-general", [pair[1] for pair in pairs]),
        ratios("by the clock", [(rate(a), rate(b)) for a, b in pairs]),
        ratios("by the processor", [(a.games / a.processor, b.games / b.processor)
                                    for a, b in pairs]),
    ]  # fmt: skip
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1))


def rate(run: Run) -> float:
    return run.games / run.clock


if __name__ == "__main__":
    main()
