"""Who sits where in the games of a match, and what chance is like in them.

Games come in rounds. A round has as many games as there are players, all with the same
opening and the same seeds; from one game to the next everybody moves one seat on. So
in every round each player has had each seat once:

| players | seats | a round |
|---|---|---|
| A, B | 2 | A B, B A |
| A, B, C | 3 | A B C, B C A, C A B |
| A, B | 3 | A B A, B A B |
| A, B, C | 1 | A, B, C: each plays the same instance |
"""

from __future__ import annotations

import hashlib

from ..core.errors import UsageError, counted
from ..games.contract.game import Game
from ..games.registry import game_spec

__all__ = ["expect_players", "expect_two_seats", "player_of", "roles_of", "round_seed"]


def roles_of(number: int, players: int, seats: int) -> tuple[int, ...]:
    """Who sits in which seat of a game, by seat.

    A player that has several seats has a role in each: player `p` of `players` has the
    roles `p`, `p + players`, and so on, so that no two seats share random numbers, or a
    tree.

    Args:
        number: of the game in its match, from 0.
        players: how many the match has.
        seats: how many the game has.

    >>> [roles_of(number, 2, 2) for number in range(2)]
    [(0, 1), (1, 0)]
    >>> [roles_of(number, 3, 3) for number in range(3)]
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    >>> [roles_of(number, 2, 3) for number in range(2)]
    [(0, 1, 2), (1, 0, 3)]
    """
    return tuple(
        (seat + number) % players + players * (seat // players) for seat in range(seats)
    )


def player_of(role: int, players: int) -> int:
    """The number of the player who has a role."""
    return role % players


def round_seed(seed: int, number: int) -> int:
    """The seed of a round of games; small, so that people can pass it on.

    >>> round_seed(0, 0), round_seed(0, 1), round_seed(1, 0)
    (2469594617, 1556325973, 2410493115)
    """
    digest = hashlib.sha256(f"{seed} {number}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


def expect_players(game: Game, count: int) -> None:
    """Complain of a match that so many players cannot play.

    Raises:
        UsageError: fewer than two would share a game, or not all would have a seat.
    """
    seats = game.num_players()
    least, most = (1, count) if seats == 1 else (2, seats)
    if least <= count <= most:
        return
    need = "one player or more" if seats == 1 else "two players"
    if seats > 2:
        need = f"two to {seats} players"
    raise UsageError(
        f"{game_spec(game)} has {counted(seats, 'seat')}: a match of it is between "
        f"{need}, not {count}"
        + ("; a tournament has room for more" if count > seats > 1 else "")
    )


def expect_two_seats(game: Game, what: str) -> None:
    """Complain of a game where only wins and losses of two can be told.

    Raises:
        UsageError: the game has another number of seats.
    """
    seats = game.num_players()
    if seats != 2:
        raise UsageError(
            f"{game_spec(game)} has {counted(seats, 'seat')}; {what} is for two"
        )
