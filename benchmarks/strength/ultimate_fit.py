"""The constants of ultimate tic-tac-toe's value and priors, from its own games.

`play` has the default search play itself, with some random moves at first and a few
later, and adds every position to a file: its search's value and visits, and how the
game ended. It stops after so many seconds of processor time; again, it goes on.

`fit` prints the constants of `games/ultimate_tic_tac_toe/value.py` by logistic
regression of half the result and half the search's value, and those of `weights.py` by
that of the visits. An eighth of the positions is held back; what is left of their
uncertainty (cross entropy, in nats) is printed too. It needs SciPy.

    python benchmarks/strength/ultimate_fit.py play FILE.npz [--variant classic]
        [--simulations 1000] [--seconds 300] [--seed 1]
    python benchmarks/strength/ultimate_fit.py fit FILE.npz [--variant classic]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from playout import MCTS, Limit, Position, UltimateTicTacToe
from playout.games.ultimate_tic_tac_toe.cells import COMPLETING, HAS_LINE, LINES
from playout.games.ultimate_tic_tac_toe.chances import FIRST_LINE, SWAPPED, TERNARY
from playout.games.ultimate_tic_tac_toe.value import Constants, Shifts
from playout.games.ultimate_tic_tac_toe.weights import UNIT, WORTH, Weights

Array = NDArray[Any]
BITS = np.arange(9)
BOARDS_OF = np.array([[board for board in range(9) if n >> board & 1] for n in LINES])
#: How often a random move is played instead of the search's.
BLUNDER = 0.08
#: Positions that a fit looks at.
MOST = 60_000


# -- games -----------------------------------------------------------------------------


def play(file: Path, variant: str, simulations: int, seconds: float, seed: int) -> None:
    """Add games to the file."""
    game = UltimateTicTacToe(variant=variant)
    old = dict(np.load(file)) if file.exists() else {}
    rng = np.random.default_rng([seed, len(old.get("result", ()))])
    search = MCTS(game, seed=seed)
    search.compile()
    rows: dict[str, list[Array]] = {name: [] for name in NAMES}
    began = time.process_time()
    while time.process_time() - began < seconds:
        for name, array in zip(
            NAMES, one_game(game, search, simulations, rng), strict=True
        ):
            rows[name].append(array)
    joined = {name: np.concatenate(rows[name]) for name in NAMES}
    if old:
        joined = {name: np.concatenate([old[name], joined[name]]) for name in NAMES}
    np.savez_compressed(file, **joined)
    print(f"{len(joined['result']):,} positions in {file}")


NAMES = ("state", "visits", "value", "result")


def one_game(
    game: UltimateTicTacToe, search: MCTS, simulations: int, rng: Any
) -> tuple[Array, Array, Array, Array]:
    """States, visits, the search's values and the result, for the player to move."""
    position = Position(game)
    for _ in range(rng.integers(2, 9)):
        if not position.is_terminal:
            position.play(int(rng.choice(position.legal_actions())))
    states, visits, values, players = [], [], [], []
    search.reset(int(rng.integers(2**30)))
    while not position.is_terminal:
        found = search.search(position, Limit(simulations=simulations))
        states.append(position.array.copy())
        visits.append(np.zeros(81, dtype=np.uint32))
        for row in found.actions:
            visits[-1][row.action] = row.visits
        values.append(found.value)
        players.append(position.current_player)
        action = found.action
        if rng.random() < BLUNDER:
            action = int(rng.choice(position.legal_actions()))
        position.play(action)
    if not states:
        return one_game(game, search, simulations, rng)
    results = [position.returns(player) for player in players]
    return (
        np.concatenate(states),
        np.array(visits),
        np.array(values, dtype=np.float32),
        np.array(results, dtype=np.float32),
    )


# -- positions as arrays, from the side of the player to move --------------------------


class Seen(NamedTuple):
    """`[N, 9]`: stones as masks, boards won, open cells as masks; `[N]` the target."""

    own: Array
    other: Array
    won: Array
    lost: Array
    open: Array
    target: Array  # -1 where the choice is free


