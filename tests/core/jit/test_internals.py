"""A canary for every name of Numba's that is used and that Numba does not document.

Where one fails, a new Numba has changed what Playout stands on: `internals` says
what it is used for, and `core/jit/canary.py` what is gone.
"""

from __future__ import annotations

import ast
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

import playout
from playout.core.errors import CompileError, UsageError
from playout.core.jit import cache, internals, libraries, lowering, native
from playout.core.jit.canary import Internal
from playout.core.jit.internals import FRAMES, INTERNALS, OTHER_SHAPE
from playout.core.jit.native import Kernel, kernel
from tests.core.jit.processes import run

PACKAGE = Path(playout.__file__).parent
ROOM = PACKAGE / "core" / "jit"
ALL = [*INTERNALS, OTHER_SHAPE]
IDS = [internal.path for internal in ALL]


@pytest.mark.parametrize("internal", ALL, ids=IDS)
def test_numba_has_what_is_used(internal: Internal) -> None:
    assert not list(internal.faults())


@pytest.mark.parametrize("path", FRAMES)
def test_the_frames_that_errors_are_told_by_are_there(path: str) -> None:
    """What is told by them is in `test_silence.py`."""
    module, name = path.split(":")
    function = pkgutil.resolve_name(path)
    assert function.__module__.startswith(module)
    assert function.__code__.co_qualname.endswith(name)
    assert not FRAMES[path] or FRAMES[path] in function.__code__.co_varnames


def test_every_name_stands_once() -> None:
    assert len(IDS) == len(set(IDS))


def test_the_docs_say_which_versions_were_tried() -> None:
    root = PACKAGE.parents[1]
    assert f"numba>={internals.TRIED[0][:-2]}" in (root / "pyproject.toml").read_text()
    *others, last = internals.TRIED
    said = f"Numba {', '.join(others)} and {last} were tried."
    assert said in (root / "CONTRIBUTING.md").read_text()


# -- behaviour that no signature tells -------------------------------------------------


def halved(number: int) -> int:
    return number // 2


def outer(number: int) -> int:
    return halved(number) + 1


def test_code_libraries_take_the_steps_that_are_overridden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the kernel and of what it calls, which is not loaded."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    steps: list[tuple[str, str]] = []
    for name in ("optimize", "load", "finish"):
        step = getattr(libraries.CodeLibrary, name)

        def noted(self: Any, *args: Any, name: str = name, step: Any = step) -> Any:
            steps.append((self.name.rpartition(".")[2], name))
            return step(self, *args)

        monkeypatch.setattr(libraries.CodeLibrary, name, noted)
    assert kernel(outer).compile(4)(4) == 3
    inner = [name for function, name in steps if function == "halved"]
    whole = [name for function, name in steps if function == "outer"]
    assert inner == ["finish"]
    assert whole == ["optimize", "load"]


