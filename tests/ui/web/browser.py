"""The browser that the tests drive: Chromium as the system installs it."""

import os
import shutil

#: Where it is; None where there is none.
CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)
#: What it needs in a container.
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
