"""A few of the kills that `make fuzz` makes many of."""

import os
from pathlib import Path

import pytest

from .resumed_match import fuzz

pytestmark = pytest.mark.skipif(
    not hasattr(os, "killpg") or not Path("/proc").exists(), reason="needs Linux"
)


def test_a_match_that_is_killed_ends_as_undisturbed(tmp_path):
    assert fuzz(kills=3, seed=2, place=tmp_path) == []
