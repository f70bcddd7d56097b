"""`Result`: what a search found, for people (`print`) and programs (`to_dict`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from textwrap import fill, shorten
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import counted
from ..games.position import Position
from ..games.registry import game_spec
from .choice import Choice, MostVisits
from .excerpt import LONGEST_LINE
from .merge import best_known, merge_roots
from .shown import plot_result, result_html
from .solver import is_proven, lower_of, upper_of
from .tree import ROOT, Tree

__all__ = ["ActionStatistics", "Result"]


class ActionStatistics(NamedTuple):
    """What the search knows of one move at the root.

    Attributes:
        action: the move, as a number.
        move: the move, as people write it.
        visits: simulations that began with it.
        share: its part of all those simulations, 0 to 1.
        mean: average return for the player to move, in [-1, 1].
        standard_error: of the mean, at most (returns of -1 and 1 vary most).
        proven: "win", "loss" or "draw" for the player to move, if that is sure.
        proof_plies: actions from the root to the end, where `proven`: for a win the
            fewest known, for a loss the most. None where several players each play
            for themselves.
        bound: "at most a draw" or "at least a draw", where that is sure and no more is.
    """

    action: int
    move: str
    visits: int
    share: float
    mean: float
    standard_error: float
    proven: str | None = None
    proof_plies: int | None = None
    bound: str | None = None

    @property
    def shown_rate(self) -> str:
        """The share of the points, for people; "-" where nothing was tried."""
        return f"{(self.mean + 1) / 2:.1%}" if self.visits else "-"

    @property
    def shown_error(self) -> str:
        """The standard error of that share; "-" where nothing was tried."""
        return f"{self.standard_error / 2:.1%}" if self.visits else "-"


@dataclass(frozen=True)
class Result:
    """The outcome of a search; values are for the player to move at its root.

    Attributes:
        game: the game, as on the command line.
        moves: the moves that led to the position.
        action: the answer of the choice policy, as a number.
        move: the same as people write it.
        value: the chosen move's mean return, in [-1, 1]; the exact one where proven.
        visits: simulations the root has seen, those of a kept subtree included.
        simulations: simulations of this search.
        seconds: time spent searching.
        compile_seconds: time spent compiling before that, never charged to a clock; 0
            where the rules were compiled already.
        stopped_by: why it ended: "proven", "simulations", "seconds", "tree full", "only
            move", "decided" (by `early_stop`), "interrupted" (by Ctrl-C or whoever
            asked a player), "callback" or "visits" (the counter's end).
        pv: the principal variation: the chosen move, then the most visited answers, up
            to where chance moves.
        nodes: nodes of the tree.
        depth: the deepest node, in actions from the root.
        tree_bytes: memory that the tree takes.
        seed: of the search's random numbers.
        actions: every move tried at the root, most visited first.
        proven: "win", "loss" or "draw" for the player to move, once that is sure.
    """

    game: str
    moves: tuple[str, ...]
    action: int
    move: str
    value: float
    visits: int
    simulations: int
    seconds: float
    compile_seconds: float
    stopped_by: str
    pv: tuple[str, ...]
    nodes: int
    depth: int
    tree_bytes: int
    seed: int
    actions: tuple[ActionStatistics, ...]
    proven: str | None = None

    @property
    def win_rate(self) -> float:
        """The value as a share of the points, 0 to 1; a draw counts half."""
        return (self.value + 1) / 2

    @property
    def simulations_per_second(self) -> float:
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values under stable names, ready for JSON."""
        return {
            "game": self.game,
            "moves": list(self.moves),
            "best": self.move,
            "value": self.value,
            "simulations": self.simulations,
            "seconds": self.seconds,
            "compile_seconds": self.compile_seconds,
            "simulations_per_second": self.simulations_per_second,
            "stopped_by": self.stopped_by,
            "pv": list(self.pv),
            "nodes": self.nodes,
            "tree_bytes": self.tree_bytes,
            "depth": self.depth,
            "visits": self.visits,
            "seed": self.seed,
            "proven": self.proven,
            "actions": [
                {
                    "move": row.move,
                    "visits": row.visits,
                    "mean": row.mean,
                    "share": row.share,
                    "standard_error": row.standard_error,
                    "proven": row.proven,
                    "proof_plies": row.proof_plies,
                    "bound": row.bound,
                }
                for row in self.actions
            ],
        }

    def __str__(self) -> str:
        return self.show()

    @property
    def _ending(self) -> str:
        is_cut = self.stopped_by == "interrupted"
        return "interrupted" if is_cut else f"stopped by {self.stopped_by}"

    def show(self, rows: int = 12, width: int = 200) -> str:
        """What was found, as text, with so many moves at most; long lines are cut."""
        lines = [
            self._headline(),
            "",
            *self._table(rows),
            "",
            *([self._proof()] if self.proven else []),
            f"win rate {self.win_rate:.1%}   depth {self.depth}   nodes {self.nodes:,}"
            f"   memory {_bytes(self.tree_bytes)}",
            f"{self._effort()}, {self._ending}"
            + (f", compiled in {self.compile_seconds:.1f} s" if self._compiled else ""),
            shorten("line: " + " ".join(self.pv), width, placeholder=" ..."),
        ]
        return "\n".join(lines)

    def show_briefly(self, moves: int = 8, indent: int = 0) -> str:
        """The first line of `show`, and each move's win rate and visits in a line."""
        shown = [
            f"{row.move} {row.proven or row.shown_rate} of {row.visits:,}"
            for row in self.actions[:moves]
        ]
        whole = (text.replace(" ", "\0") for text in shown)  # not to be divided
        blank = " " * indent
        text = fill(
            "   ".join(whole), 80, initial_indent=blank, subsequent_indent=blank
        )
        return f"{blank}{self._headline()}\n{text}".replace("\0", " ")

    def plot(self, path: str | Path | None = None, most: int = 12) -> Any:
        """Draw shares and win rates of so many moves, to `.png` or `.svg` if asked."""
        return plot_result(self, path, most)

    def _repr_html_(self) -> str:
        return result_html(self)

    def _headline(self) -> str:
        return (
            f"Selected {self.move} with ratio {self.value:.4f} "
            f"after {counted(self.visits, 'simulation')}{self._kept()}"
        )

    def _effort(self) -> str:
        if self.simulations == 0:  # the kept tree was proven or full already
            return "nothing left to search"
        return (
            f"{counted(self.simulations, 'simulation')} in {self.seconds:.2f} s "
            f"({self.simulations_per_second:,.0f}/s)"
        )

    def _proof(self) -> str:
        plies = next(row.proof_plies for row in self.actions if row.move == self.move)
        if plies is None:  # the choice policy did not play what is proven
            return f"proven: {self.proven}"
        return f"proven: {self.proven} in {plies} move{'s' * (plies != 1)}"

    @property
    def _compiled(self) -> bool:
        return self.compile_seconds >= 0.05

    def _kept(self) -> str:
        """How many are new, where a part of the last tree was kept."""
        if self.visits == self.simulations:
            return ""
        if self.simulations == 0:
            return " of earlier searches"
        return f", of which {self.simulations:,} in this search"

    def _table(self, most: int) -> list[str]:
        width = max(4, *(len(row.move) for row in self.actions[:most]), 4)
        lines = [
            f"{'move':>{width}}  {'win rate':>8}  {'+-':>5}  {'visits':>11}  share"
        ]
        for row in self.actions[:most]:
            lines.append(
                f"{row.move:>{width}}  {row.shown_rate:>8}  "
                f"{row.shown_error:>5}  {row.visits:11,}  "
                f"{row.share:5.1%}  {_remark(row)}".rstrip()
            )
        if len(self.actions) > most:
            lines.append(f"{'':>{width}}  and {len(self.actions) - most} more moves")
        return lines


def root_statistics(position: Position, tree: Tree) -> tuple[ActionStatistics, ...]:
    """The root's moves, most visited first, then by mean."""
    nodes = tree.nodes.array[tree.children(ROOT)]
    visits, divisors = nodes["visits"].astype(np.int64), np.maximum(nodes["visits"], 1)
    means = nodes["value_sum"] / divisors
    errors = np.sqrt(np.maximum(0.0, 1 - means * means) / divisors)
    shares = visits / max(1, visits.sum())
    order = np.lexsort((nodes["action"], -means, -visits))
    numbers = nodes["action"], visits, shares, means, errors
    actions, *facts = (column[order].tolist() for column in numbers)
    names = map(position.game.action_name, actions)
    unknown = repeat(None)  # all fields are given: `_make` is a fifth faster then
    columns = actions, names, *facts, unknown, unknown, unknown
    rows = map(ActionStatistics._make, zip(*columns, strict=False))
    if not nodes["proven"].any():
        return tuple(rows)
    proofs = nodes[["proven", "proof_plies"]][order].tolist()
    return tuple(
        _with_proof(row, position, *proof)
        for row, proof in zip(rows, proofs, strict=True)
    )


def _with_proof(
    row: ActionStatistics, position: Position, proven: int, plies: int
) -> ActionStatistics:
    """What the columns `proven` and `proof_plies` add to a move's statistics."""
    players = position.game.num_players()
    duel = players == 2 and position.game.zero_sum
    counts = is_proven(proven) and (players == 1 or duel)
    return row._replace(
        proven=verdict(proven),
        proof_plies=1 + plies if counts else None,
        bound=half_known(proven) if duel else None,
    )


def principal_variation(
    position: Position, tree: Tree, first: int, rng: Any, most: int = LONGEST_LINE
) -> tuple[str, ...]:
    """The moves of the chosen child and then of the most visited one at every node.

    It ends where chance moves: nobody chooses what comes then.
    """
    choice: Choice = MostVisits()
    nodes, node = tree.nodes.array, first
    has_chance = position.game.has_chance
    line = position.copy() if has_chance else position
    moves: list[str] = []
    while len(moves) < most:
        action = int(nodes["action"][node])
        moves.append(position.game.action_name(action))
        node = tree.entry(node)
        if not nodes["visits"][tree.children(node)].any():
            break
        if has_chance and line.play(action).is_chance:
            break
        node = choice.choose(tree, node, rng)
    return tuple(moves)


def summarize(
    position: Position, trees: Sequence[Tree], choice: Choice, **facts: Any
) -> Result:
    """The result of a search: what the choice policy takes from what the trees say."""
    rng, deepen = facts.pop("rng"), facts.pop("deepen")
    mover = position.current_player
    tree = merge_roots(trees, mover)
    row, root = tree.nodes[choice.choose(tree, ROOT, rng)], tree.nodes[ROOT]
    known, child = deepen(*best_known(trees, row))
    return Result(
        game=game_spec(position.game),
        moves=tuple(position.moves),
        action=int(row.action),
        move=position.game.action_name(int(row.action)),
        value=_value(row),
        visits=int(root.visits),
        pv=principal_variation(position, known, child, rng),
        nodes=sum(tree.num_nodes for tree in trees),
        depth=max(int(tree.info[0].max_depth) for tree in trees),
        tree_bytes=sum(tree.num_bytes for tree in trees),
        actions=root_statistics(position, tree),
        proven=verdict(root.proven, 1 if tree.info[0].root_mover == mover else -1),
        **facts,
    )


def verdict(proven: int, sign: int = 1) -> str | None:
    """What the column `proven` says, in a word; `sign` -1 for the other player."""
    if not is_proven(proven):
        return None
    return ("draw", "win", "loss")[sign * lower_of(proven)]


def half_known(proven: int) -> str | None:
    """What the column `proven` says of a draw, where it is not the whole truth."""
    if is_proven(proven):
        return None
    if upper_of(proven) == 0:
        return "at most a draw"
    return "at least a draw" if lower_of(proven) == 0 else None


def _value(row: Any) -> float:
    """A node's exact value, or its mean."""
    if is_proven(row.proven):
        return float(lower_of(row.proven))
    return float(row.value_sum / row.visits) if row.visits else 0.0


def _remark(row: ActionStatistics) -> str:
    """A bar for the share of the visits, and what is proven."""
    when = "" if row.proof_plies is None else f" in {row.proof_plies}"
    known = row.bound or (f"{row.proven}{when}" if row.proven else "")
    bar = "█" * round(20 * row.share)
    return f"{bar:20}  {known}" if known else bar


def _bytes(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"
