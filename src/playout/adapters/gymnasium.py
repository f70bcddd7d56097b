"""`from_gymnasium`: environments of Gymnasium as games for one player.

    Towers and others, "Gymnasium: A Standard Interface for Reinforcement Learning
    Environments", 2024.

What the environment is, play finds out: whether it can be copied, and whether the same
action leads to the same state twice. Where chance decides, its outcomes are those of
the environment's table (`P`, as in toy text), or some that are drawn with seeds of
their own, a sparse sample.

    Kearns, Mansour, Ng, "A Sparse Sampling Algorithm for Near-Optimal Planning in Large
    Markov Decision Processes", Machine Learning 49, 2002.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.errors import UsageError, quote
from ..core.text.fields import expect_whole
from ..games.contract.at_random import CHANCE
from .environment import LONGEST, blamed, copied, number, shown, stepped, try_copy
from .foreign import Choices, Foreign
from .foreign_class import game_of
from .foreign_game import ForeignGame
from .packages import package, read_call

__all__ = ["GymnasiumGame", "from_gymnasium"]

#: After so many actions an environment without a limit of its own is cut off.
MOST_PLIES = 200
#: How many outcomes of an action are drawn where chance decides within the code.
SAMPLES, MOST_SAMPLES = 8, 1024
#: What `gymnasium.make` puts round an environment: a step gives what it gives within.
_PLAIN_WRAPPERS = ("TimeLimit", "OrderEnforcing", "PassiveEnvChecker")
#: Steps of the trial, and how often each is tried.
_TRIAL, _AGAIN = 30, 4
_SEEDS = (1 << 63) - 1
_SHARES = (
    "the same action in a copy, with the same random numbers, did not lead to the same "
    "state: a copy shares something with its original, or random numbers are not the "
    "environment's own (np_random)"
)


def from_gymnasium(
    environment: Any,
    *,
    seed: int = 0,
    samples: int = SAMPLES,
    max_length: int | None = None,
) -> ForeignGame:
    """A game for one player by the rules of an environment.

    Args:
        environment: its name, with keywords as in `FrozenLake-v1(is_slippery=False)`,
            or what `gymnasium.make` gives; it is copied, and not changed.
        seed: of `reset`, for the state that games begin with.
        samples: how many outcomes of every action are drawn where chance decides
            within the environment's code.
        max_length: after so many actions it is cut off; by default its own limit, or
            200.

    Raises:
        UsageError: Gymnasium is missing or knows no such environment, its actions are
            not discrete, or it can neither be copied nor does the copy play on as the
            original does.
    """
    gymnasium = package(
        "gymnasium", "An environment of Gymnasium", "playout[gymnasium]"
    )
    given = environment
    expect_whole("seed", seed, 0)
    expect_whole("samples", samples, 1, MOST_SAMPLES)
    if max_length is not None:
        expect_whole("max_length", max_length, 1, LONGEST)
    if isinstance(given, str):
        name, environment = given, _make(gymnasium, given)
    elif not isinstance(given, gymnasium.Env):
        raise UsageError(
            "from_gymnasium takes the name of an environment, or what gymnasium.make "
            f"gives, not {quote(given)}"
        )
    else:
        name = type(environment.unwrapped).__name__
    space = environment.action_space
    if not isinstance(space, gymnasium.spaces.Discrete):
        raise UsageError(
            f"gymnasium:{name}: actions are {space}; a search needs ones that can be "
            "counted (Discrete): cut the range into a few by an ActionWrapper"
        )
    limit = environment.spec.max_episode_steps if environment.spec else None
    length = max_length or min(limit or MOST_PLIES, LONGEST)
    if isinstance(given, str) and not environment.spec.additional_wrappers:
        environment = environment.unwrapped  # whose limit is kept here: a lighter copy
    found = GymnasiumGame(f"gymnasium:{name}", environment, seed, samples, length)
    again = functools.partial(
        from_gymnasium, seed=seed, samples=samples, max_length=max_length
    )
    return game_of(found, (again, (given,)))


def _make(gymnasium: Any, text: str) -> Any:
    name, keywords = read_call(text)
    try:
        return gymnasium.make(name, **keywords)
    except Exception as error:
        what = error if isinstance(error, gymnasium.error.Error) else repr(error)
        raise UsageError(f"gymnasium:{text}: {what}") from None


class _Episode:
    """An environment somewhere on its way.

    Attributes:
        env: the environment, which this episode alone steps; None where a table says
            all, and the number of the state is enough.
        place: that number.
        action: that has been chosen, where chance has not drawn yet; -1 if none.
        reward: of the last step.
        total: of all until now.
        over: whether it has ended.
        plies: actions until now.
        seeds: what was drawn on the way, for chance further on.
    """

    __slots__ = ("action", "env", "over", "place", "plies", "reward", "seeds", "total")

    def __init__(self, env: Any, place: int) -> None:
        self.env, self.place = env, place
        self.action, self.plies, self.seeds = -1, 0, 1
        self.reward = self.total = 0.0
        self.over = False

    def copy(self) -> _Episode:
        other = _Episode.__new__(_Episode)
        other.env, other.place = copied(self.env) if self.env else None, self.place
        other.action, other.plies, other.seeds = self.action, self.plies, self.seeds
        other.reward, other.total, other.over = self.reward, self.total, self.over
        return other


class GymnasiumGame(Foreign):
    """An environment of Gymnasium.

    Args:
        name: of the game.
        environment: that is copied.
        seed: of the state that games begin with.
        samples: outcomes of an action, where chance decides within the code.
        length: after so many actions it is cut off.
    """

    players = 1
    has_rewards = True

    def __init__(
        self, name: str, environment: Any, seed: int, samples: int, length: int
    ) -> None:
        self.name = name
        self.first = int(environment.action_space.start)
        self.choices = int(environment.action_space.n)
        env = try_copy(name, environment)
        with blamed(name, ()):
            env.reset(seed=seed)
        self.samples, self.shown = samples, env
        self.table = _table_of(env)
        place = 0 if self.table is None else int(env.unwrapped.s)
        self.begun = _Episode(env if self.table is None else None, place)
        self.has_chance = (
            _is_random(name, env, self.first, self.choices)
            if self.table is None
            else self._widest() > 1
        )
        outcomes = self._widest() if self.has_chance else 0
        self.num_actions = self.choices + outcomes
        self.length = length
        self.most_plies = length * (2 if self.has_chance else 1)
        how = (
            "its outcomes are known" if self.table else f"{samples} outcomes are drawn"
        )
        self.reading = (
            f"{name}: {self.choices} actions; states are copied (deepcopy); "
            + (f"chance decides, {how}" if self.has_chance else "nothing is random")
            + f"; at most {length} actions"
        )

    def _widest(self) -> int:
        if self.table is None:
            return self.samples
        return max(len(way) for state in self.table.values() for way in state.values())

    def start(self) -> _Episode:
        return self.begun.copy()

    def copy(self, state: _Episode) -> _Episode:
        return state.copy()

    def turn(self, state: _Episode) -> Choices:
        if state.over:
            return Choices(0, ())
        if state.action < 0:
            return Choices(0, range(self.choices))
        if self.table is None:
            odds = [1.0 / self.samples] * self.samples
        else:
            odds = [float(way[0]) for way in self._ways(state)]
        drawn = [index for index, likely in enumerate(odds) if likely > 0]
        actions = [self.choices + index for index in drawn]
        return Choices(CHANCE, actions, [odds[index] for index in drawn])

    def _ways(self, state: _Episode) -> Sequence[Any]:
        """What the table says of the action that was chosen."""
        assert self.table is not None
        ways: Sequence[Any] = self.table[state.place][self.first + state.action]
        return ways

    def play(self, state: _Episode, action: int) -> None:
        state.reward = 0.0
        if action < self.choices:
            state.action = action
        if not self.has_chance:
            self._draw(state, 0)
        elif action >= self.choices:
            self._draw(state, action - self.choices)

    def _draw(self, state: _Episode, outcome: int) -> None:
        """Play the action that was chosen, with what chance draws."""
        if self.table is not None:
            _, state.place, reward, ended = self._ways(state)[outcome]
        else:
            if self.has_chance:
                state.seeds = hash((state.seeds, state.action, outcome)) & _SEEDS
                generator = np.random.Generator(np.random.PCG64(state.seeds))
                state.env.unwrapped.np_random = generator
            _, reward, done, cut, _ = stepped(state.env, self.first + state.action)
            ended = done or cut
        state.action = -1
        self._note(state, number("the reward", reward), bool(ended))

    def _note(self, state: _Episode, reward: float, ended: bool) -> None:
        state.reward = reward
        state.total += reward
        state.plies += 1
        state.over = ended or state.plies >= self.length

    def returns(self, state: _Episode) -> Sequence[float]:
        return (state.total,)

    def rewards(self, state: _Episode) -> Sequence[float]:
        return (state.reward,)

    def action_name(self, action: int) -> str:
        if action >= self.choices:
            return f"outcome{action - self.choices + 1}"
        return str(self.first + action)

    def text(self, state: _Episode) -> str:
        """What the environment draws as text, or else what it was worth until now."""
        until = f"{state.plies} actions, return {state.total:g}"
        env = (state.env or self.shown).unwrapped
        if "ansi" not in (env.metadata.get("render_modes") or ()):
            return until
        env = copy.copy(env)
        env.render_mode = "ansi"
        if self.table is not None:
            env.s, env.lastaction = state.place, None
        return f"{str(env.render()).strip()}\n{until}"


def _table_of(env: Any) -> Any:
    """The table of outcomes, `P[state][action]`, where it says what a step gives.

    None where there is none, and where a wrapper may change actions or rewards.
    """
    inner = env
    while inner is not env.unwrapped:
        if type(inner).__name__ not in _PLAIN_WRAPPERS:
            return None
        inner = inner.env
    table = getattr(inner, "P", None)
    here = table.get(getattr(inner, "s", None)) if isinstance(table, Mapping) else None
    return table if isinstance(here, Mapping) else None


def _is_random(name: str, env: Any, first: int, choices: int) -> bool:
    """Whether chance decides: what copies with other random numbers show.

    Raises:
        UsageError: a copy shares something with its original.
    """
    env, played = copied(env), list[str]()
    with blamed(name, played):
        for step in range(_TRIAL):
            action = first + step % choices
            same, *others = [copied(env) for _ in range(1 + _AGAIN)]
            for seed, other in enumerate(others):
                other.unwrapped.np_random = np.random.default_rng(seed)
            found = stepped(env, action)[:4]
            if shown(same.step(action)[:4]) != shown(found):
                raise UsageError(f"{name}: {_SHARES}")
            if any(shown(other.step(action)[:4]) != shown(found) for other in others):
                return True
            played.append(str(action))
            if found[2] or found[3]:
                played.clear()
                env.reset()
    return False
