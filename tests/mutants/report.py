"""What became of the mutants, as a table, and what survived."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from .operators import Mutant

EQUIVALENT = Path(__file__).with_name("equivalent.txt")


def equivalents() -> dict[str, str]:
    """The reason of every mutant that does the same as the original, by its name."""
    found = {}
    for paragraph in EQUIVALENT.read_text().split("\n\n"):
        lines = [line for line in paragraph.splitlines() if not line.startswith("#")]
        if lines:
            found[lines[0]] = " ".join(lines[1:])
    return found


def table(found: Sequence[Mutant], fates: Mapping[str, str]) -> str:
    """A line for each file, and every survivor.

    Args:
        found: the mutants there are.
        fates: by the keys of those that were tried.
    """
    known = equivalents()
    counts: dict[str, Counter[str]] = {}
    survivors = []
    for mutant in found:
        fate = fates.get(mutant.key, "untried")
        if fate == "survived":
            fate = "equivalent" if mutant.name in known else fate
            survivors.append(f"{fate:10} line {mutant.line}, {mutant.name}")
        counts.setdefault(mutant.path, Counter())[fate] += 1
    head = f"{'file':40} mutants tried caught late equivalent survived  rate"
    rows = [_row(path, count) for path, count in counts.items() if _tried(count)]
    total = _row("all", sum(counts.values(), Counter()))
    return "\n".join([head, *rows, total, "", *survivors])


def _tried(count: Counter[str]) -> int:
    return count.total() - count["untried"]


def _row(path: str, count: Counter[str]) -> str:
    """What is late counts as caught; what is equivalent counts not at all."""
    caught = count["caught"] + count["late"]
    able = _tried(count) - count["equivalent"]
    rate = f"{caught / able:.0%}" if able else "-"
    return (
        f"{path:40} {count.total():7} {_tried(count):5} {count['caught']:6} "
        f"{count['late']:4} {count['equivalent']:10} {count['survived']:8} {rate:>5}"
    )
