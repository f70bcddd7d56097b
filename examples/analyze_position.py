"""Search one position and read the result: as a table, as values, as a tree.

python examples/analyze_position.py [SIMULATIONS]
"""

import sys

from playout import MCTS, ConnectFour, Limit, Position, Result


def show_progress(result: Result) -> None:
    """Called about ten times a second; returning False would end the search."""
    print(f"  {result.simulations:>9,}  {result.move}  {result.win_rate:.1%}")


def main(simulations: int) -> None:
    position = Position.from_moves(ConnectFour(), "44444")
    print(position.render(), "\n")

    search = MCTS(position.game, seed=1)
    result = search.search(position, Limit(simulations=simulations), show_progress)
    print(f"\n{result}\n")

    best = result.actions[0]
    print(f"most visited: column {best.move}, {best.share:.0%} of the simulations")
    print(f"mean return:  {best.mean:+.3f} +- {best.standard_error:.3f}")

    # The tree is a NumPy array of nodes; the root is node 0.
    nodes = search.tree.nodes.array
    for child in search.tree.children(0):
        node = nodes[child]
        replies = len(search.tree.children(child))
        print(
            f"node {child}: column {node['action'] + 1}, N = {node['visits']}, "
            f"W = {node['value_sum']:+.0f}, {replies} children"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300_000)
