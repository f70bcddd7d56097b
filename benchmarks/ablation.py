"""Every enhancement on and off: what each is worth at equal time, in Elo.

python benchmarks/ablation.py [--games 400] [--seconds 0.02] [--only WORDS]

The default search with one thing changed plays the default search, in pairs of games
with the same opening and the seats swapped. A positive Elo means that the change makes
the search stronger; the interval is that of 95 %. A cell ends when a sequential test
of "no stronger" against "40 Elo stronger" (5 % errors) has an answer, "yes" or "no",
or after so many games, "?". All cells get some games before any gets more, and the
table is written anew after every cell. Every game is kept in a file, so a run that was
ended goes on where it was, and more games or other cells can be asked for later.
Gomoku is played on 9x9, where games are short.

A game takes about a second at the default time; there are some eighty cells.
"""

import argparse
import contextlib
import math
import sys
from pathlib import Path

from playout.arena.clock import TimeControl
from playout.arena.executors import LocalExecutor
from playout.arena.match import Match, MatchSettings, play_matches
from playout.arena.rating import SPRT, elo
from playout.arena.store import Store
from playout.core.errors import PlayoutError
from playout.games.registry import make_game
from playout.players.registry import make_player
from playout.search.catalogue import PHASES, policies_of
from playout.search.defaults import defaults

#: Games, each with random first moves of its own number.
GAMES = {
    "connect-four": "random:plies=4",
    "ultimate-tic-tac-toe": "random:plies=4",
    "gomoku:size=9": "random:plies=4",
}
DEFAULT = "mcts"
ONE_OF_ALL = "expansion=all-children,visit_all=no"
#: What is changed, and how; the first three take away what the default search has.
#: `C` is the default's constant of UCT in the game, or 1. What a game has by default
#: anyway is not played. Policies that are not named here come in by themselves, below.
CHANGES = {
    "no solver": "solver=unsolved",
    "urgent moves nowhere": "urgent=never",
    "urgent moves at the root only": "urgent=root",
    "first-play urgency 0.5": f"first_play=0.5,{ONE_OF_ALL}",
    "UCT": "selection=uct",
    "UCB1-Tuned": "selection=ucb1-tuned",
    "PUCT": "selection=puct",
    "progressive bias (evaluate)": "selection=progressive-bias,c_uct=C",
    "progressive bias (prior)": "selection=progressive-bias,knowledge=prior,c_uct=C",
    "progressive history": "selection=progressive-history,c_uct=C",
    "RAVE": "selection=rave",
    "GRAVE": "selection=grave",
    "all children at once": "expansion=all-children",
    "progressive widening": "expansion=progressive-widening",
    "uniform rollouts": "rollout=uniform",
    "decisive rollouts": "rollout=decisive",
    "MAST": "rollout=mast",
    "NST": "rollout=nst",
    "truncated rollouts": "rollout=truncated",
    "weighted rollouts": "rollout=weighted",
    "discount 0.01": "discount=0.01",
    "implicit minimax": "backup=implicit-minimax",
    "robust mix": "backup=robust-mix",
    "max mix": "backup=max-mix",
    "transpositions": "transpositions=yes",
    "choice by mean": "choice=highest-mean",
    "secure child": "choice=secure-child",
    "robust-max child": "choice=robust-max",
}
#: What the default search has in most games, or what is for games of another kind.
NO_CHANGE = {
    *("uct", "random-child", "likeliest-first", "mean", "score-bounds", "most-visits"),
    *("isuct", "normalized-uct", "max-nbounds"),
    *("spuct", "max", "mixed", "best-seen", "exhaustion"),
    "reward-sum",
}
CHANGES |= {
    policy: f"{phase}={policy}"
    for phase in PHASES
    for policy in policies_of(phase)
    if policy not in NO_CHANGE
    and not any(f"{phase}={policy}" in change.split(",") for change in CHANGES.values())
}
#: When a cell is decided.
TEST = SPRT(0, 40)
#: Games of a cell before the next cell has its turn.
ROUND = 100
#: More games than anybody plays.
MOST = 10**6


