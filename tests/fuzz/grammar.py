"""Command lines of every kind, made from Click's own tree of commands.

A new command or option is covered without an entry here: what it takes follows from its
type, and from the examples in its help. The tables only make values likely that come
far.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import click

from playout.ui.cli.main import cli

#: Three cells in a row, two neighbours win; see `tests.ui.support`.
LINE = "mnk:m=1,k=2"
GAMES = [*[LINE] * 12, *["tic-tac-toe"] * 12, "connect-four", "mnk:k=3", "pig", "2048"]
GAMES += ["gomoku:size=9,rule=renju", "ultimate-tic-tac-toe:variant=count"]
GAMES += ["phantom-tic-tac-toe", "line-three", "rules.py:Nim", "rules.py:Nim:stones=5"]
PLAYERS = [*["random", "greedy", "mcts:simulations=5"] * 3, "human", "mcts", "level:1"]
PLAYERS += ["level:9", "mcts:preset=tiny", "mcts:blunder=0.5", "perfect", "exec:"]
PLAYERS += ["negamax:depth=2", "alphabeta:depth=2", "exec:./no-such-engine"]
PLAYERS += [
    "players.py:good",
    "players.py:crash",
    "players.py:missing",
    "mcts:c_uct=-1",
]
FILES = ["games.db", "damaged.db", "empty.db", "missing.db", "league.toml", "folder"]
FILES += ["openings.txt", "folder/new.db", "missing/new.db", "picture.png", "new.jsonl"]
FILES += ["levels.toml", "games.psq", "-", ".", "folder/", "tree.dot"]
PICTURES = ["new.png", "new.svg", "folder/new.svg", "missing/new.svg", "folder.svg"]
MOVES = [
    "",
    "b1",
    "b2",
    "b2 a1",
    "a1 b1 a2 b2 a3",
    "4 4 4",
    "444",
    "h8 i9",
    "99",
    "b2b2",
]
MOVES += [".X. O", "... X", "XXX/OO./... O", ".../.../... X", "pass", "roll"]
CLOCKS = ["1+0.1", "0.5", "0+0", "1+", "+1", "1e3+1e-3", "-1+1", "nan+nan"]

#: Likely values by the name or the metavar of a parameter.
LIKELY = {
    **dict.fromkeys(("GAME", "[GAME]..."), GAMES),
    **dict.fromkeys(("A", "B", "SPEC", "PLAYER", "[PLAYER]..."), PLAYERS),
    **dict.fromkeys(("FILE", "TARGET", "FILE.db", "FILE.toml"), FILES),
    **dict.fromkeys(("B+I", "BASE+INC"), CLOCKS),
    "plot": PICTURES,
    "file": ["games.db", "games.db", "games.db", *FILES],
    "FILE.toml": ["league.toml", "league.toml", "levels.toml", *FILES],
    "save": ["new.db", "games.db", "folder/new.db", *FILES],
    "tree_file": ["new.json", "new.dot", "new.svg", "folder.dot"],
    "target": ["new.jsonl", "new.sgf", "games.db", "-", *FILES],
    "against": PLAYERS[:9],
    "TEXT": MOVES,
    "P": ["tiny", "fachada", "tutorial"],
    "F": ["jsonl", "jsonl", "sgf", "psq", "pos", "columns"],
    "H": ["127.0.0.1", "::1", "localhost", "256.0.0.1", "a..b", "é" * 70, "1.2"],
    "WHERE": ["local", "local", "ray", "ray:", "ray:auto"],
    "RULE": ["draw:moves=2,score=0.05,after=3", "resign:moves=1,score=0.9", "draw:"],
    "FILE|random:plies=N": ["random:plies=1", "random:plies=99", "openings.txt"],
    "elo0=0,elo1=10": ["elo0=0,elo1=10", "elo1=5,alpha=0.3", "elo0=-400,elo1=400"],
    "NAME=LOW..HIGH...": [*["c_uct=0.3..2.0", "c_uct=0.1..4:log"] * 3, "c_uct=2..1"],
    "RUNG": ["0", "0.1", "0.9", "1"],
    "ELO": ["130", "60", "200"],
    # Limits, by which a case ends soon.
    "simulations": ["1", "3", "10"],
    "seconds": ["0.01", "0.02"],
    "most": ["50", "60"],
    "base": ["2", "5"],
    "delay": ["0", "0.01"],
    **{
        name: ["2", "2", "2", "3", "4", "1"]
        for name in ("games", "count", "probe", "per_trial")
    },
    **{name: ["1", "2"] for name in ("number", "match", "depth", "threads", "levels")},
}
#: Those without which a case would not end soon.
LIMITS = ("simulations", "seconds", "games", "count", "probe", "per_trial", "most")
WHOLE = ["0", "1", "2", "5", "-1", "-0", "+2", "007", "1_0", "٣", "½", " 4", "0x10"]
WHOLE += ["2147483648", "4294967296", str(2**63 - 1), str(2**63), str(2**64), "1e3"]
WHOLE += ["9" * 30, "9" * 5000, "nan", "2.5", "-" + "9" * 30]
NUMBERS = [*WHOLE, "0.01", ".5", "5.", "1e-9", "1e-400", "1e-320", "1e308", "1e999"]
NUMBERS += ["inf", "-inf", "nan", "Infinity", "-0.0", "1e6"]
#: No device, and nothing that starts at the root: a case writes where it is run.
ODD = [
    *[""] * 5,
    " ",
    " ",
    "\t",
    "\n",
    "-",
    "--",
    "-x",
    "--x",
    "=",
    ":",
    ",",
    "..",
    ".",
    "~",
    "0",
]
ODD += [
    "None",
    "null",
    "true",
    "é",
    "日本",
    "🎲",
    "\u202e",
    "\udcff",
    "\x1b[31m",
    "\x85",
]
ODD += ["a" * 300, "a" * 5000, "%s{}", "'", '"', "\\", "*", "random:", "mcts:", "exec:"]
ODD += ["level:", "x.py:", "rules.py:", "tic-tac-toe:", "a=b", "-1", "a,b", "x" * 70]
#: Signs of our own texts and others, without the one that separates folders.
SIGNS = "abcxyzABC0123456789.:,=+- _#*\t\n\\'\"{}%é٣日🎲\udcff\x1b\u200b"

ODD_BY_TYPE = {"integer": WHOLE, "float": NUMBERS}
OPTION, FLAG, REPEATED = 0.2, 0.2, 2
#: Most command lines have hardly a value that is odd; in some many are.
ODDITIES = (0.01, 0.02, 0.05, 0.2)


@dataclass
class CommandLine:
    """A command line, and what is expected of its answer.

    Attributes:
        words: after `playout`.
        typed: what standard input holds.
        json: whether standard output is to be JSON if the command succeeds.
    """

    words: list[str] = field(default_factory=list)
    typed: str = ""
    json: bool = False


def command_line(random: Random) -> CommandLine:
    """A command line in which most is likely, and some of it damaged."""
    known = list(commands())
    weights = [1 + len(command.params) for _, command in known]
    ((path, command),) = random.choices(known, weights)
    made, odd = CommandLine(typed=_typed(random)), random.choice(ODDITIES)
    groups = [_words(parameter, random, odd) for parameter in command.params]
    random.shuffle(groups)
    groups.sort(key=lambda group: group.option and random.random() < 0.8)
    arguments = iter([_argument(each, random, odd) for each in _arguments(command)])
    words = [w for g in groups for w in (g.words if g.option else next(arguments))]
    made.json = "--json" in words and not {"--help", "-h"} & {*words}
    if random.random() < odd:
        _damage_line(words, random)
        made.json = False
    made.words = [*path, *words]
    return made


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands that do something, with the words that call them."""
    yield from _commands((), cli)


