"""A few of the kills that `make fuzz` makes many of."""

import os
from pathlib import Path

import pytest

from tests.packages import needed

for package in ("torch", "onnx", "onnxruntime"):
    needed(package)
from .resumed_training import fuzz  # noqa: E402

pytestmark = pytest.mark.skipif(
    not hasattr(os, "killpg") or not Path("/proc").exists(), reason="needs Linux"
)


def test_a_training_that_is_killed_loses_no_game(tmp_path):
    assert fuzz(kills=2, seed=2, place=tmp_path) == []
