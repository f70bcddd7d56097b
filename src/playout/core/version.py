"""Which version of Playout this is."""

from __future__ import annotations

from importlib import metadata

__all__ = ["version"]


def version() -> str:
    """The version that is installed, or that nobody knows.

    >>> len(version()) > 2
    True
    """
    try:
        return metadata.version("playout")
    except metadata.PackageNotFoundError:  # run from a tree that is not installed
        return "0+unknown"