def likely(parameter: click.Parameter) -> list[str]:
    """Values of a parameter, most of which it accepts."""
    for key in (parameter.name, parameter.metavar):
        if key in LIKELY and parameter.type.name not in ODD_BY_TYPE:
            return LIKELY[key]
    if isinstance(parameter.type, click.Choice):
        return [*map(str, parameter.type.choices)]
    if parameter.type.name in ODD_BY_TYPE:
        return LIKELY.get(parameter.name or "", ["1", "2", "3"])
    return _of_examples()


def value(parameter: click.Parameter, random: Random, odd: float) -> str:
    """A text for a parameter; by so large a chance an odd one."""
    known = likely(parameter)
    if random.random() >= odd:
        return random.choice(known)
    drawn = random.random()
    if drawn < 0.4:
        return damaged(random.choice(known), random)
    if drawn < 0.8:
        return random.choice(ODD_BY_TYPE.get(parameter.type.name, ODD))
    if drawn < 0.9:
        return random.choice([*ODD, *NUMBERS, *_of_examples()])
    return _noise(random)


def damaged(text: str, random: Random) -> str:
    """A text with a small change."""
    at, sign = random.randint(0, len(text)), random.choice(SIGNS)
    return random.choice(
        [
            text[:at],
            text[:at] + sign + text[at:],
            text[:at] + sign + text[at + 1 :],
            text[:at] + text[at + 1 :],
            text + text[at:],
            text.upper(),
            f" {text}",
            f"{text}:",
            f"{text},{text}",
            f"{text}={random.choice(NUMBERS)}",
            re.sub(r"\d+", lambda _: random.choice(WHOLE), text),
            re.sub(r"=[^,]*", "=", text),
        ]
    )


