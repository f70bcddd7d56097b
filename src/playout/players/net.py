"""`net:DIR`: a network as a player, with a search or by its policy alone."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from ..core.errors import EvaluatorError, RulesError, UsageError, quote
from ..core.text.spec import read_parameters, split_parts
from ..games.contract.game import Game
from ..games.positions.position import Position
from ..search.catalogue import PHASES
from ..search.evaluation.evaluator import Evaluator
from ..search.evaluation.judgement import read_judgement
from ..search.evaluation.native import NativeEvaluator
from ..search.evaluation.planes import expect_planes, range_of
from .factories import parameter_types
from .mcts import LIMITS, PLAYER_OPTIONS, SEARCH_OPTIONS, mcts
from .networks import card_of, load_network
from .player import Allowance, Decision, Player
from .policies import UCT_CONSTANT, make_policies, policy_fields

__all__ = ["PolicyPlayer", "make_net"]

#: What a player without a search can be told.
POLICY_OPTIONS: dict[str, Any] = {"policy": bool, "temperature": float}
#: Parameters that a card's `search` cannot set.
NOT_IN_A_CARD = {*LIMITS, *SEARCH_OPTIONS, *PLAYER_OPTIONS, "policy", "preset"}
#: With one of these a player has nothing of its card's `search`.
OTHER_POLICIES = {*PHASES, "preset", "transpositions"} - {"choice"}


def make_net(text: str, game: Game) -> Player:
    """The player of a network.

    Args:
        text: the place of the network, and after commas the parameters of `mcts`;
            `policy=yes`, or `simulations=0`, plays by the network's policy alone.
            The card's `search` counts where no policy is named but the choice of the
            move; constants that are given take the place of its own.
        game: what it is to play.

    Raises:
        UsageError: there is no such network, or it does not take a parameter.
    """
    place, *rest = split_parts(text) or [""]
    if not place or "=" in place:
        raise UsageError(
            "net: name the directory or the file of a network first, as in "
            "net:DIR,simulations=200"
        )
    types = {**parameter_types(mcts, skipped=1), **POLICY_OPTIONS}
    del types["evaluator"]
    values = read_parameters("net", ",".join(rest), types)
    evaluator = load_network(place, game)
    alone = values.get("simulations") == 0
    if alone:
        del values["simulations"]
    if values.pop("policy", False) or alone:
        temperature = values.pop("temperature", 0.0)
        if not getattr(evaluator, "has_priors", True):
            raise UsageError(
                f"net: {place} judges states and says nothing of actions: it has no "
                "policy, and plays with a search alone"
            )
        if values:
            raise UsageError(
                f"net: {', '.join(values)} is for a search; a policy alone takes "
                "temperature"
            )
        return PolicyPlayer(text, game, evaluator, temperature)
    if not values.keys() & OTHER_POLICIES:
        values = with_own_search(place, game, evaluator, types, values)
    return mcts(game, evaluator=evaluator, **values)


def with_own_search(
    place: str,
    game: Game,
    evaluator: Evaluator,
    types: dict[str, Any],
    values: dict[str, Any],
) -> dict[str, Any]:
    """What is given to a player, and what of its card's `search` that leaves.

    Raises:
        UsageError: a constant is none of the card's policies, or the card is wrong.
    """
    own, policies = own_search(place, game, evaluator, types)
    if not (own and values.keys() - NOT_IN_A_CARD):
        return {**own, **values}
    fields = {phase: {*policy_fields(type(each))} for phase, each in policies.items()}
    if UCT_CONSTANT in values.keys() - fields["selection"]:
        return values
    if "choice" in values:
        left = set[str]().union(*(fields[each] for each in fields if each != "choice"))
        gone = {"choice", *fields["choice"]} - left
        own = {name: value for name, value in own.items() if name not in gone}
    found = {**own, **values}
    constants = {name: found[name] for name in found if name not in NOT_IN_A_CARD}
    try:
        make_policies(game, constants, False, evaluator)
    except UsageError as error:
        if "is no parameter of" not in str(error):
            raise
        raise UsageError(
            f"{error}; those are the policies of {place}, by the search in its card: "
            "name the policy that has it, such as a selection or a choice"
        ) from None
    return found


def own_search(
    place: str, game: Game, evaluator: Evaluator, types: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters that suit a network, by its card, and the policies they make.

    A card is data: it names no file and sets no limit.

    Raises:
        UsageError: the card says something else there.
    """
    text = card_of(place).get("search", "")
    if not isinstance(text, str):
        raise UsageError(
            f'{place}: "search" in its card must be a text such as "c_puct=2", not '
            f"{quote(text)}"
        )
    if not text:
        return {}, {}
    taken = {name: kind for name, kind in types.items() if name not in NOT_IN_A_CARD}
    owner = f"{place}, search in its card"
    found = read_parameters(owner, text, taken)
    for name, value in found.items():
        if isinstance(value, str) and ".py" in value:
            raise UsageError(f"{owner}: it may name no file ({name}={value})")
    try:
        return found, make_policies(game, found, False, evaluator)
    except UsageError as error:
        raise UsageError(f"{owner}: {error}") from None


