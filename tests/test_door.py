"""The public names of `playout`: all are there, and none is loaded too early."""

import dataclasses
import re
import subprocess
import sys

import playout


def test_all_is_sorted_and_complete() -> None:
    names = list(playout.__all__)
    assert len(set(names)) == len(names)
    assert set(names) == set(playout._HOMES)
    for name in names:
        assert getattr(playout, name) is not None
    constants = [name for name in names if name.isupper()]
    classes = [n for n in names if n[0].isupper() and not n.isupper()]
    functions = [n for n in names if n[0].islower()]
    assert names == sorted(constants) + sorted(classes) + sorted(functions)


def test_importing_playout_does_not_load_the_compiler() -> None:
    code = "import playout, sys; print('numba' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


def test_a_search_loads_nothing_that_few_need() -> None:
    """All of that together would make a start a tenth slower."""
    seldom = {"asyncio", "multiprocessing", "xml.etree", "matplotlib", "textual"}
    code = "import sys; from playout import MCTS, Limit; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert seldom.isdisjoint(done.stdout.split())


def test_types_are_shipped() -> None:
    from importlib.resources import files

    assert files("playout").joinpath("py.typed").is_file()


def test_every_policy_has_a_public_name() -> None:
    from playout.search.catalogue import PHASES, policies_of

    for phase in PHASES:
        for policy in policies_of(phase).values():
            assert getattr(playout, policy.__name__) is policy


def test_every_parameter_of_a_policy_is_told_by_help() -> None:
    from playout.search.catalogue import PHASES, policies_of

    for phase in PHASES:
        for policy in policies_of(phase).values():
            told = set(re.findall(r"\w+", policy.__doc__ or ""))
            names = {field.name for field in dataclasses.fields(policy) if field.init}
            assert names <= told, (policy, names - told)
