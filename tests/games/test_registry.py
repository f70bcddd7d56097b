"""Games by name: what is said where a class of one's own cannot be made."""

import pytest

from playout.core.errors import UsageError
from playout.games.registry import make_game


def test_parameters_are_declared_not_assigned(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom tests import toys\n\n"
        "@dataclass(frozen=True)\nclass Mine(toys.Nim):\n"
        "    def __init__(self, left=9):\n        self.stones = left\n"
    )
    with pytest.raises(UsageError, match="declared in the class body, as in `size: "):
        make_game(f"{path}:Mine")
