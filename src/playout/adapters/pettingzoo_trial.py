"""What random games show of an environment of PettingZoo's: see `try_out`."""

from __future__ import annotations

from random import Random
from typing import Any

from ..core.errors import UsageError
from .environment import blamed, shown
from .pettingzoo_game import PettingZooGame

__all__ = ["try_out"]

#: Random games that are played, and how many actions they may have together.
_GAMES, _ACTIONS = 100, 1500
#: Games with other seeds that are compared, and how many actions of each.
_SEEDS, _PLIES = 6, 20


def try_out(game: PettingZooGame) -> None:
    """Find out what the search must know, and write it into the game.

    Raises:
        UsageError: it cannot be searched; says why.
        RulesError: it fails; says where.
    """
    played: list[str] = []
    with blamed(game.name, played):
        _expect_no_chance(game, played)
        _expect_nothing_hidden(game, played)
        ends = _play(game, played)
    results = [value for end in ends for value in end]
    game.tried = len(ends)
    if len(set(results)) > 1:
        game.zero_sum = game.players > 1 and all(abs(sum(end)) < 1e-9 for end in ends)
        game.return_range = min(-1.0, *results), max(1.0, *results)
    game.reading = (
        f"{game.name}: {game.players} agents, {game.num_actions} actions; in "
        f"{len(ends)} random games nothing was random or hidden"
        f"{', and rewards added up to 0' * game.zero_sum}"
    )


def _seen(game: PettingZooGame, state: Any) -> Any:
    """All that is shown after an action."""
    env = state.env
    what = {agent: env.observe(agent) for agent in env.agents}
    return shown(what), shown(state.totals), env.agent_selection


def _expect_no_chance(game: PettingZooGame, played: list[str]) -> None:
    """The same actions in a copy, and after other seeds, show the same."""
    random = Random(0)
    first = game.start()
    others = [game.begin(seed) for seed in range(_SEEDS)]
    played.clear()
    for _ in range(_PLIES):
        same = game.copy(first)
        _compare(game, first, [same], _SHARES)
        _compare(game, first, others, _CHANCE)
        legal = game.turn(first).actions
        if not legal:
            return
        action = random.choice(legal)
        played.append(game.action_name(action))
        for state in (first, same, *others):
            game.play(state, action)
        _compare(game, first, [same], _SHARES)


def _compare(game: PettingZooGame, first: Any, others: list[Any], why: str) -> None:
    wanted = _seen(game, first)
    if any(_seen(game, other) != wanted for other in others):
        raise UsageError(f"{game.name}: {why}")


_SHARES = (
    "the same action in a copy did not lead to the same state: a copy shares something "
    "with its original, or random numbers are not the environment's own"
)
_CHANCE = (
    "after another seed of reset the same actions lead elsewhere: cards are dealt, or "
    "dice thrown, and an environment says neither how likely what is, nor what an "
    "agent cannot know"
)
_HIDDEN = (
    "after two different actions the next agent sees the same, and what comes then "
    "differs: information is hidden, and an environment cannot draw what an agent "
    "does not know"
)


def _expect_nothing_hidden(game: PettingZooGame, played: list[str]) -> None:
    """Two actions that look alike to the next agent must have the same consequences."""
    random, state = Random(1), game.start()
    played.clear()
    for _ in range(_PLIES):
        legal = game.turn(state).actions
        if not legal:
            return
        pair = [game.copy(state) for _ in range(2)]
        for one, action in zip(pair, random.sample([*legal, *legal], 2), strict=True):
            game.play(one, action)
        _follow(game, pair, random)
        action = random.choice(legal)
        played.append(game.action_name(action))
        game.play(state, action)


def _follow(game: PettingZooGame, pair: list[Any], random: Random) -> None:
    """Play the same actions in both, as long as they look the same to who plays."""
    one, other = pair
    for _ in range(_PLIES):
        turn, agent = game.turn(one), one.env.agent_selection
        alike = turn == game.turn(other) and _view(one, agent) == _view(other, agent)
        if not turn.actions or not alike:
            return
        action = random.choice(turn.actions)
        game.play(one, action)
        game.play(other, action)
        if _seen(game, one) != _seen(game, other):
            raise UsageError(f"{game.name}: {_HIDDEN}")


def _view(state: Any, agent: str) -> Any:
    return shown(state.env.observe(agent))


def _play(game: PettingZooGame, played: list[str]) -> list[list[float]]:
    """The results of random games; at least one is played to its end."""
    random, left = Random(2), _ACTIONS
    ends: list[list[float]] = []
    while len(ends) < _GAMES and (left > 0 or not ends):
        state = game.start()
        played.clear()
        while (turn := game.turn(state)).actions and state.plies < game.most_plies:
            action = random.choice(turn.actions)
            played.append(game.action_name(action))
            game.play(state, action)
        ends.append(list(state.totals))
        left -= state.plies
    return ends
