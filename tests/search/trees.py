"""Trees as text that a person can read, and the searches that make the golden ones."""

from typing import Any

from playout import (
    MCTS,
    AllChildren,
    LikeliestFirst,
    Limit,
    Mean,
    RandomChild,
    Unsolved,
)
from playout.games.more.tsp import Tour
from playout.search.backup.best_return import Max, Mixed
from playout.search.backup.minimax_mixing import ImplicitMinimax, MaxMix, RobustMix
from playout.search.backup.reward_sum import RewardSum
from playout.search.catalogue import policies_of
from playout.search.expansion.widening import ProgressiveWidening
from playout.search.rollout.decisive import Decisive
from playout.search.rollout.mast_nst import MAST, NST
from playout.search.rollout.truncated import Truncated
from playout.search.rollout.uniform import Uniform
from playout.search.rollout.weighted import Weighted
from playout.search.selection.is_uct import ISUCT
from playout.search.selection.normalized_uct import NormalizedUCT
from playout.search.selection.progressive_bias import ProgressiveBias
from playout.search.selection.progressive_history import ProgressiveHistory
from playout.search.selection.puct import PUCT
from playout.search.selection.rave import GRAVE, RAVE
from playout.search.selection.ucb1_tuned import UCB1Tuned
from playout.search.selection.uct import UCT
from playout.search.tree.nodes import ROOT, GraphColumns, node_dtype

from ..rewarding import Gifts
from ..toys import Knowing

ONE = AllChildren(visit_all=False)

#: Every policy of the tree, alone beside the defaults.
SINGLE: dict[str, dict[str, Any]] = {
    "uct": {"selection": UCT()},
    "uct-first-play": {"selection": UCT(first_play=0.6), "expansion": ONE},
    "ucb1-tuned": {"selection": UCB1Tuned()},
    "normalized-uct": {"selection": NormalizedUCT()},
    "puct": {"selection": PUCT()},
    "puct-noise": {"selection": PUCT(noise=0.25)},
    "progressive-bias": {"selection": ProgressiveBias()},
    "progressive-bias-prior": {"selection": ProgressiveBias(knowledge="prior")},
    "progressive-history": {"selection": ProgressiveHistory()},
    "rave": {"selection": RAVE()},
    "grave": {"selection": GRAVE(ref=20)},
    "random-child": {"expansion": RandomChild(urgent="never")},
    "all-children": {"expansion": AllChildren()},
    "likeliest-first": {
        "selection": PUCT(first_play=-0.5),
        "expansion": LikeliestFirst(threshold=2),
    },
    "progressive-widening": {"expansion": ProgressiveWidening()},
    "decisive": {"rollout": Decisive()},
    "mast": {"rollout": MAST()},
    "nst": {"rollout": NST(gram_visits=2, table_bits=10)},
    "truncated": {"rollout": Truncated(rollout_plies=2)},
    "weighted": {"rollout": Weighted()},
    "mean-discount": {"backup": Mean(discount=0.05)},
    "implicit-minimax": {"backup": ImplicitMinimax()},
    "max-mix": {"backup": MaxMix(trusted_visits=3)},
    "robust-mix": {"backup": RobustMix(robust_visits=4)},
    "reward-sum": {"backup": RewardSum(gamma=0.75)},
    "unsolved": {"solver": Unsolved()},
    "transpositions": {"transpositions": True},
}

#: Phases whose policies change the tree; the choice is made when it has grown.
GROWING = ("selection", "expansion", "rollout", "backup")
#: The default, and one for games of another kind.
WITHOUT = (Uniform, ISUCT)


def add_others() -> None:
    """Policies that nothing above names come in with the defaults of their fields."""
    named = {
        type(policy) for policies in SINGLE.values() for policy in policies.values()
    }
    for phase in GROWING:
        for name, policy in policies_of(phase).items():
            if policy not in named and policy not in WITHOUT:
                SINGLE[name] = {phase: policy()}


add_others()

#: Some of them together, so that all are met in few compiled searches.
TOGETHER: dict[str, dict[str, Any]] = {
    "first play, MAST": {**SINGLE["uct-first-play"], **SINGLE["mast"]},
    "tuned, widening, NST, max mix": {
        **SINGLE["ucb1-tuned"],
        **SINGLE["progressive-widening"],
        **SINGLE["nst"],
        **SINGLE["max-mix"],
    },
    "PUCT, truncated, minimax": {
        **SINGLE["puct-noise"],
        **SINGLE["truncated"],
        **SINGLE["implicit-minimax"],
    },
    "RAVE, weighted": {**SINGLE["rave"], **SINGLE["weighted"]},
    "GRAVE, robust mix": {**SINGLE["grave"], **SINGLE["robust-mix"]},
    "PUCT, likeliest first": {**SINGLE["puct"], **SINGLE["mast"]},
    "bias, decisive": {**SINGLE["progressive-bias"], **SINGLE["decisive"]},
    "bias by prior, widening": {
        **SINGLE["progressive-bias-prior"],
        "expansion": ProgressiveWidening(urgent="never"),
    },
    "history, all children": {
        **SINGLE["progressive-history"],
        **SINGLE["all-children"],
    },
}


#: How far a prior, which has 16 bits, may be from its share, as a part of it.
ROUNDING = 2.0**-11

#: What is shown of every node anyway, and what tells little of an edge, or of children
#: that are not made.
BASE = {*(node_dtype().names or ()), *(c for c, _ in GraphColumns.columns)}
BASE = BASE - {"target"} | {"next_action", "later_prior", "quarter"}


def search_of(policies: dict[str, Any], **options: Any) -> MCTS:
    """A search of a game for two, or of a puzzle where a policy is for puzzles."""
    alone = isinstance(policies.get("backup"), Max | Mixed)
    game: Any = Tour(cities=5, seed=2) if alone else Knowing()
    if isinstance(policies.get("backup"), RewardSum):
        game = Gifts()
    return MCTS(game, seed=7, **policies, **options)


def golden(policies: dict[str, Any]) -> str:
    """The tree of 50 simulations from the start, run as plain Python."""
    search = search_of(policies, interpreted=True)
    search.search(limit=Limit(simulations=50))
    return tree_text(search)


def tree_text(search: MCTS) -> str:
    """One line for every visited node, below its parent, in the order of making."""
    lines: list[str] = []

    def show(node: int, depth: int) -> None:
        row = search.tree.nodes.array[node]
        if row["visits"] == 0 and node != ROOT:
            return
        name = search.game.action_name(int(row["action"])) if depth else "root"
        extra = [f"{c}={row[c]:.6g}" for c in row.dtype.names if c not in BASE]
        if row["proven"]:
            extra.insert(0, f"proven={row['proven']}")
        lines.append(
            f"{'  ' * depth}{name} N={row['visits']} W={row['value_sum']:.6g} "
            f"{' '.join(extra)}".rstrip()
        )
        for child in search.tree.children(search.tree.entry(node)):
            show(int(child), depth + 1)

    show(ROOT, 0)
    return "\n".join(lines) + "\n"
