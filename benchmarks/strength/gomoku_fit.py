"""The constants of Gomoku's `prior` and `evaluate`, from games of the search itself.

    python benchmarks/strength/gomoku_fit.py play games.npz --games 800
    python benchmarks/strength/gomoku_fit.py fit games.npz

The games begin with 2 to 6 random stones near the middle, and every eighth move is
drawn by the prior, so that there is something to punish. The value's constants are
those of a logistic regression from the counts of levels to half the result, half what
the search thought; the prior's make the moves that the search chose, where none was
forced, likeliest (a softmax over the empty cells). Needs SciPy. A fifth of the games is
kept out, and its mean loss is told.
"""

import argparse
import random

import numpy as np
from scipy.optimize import minimize

from playout import MCTS, Gomoku, Limit, Position
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.games.gomoku.levels import LEVELS, level_at, row_levels
from playout.games.gomoku.lines import EDGE

GAME = Gomoku(size=15)
CELLS = GAME.num_actions()
#: The share of moves that are drawn; the weight of the search's score; the penalty of
#: large constants; the first level where moves are forced.
DRAWN, SCORE_WEIGHT, PENALTY = 0.12, 0.5, 2e-4
FORCED = LEVELS.index("an open four, or two fours")
OCCUPIED = -1


@kernel
def levels_natively(game, states, levels):
    """Write the levels of all cells for both players: `[2, cells]`."""
    for row in range(game.height):
        words = row_levels(game, states[0], row + EDGE)
        for column in range(game.width):
            for player in range(2):
                place = np.uint64(column + game.lane * player)
                levels[player, row * game.width + column] = level_at(words, place)


def play(path: str, games: int, simulations: int, seed: int) -> None:
    """Play games and keep every position: levels, move, score and result."""
    rng, search, rows = random.Random(seed), MCTS(GAME, seed=seed), []
    levels = np.zeros((2, CELLS), np.int8)
    states = Rows(np.zeros(1, dtype=GAME.state_dtype()))
    look = levels_natively.compile(GAME, states, levels)
    for number in range(games):
        position, first = opening(rng), len(rows)
        search.reset(rng.getrandbits(30))
        while not position.is_terminal:
            mover = position.current_player
            states.array[:] = position.array
            look(GAME, states, levels)
            seen = levels[[mover, 1 - mover]]
            seen[:, list(position.actions)] = OCCUPIED
            move, score = OCCUPIED, np.nan
            if rng.random() < DRAWN:
                action = drawn(position, rng)
            else:
                result = search.search(position.copy(), Limit(simulations=simulations))
                action = move = result.action
                score = result.score
            rows.append([seen, move, score, mover, number])
            position.play(action)
        for row in rows[first:]:
            row[3] = position.returns(0) * (1 if row[3] == 0 else -1)
        if number % 50 == 49 or number == games - 1:
            names = ("levels", "move", "score", "result", "game")
            columns = zip(*rows, strict=True)
            np.savez(path, **dict(zip(names, map(np.array, columns), strict=True)))
            print(f"{number + 1} games, {len(rows)} positions", flush=True)


def opening(rng: random.Random) -> Position:
    """A few random stones near the middle."""
    reach, position = rng.choice([2, 3, 3, 4, 5]), Position(GAME)
    near = range(7 - reach, 8 + reach)
    cells = [row * 15 + column for row in near for column in near]
    for cell in rng.sample(cells, rng.randint(2, 6)):
        position.play(cell)
    return position


def drawn(position: Position, rng: random.Random) -> int:
    """A move by the square roots of the priors."""
    legal = position.legal_actions()
    with np.errstate(over="ignore"):
        weights = [GAME.prior(position.state, action) ** 0.5 for action in legal]
    return rng.choices(legal, weights)[0]


def fit(path: str) -> None:
    """Print the constants, and how well they do on the games that were kept out."""
    data = np.load(path)
    fit_value(data)
    fit_prior(data)


def fit_value(data) -> None:
    """Logistic regression from counts to results."""
    counts = np.stack(
        [(data["levels"] == level).sum(2) for level in range(1, len(LEVELS))], axis=2
    )
    inputs = np.hstack([np.ones((len(counts), 1)), counts.reshape(len(counts), -1)])
    scale = np.maximum(inputs.std(0), 0.01)
    scale[0] = 1.0
    inputs, result, score = inputs / scale, data["result"], data["score"]
    mixed = (1 - SCORE_WEIGHT) * result + SCORE_WEIGHT * score
    goal = (np.where(np.isnan(score), result, mixed) + 1) / 2
    known = data["game"] % 5 != 0

    def loss(constants, which, goal):
        odds = inputs[which] @ constants
        error = 1 / (1 + np.exp(-odds)) - goal[which]
        mean = (np.logaddexp(0, odds) - goal[which] * odds).mean()
        return (
            mean + PENALTY * constants @ constants,
            inputs[which].T @ error / len(error) + 2 * PENALTY * constants,
        )

    found = minimize(loss, np.zeros(len(scale)), (known, goal), jac=True).x
    print(f"value: loss {loss(found, ~known, (result + 1) / 2)[0]:.4f} of unseen games")
    found = np.round(found / scale, 3).tolist()
    print("TEMPO", found[0], "\nOWN", found[1:14], "\nOTHER", found[14:])


def fit_prior(data) -> None:
    """The moves that were chosen become likeliest."""
    own, other = data["levels"].astype(int).swapaxes(0, 1)
    quiet = (data["move"] >= 0) & (np.maximum(own.max(1), other.max(1)) < FORCED)
    own, other = own[quiet], other[quiet]
    pairs = np.where(own == OCCUPIED, 256, 16 * own + other)
    chosen = pairs[np.arange(len(pairs)), data["move"][quiet]]
    counts = np.stack([np.bincount(row, minlength=257)[:256] for row in pairs])
    known = data["game"][quiet] % 5 != 0
    first, second = np.divmod(np.arange(256), 16)
    parts = [first == level for level in range(1, FORCED)]
    parts += [second == level for level in range(1, FORCED)]
    inputs = np.stack([*parts, first + second == 0], axis=1).astype(float)

    def loss(constants, which):
        logarithms = inputs @ constants
        weights = counts[which] * np.exp(logarithms)
        sums = weights.sum(1)
        mean = (np.log(sums) - logarithms[chosen[which]]).mean()
        expected = (weights / sums[:, None]).mean(0)
        seen = np.bincount(chosen[which], minlength=256) / which.sum()
        return (
            mean + PENALTY * constants @ constants,
            (expected - seen) @ inputs + 2 * PENALTY * constants,
        )

    found = minimize(loss, np.zeros(inputs.shape[1]), known, jac=True).x
    print(f"prior: loss {loss(found, ~known)[0]:.4f} of unseen games")
    found, half = np.round(found, 2).tolist(), FORCED - 1
    print("OWN", [0.0, *found[:half]], "\nOTHER", [0.0, *found[half:-1]])
    print("NEITHER", found[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("play", "fit"))
    parser.add_argument("file", help="of positions, .npz")
    parser.add_argument("--games", type=int, default=800)
    parser.add_argument("--simulations", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "fit":
        fit(given.file)
    else:
        play(given.file, given.games, given.simulations, given.seed)


if __name__ == "__main__":
    main()