class PolicyPlayer(Player):
    """Plays what a network finds likeliest, without a search.

    Args:
        spec: the text that makes it.
        game: the rules.
        evaluator: the network.
        temperature: at 0 it plays the likeliest move; else it draws one by priors to
            the power of `1 / temperature`.

    Raises:
        UsageError: the temperature is below 0.
    """

    def __init__(
        self, spec: str, game: Game, evaluator: Evaluator, temperature: float = 0.0
    ) -> None:
        super().__init__(spec, game)
        if not temperature >= 0:
            raise UsageError(f"temperature must be at least 0, not {temperature}")
        self.evaluator, self.temperature = evaluator, temperature
        self._native: tuple[NativeEvaluator, Any] | None = None
        if not callable(evaluator):
            self._native = evaluator, evaluator.tables(game)
        self._random = Random()

    def new_game(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, position: Position, allowance: Allowance) -> Decision:
        legal = position.legal_actions()
        value, priors = self._said(position, legal)
        if not (np.isfinite(priors).all() and np.isfinite(value)):
            raise EvaluatorError(f"{self.spec}: the network gives NaN or infinity")
        if not priors.max() > 0:
            raise RulesError(
                f"{self.spec}: all priors are 0; the game's own must be above 0 (law "
                "12), which playout check looks into"
            )
        chosen = self._draw(priors)
        low, high = range_of(self.game)
        score = (value - low) / (high - low) * 2.0 - 1.0
        share = priors[chosen] / priors.sum()
        return Decision(legal[chosen], None, f"{share:.0%} likely", score)

    def _said(self, position: Position, legal: list[int]) -> tuple[float, Any]:
        """The value for the player to move, and the priors of legal actions."""
        game, mover = self.game, position.current_player
        if self._native is not None:
            native, tables = self._native
            with np.errstate(over="ignore", invalid="ignore"):
                native.judge(game, position.state, tables)
                native.weigh(game, position.state, tables)
                priors = [native.prior(tables, action) for action in legal]
                value = native.value(game, position.state, tables, mover)
            return float(value), np.array(priors)
        planes = np.zeros((1, *expect_planes(game)), np.float32)
        with np.errstate(over="ignore"):
            game.observe(position.state, planes[0])
        said = read_judgement(self.evaluator(planes), 1, game)
        value = said.values[0]
        assert said.priors is not None
        own = value[mover] if said.per_player else value
        return float(own), said.priors[0][legal].astype(float)

    def _draw(self, priors: Any) -> int:
        if self.temperature == 0:
            return int(np.argmax(priors))
        weights = (priors / priors.max()) ** (1.0 / self.temperature)
        return self._random.choices(range(len(weights)), weights.tolist())[0]
