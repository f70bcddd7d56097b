"""How many small mistakes do the tests notice?

    python -m tests.mutants --sample 400 --seed 1   goes on where it was ended
    python -m tests.mutants --again                 survivors, after new tests
    python -m tests.mutants --table                 only what was found so far

Every mutant is written into a copy of the sources. The tests of its file, and those of
its area that call the function, are run until one fails. What survives is looked at by
a person: either a test is missing, or the mutant does the same as the original and is
put on the list `equivalent.txt`, with the reason.

Neither `mutmut` nor `cosmic-ray` is used: the first makes of every function one that
chooses among its mutants when it is called, which Numba does not compile; the second
has no samples, one command for the tests of all files, and changes files in place.
"""

import argparse
import json
import random
import signal
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import Queue

from .areas import AREAS, PACKAGE, Area, area_of
from .operators import Mutant, mutants
from .report import equivalents, table
from .workshop import Calls, Workshop

HOME = Path(".mutants")
RESULTS = HOME / "results.jsonl"


def main() -> None:
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends what it runs
    HOME.mkdir(exist_ok=True)
    found = _all_mutants(options.only)
    if not options.table:
        sample = _sample(found, options.sample, options.seed)
        _try(_left(sample, options.again), options.workers)
    print(table(found, _fates()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=400, help="mutants to try")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--only", default="", help="files whose path begins so")
    parser.add_argument("--workers", type=int, default=2, help="tests at a time")
    parser.add_argument("--again", action="store_true", help="try survivors again")
    parser.add_argument("--table", action="store_true", help="try none")
    return parser.parse_args()


def _all_mutants(only: str) -> list[Mutant]:
    return [
        mutant
        for area in AREAS
        for path in area.files()
        if path.startswith(only)
        for mutant in mutants(path, (PACKAGE / path).read_text())
    ]


def _sample(found: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """A larger sample of the same seed begins with the smaller one."""
    mixed = random.Random(seed).sample(found, len(found))
    return mixed[:size]


def _left(sample: list[Mutant], again: bool) -> list[Mutant]:
    """Those that were not tried yet, or those that survived and are not equivalent."""
    fates, known = _fates(), equivalents()
    wanted = "survived" if again else None
    return [
        mutant
        for mutant in sample
        if fates.get(mutant.key) == wanted and mutant.name not in known
    ]


def _fates() -> dict[str, str]:
    """What became of every mutant, the last time; by its key."""
    if not RESULTS.exists():
        return {}
    lines = map(json.loads, RESULTS.read_text().splitlines())
    return {line["key"]: line["fate"] for line in lines}


def _try(sample: list[Mutant], workers: int) -> None:
    """Each worker has a copy of the sources for itself."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        places = [Path(folder) / str(number) for number in range(workers)]
        workshops = [Workshop(place, HOME / "cache") for place in places]
        free: Queue[Workshop] = Queue()
        for workshop in workshops:
            free.put(workshop)

        def find_calls(area: Area) -> Calls:
            workshop = free.get()
            calls = workshop.calls(area)
            free.put(workshop)
            return calls

        def find_fate(mutant: Mutant) -> tuple[Mutant, str, str, float]:
            calls = known[area_of(mutant.path)].result()
            workshop, started = free.get(), time.monotonic()
            fate, by = workshop.fate(mutant, calls)
            free.put(workshop)
            return mutant, fate, by, time.monotonic() - started

        areas = dict.fromkeys(area_of(mutant.path) for mutant in sample)
        known = {area: pool.submit(find_calls, area) for area in areas}
        work = [pool.submit(find_fate, mutant) for mutant in sample]
        try:
            for number, done in enumerate(as_completed(work), 1):
                _note(f"{number}/{len(sample)}", *done.result())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for workshop in workshops:
                workshop.end()


def _note(count: str, mutant: Mutant, fate: str, by: str, seconds: float) -> None:
    line = {"key": mutant.key, "name": mutant.name, "fate": fate, "by": by}
    with RESULTS.open("a") as file:
        print(json.dumps(line), file=file)
    where = f"line {mutant.line}, {mutant.name}"
    print(f"{count} {fate} after {seconds:.0f} s: {where}", flush=True)


if __name__ == "__main__":
    main()