def test_the_passes_left_out_are_there_to_be_left_out() -> None:
    class Whole(internals.CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            manager = internals.DefaultPassBuilder.define_nopython_pipeline(self.state)
            seen.update(entry[0] for entry in manager.passes)
            return [manager]

    seen: set[type] = set()
    assert numba.njit(pipeline_class=Whole)(halved)(5) == 2
    assert internals.IRProcessing in seen
    # The second of them stands in a pipeline of its own in some versions.
    assert internals.SUPERFLUOUS_PASSES[0] in seen


def test_the_contexts_are_those_of_this_processor() -> None:
    assert isinstance(internals.cpu_target.typing_context, internals.Context)
    dispatcher = numba.njit(halved)
    assert dispatcher.targetctx is internals.cpu_target.target_context
    assert internals.global_type(internals.cpu_target.typing_context, len)
    assert not internals.global_type(internals.cpu_target.typing_context, halved)


def test_what_is_compiled_survives_as_bytes() -> None:
    dispatcher = numba.njit(**lowering.jit_options(False))(halved)
    assert dispatcher(6) == 3
    (result,) = dispatcher.overloads.values()
    target = internals.with_own_code_generator(dispatcher.targetctx, "test")
    again = cache.unpack(cache.pack(result), target)
    assert again.library.codegen is not result.library.codegen
    assert again.entry_point(6) == 3


def test_a_wrapped_function_is_found() -> None:
    @numba.extending.intrinsic
    def nothing(typingctx: Any) -> Any:
        """Numba's object that stands for a code generator."""

    for wrapper in (numba.njit(halved), nothing):
        assert any(hasattr(wrapper, name) for name in internals.WRAPPED)


# -- what is said when one is gone -----------------------------------------------------


@pytest.mark.parametrize(
    ("internal", "said"),
    [
        (Internal("numba.core.codegen.Banana"), "numba.core.codegen.Banana is gone"),
        (Internal("numba.banana.Library"), "numba.banana.Library is gone"),
        (
            Internal("numba.core.cpu.CPUContext", ("peel()",)),
            "numba.core.cpu.CPUContext has no peel",
        ),
        (
            Internal("numba.core.cpu.CPUContext", ("get_constant(typ)",)),
            "numba.core.cpu.CPUContext is not used as get_constant(typ) any more",
        ),
        (
            Internal("numba.core.ssa.reconstruct_ssa", ("(banana=)",)),
            "numba.core.ssa.reconstruct_ssa is not used as (banana=) any more",
        ),
    ],
)
def test_what_has_changed_is_named(internal: Internal, said: str) -> None:
    assert list(internal.faults()) == [said]
    with pytest.raises(UsageError, match=r"Numba 9\.9\.9 .*; .* is gone") as caught:
        internals.check("9.9.9", [internal, Internal("numba.Other")])
    for text in (said, *internals.TRIED, f"pip install numba=={internals.TRIED[-1]}"):
        assert text in str(caught.value)


def made_anew() -> Kernel:
    """A kernel that calls a function, of both of which nothing is remembered."""

    def inner(number: int) -> int:
        return number // 2

    def whole(number: int) -> int:
        return inner(number) if number > 3 else number

    return kernel(whole)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("numba.core.ir.Block", "find_insts"),
        ("numba.core.ir.Block", "terminator"),
        ("numba.core.dispatcher._FunctionCompiler", "fold_argument_types"),
        ("numba.core.byteflow.AdaptBlockInfo", "outgoing_phis"),
    ],
)
def test_where_compiling_fails_the_rules_are_not_blamed(
    path: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a version that was tried, too, whose attributes no import looks at."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    monkeypatch.delattr(Internal(path).find(), name)
    with pytest.raises(UsageError, match=f"{path} has no {name}") as caught:
        made_anew().compile(4)
    assert ", ".join(internals.TRIED) in str(caught.value)
    assert "cannot compile" not in str(caught.value)


def test_our_own_code_that_fails_with_a_new_version_is_no_mistake_in_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something is used that is not listed: it is named, and the versions tried."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    monkeypatch.delattr(numba.core.ir.Block, "find_insts")
    monkeypatch.setattr(native, "__version__", "9.9.9")
    monkeypatch.setattr(native, "INTERNALS", [])
    with pytest.raises(
        UsageError, match=r"Numba 9\.9\.9 .*'find_insts'.* not been tried"
    ):
        made_anew().compile(4)


def untyped(number: int) -> int:
    return number.banana  # type: ignore[attr-defined,no-any-return]


def test_a_mistake_in_rules_says_that_a_version_was_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    with pytest.raises(CompileError, match="banana") as caught:
        kernel(untyped).compile(4)
    assert "tried" not in str(caught.value)
    monkeypatch.setattr(numba, "__version__", "9.9.9")
    monkeypatch.setattr(native, "__version__", "9.9.9")
    with pytest.raises(CompileError, match=r"9\.9\.9 is none of those tried"):
        kernel(untyped).compile(4)


LACKING = "import numba; import numba.core.codegen as c; del c.JITCodeLibrary"
CHANGED = "import numba; from numba.core.base import BaseContext as c; del c.make_tuple"
SEARCH = "from playout.core.jit import native; print('ready')"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (LACKING, "numba.core.codegen.JITCodeLibrary is gone"),
        (f"{CHANGED}; numba.__version__ = '9.9.9'", "CPUContext has no make_tuple"),
        (f"{CHANGED}; numba.__version__ = {internals.TRIED[0]!r}", None),
        ("import numba; numba.__version__ = '9.9.9'", None),
    ],
)
def test_a_numba_that_lacks_one_is_refused(before: str, said: str | None) -> None:
    """For a version that was tried only names are checked, not arguments."""
    done = run(f"{before}; {SEARCH}")
    if said is None:
        assert (done.stdout, done.stderr) == ("ready\n", "")
    else:
        *_, last = done.stderr.splitlines()
        assert last.startswith("playout.core.errors.UsageError: Numba ")
        assert said in last


def test_on_the_command_line_it_is_a_sentence() -> None:
    done = run(
        f"{LACKING}; from playout.__main__ import main; import sys; "
        "sys.argv[1:] = ['analyze', 'tic-tac-toe', '--simulations', '10']; main()"
    )
    assert done.returncode == 2
    assert done.stderr.startswith("playout: error: Numba ")
    assert len(done.stderr.splitlines()) == 1


# -- nothing of the kind stands anywhere else ------------------------------------------

#: What their documentation shows how to use. `cgutils` and `_getvalue` are in the
#: example of how a type is added, errors in the page on deprecation.
DOCUMENTED = {
    "llvmlite",
    "llvmlite.binding",
    "llvmlite.ir",
    "numba",
    "numba.core.cgutils",
    "numba.core.errors",
    "numba.extending",
    "numba.types",
}


def test_only_one_room_imports_numba() -> None:
    for file in PACKAGE.rglob("*.py"):
        if ROOM not in file.parents:
            assert not list(imports(ast.parse(file.read_text()))), file


def test_no_other_file_names_what_is_not_documented() -> None:
    trees = {file.name: ast.parse(file.read_text()) for file in ROOM.glob("*.py")}
    own = {name for tree in trees.values() for name in defined(tree)}
    listed = {use.partition("(")[0].rstrip("=") for one in ALL for use in one.uses}
    del trees["internals.py"]
    for file, tree in trees.items():
        assert set(imports(tree)) <= DOCUMENTED, file
        private = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and node.attr.startswith("_")
            and not node.attr.endswith("__")
        }
        known = own | listed if file == "libraries.py" else own
        assert private - known <= {"_getvalue"}, file


def imports(tree: ast.Module) -> Iterator[str]:
    """Modules of Numba and llvmlite that a file imports or reaches for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found = [
                f"{node.module}.{alias.name}"
                if f"{node.module}.{alias.name}" in sys.modules
                else str(node.module)
                for alias in node.names
            ]
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "numba.core":
            found = ["numba.core"]
        else:
            continue
        yield from (name for name in found if name.startswith(("numba", "llvmlite")))


def defined(tree: ast.Module) -> Iterator[str]:
    """Names that a file defines, in classes and on instances too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value  # a slot
