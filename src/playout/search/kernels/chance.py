"""Chance nodes: the way down follows what chance draws, whatever the values.

Nothing of this is compiled for games without chance.
"""

from __future__ import annotations

from ...games.contract.game import CHANCE, Game
from ..tree.children import add_child, find_child
from ..tree.nodes import NO_NODE, ROOT, NodeTable
from ..work import CURRENT, Work

__all__ = [
    "chance_moves",
    "draw_child",
    "is_outcome",
    "leads_to_chance",
    "play_chance",
]


def chance_moves(game: Game, work: Work, depth: int) -> bool:
    """Whether it is chance's turn now; the path notes it."""
    if not game.has_chance:
        return False
    state = work.states[CURRENT]
    moves = not game.is_terminal(state) and game.current_player(state) == CHANCE
    work.path[depth].chance = 1 if moves else 0
    return moves


def leads_to_chance(game: Game, work: Work, depth: int) -> bool:
    """Whether `chance_moves` was true of the node `work.path[depth]`."""
    return game.has_chance and work.path[depth].chance == 1


def is_outcome(game: Game, mover: int) -> bool:
    """Whether an action was drawn by chance, and not chosen by a player."""
    return game.has_chance and mover == CHANCE


def draw_child(
    game: Game, tree: NodeTable, work: Work, depth: int, deepest: int
) -> int:
    """The child for an outcome drawn by its probability; made where it is new.

    `NO_NODE` at a node never visited, which is a leaf first. Without room for a child
    as well; the outcome is then played, for the rollout to go on from.
    """
    if not game.has_chance:
        return NO_NODE
    node = work.path[depth].node
    row = tree.nodes[node]
    if row.visits == 0 and node != ROOT:
        return NO_NODE
    state = work.states[CURRENT]
    if row.num_children == 0:
        row.num_legal = game.legal_actions(state, work.actions)
    action = game.sample_chance(state, work.actions, work.rng)
    child = find_child(tree, node, action)
    if child == NO_NODE and depth < deepest:
        child = add_child(tree, node, action)
    if child == NO_NODE:
        game.apply(state, action)
        work.add_rewards(game, state, depth)
    return child


def play_chance(game: Game, work: Work, depth: int) -> None:
    """Play what chance draws at a leaf of this depth, until it is a player's turn.

    The path notes it, as an end that is reached then proves nothing of the leaf.
    """
    if not game.has_chance:
        return
    if not leads_to_chance(game, work, depth) and not chance_moves(game, work, depth):
        return
    state = work.states[CURRENT]
    while not game.is_terminal(state) and game.current_player(state) == CHANCE:
        game.apply(state, game.sample_chance(state, work.actions, work.rng))
        work.add_rewards(game, state, depth)
