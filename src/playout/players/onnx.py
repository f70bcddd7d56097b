"""Networks of any library, as ONNX files, by ONNX Runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..adapters.packages import package
from ..core.errors import EvaluatorError, UsageError
from ..core.files import expect_regular
from ..core.text.fields import expect_whole
from ..games.contract.game import Game
from ..search.arguments import MOST_THREADS
from ..search.evaluation.planes import expect_planes, in_units, priors_of, range_of

__all__ = ["INPUT", "OUTPUTS", "OnnxNetwork"]

#: What the input and the outputs of a network are called.
INPUT, OUTPUTS = "planes", ("policy", "value")


class OnnxNetwork:
    """An evaluator that asks a network in a file.

    Its input `planes` is `[B, ...]` float32, as the game's `observe` writes them. Its
    outputs are `policy`, `[B, A]` logits of all actions, and `value`, `[B]` or `[B, 1]`
    for the player to move, or `[B, P]` for every player: from -1, the worst return, to
    1, the best.

    Args:
        path: the file.
        game: what is judged.
        threads: on how many one question is worked at, 1 to 1,024.

    Raises:
        UsageError: ONNX Runtime is not installed; the file is none of a network, or not
            of one for this game, or the threads cannot be.
    """

    def __init__(self, path: str | Path, game: Game, threads: int = 1) -> None:
        self.path, self.shape = str(path), expect_planes(game)
        self.span, self.actions = range_of(game), max(1, game.num_actions())
        runtime = package("onnxruntime", "a network in an .onnx file", "playout[net]")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = expect_whole("threads", threads, 1, MOST_THREADS)
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what is wrong is said in an exception
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        expect_regular(path)  # of which there may be more files beside it
        try:
            self.session = runtime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            said = next(iter(str(error).strip().splitlines()), type(error).__name__)
            cure = "; export it with external_data=False" * ("External data" in said)
            raise UsageError(
                f"{path} is no network that ONNX Runtime can run ({said}){cure}"
            ) from None
        self._check()

    def __call__(self, planes: NDArray[np.float32]) -> tuple[Any, Any]:
        """Values and priors of a batch of planes."""
        policy, value = self.session.run(list(OUTPUTS), {INPUT: planes})
        if policy.shape != (len(planes), self.actions):
            raise EvaluatorError(
                f"the policy of {self.path} is of shape {list(policy.shape)}; for "
                f"{len(planes)} states it must be {[len(planes), self.actions]}"
            )
        return in_units(value, self.span), priors_of(policy)

    def _check(self) -> None:
        """Complain about inputs and outputs of other names, kinds or shapes."""
        inputs = {one.name: one for one in self.session.get_inputs()}
        outputs = {one.name: one for one in self.session.get_outputs()}
        if list(inputs) != [INPUT] or not set(OUTPUTS) <= set(outputs):
            raise UsageError(
                f"{self.path} has inputs {', '.join(inputs)} and outputs "
                f"{', '.join(outputs)}; export it with the input {INPUT} and the "
                f"outputs {' and '.join(OUTPUTS)}"
            )
        planes, policy = inputs[INPUT], outputs[OUTPUTS[0]]
        if planes.type != "tensor(float)":
            raise UsageError(f"{self.path} takes {planes.type}, and planes are float32")
        self._expect(INPUT, planes.shape, self.shape)
        self._expect(OUTPUTS[0], policy.shape, (self.actions,))

    def _expect(self, name: str, given: list[Any], wanted: tuple[int, ...]) -> None:
        """Complain about a shape that cannot be that of a batch of this game."""
        fixed = [None if isinstance(size, str) else size for size in given]
        pairs = zip(fixed[1:], wanted, strict=False)
        fits = len(fixed) == 1 + len(wanted) and all(a in (None, b) for a, b in pairs)
        if not fits:
            theirs, ours = (
                ", ".join(["batch", *map(str, sizes)]) for sizes in (given[1:], wanted)
            )
            raise UsageError(
                f"{self.path} is a network of another game: its {name} are [{theirs}], "
                f"and this game's [{ours}]"
            )
        if fixed[0] is not None:
            raise UsageError(
                f"{self.path} takes {fixed[0]} at a time: export it with a batch of "
                "any size (dynamic_axes, dynamic_shapes)"
            )
