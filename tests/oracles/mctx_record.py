"""What mctx does in a game of numbers, written down for a test to repeat.

It needs mctx 0.0.71 (Apache 2.0, Google DeepMind) and JAX, which are no part of
Playout. They are installed somewhere else, and the answers are kept:

    python -m venv /tmp/mctx && /tmp/mctx/bin/pip install mctx jax
    JAX_PLATFORMS=cpu /tmp/mctx/bin/python -m tests.oracles.mctx_record \
        > tests/data/mctx.json

A state is a number, `code`; action a leads from it to `after(code, a)`. Values and
logits follow from it by whole numbers, so that both programs see the same ones.
"""

import itertools
import json
import sys
from typing import Any

ACTIONS = 5
#: (simulations after the root's own, actions considered, c_visit, c_scale)
SEARCHES = [(16, 4, 50.0, 0.1), (32, 5, 50.0, 1.0), (50, 3, 10.0, 0.5), (64, 5, 0.0, 0)]
#: (actions considered, simulations)
HALVINGS = [
    (most, simulations)
    for most in range(1, 20)
    for simulations in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 50, 64, 100)
]
PRIORS, CONCENTRATION, FRACTION, DRAWS = [0.5, 0.3, 0.15, 0.05], 10.0, 0.25, 20_000


def after(code: Any, action: Any) -> Any:
    return (code * 5 + action + 1) % 65_521


def value(code: Any) -> Any:
    """For the player to move, from -0.8 to 0.8."""
    return ((code * 7919) % 1601 - 800) / 1000


def logit(code: Any, action: Any) -> Any:
    return ((code * 31 + action * 577) % 997) / 400


def main() -> None:
    found = {
        "searches": [search(*case) for case in SEARCHES],
        "considered": [considered(*case) for case in HALVINGS],
        "noise": noise(),
    }
    lists = {name: rows for name, rows in found.items() if isinstance(rows, list)}
    for name, rows in lists.items():
        found[name] = [json.dumps(row) for row in rows]
    text = json.dumps(found, indent=1)
    for row in (row for name in lists for row in found[name]):
        text = text.replace(json.dumps(row), row)  # a line for each
    sys.stdout.write(text + "\n")


def search(simulations: int, most: int, c_visit: float, c_scale: float) -> Any:
    """A search by Gumbel MuZero without draws: the visits of every node, by path."""
    import functools

    import jax
    import jax.numpy as jnp
    import mctx  # type: ignore[import-not-found]

    actions = jnp.arange(ACTIONS)

    def outputs(code: Any) -> Any:
        return logit(code[:, None], actions[None, :]), value(code).astype(jnp.float32)

    def recurrent(params: Any, key: Any, action: Any, code: Any) -> Any:
        code = after(code, action)
        logits, values = outputs(code)
        one = jnp.ones_like(values)
        step = mctx.RecurrentFnOutput(
            reward=0 * one, discount=-one, prior_logits=logits, value=values
        )
        return step, code

    start = jnp.array([1], jnp.int32)
    logits, values = outputs(start)
    root = mctx.RootFnOutput(prior_logits=logits, value=values, embedding=start)
    result = mctx.gumbel_muzero_policy(
        None,
        jax.random.PRNGKey(0),
        root,
        recurrent,
        num_simulations=simulations,
        max_num_considered_actions=most,
        gumbel_scale=0.0,
        qtransform=functools.partial(
            mctx.qtransform_completed_by_mix_value,
            value_scale=c_scale,
            maxvisit_init=c_visit,
            rescale_values=False,
        ),
    )
    tree, visits = result.search_tree, {}
    paths = {0: ""}
    for node in range(simulations + 1):
        visits[paths[node]] = int(tree.node_visits[0, node])
        for action in range(ACTIONS):
            child = int(tree.children_index[0, node, action])
            if child >= 0:
                paths[child] = f"{paths[node]}{action}"
    return {
        "asked": [simulations, most, c_visit, c_scale],
        "action": int(result.action[0]),
        "visits": visits,
    }


def considered(most: int, simulations: int) -> Any:
    """Sequential halving: with how many visits actions are visited, in turn.

    As text, in which `4x0 2x1` is four times 0 and then twice 1.
    """
    from mctx._src import seq_halving  # type: ignore[import-not-found]

    visits = seq_halving.get_sequence_of_considered_visits(most, simulations)
    runs = itertools.groupby(map(int, visits))
    text = " ".join(f"{len(list(run))}x{count}" for count, run in runs)
    return {"asked": [most, simulations], "visits": text}


def noise() -> Any:
    """Means and standard deviations of priors that are mixed with Dirichlet noise."""
    import jax
    import jax.numpy as jnp
    from mctx._src import policies

    shares = policies._add_dirichlet_noise(
        jax.random.PRNGKey(1),
        jnp.tile(jnp.array(PRIORS), (DRAWS, 1)),
        dirichlet_alpha=CONCENTRATION / len(PRIORS),
        dirichlet_fraction=FRACTION,
    )
    return {
        "means": [round(float(x), 4) for x in shares.mean(axis=0)],
        "deviations": [round(float(x), 4) for x in shares.std(axis=0)],
    }


if __name__ == "__main__":
    main()
