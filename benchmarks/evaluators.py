"""What does a search with an evaluator cost besides the evaluator?

Connect Four with an evaluator that says 0 of every position and the same of every move:
simulations a second of processor time, 64 for each position, next to mctx with a
network that says 0 as well (muzero_policy and gumbel_muzero_policy, which know no
rules), where mctx is installed.
With PyTorch, a small residual network: how much of the time is spent outside of it.
Median and best of some rounds, in turn.

    python benchmarks/evaluators.py [--rounds 9] [--simulations 64]

With `--device cuda` it is that network alone, on a graphics card in half precision: for
each number of trees and of threads simulations a second of the clock, all at once and
double buffered in turn, the median round, and the part of its time that the network
took, what is carried to the card and back included.
"""

import argparse
import itertools
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from playout import MCTS, ConnectFour, Gumbel, Limit, Position


class Boards(ConnectFour):
    """Connect Four that shows a network the stones of both, cell by cell."""

    def observation_shape(self) -> tuple[int, ...]:
        return (2, 7, 7)  # the top row is always empty

    def observe(self, state: Any, planes: Any) -> None:
        mover = self.current_player(state)
        for cell in range(49):
            bit = np.uint64(1) << np.uint64(cell)
            if state.stones[mover, 0] & bit != np.uint64(0):
                planes[0, cell % 7, cell // 7] = 1.0
            if state.stones[1 - mover, 0] & bit != np.uint64(0):
                planes[1, cell % 7, cell // 7] = 1.0


ALIKE = np.full((100_000, 7), 1 / 7, dtype=np.float32)


def zeros(states: Any) -> Any:
    return np.zeros(len(states)), ALIKE[: len(states)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--trees", type=int, nargs="*", default=(64, 256, 1024))
    parser.add_argument("--blocks", type=int, default=4, help="of the network")
    parser.add_argument("--channels", type=int, default=64, help="of each block")
    parser.add_argument("--device", help="of PyTorch's, such as cuda")
    parser.add_argument("--threads", type=int, nargs="*", default=(1, 2, 4, 8))
    given = parser.parse_args()
    count = given.simulations
    if given.device:
        on_a_device(given, given.blocks, given.channels)
        return
    rows: dict[str, tuple[Callable[[], Any], int]] = {}
    for trees in given.trees:
        rows[f"{trees} trees, PUCT"] = many({}, trees, count)
        rows[f"{trees} trees, Gumbel"] = many({"selection": Gumbel()}, trees, count)
        if find_spec("mctx"):
            for name in ("muzero_policy", "gumbel_muzero_policy"):
                rows[f"{trees} trees, mctx {name}"] = mctx_policy(name, trees, count)
    for batch in (1, 16):
        rows[f"one tree, batch {batch}"] = one(batch, 100_000)
    measure(rows, given.rounds)
    if find_spec("torch"):
        outside_of_the_network(count, given.blocks, given.channels)


def measure(rows: dict[str, tuple[Callable[[], Any], int]], rounds: int) -> None:
    """Print million simulations a second of processor time, and of the clock."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, (run, simulations) in rows.items():
            cpu, clock = time.process_time(), time.perf_counter()
            run()
            cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
            found[name].append((simulations / cpu / 1e6, simulations / clock / 1e6))
    print(f"{'million simulations a second':<44}{'processor':>16}{'clock':>16}")
    for name, speeds in found.items():
        each = np.array(speeds)
        middle, best = np.median(each, axis=0), each.max(axis=0)
        shown = (f"{m:9.2f} ({b:.2f})" for m, b in zip(middle, best, strict=True))
        print(f"{name:<44}", *shown)


def many(policies: Any, trees: int, count: int) -> tuple[Callable[[], Any], int]:
    search = MCTS(ConnectFour(), seed=1, evaluator=zeros, **policies)
    positions = [Position(ConnectFour())] * trees
    search.search_many(positions, Limit(simulations=count))
    limit = Limit(simulations=count)
    return (lambda: search.search_many(positions, limit)), trees * count


def one(batch: int, count: int) -> tuple[Callable[[], Any], int]:
    search = MCTS(ConnectFour(), seed=1, evaluator=zeros, batch=batch)
    search.compile()

    def run() -> None:
        search.reset()
        search.search(limit=Limit(simulations=count), forced_too=True)

    return run, count


def mctx_policy(name: str, trees: int, count: int) -> tuple[Callable[[], Any], int]:
    """mctx with a network that says 0, compiled for this batch."""
    import jax
    import mctx

    nothing, flat = jax.numpy.zeros(trees), jax.numpy.zeros((trees, 7))

    def step(params: Any, key: Any, action: Any, embedding: Any) -> Any:
        output = mctx.RecurrentFnOutput(
            reward=nothing, discount=nothing - 1.0, prior_logits=flat, value=nothing
        )
        return output, embedding

    @jax.jit
    def search(key: Any) -> Any:
        root = mctx.RootFnOutput(prior_logits=flat, value=nothing, embedding=nothing)
        return getattr(mctx, name)(None, key, root, step, count).action_weights

    key = jax.random.PRNGKey(1)
    search(key).block_until_ready()
    return (lambda: search(key).block_until_ready()), trees * count


def outside_of_the_network(count: int, blocks: int, channels: int) -> None:
    """Print what part of the time is spent outside of a network of PyTorch's."""
    import torch

    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = residual_network(torch, blocks, channels)
    inside = 0.0

    def evaluate(planes: Any) -> Any:
        nonlocal inside
        started = time.process_time()
        with torch.inference_mode():
            values, priors = network(torch.from_numpy(planes))
        answer = values.numpy(), priors.numpy()
        inside += time.process_time() - started
        return answer

    search = MCTS(Boards(), seed=1, evaluator=evaluate, batch=16)
    positions = [Position(Boards())] * 256
    search.search(limit=Limit(simulations=20))
    search.search_many(positions, Limit(simulations=2))
    runs: dict[str, Callable[[], Any]] = {
        "256 trees": lambda: search.search_many(positions, Limit(simulations=count)),
        "one tree, batch 16": lambda: search.search(
            limit=Limit(simulations=20 * count)
        ),
    }
    print(f"\nPyTorch, {blocks} residual blocks of {channels} channels, one thread")
    for name, run in runs.items():
        inside, started = 0.0, time.process_time()
        run()
        part = 1 - inside / (time.process_time() - started)
        print(f"{name:<44}{part:9.1%} of the time outside of the network")


def on_a_device(given: argparse.Namespace, blocks: int, channels: int) -> None:
    """Print how fast trees grow with a network that is somewhere else."""
    import torch

    torch.manual_seed(1)
    layout, device = torch.channels_last, given.device
    network = residual_network(torch, blocks, channels).to(device).half()
    network = network.to(memory_format=layout)
    inside = 0.0

    def evaluate(planes: Any) -> Any:
        nonlocal inside
        started = time.perf_counter()
        with torch.inference_mode():
            values, priors = network(torch.from_numpy(planes).to(device).half())
            both = torch.cat([values[:, None], priors], dim=1).float().cpu().numpy()
        inside += time.perf_counter() - started
        return both[:, 0], both[:, 1:]

    print(f"{blocks} residual blocks of {channels} channels on {device}")
    print("million simulations a second, and the network's part of the time")
    print(
        f"{'trees':>6}{'threads':>9}{'at once':>20}{'double buffered':>20}{'ratio':>9}"
    )
    for trees, number in itertools.product(given.trees, given.threads):
        positions = [Position(Boards())] * trees
        limit = Limit(simulations=given.simulations)
        searches = {  # one for each, as a search keeps its trees for the next call
            halves: MCTS(Boards(), seed=1, evaluator=evaluate, threads=number)
            for halves in (False, True)
        }
        found: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        for each in range(-1, given.rounds):
            for halves, search in searches.items():
                inside, started = 0.0, time.perf_counter()
                search.search_many(positions, limit, double_buffered=halves)
                took = time.perf_counter() - started
                if each >= 0:
                    speed = trees * given.simulations / took / 1e6
                    found[halves].append((speed, inside / took))
        shown, speeds = "", []
        for runs in found.values():
            speed, part = sorted(runs)[len(runs) // 2]
            speeds.append(speed)
            shown += f"{speed:13.3f}, {part:4.0%}"
        print(f"{trees:>6}{number:>9}{shown}{speeds[1] / speeds[0]:9.2f}", flush=True)


def residual_network(torch: Any, blocks: int, channels: int) -> Any:
    """A network with a value and a policy, as in AlphaZero, with random weights."""
    nn = torch.nn

    def convolution(inner: int) -> Any:
        layers = nn.Conv2d(inner, channels, 3, padding=1), nn.BatchNorm2d(channels)
        return nn.Sequential(*layers)

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = convolution(channels), convolution(channels)

        def forward(self, x: Any) -> Any:
            return torch.relu(x + self.second(torch.relu(self.first(x))))

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            tower = [Block() for _ in range(blocks)]
            self.body = nn.Sequential(convolution(2), nn.ReLU(), *tower, nn.Flatten())
            self.value = nn.Linear(channels * 49, 1)
            self.policy = nn.Linear(channels * 49, 7)

        def forward(self, planes: Any) -> Any:
            x = self.body(planes)
            priors = torch.softmax(self.policy(x), dim=1)
            return torch.tanh(self.value(x))[:, 0], priors

    return Network().eval()


if __name__ == "__main__":
    main()
