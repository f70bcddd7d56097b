"""How strong a training's network is, by Playout's own matches.

Its opponents are fixed players and an earlier network, which has learnt half as long.
Earlier networks are kept in the folder `earlier`.
"""

from __future__ import annotations

import math
import shutil
from typing import TYPE_CHECKING, Any

from ..arena.executors import LocalExecutor
from ..arena.match import Match, MatchSettings, play_matches
from ..arena.rating import elo
from ..arena.store import Store
from ..core.errors import UsageError
from ..core.files import replacing, write_text
from ..core.text.spec import NETWORK_FILES
from ..games.contract.game import Game
from ..players.registry import make_player
from .config import TrainConfig

if TYPE_CHECKING:
    from pathlib import Path

    from .trainer import Training

__all__ = ["expect_opponents", "measure"]

#: Moves at random before each pair of games, so that they differ.
OPENING_PLIES = 4
#: What an infinite Elo, of a match without a loss or a win, is told as.
MOST_ELO = 1000.0


def expect_opponents(game: Game, config: TrainConfig) -> None:
    """Complain of opponents that cannot be, before all the training.

    Raises:
        UsageError: there is no such player, or it cannot play the game.
    """
    for opponent in config.opponents if config.match_minutes else ():
        try:
            make_player(opponent, game).close()
        except UsageError as error:
            raise UsageError(f"opponents: {error}") from None


def measure(training: Training) -> None:
    """Play the matches of the moment; adds a row for each to `facts.strength`."""
    opponents = list(training.config.opponents)
    if (before := _earlier(training)) is not None:
        opponents.append(_spec(training, before))
    _keep(training)
    for opponent in opponents:
        training.facts.strength.append(_row(training, opponent))


def _row(training: Training, opponent: str) -> dict[str, Any]:
    own = _spec(training, training.folder)
    plies = min(OPENING_PLIES, training.game.max_game_length() // 4)
    settings = MatchSettings(
        training.spec,
        (own, opponent),
        openings=f"random:plies={plies}" if plies else None,
        seed=training.replay.games,
    )
    match = Match(settings, games=training.config.match_games)
    with Store(None) as store, LocalExecutor() as executor:
        play_matches([match], store, executor)
    value, low, high = (_bounded(x) for x in elo(match.tally))
    return {
        "games": training.replay.games,
        "seconds": training.facts.seconds,
        "opponent": opponent,
        "score": match.tally.score,
        "played": match.tally.games,
        "elo": value,
        "low": low,
        "high": high,
    }


def _spec(training: Training, folder: Path) -> str:
    return f"net:{folder},simulations={training.config.match_simulations}"


def _earlier(training: Training) -> Path | None:
    """The folder of the latest network that had at most half as many games.

    One without a card is not whole: the process was killed while it was copied.
    """
    most = training.replay.games / 2
    cards = (training.folder / "earlier").glob(f"*/{NETWORK_FILES[0]}")
    named = [card.parent for card in cards if card.parent.name.isdecimal()]
    found = [path for path in named if int(path.name) <= most]
    return max(found, key=lambda path: int(path.name), default=None)


def _keep(training: Training) -> None:
    """Copy the network and its card to a folder of their own."""
    place = training.folder / "earlier" / f"{training.replay.games}"
    try:
        place.mkdir(parents=True, exist_ok=True)
        with replacing(place / training.network_path.name) as file:
            shutil.copyfile(training.network_path, file)
        card = NETWORK_FILES[0]
        write_text(place / card, (training.folder / card).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{place}: {error.strerror}") from None


def _bounded(value: float) -> float:
    """An Elo that JSON can hold."""
    if math.isnan(value):
        return 0.0
    return min(MOST_ELO, max(-MOST_ELO, value))
