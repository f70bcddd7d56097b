"""Command lines of every kind, made from Click's own tree of commands.

A new command or option is covered without an entry here: what it takes follows from its
type, and from the examples in its help. The tables in `values` only make those values
likely that come far.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import click

from playout.ui.cli.main import cli

from .values import LIMITS, MOVES, NUMBERS, ODD, ODD_BY_TYPE, SIGNS, SMALL, TEXTS, WHOLE

#: How often an option and a flag are given; how often one that may be repeated.
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
    made.json = _Group(True, ["--json"]) in groups and not {"--help", "-h"} & {*words}
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
    if parameter.type.name in ODD_BY_TYPE:
        return SMALL.get(parameter.name or "", ["1", "2"])
    if isinstance(parameter.type, click.Choice):
        return [*map(str, parameter.type.choices)]
    for key in (parameter.name, parameter.metavar):
        if key in TEXTS:
            return TEXTS[key]
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
    context = click.Context(command)
    for name in command.commands or command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
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
