"""What is tested here is the compiled code itself, as users get it."""

import pytest

#: Tests of what is said and kept of code, not of how it runs.
LITTLE = ("test_cache.py", "test_diagnose.py", "test_pruning.py")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Have it optimised as theirs is."""
    if item.path.name not in LITTLE:
        item.add_marker(pytest.mark.optimised)
