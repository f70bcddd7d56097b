"""Networks in PyTorch, and what is learnt from a batch of positions.

Only this file imports PyTorch. Residual networks are those of AlphaZero
(Silver et al., "A general reinforcement learning algorithm that masters chess, shogi
and Go through self-play", Science 2018), with smaller heads; dense ones have clipped
ReLUs, between 0 and 1, as networks have that are compiled into a search.
"""

from __future__ import annotations

import importlib.util
import io
import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import UsageError
from .config import Network, TrainConfig

__all__ = ["Learner", "expect_torch"]

#: Channels of the heads' first convolutions, and neurons of the value's hidden layer.
POLICY_CHANNELS, VALUE_CHANNELS, VALUE_WIDTH = 8, 4, 64


def expect_torch() -> None:
    """Complain where PyTorch, or what writes networks to files, is not installed.

    Raises:
        UsageError: says what to install.
    """
    missing = [
        name
        for name in ("torch", "onnx", "onnxruntime")
        if importlib.util.find_spec(name) is None
    ]
    if missing:
        raise UsageError(
            f"training needs {' and '.join(missing)}: pip install playout[learn]"
        )


class Learner:
    """A network that learns, and the average of its weights, which plays.

    Args:
        shape: of the network.
        planes: the shape of what it sees.
        actions: how many there are.
        config: how it learns.
        threads: of PyTorch.

    Attributes:
        steps: steps of learning so far.

    Raises:
        UsageError: a residual network is to see what has no rows and columns.
    """

    def __init__(
        self,
        shape: Network,
        planes: tuple[int, ...],
        actions: int,
        config: TrainConfig,
        threads: int,
    ) -> None:
        import torch

        if shape.blocks and len(planes) != 3:
            raise UsageError(
                "a residual network sees planes, rows and columns, and the game's "
                f"observation_shape is {planes}: name a dense one, network = 'dense: "
                "128, 64', in the file of --config"
            )
        torch.set_num_threads(threads)
        torch.manual_seed(config.seed)
        self.shape, self.planes, self.actions = shape, planes, actions
        self.config, self.steps = config, 0
        self.module = _make(shape, planes, actions)
        self.averaged: dict[str, Any] = _copy(self.module.state_dict())
        self._optimizer = torch.optim.AdamW(
            self.module.parameters(),
            lr=config.learning_rate,
            weight_decay=config.weight_decay,
        )

    def set_rate(self, rate: float) -> None:
        """Take steps with this learning rate from now on."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate

    def learn(
        self,
        planes: NDArray[np.float32],
        policies: NDArray[np.float32],
        values: NDArray[np.float32],
    ) -> tuple[float, float]:
        """Take one step; returns the losses of policy and value.

        The policy's is the cross entropy less the entropy of what is to be learnt, so
        that 0 is the best there is; the value's the mean squared error.

        Args:
            planes: `[B, ...]` what is seen.
            policies: `[B, A]` shares of the actions.
            values: `[B]` from -1 to 1.
        """
        import torch

        self.module.train()
        logits, found = self.module(torch.from_numpy(planes))
        target = torch.from_numpy(policies)
        logs = torch.log_softmax(logits, dim=1)
        entropy = torch.special.entr(target).sum(dim=1).mean()
        policy = -(target * logs).sum(dim=1).mean() - entropy
        value = torch.nn.functional.mse_loss(found, torch.from_numpy(values))
        self._optimizer.zero_grad(set_to_none=True)
        (policy + value).backward()
        self._optimizer.step()
        self.steps += 1
        self._average()
        return float(policy.detach()), float(value.detach())

    def _average(self) -> None:
        """Bring the averaged weights nearer; faster at first, when all is new."""
        kept = min(self.config.average, (1 + self.steps) / (10 + self.steps))
        for name, now in self.module.state_dict().items():
            old = self.averaged[name]
            if old.is_floating_point():
                old.lerp_(now, 1 - kept)
            else:
                old.copy_(now)

    def is_finite(self) -> bool:
        """Whether all weights are numbers: too large a learning rate makes NaNs."""
        states = (self.module.state_dict(), self.averaged)
        arrays = [one.numpy() for state in states for one in state.values()]
        return all(np.isfinite(array).all() for array in arrays)

    def weights(self) -> dict[str, NDArray[Any]]:
        """The averaged weights by name, as NumPy has them."""
        return {name: value.numpy() for name, value in self.averaged.items()}

    def to_bytes(self, **facts: Any) -> bytes:
        """All that it takes to go on, with facts of whoever keeps it."""
        import torch

        file = io.BytesIO()
        state = {
            "module": self.module.state_dict(),
            "averaged": self.averaged,
            "optimizer": self._optimizer.state_dict(),
            "steps": self.steps,
            "torch_rng": torch.get_rng_state(),
            "facts": facts,
        }
        torch.save(state, file)
        return file.getvalue()

    def load(self, content: bytes) -> dict[str, Any]:
        """Go on from what `to_bytes` gave; returns the facts.

        Raises:
            UsageError: it is of another network, or damaged.
        """
        import torch

        try:
            state = torch.load(io.BytesIO(content), weights_only=True)
            self.module.load_state_dict(state["module"])
            self._optimizer.load_state_dict(state["optimizer"])
            torch.set_rng_state(state["torch_rng"])
            self.averaged = {k: v.clone() for k, v in state["averaged"].items()}
            self.steps = int(state["steps"])
            self.set_rate(self.config.learning_rate)  # these may be changed
            for group in self._optimizer.param_groups:
                group["weight_decay"] = self.config.weight_decay
            return dict(state["facts"])
        except Exception as error:
            short = str(error).partition("\n")[0]
            raise UsageError(
                f"it is not of this network, or damaged: {short}"
            ) from None


def _make(shape: Network, planes: tuple[int, ...], actions: int) -> Any:
    """The module: planes to logits `[B, A]` and values `[B]`."""
    from torch import nn

    class Block(nn.Module):
        def __init__(self, channels: int) -> None:
            super().__init__()
            self.first = _conv(channels, channels, 3)
            self.second = _conv(channels, channels, 3)

        def forward(self, x: Any) -> Any:
            return nn.functional.relu(x + self.second(self.first(x).relu()))

    class Residual(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            (channels,), cells = shape.widths, planes[1] * planes[2]
            self.stem = _conv(planes[0], channels, 3)
            self.blocks = nn.ModuleList(Block(channels) for _ in range(shape.blocks))
            self.policy = _conv(channels, POLICY_CHANNELS, 1)
            self.logits = nn.Linear(POLICY_CHANNELS * cells, actions)
            self.value = _conv(channels, VALUE_CHANNELS, 1)
            self.hidden = nn.Linear(VALUE_CHANNELS * cells, VALUE_WIDTH)
            self.outcome = nn.Linear(VALUE_WIDTH, 1)

        def forward(self, x: Any) -> tuple[Any, Any]:
            x = self.stem(x).relu()
            for block in self.blocks:
                x = block(x)
            logits = self.logits(self.policy(x).relu().flatten(1))
            hidden = self.hidden(self.value(x).relu().flatten(1)).relu()
            return logits, self.outcome(hidden).tanh().flatten()

    class Dense(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            widths = (math.prod(planes), *shape.widths)
            pairs = itertools.pairwise(widths)
            self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairs)
            self.logits = nn.Linear(widths[-1], actions)
            self.outcome = nn.Linear(widths[-1], 1)
            for layer in self.layers:  # the middle of the clipped ReLU
                nn.init.constant_(layer.bias, 0.25)

        def forward(self, x: Any) -> tuple[Any, Any]:
            x = x.flatten(1)
            for layer in self.layers:
                x = layer(x).clamp(0.0, 1.0)
            return self.logits(x), self.outcome(x).tanh().flatten()

    return Residual() if shape.blocks else Dense()


def _conv(inputs: int, outputs: int, size: int) -> Any:
    """A convolution of rows and columns with batch normalisation."""
    from torch import nn

    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False),
        nn.BatchNorm2d(outputs),
    )


def _copy(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value.detach().clone() for name, value in state.items()}
