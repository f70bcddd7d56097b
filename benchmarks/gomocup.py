"""What tournaments measure of our Gomoku program: how late it answers, what it holds.

python benchmarks/gomocup.py [MILLISECONDS [MOVES]]

The rules must be compiled (`playout warm gomoku`). The opponent's stones are put at the
edge, so that the game lasts; memory is looked at every 50 ms.
"""

import sys
import threading
import time
from random import Random

from playout import Gomoku, Position
from playout.protocols.gomocup import format_cell, read_reply
from playout.protocols.process import ProcessTransport

SIZE, MAX_MEMORY = 15, 350 << 20
PROGRAM = "from playout.ui.engine.pbrain import main; main()"


class Program:
    """`pbrain-playout`, watched."""

    def __init__(self) -> None:
        self.transport = ProcessTransport([sys.executable, "-c", PROGRAM])
        self.held = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def ask(self, *lines: str) -> tuple[str, float]:
        """The answer to the last line, and the seconds that it took."""
        for line in lines:
            self.transport.send(line)
        started = time.perf_counter()
        while (reply := self.transport.receive(600)).startswith("MESSAGE"):
            pass
        return reply, time.perf_counter() - started

    def _watch(self) -> None:
        while True:
            self.held = max(self.held, self.transport.memory())
            time.sleep(0.05)


def edge(position: Position, random: Random) -> int:
    """An empty cell at the edge."""
    border = {0, SIZE - 1}
    legal = position.legal_actions()
    return random.choice([a for a in legal if {a // SIZE, a % SIZE} & border])


def main(milliseconds: int = 500, moves: int = 30) -> None:
    program, position, random = Program(), Position(Gomoku(size=SIZE)), Random(1)
    print(f"START to OK       {program.ask(f'START {SIZE}')[1]:6.3f} s")
    infos = [f"INFO timeout_turn {milliseconds}", f"INFO max_memory {MAX_MEMORY}"]
    lines, took = [*infos, "BOARD", "0,0,2", "DONE"], []
    position.play(0)
    while len(took) < moves and not position.is_terminal:
        reply, seconds = program.ask(*lines)
        took.append(seconds)
        position.play(read_reply(reply, SIZE).action)
        if not position.is_terminal:
            position.play(edge(position, random))
            lines = [f"TURN {format_cell(position.last_action, SIZE)}"]
    print(f"first move        {took[0]:6.3f} s of {milliseconds / 1000:g}")
    print(f"slowest of {len(took):3}    {max(took):6.3f} s")
    print(f"unique memory     {program.held >> 20:6} MiB of {MAX_MEMORY >> 20}")
    program.transport.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