def look(states: Array) -> Seen:
    rows, me = np.arange(len(states)), states["player"].astype(int)
    stones = states["stones"].astype(int)
    boards = states["boards"].astype(int)
    cells = np.stack(
        [
            states["open"][:, board // 7] >> np.uint64(9 * (board % 7)) & np.uint64(511)
            for board in range(9)
        ],
        axis=1,
    ).astype(int)
    target = states["target"].astype(int)
    closed = (target < 0) | (cells[rows, target] == 0)
    return Seen(
        stones[rows, me],
        stones[rows, 1 - me],
        (boards[rows, me][:, None] >> BITS & 1) == 1,
        (boards[rows, 1 - me][:, None] >> BITS & 1) == 1,
        cells,
        np.where(closed, -1, target),
    )


def number(own: Array, other: Array) -> Array:
    return TERNARY[own] + 2 * TERNARY[other]


def sigmoid(odds: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-odds)))


def chances(shift: float) -> Array:
    """`[3**9]` a row of `value.CHANCES`."""
    with np.errstate(divide="ignore"):
        return sigmoid(np.log(FIRST_LINE) - np.log1p(-FIRST_LINE) + shift)


def quiet(seen: Seen, variant: str) -> Array:
    """Where the player to move cannot win at once in its board."""
    rows, board = np.arange(len(seen.own)), np.maximum(seen.target, 0)
    wins = COMPLETING[seen.own[rows, board]] & seen.open[rows, board]
    if variant != "first-board":
        won = (seen.won << BITS).sum(axis=1)
        wins = wins * HAS_LINE[won | 1 << board] * ~seen.lost[rows, board]
        wins = wins * ~seen.won[rows, board]
    return np.asarray((seen.target < 0) | (wins == 0))


# -- the value -------------------------------------------------------------------------


