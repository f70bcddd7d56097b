"""What is printed where the output cannot show a character, as in ISO 8859-1."""

from __future__ import annotations

import codecs

__all__ = ["LOOK_ALIKES", "register_look_alikes"]

#: The name of what `register_look_alikes` registers.
LOOK_ALIKES = "playout.look_alikes"

_DRAWN = "╳╲╱╭╮╰╯─│┼▶·•…▁▂▃▄▅▆▇█░"
_ALIKE = dict(zip(_DRAWN, r"X\//\\/-|+>..~_.:-=+*#.", strict=True))


def register_look_alikes() -> None:
    """Let streams have `errors=LOOK_ALIKES`: frames, stones and bars stay readable.

    >>> register_look_alikes()
    >>> "─▶ ███ é".encode("ascii", LOOK_ALIKES)
    b'-> ### ?'
    """
    codecs.register_error(LOOK_ALIKES, _look_alike)


def _look_alike(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        return codecs.replace_errors(error)
    lost = error.object[error.start : error.end]
    return "".join(_ALIKE.get(one, "?") for one in lost), error.end