def main() -> None:
    options = parse()
    cells = [
        (change, game)
        for change in CHANGES
        for game in GAMES
        if is_change(change, game)
        and all(
            word in f"{change} {CHANGES[change]} {game}".lower()
            for word in options.only.lower().split()
        )
    ]
    if not cells:
        sys.exit(f"no cell has {options.only!r} in its name")
    table = options.table or Path(options.store).with_suffix(".md")
    try:
        with (
            Store(options.store) as store,
            contextlib.closing(LocalExecutor(options.concurrency)) as executor,
        ):
            play(cells, options, store, executor, table)
    except KeyboardInterrupt:
        print("ended; the same command goes on from here", file=sys.stderr)
    except PlayoutError as error:
        sys.exit(f"error: {error}")
    if table.exists():
        print(table.read_text(encoding="utf-8"), end="")


def parse() -> argparse.Namespace:
    first, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=first,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=400, help="a cell; 400")
    parser.add_argument("--seconds", type=float, default=0.02, help="a move; 0.02")
    parser.add_argument(
        "--only", default="", help="cells with these words in their names"
    )
    parser.add_argument("--store", default="ablation.db", help="file of all games")
    parser.add_argument("--table", type=Path, help="Markdown; beside the store")
    parser.add_argument("--concurrency", type=int, default=1, help="games at once; 1")
    return parser.parse_args()


def play(cells, options, store, executor, table) -> None:
    """Play all cells in rounds; the table is written after every cell's round."""
    matches = known(store, options.seconds)
    write(table, matches, options.seconds)
    for games in [*range(ROUND, options.games, ROUND), options.games]:
        for change, game in cells:
            so_far = matches[change, game]
            if so_far.decision is not None or so_far.counted >= games:
                continue
            match = match_of(change, game, options.seconds, games)
            play_matches([match], store, executor)
            matches[change, game] = match
            print(f"{change}, {game}: {figures(match)}", file=sys.stderr)
            for forfeit in match.forfeits[:3]:
                print(f"  {forfeit.player}: {forfeit.reason}", file=sys.stderr)
            write(table, matches, options.seconds)


def known(store, seconds: float) -> dict[tuple[str, str], Match]:
    """What the file has of all cells."""
    matches = {}
    for change in CHANGES:
        for game in GAMES:
            match = match_of(change, game, seconds, MOST)
            if (number := store.find_match(match.identity)) is not None:
                match.load(store, number)
            matches[change, game] = match
    return matches


def is_change(change: str, game: str) -> bool:
    """Whether the search is another than the game's default."""
    rules = make_game(game)
    one, other = (make_player(spec, rules).search for spec in specs(change, game))
    return (one.policies, one.choice) != (other.policies, other.choice)


def specs(change: str, game: str) -> tuple[str, str]:
    """The players: the search with the change, and the default."""
    usual = getattr(defaults(make_game(game))["selection"], "c_uct", 1.0)
    return f"{DEFAULT}:{CHANGES[change].replace('=C', f'={usual}')}", DEFAULT


def match_of(change: str, game: str, seconds: float, games: int) -> Match:
    players = specs(change, game)
    time = TimeControl(seconds=seconds)
    settings = MatchSettings(game, players, time=time, openings=GAMES[game], seed=1)
    return Match(settings, games, TEST, label=change)


def write(table: Path, matches: dict[tuple[str, str], Match], seconds: float) -> None:
    """Write the table; a reader never sees half of one."""
    games = [game for game in GAMES if any(game == name for _, name in matches)]
    lines = [
        f"Elo of the default search with one thing changed, against the default, at "
        f"{1000 * seconds:g} ms a move:",
        "",
        "| change | spec | " + " | ".join(games) + " |",
        "|---" * (2 + len(games)) + "|",
    ]
    for change, spec in CHANGES.items():
        row = [matches.get((change, game)) for game in games]
        if any(match is not None and match.counted for match in row):
            shown = [figures(match) for match in row]
            lines.append(f"| {change} | `{spec}` | " + " | ".join(shown) + " |")
    part = table.with_name(table.name + ".part")
    part.write_text("\n".join(lines) + "\n", encoding="utf-8")
    part.replace(table)


def figures(match: Match | None) -> str:
    """Such as "no: +12 (-15 to +39), 400 games"."""
    if match is None or not match.counted:
        return "-"
    answer = {None: "?", "accept H0": "no", "accept H1": "yes"}[match.decision]
    difference, low, high = map(signed, elo(match.tally))
    return f"{answer}: {difference} ({low} to {high}), {match.counted} games"


def signed(value: float) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{round(value):+d}"


if __name__ == "__main__":
    main()