def fit_value(data: dict[str, Array], variant: str) -> None:
    from scipy.optimize import minimize

    seen = look(data["state"])
    chosen = np.flatnonzero(quiet(seen, variant))
    chosen = np.random.default_rng(0).permutation(chosen)[: MOST + MOST // 8]
    truth = (2 + data["value"] + data["result"])[chosen] / 4
    seen = Seen(*(column[chosen] for column in seen))
    terms = [variant != "first-board", variant in ("first-board", "count")]
    held = len(chosen) // 8

    def loss(values: Array, part: slice) -> float:
        here = Seen(*(column[part] for column in seen))
        lead = leads(here, Shifts(*values[:3]), Constants(*values[3:]), terms)
        guess = 0.5 + 0.5 * lead / np.sqrt(1 + lead * lead)
        return cross_entropy(guess, truth[part])

    start = np.array([-1.1, -0.5, -1.8, 0, 0.4, 2.7 * terms[0], 1.0 * terms[1]])
    found = minimize(loss, start, args=(slice(held, None),), method="L-BFGS-B").x
    print(f"value: {loss(found, slice(held)):.4f} left of {np.log(2):.4f}")
    print(Shifts(*found[:3].round(3)), Constants(*found[3:].round(3)), sep="\n")


def leads(seen: Seen, shifts: Shifts, constants: Constants, terms: list[bool]) -> Array:
    """`[N]` what `value.lead_of_mover` says."""
    sent = seen.target[:, None] == BITS
    sides = [
        (seen.own, seen.other, seen.won, shifts.mine),
        (seen.other, seen.own, seen.lost, shifts.theirs),
    ]
    lead = np.where(seen.target < 0, constants.free, 0.0) + constants.turn
    for sign, (own, other, won, shift) in zip((1, -1), sides, strict=True):
        place = number(own, other)
        hope = np.where(sent, chances(shift)[place], chances(shifts.any)[place])
        hope = np.where(seen.won | seen.lost, won, hope)
        lines = hope[:, BOARDS_OF].prod(axis=2).sum(axis=1)
        lead += sign * constants.line * terms[0] * lines
        lead += sign * constants.board * terms[1] * hope.sum(axis=1)
    return np.asarray(lead)


def cross_entropy(guess: Array, truth: Array) -> float:
    guess = np.clip(guess, 1e-6, 1 - 1e-6)
    return -float((truth * np.log(guess) + (1 - truth) * np.log(1 - guess)).mean())


# -- the priors ------------------------------------------------------------------------


def fit_weights(data: dict[str, Array], variant: str, shifts: Shifts) -> None:
    from scipy.optimize import minimize

    visits = data["visits"].astype(float)
    many = np.flatnonzero(((visits > 0).sum(axis=1) > 1) & (visits.sum(axis=1) > 50))
    chosen = np.random.default_rng(0).permutation(many)[: MOST // 3]
    seen = look(data["state"][chosen])
    share = visits[chosen] / visits[chosen].sum(axis=1, keepdims=True)
    free = (seen.target[:, None] < 0) | (seen.target[:, None] == BITS)
    legal = (seen.open[:, :, None] >> BITS & 1 == 1) & free[:, :, None]
    legal = legal.reshape(-1, 81)
    share = np.where(legal, share, 0)
    columns = np.stack(features(seen, variant, shifts), axis=-1)
    held = len(chosen) // 8

    def loss(weights: Array, part: slice) -> tuple[float, Array]:
        total = np.where(legal[part], columns[part] @ weights, -np.inf)
        total -= total.max(axis=1, keepdims=True)
        guess = np.exp(total)
        guess /= guess.sum(axis=1, keepdims=True)
        rest = (guess - share[part])[..., None] * columns[part]
        left = -(share[part] * np.log(guess + 1e-9)).sum(axis=1).mean()
        return float(left), rest.sum(axis=(0, 1)) / len(guess)

    start, train = np.zeros(len(Weights._fields)), slice(held, None)
    found = minimize(loss, start, args=(train,), jac=True, method="L-BFGS-B").x
    before, after = (loss(at, slice(held))[0] for at in (start, found))
    print(
        f"priors: {after:.4f} left of {before:.4f}", Weights(*found.round(2)), sep="\n"
    )


def features(seen: Seen, variant: str, shifts: Shifts) -> list[Array]:
    """`[N, 81]` each: what `weights.log_weight` multiplies its constants by."""
    board, cell = np.divmod(np.arange(81), 9)
    bit = 1 << cell
    decided = seen.won | seen.lost
    mine, theirs = worths(seen, variant)
    own, other, fresh = seen.own[:, board], seen.other[:, board], ~decided[:, board]
    wins = HAS_LINE[own | bit] & fresh
    whose, hers = chances(shifts.any), chances(shifts.any)[SWAPPED]
    before, after = number(own, other), number(own | bit, other & ~bit)
    gain = (np.where(wins, 1, whose[after]) - whose[before]) * fresh
    deny = (hers[before] - np.where(wins, 0, hers[after])) * fresh
    # Where the opponent is sent, the stone may just have been put.
    same = board == cell
    to_own = np.where(same, own | bit, seen.own[:, cell])
    to = number(to_own, seen.other[:, cell] & ~np.where(same, bit, 0))
    cells = seen.open[:, cell] & ~np.where(same, bit, 0)
    if variant != "play-on":
        cells = np.where(same & wins, 0, cells)
    counts = (cells != 0) & ~decided[:, cell] & ~(same & wins)
    give = (chances(shifts.mine)[SWAPPED] - hers)[to] * counts
    lose = (whose - chances(shifts.theirs))[to] * counts
    return [
        wins,
        HAS_LINE[other | bit] & fresh,
        gain * mine[:, board],
        deny * theirs[:, board],
        give * theirs[:, cell],
        lose * mine[:, cell],
        cells == 0,
    ]


def worths(seen: Seen, variant: str) -> tuple[Array, Array]:
    """`[N, 9]` what each board is worth to the player to move, and to the other."""
    if variant == "first-board":
        return np.ones(seen.own.shape), np.ones(seen.own.shape)
    won, lost = ((side << BITS).sum(axis=1) for side in (seen.won, seen.lost))
    mine, theirs = (
        WORTH[9 * number(*pair)[:, None] + BITS] / UNIT
        for pair in ((won, lost), (lost, won))
    )
    return mine, theirs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("play", "fit"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--simulations", type=int, default=1000, help="a move")
    parser.add_argument("--seconds", type=float, default=300, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "play":
        play(given.file, given.variant, given.simulations, given.seconds, given.seed)
        return
    from playout.games.ultimate_tic_tac_toe import value

    data = dict(np.load(given.file))
    fit_value(data, given.variant)
    one = given.variant == "first-board"
    shifts = value.FIRST_SHIFTS if one else value.SHIFTS
    fit_weights(data, given.variant, shifts)


if __name__ == "__main__":
    main()
