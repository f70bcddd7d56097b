"""`from_pettingzoo`: environments of PettingZoo, whose agents act in turn, as games.

    Terry and others, "PettingZoo: Gym for Multi-Agent Reinforcement Learning", 2021.

An environment says neither what chance may do nor what an agent cannot know. Random
games find out whether there is any of that, and it is refused then.
"""

from __future__ import annotations

import functools
import importlib
from difflib import get_close_matches
from pkgutil import iter_modules
from typing import Any

from ..core.errors import UsageError, quote
from ..core.text.fields import expect_whole
from .environment import LONGEST, blamed
from .foreign_class import game_of
from .foreign_game import ForeignGame
from .packages import package, read_call
from .pettingzoo_game import PettingZooGame
from .pettingzoo_trial import try_out

__all__ = ["from_pettingzoo"]

#: After so many actions a game is cut off and counts as it stands.
MOST_PLIES = 1000


def from_pettingzoo(
    environment: Any, *, seed: int = 0, max_length: int = MOST_PLIES
) -> ForeignGame:
    """A game by the rules of an environment.

    Args:
        environment: its name in `pettingzoo.classic`, with keywords as in
            `go_v5(board_size=9)`, or an `AECEnv`; it is copied, and not changed.
        seed: of `reset`.
        max_length: after so many actions a game is cut off, and counts as it stands.

    Raises:
        UsageError: PettingZoo is missing or knows no such environment, actions are not
            discrete, or random games have shown chance, hidden information, or copies
            that do not play on as the original does.
    """
    pettingzoo = package(
        "pettingzoo", "An environment of PettingZoo", "playout[pettingzoo]"
    )
    again = functools.partial(from_pettingzoo, seed=seed, max_length=max_length)
    given = environment
    expect_whole("seed", seed, 0)
    expect_whole("max_length", max_length, 1, LONGEST)
    if isinstance(given, str):
        name, environment = given, _make(given)
    elif not hasattr(given, "metadata"):
        raise UsageError(
            "from_pettingzoo takes the name of an environment, or an AECEnv, not "
            f"{quote(given)}"
        )
    else:
        name = str(given.metadata.get("name") or type(given.unwrapped).__name__)
    if not isinstance(environment, pettingzoo.AECEnv):
        raise UsageError(
            f"pettingzoo:{name}: agents act at the same time, and Playout's take turns "
            "(an AECEnv); what one may not see of the others' actions would be hidden"
        )
    with blamed(f"pettingzoo:{name}", ()):
        game = PettingZooGame(f"pettingzoo:{name}", environment, seed, max_length)
    try_out(game)
    return game_of(game, (again, (given,)))


def _make(text: str) -> Any:
    name, keywords = read_call(text)
    classic = package("pettingzoo.classic", "PettingZoo's games", "playout[pettingzoo]")
    known = [each.name for each in iter_modules(classic.__path__) if "_v" in each.name]
    if name not in known:
        near = get_close_matches(name, known, 1)
        hint = f", did you mean {near[0]}?" if near else f"; it has {', '.join(known)}"
        raise UsageError(f"PettingZoo has no game {quote(name)} that is classic{hint}")
    try:
        module = importlib.import_module(f"pettingzoo.classic.{name}")
        return module.raw_env(**keywords)
    except Exception as error:
        raise UsageError(f"pettingzoo:{text}: {error}") from None