@dataclass
class _Group:
    """Words that belong together; those of an argument are made apart."""

    option: bool
    words: list[str]


def _commands(
    path: tuple[str, ...], command: click.Command
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    for name, inner in command.commands.items():
        yield from _commands((*path, name), inner)


def _words(parameter: click.Parameter, random: Random, odd: float) -> _Group:
    if not isinstance(parameter, click.Option):
        return _Group(False, [])
    name = random.choice([*parameter.opts, *parameter.opts])
    if parameter.is_flag:
        return _Group(True, [name] * (random.random() < FLAG))
    often = 0.9 if parameter.name in LIMITS else OPTION
    words: list[str] = []
    for _ in range(REPEATED if parameter.multiple else 1):
        if random.random() < often:
            text = value(parameter, random, odd)
            words += [f"{name}={text}"] if random.random() < 0.2 else [name, text]
    return _Group(True, words)


def _arguments(command: click.Command) -> list[click.Parameter]:
    return [each for each in command.params if isinstance(each, click.Argument)]


def _argument(parameter: click.Parameter, random: Random, odd: float) -> list[str]:
    count = 1 if parameter.nargs == 1 else random.randint(0, 2)
    count = max(count, int(parameter.required))
    return [value(parameter, random, odd) for _ in range(count)]


def _damage_line(words: list[str], random: Random) -> None:
    """Leave out, double or insert a word."""
    at = random.randint(0, len(words))
    words[at : at + 1] = random.choice(
        [
            [],
            words[at : at + 1] * 2,
            [random.choice(ODD)],
            [*words[at : at + 1], "--help"],
            [*words[at : at + 1], random.choice(_of_examples())],
        ]
    )


def _typed(random: Random) -> str:
    words = [*MOVES, "undo", "hint", "moves", "log", "help", "quit", "y", "n", "\0"]
    lines = random.choices(words, k=random.choice([0, 0, 3, 9]))
    return "\n".join(lines)


def _noise(random: Random) -> str:
    return "".join(random.choices(SIGNS, k=random.randint(0, 20)))


def _of_examples() -> list[str]:
    """The words of all examples in the help, but those that run programs."""
    if not _examples:
        for _, command in commands():
            lines = re.findall(r"^ *playout (.*?)(?:   .*)?$", command.help or "", re.M)
            for line in lines:
                _examples.extend(shlex.split(line))
        _examples[:] = [word for word in _examples if not word.startswith("exec:")]
    return _examples


_examples: list[str] = []
