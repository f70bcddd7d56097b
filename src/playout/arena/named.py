"""The files that specs name: games of other files are games of another match."""

from __future__ import annotations

import hashlib

from ..core.files import read_bytes
from ..core.text.imports import own_imports
from ..core.text.spec import named_files
from ..players.networks import SHIPPED

__all__ = ["files_digest"]


def files_digest(spec: str) -> str | None:
    """What the files that a spec names contain; None if it names none.

    With a Python file count those of its folder that it imports.
    """
    files = [*map(str, named_files(spec, SHIPPED))]
    for file in [file for file in files if file.endswith(".py")]:
        files += [str(each) for each in own_imports(file)]
    digests = [hashlib.sha256(read_bytes(path)).hexdigest() for path in files]
    return " ".join(digests) or None
