"""Python in a process of its own."""

import os
import subprocess
import sys


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What code prints there, and how it ends."""
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=600,
    )
