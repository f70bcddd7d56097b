"""Where the trees of a search grow: in this process, in others, or on a cluster."""

from __future__ import annotations

from typing import Any

from ...core.cluster import read_executor
from ...core.errors import UsageError
from ..evaluation.evaluator import Evaluation
from .cluster import RayForest
from .forest import Forest
from .processes import ProcessForest

__all__ = ["make_forest"]


def make_forest(
    executor: str, *arguments: Any, evaluation: Evaluation | None = None
) -> Forest:
    """The trees of a search, where they are to grow.

    Raises:
        UsageError: there is no such executor, or it is not installed.
    """
    kind, address = read_executor(executor, "executor", processes=True)
    if kind == "local":
        given: dict[str, Any] = {"evaluation": evaluation}
        return Forest(*arguments, **given)
    if evaluation is not None:
        raise UsageError("an evaluator is asked here: it takes executor=local")
    if kind == "processes":
        return ProcessForest(*arguments)
    return RayForest(address, *arguments)
