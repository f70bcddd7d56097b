"""Ultimate tic-tac-toe: light rollouts (X) against heavy ones (O), a second a move.

    python examples/ultimate_tic_tac_toe.py [SIMULATIONS]

With a number, players think for so many simulations instead of a second.
"""

import sys

from playout import MCTS, Decisive, Limit, Position, UltimateTicTacToe, Uniform


def main(limit: Limit) -> None:
    game = UltimateTicTacToe()
    players = [
        MCTS(game, rollout=Uniform(), seed=1),  # light: any legal action
        MCTS(game, rollout=Decisive(), seed=2),  # heavy: a win now, a block now
    ]
    position = Position(game)
    while not position.is_terminal:
        mover = position.current_player
        result = players[mover].search(position, limit)  # keeps what it knows
        position.play(result.action)
        print(
            f"{'XO'[mover]} {result.move}  win rate {result.win_rate:6.1%}  "
            f"{result.simulations:9,} simulations"
        )
    print(f"\n{position.render()}\n")
    print({1.0: "X wins", -1.0: "O wins", 0.0: "a draw"}[position.returns(0)])


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else None
    main(Limit(simulations=count) if count else Limit(seconds=1.0))
