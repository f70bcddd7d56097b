"""How strong is the search in ultimate tic-tac-toe, against whom, at equal time?

Every decision gets the same processor time on both sides. A side runs in a process of
its own and turns the time into simulations by the speed that its last decisions had;
the one that waits uses nothing. Games come in pairs with colours swapped that share an
opening of random moves. The opponent is one of

- a player of this Playout, such as `mcts:selection=uct`;
- `COMMIT=SPEC`: a player of another commit, from a work tree that git makes, or of
  another copy of the repository, whose folder is given instead;
- `open-spiel:uct_c=2,rollouts=1`: OpenSpiel's C++ `MCTSBot` with its solver on. Where
  it chooses a board and then a cell, it has the time twice.

    python benchmarks/strength/ultimate.py OPPONENT [--player SPEC] [--game GAME]
        [--seconds 0.05] [--games 200] [--plies 4] [--file FILE] [--sprt elo0=0,elo1=40]
        [--at-once 1]

A line of the file is a game; with the same file a match goes on where it ended.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
REPOSITORY = HERE.parents[2]
#: Simulations of the first decision of a process, before its speed is known.
FIRST = 500
#: The weight of the last decision in the speed, which falls from move to move: with a
#: small one decisions take longer than they should, the faster it falls the longer.
NEWEST = 0.8


# -- a side, in its own process --------------------------------------------------------


class Ours:
    """A player of Playout, asked by simulations."""

    def __init__(self, game: Any, spec: str) -> None:
        from playout.players.registry import make_player

        self.player = make_player(spec, game)
        self.player.prepare()

    def new_game(self, seed: int) -> None:
        self.player.new_game(seed)

    def choose(self, position: Any, simulations: int) -> tuple[int, int]:
        from playout.players.player import Allowance

        decision = self.player.choose(position, Allowance(simulations=simulations))
        return decision.action, decision.result.simulations if decision.result else 0


class OpenSpiel:
    """OpenSpiel's bot; a new one for every decision, as it keeps no tree."""

    def __init__(self, game: Any, spec: str) -> None:
        import pyspiel

        if getattr(game, "variant", "") != "classic":
            sys.exit("OpenSpiel has the classic variant alone")
        given = dict(part.split("=") for part in spec.split(",") if part)
        self.uct_c = float(given.pop("uct_c", 2))
        self.rollouts = int(given.pop("rollouts", 1))
        if given:
            sys.exit(f"open-spiel: {', '.join(given)} is not uct_c or rollouts")
        self.spiel, self.game = pyspiel, pyspiel.load_game("ultimate_tic_tac_toe")

    def new_game(self, seed: int) -> None:
        self.seed = seed

    def choose(self, position: Any, simulations: int) -> tuple[int, int]:
        state = self.game.new_initial_state()
        for action in position.actions:
            self.play(state, action)
        done = 0
        if self.is_free(state):
            board, done = self.step(state, simulations)
            state.apply_action(board)
        forced = str(state).rpartition("Forced board: ")[2].strip()
        cell, more = self.step(state, simulations)
        return 9 * int(forced) + cell, done + more

    def play(self, state: Any, action: int) -> None:
        if self.is_free(state):
            state.apply_action(action // 9)
        state.apply_action(action % 9)

    @staticmethod
    def is_free(state: Any) -> bool:
        """Whether the bot has to choose a board before a cell."""
        return str(state).rpartition("Forced board: ")[2].strip() == "any"

    def step(self, state: Any, simulations: int) -> tuple[int, int]:
        """An action of OpenSpiel's, and how many simulations it took."""
        self.seed += 1
        evaluator = self.spiel.RandomRolloutEvaluator(self.rollouts, self.seed)
        bot = self.spiel.MCTSBot(
            self.game, evaluator, self.uct_c, simulations, 1_000, True, self.seed, False
        )
        root = bot.mcts_search(state)
        return int(root.best_child().action), int(root.explore_count)


def serve(game_spec: str, spec: str, seconds: float) -> None:
    """Answer lines of JSON: `{"seed": n}` begins a game, `{"moves": [...]}` asks."""
    from playout.games.positions.position import Position
    from playout.games.registry import make_game

    game = make_game(game_spec)
    name, _, rest = spec.partition(":")
    side = OpenSpiel(game, rest) if name == "open-spiel" else Ours(game, spec)
    speed = 0.0
    for line in sys.stdin:
        asked = json.loads(line)
        if "seed" in asked:
            side.new_game(asked["seed"])
            continue
        position = Position.from_moves(game, asked["moves"])
        wanted = max(1, round(speed * seconds)) if speed else FIRST
        began = time.process_time()
        action, done = side.choose(position, wanted)
        took = time.process_time() - began
        steps = 2 if done > wanted else 1
        if done >= wanted and took > 0:  # a search that ended early tells no speed
            now = done / took
            speed = now if not speed else speed + NEWEST * (now - speed)
        answer = {"action": action, "seconds": took / steps, "simulations": done}
        print(json.dumps(answer), flush=True)


# -- a match ---------------------------------------------------------------------------


class Side:
    """A process that serves, and the seconds its decisions took."""

    def __init__(self, options: argparse.Namespace, spec: str, source: Path) -> None:
        command = [sys.executable, HERE, spec, "--serve", "--game", options.game]
        self.process = subprocess.Popen(
            [*command, "--seconds", str(options.seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(source / "src")},
        )
        self.seconds: list[float] = []

    def tell(self, **message: Any) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            sys.exit("a side ended; what it says stands above")

    def ask(self, moves: list[int]) -> int:
        assert self.process.stdout is not None
        self.tell(moves=moves)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("a side ended; what it says stands above")
        answer = json.loads(line)
        self.seconds.append(answer["seconds"])
        return int(answer["action"])


@contextmanager
def sides(options: argparse.Namespace) -> Iterator[tuple[Side, Side]]:
    """Both processes, and the work tree of another commit while it is needed."""
    commit, equals, spec = options.opponent.partition("=")
    source = REPOSITORY
    if not equals or ":" in commit:
        commit, spec = "", options.opponent
    elif Path(commit, "src").is_dir():
        source, commit = Path(commit), ""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "other" if commit else source
        git = ["git", "-C", str(REPOSITORY), "worktree"]
        if commit:
            add = [*git, "add", "--quiet", "--detach", source, commit]
            subprocess.run(add, check=True)
        both = (
            Side(options, options.player, REPOSITORY),
            Side(options, spec, source),
        )
        try:
            yield both
        finally:
            for side in both:
                side.process.terminate()
            if commit:
                subprocess.run([*git, "remove", "--force", source], check=True)


def opening(game: Any, seed: int, plies: int) -> list[int]:
    """Random moves after which the game still goes on."""
    from playout.games.positions.position import Position

    draw = random.Random(seed)
    while True:
        position = Position(game)
        while len(position.actions) < plies and not position.is_terminal:
            position.play(draw.choice(position.legal_actions()))
        if not position.is_terminal:
            return list(position.actions)


def play(both: tuple[Side, Side], game: Any, moves: list[int], first: int) -> float:
    """One game from an opening; the points of side 0, and the moves are added.

    Args:
        both: the sides.
        game: the rules.
        moves: those of the opening; modified in place.
        first: the side that has the first player's pieces.
    """
    from playout.games.positions.position import Position

    position = Position.from_moves(game, moves)
    while not position.is_terminal:
        side = both[first ^ position.current_player]
        moves.append(side.ask(moves))
        position.play(moves[-1])
    return float((position.returns(first) + 1) / 2)


class Match:
    """What was played, in a file where one is given, and whether it is decided."""

    def __init__(self, options: argparse.Namespace) -> None:
        from playout.arena.rating import SPRT
        from playout.games.registry import make_game

        self.options, self.game = options, make_game(options.game)
        self.file = Path(options.file) if options.file else None
        exists = self.file and self.file.exists()
        lines = self.file.read_text().splitlines() if self.file and exists else []
        names = ("opponent", "player", "game", "seconds", "plies", "seed")
        self.what = {name: getattr(options, name) for name in names}
        self.rows = [self.read(number, line) for number, line in enumerate(lines, 1)]
        self.test = SPRT.parse(options.sprt) if options.sprt else None
        played = Counter(row["pair"] for row in self.rows)
        pairs = range(-(-options.games // 2))
        self.missing = [pair for pair in pairs[::-1] if played[pair] < 2]
        self.played, self.lock, self.ended = played, threading.Lock(), False

    def read(self, number: int, line: str) -> dict[str, Any]:
        """A game of the file."""
        place = f"{self.file}, line {number}"
        try:
            row: dict[str, Any] = json.loads(line)
        except ValueError:
            sys.exit(f"{place}: this is no whole game; take the line out")
        if row.get("match", self.what) != self.what:
            sys.exit(f"{place}: a game of another match, {row['match']}")
        return row

    def next_pair(self) -> int | None:
        """A pair that is missing, or None where the match is over."""
        with self.lock:
            over = self.ended or not self.missing or self.decision()
            return None if over else self.missing.pop()

    def decision(self) -> str | None:
        """What the test says of the pairs before the first that was not finished.

        So it does not depend on which of several games ends first.
        """
        from playout.arena.rating import Tally

        first = next(pair for pair in itertools.count() if self.played[pair] < 2)
        rows = [row for row in self.rows if row["pair"] < first]
        tally = Tally.from_results((row["pair"], row["score"]) for row in rows)
        return self.test.state(tally) if self.test and rows else None

    def note(self, row: dict[str, Any]) -> None:
        """Keep a game, and say how it stands after every pair."""
        with self.lock:
            self.rows.append(row)
            self.played[row["pair"]] += 1
            if self.file:
                with self.file.open("a") as out:
                    out.write(json.dumps(row) + "\n")
            if self.played[row["pair"]] == 2:
                self.tell()

    def tell(self) -> None:
        """Say how it stands."""
        said = f"; {self.decision() or 'undecided'}" if self.test else ""
        print(standing(self.rows) + said, flush=True)

    def play(self, both: tuple[Side, Side]) -> None:
        """Play pairs between two sides until it is over."""
        options = self.options
        while (pair := self.next_pair()) is not None:
            for first in range(self.played[pair], 2):
                moves = opening(self.game, options.seed + pair, options.plies)
                for side in both:
                    side.tell(seed=1 + 2 * pair + first)
                    side.seconds.clear()
                score = play(both, self.game, moves, first)
                took = [round(statistics.fmean(s.seconds or [0]), 5) for s in both]
                names = [self.game.action_name(action) for action in moves]
                row = {"pair": pair, "score": score, "seconds": took, "moves": names}
                self.note({**row, "match": self.what})


def match(options: argparse.Namespace) -> None:
    """Play what is missing in the file, so many games at once."""
    played = Match(options)
    if played.rows:
        played.tell()
    with ExitStack() as stack, ThreadPoolExecutor(options.at_once) as pool:
        tables = [stack.enter_context(sides(options)) for _ in range(options.at_once)]
        try:
            for each in as_completed(pool.submit(played.play, both) for both in tables):
                each.result()
        finally:
            played.ended = True  # what is being played may end with its pair


def standing(rows: list[dict[str, Any]]) -> str:
    """The score so far, in a line."""
    from playout.arena.rating import Tally, elo

    tally = Tally.from_results((row["pair"], row["score"]) for row in rows)
    middle, low, high = elo(tally)
    ours, theirs = (statistics.fmean(row["seconds"][n] for row in rows) for n in (0, 1))
    return (
        f"{tally.games:4} games: {tally.wins}-{tally.draws}-{tally.losses}, "
        f"{tally.score:.1%}, Elo {middle:+.0f} ({low:+.0f} to {high:+.0f}); "
        f"{1000 * ours:.1f} and {1000 * theirs:.1f} ms a decision"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("opponent", help="SPEC, COMMIT=SPEC or open-spiel:...")
    parser.add_argument("--player", default="mcts", help="ours, by its spec")
    parser.add_argument("--game", default="ultimate-tic-tac-toe")
    parser.add_argument("--seconds", type=float, default=0.05, help="a decision")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--plies", type=int, default=4, help="random ones, at first")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--file", help="of the games, one a line; goes on from it")
    parser.add_argument("--sprt", help="ends the match early: elo0=0,elo1=40")
    parser.add_argument(
        "--at-once", type=int, default=1, help="games that are played at once"
    )
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.at_once < 1 or options.seconds <= 0:
        parser.error("--at-once must be at least 1, and --seconds above 0")
    if options.serve:
        serve(options.game, options.opponent, options.seconds)
    else:
        match(options)


if __name__ == "__main__":
    main()
