"""Whether `determinize` and `sample_chance` draw what they should, as often.

All positions near the start are reached, each with its probability where players move
at random. Those that look alike to a player are what `determinize` may deal. A deal
that is none of them contradicts what was seen. Where every position of the game was
reached, that is certain, and law 11 is broken. Deals are called biased where they are
neither as frequent as their positions nor equally frequent, both of which are sound.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import RulesError
from ...core.jit.rows import Rows
from ...core.rng import make_rng
from ..contract.game import CHANCE, Game, has_own
from .broken_rules import BrokenRules, after_moves, state_text
from .failures import rules_failure
from .frequencies import likelihood
from .ruled_out import expect_nothing_ruled_out
from .shorten import Reached
from .walking import advance, begin, shares

__all__ = ["FALSE_ALARMS", "expect_deals"]

#: Sound rules are called biased in at most so many of all checks.
FALSE_ALARMS = 1e-6
#: Positions that are reached, at most.
POSITIONS = 6000
#: Views of a player that are dealt often and rarely, and how many deals these are.
OFTEN, RARELY = (8, 400), (40, 5)
#: Chance's positions that are drawn from, and all tests there may be in a check.
DRAWN = 4
TESTS = OFTEN[0] + DRAWN


@dataclass
class Views:
    """What a player may see, and the states that look like it.

    Attributes:
        deepest: actions before the last position that looks like it.
        weights: how likely each state is, by its bytes.
        example: a position that looks like it, one of the nearest.
    """

    player: int
    example: Reached
    deepest: int = 0
    weights: dict[bytes, float] = field(default_factory=lambda: defaultdict(float))


def expect_deals(game: Game, seed: int) -> list[str]:
    """Hints about what is drawn.

    Raises:
        BrokenRules: `determinize` deals what cannot be, or the rules fail in a position
            that random games have not come to.
    """
    own_chance = has_own(game, "sample_chance")
    if not game.has_hidden and not (game.has_chance and own_chance):
        return []
    layers, complete = _reach(game)
    try:
        hints = _biased_chance(game, layers, seed) if own_chance else []
        if game.has_hidden:
            wrong = _biased_deals(game, layers, complete, seed)
            hints += wrong or expect_nothing_ruled_out(game, seed)
    except RulesError:
        raise
    except Exception as error:
        raise rules_failure(game, error) from error
    return hints


#: Positions after so many actions, by their bytes, with their probabilities.
_Layer = dict[bytes, tuple[Reached, float]]


def _reach(game: Game) -> tuple[list[_Layer], bool]:
    """All positions, layer by layer; whether that is the whole game."""
    start = begin(game)
    layers: list[_Layer] = [{start.state.tobytes(): (start, 1.0)}]
    left = POSITIONS
    while layers[-1]:
        left -= sum(len(place.legal) for place, _ in layers[-1].values())
        if left < 0:
            return layers, False
        layers.append(_next_layer(game, layers[-1]))
    return layers[:-1], True


def _next_layer(game: Game, layer: _Layer) -> _Layer:
    following: _Layer = {}
    for place, weight in layer.values():
        for action, share in zip(place.legal, shares(game, place), strict=True):
            there = advance(game, place, action)
            known = following.get(there.state.tobytes(), (there, 0.0))
            following[there.state.tobytes()] = known[0], known[1] + weight * share
    return following


def _biased_chance(game: Game, layers: list[_Layer], seed: int) -> list[str]:
    actions = np.zeros(max(1, game.num_actions()), dtype=np.int32)
    for place in _chance_places(game, layers):
        counts, rng = Counter[int](), make_rng(seed)
        for _ in range(OFTEN[1]):
            state = Rows(place.state.copy())[0]
            counts[int(game.sample_chance(state, actions, rng))] += 1
        drawn, chances = [counts[a] for a in place.legal], shares(game, place)
        if likelihood(drawn, chances) * TESTS < FALSE_ALARMS:
            return [
                f"sample_chance drew {_shown(game, place.legal, drawn)} in {OFTEN[1]} "
                "times, which chance_probability makes less likely than one in a "
                f"million; {after_moves(game, place.path)}"
            ]
    return []


def _chance_places(game: Game, layers: list[_Layer]) -> list[Reached]:
    places = [place for layer in layers for place, _ in layer.values() if place.legal]
    moves = (p for p in places if game.current_player(Rows(p.state)[0]) == CHANCE)
    return [place for place, _ in zip(moves, range(DRAWN), strict=False)]


def _shown(game: Game, actions: tuple[int, ...], counts: list[int]) -> str:
    pairs = list(zip(actions, counts, strict=True))[:8]
    shown = ", ".join(f"{game.action_name(a)}: {count}" for a, count in pairs)
    return shown + (", ..." if len(actions) > len(pairs) else "")


def _biased_deals(
    game: Game, layers: list[_Layer], complete: bool, seed: int
) -> list[str]:
    """Hints about deals; an impossible deal is an error only in a `complete` game."""
    rng, hints = make_rng(seed), dict[str, str]()
    for number, view in enumerate(_views(game, layers, complete)):
        often = number < OFTEN[0]
        deals = OFTEN[1] if often else RARELY[1]
        counts, wrong = _deal(game, view, deals, rng)
        if wrong is not None:
            fault = _impossible(game, view, wrong)
            if complete:
                raise fault
            hints.setdefault("impossible", _unlikely(game, fault, len(layers) - 1))
        elif often and len(counts) > 1 and _is_biased(view, counts):
            hints.setdefault("biased", _uneven(game, view, counts, deals))
    return list(hints.values())


def _unlikely(game: Game, fault: BrokenRules, depth: int) -> str:
    moves, what = after_moves(game, fault.path), fault.what.partition(": ")[2]
    return f"{what}, as far as {depth} moves can tell; {moves}"


def _uneven(game: Game, view: Views, counts: list[int], deals: int) -> str:
    return (
        f"determinize is biased: of {len(counts)} deals that are possible for player "
        f"{view.player}, one came {max(counts)} times in {deals} and one "
        f"{min(counts)} times; {after_moves(game, view.example.path)}"
    )


def _views(game: Game, layers: list[_Layer], complete: bool) -> Iterator[Views]:
    """What players see, the nearest first, where all its states are known."""
    views: dict[tuple[int, bytes], Views] = {}
    for depth, layer in enumerate(layers):
        for place, weight in layer.values():
            for player in range(game.num_players() if place.legal else 0):
                state = place.state.copy()
                game.hide(Rows(state)[0], player)
                key = player, state.tobytes()
                view = views.setdefault(key, Views(player, place))
                view.deepest = depth
                view.weights[place.state.tobytes()] += weight
    known = (v for v in views.values() if complete or 2 * v.deepest < len(layers))
    some = sorted(known, key=lambda view: len(view.weights) < 2)  # else the order stays
    yield from some[: OFTEN[0] + RARELY[0]]


def _deal(
    game: Game, view: Views, deals: int, rng: Any
) -> tuple[list[int], NDArray[np.void] | None]:
    """How often each state was dealt, or a deal that cannot be."""
    counts = dict.fromkeys(view.weights, 0)
    for _ in range(deals):
        state = view.example.state.copy()
        game.determinize(Rows(state)[0], view.player, rng)
        if state.tobytes() not in counts:
            return [], state
        counts[state.tobytes()] += 1
    return list(counts.values()), None


def _is_biased(view: Views, counts: list[int]) -> bool:
    total = sum(view.weights.values())
    at_random = [weight / total for weight in view.weights.values()]
    alike = [1 / len(counts) for _ in counts]
    likely = max(likelihood(counts, alike), likelihood(counts, at_random))
    return likely * TESTS < FALSE_ALARMS


def _impossible(game: Game, view: Views, deal: NDArray[np.void]) -> BrokenRules:
    hidden = view.example.state.copy()
    game.hide(Rows(hidden)[0], view.player)
    name, shown = type(game).__qualname__, state_text(game, deal)
    what = (
        f"{name} breaks law 11: determinize deals player {view.player} `{shown}`, to "
        "which no moves lead that look like these to it"
    )
    if deal.tobytes() == hidden.tobytes():
        what += ": what is hidden is not drawn"
    text = state_text(game, view.example.state)
    return BrokenRules(game, "law 11", what, view.example.path, text, text)
