"""Where the code of a function is kept, linked and optimised: Numba's libraries.

The steps that Numba takes have names here, to be overridden. What is private to Numba
and used here is listed in `internals`, under `JITCodeLibrary` and its generator.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import parse_bitcode

from .internals import JITCodeLibrary
from .optimisation import simplifying_passes

__all__ = ["CodeLibrary", "is_loaded"]


class CodeLibrary(JITCodeLibrary):
    """Numba's library of a function's code; its steps have names to override here.

    Attributes:
        level: of LLVM's optimisation, 0 to 3.
        linked_late: it is not complete by itself: what it calls is linked, as it is
            itself, into a library that is not linked late.
    """

    level = 3
    linked_late = False
    _bitcode: bytes | None = None

    @property
    def module(self) -> Any:
        """All its code, with what is linked into it."""
        return self._final_module

    @property
    def generator(self) -> Any:
        """What makes machine code."""
        return self._codegen

    def optimize(self) -> None:
        """Optimise all as one; at level 0 only simplify it."""
        manager, builder = self._codegen._module_pass_manager(opt=self.level)
        passes = manager if self.level else simplifying_passes()
        passes.run(self._final_module, builder)

    def load(self) -> None:
        """Make machine code, ready to be called."""
        super()._finalize_final_module()

    def complete(self) -> None:
        """Take all these steps, unless they have been taken."""
        self._ensure_finalized()

    def finish(self) -> None:
        """End without making machine code."""
        self._finalized = True

    def shrink(self) -> None:
        """Keep what is linked into others as bitcode, a tenth of the modules' size."""
        self._bitcode = super()._get_module_for_linking().as_bitcode()
        self._final_module = self._shared_module = None

    def finalize(self) -> None:
        if self.linked_late:
            self.finish()
            return
        self._linking_libraries = self._link_late(self._final_module)
        super().finalize()

    def _link_late(self, module: Any) -> list[Any]:
        """Link what is linked late into a module; the libraries that are not."""
        late, others = _linked_with(self)
        for library in late:
            module.link_in(library._own_module(), preserve=not library._bitcode)
        return others

    def _own_module(self) -> Any:
        """The code without what is linked late."""
        code = self._bitcode
        return parse_bitcode(code) if code else super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The code with all it calls: Numba's own libraries know of nothing late."""
        module = self._own_module()
        if self.linked_late:
            module = module.clone()
            for library in self._link_late(module):
                module.link_in(library._get_module_for_linking(), preserve=True)
        return module

    def _optimize_functions(self, module: Any) -> None:
        """Nothing is optimised before all of it is there."""

    def _optimize_final_module(self) -> None:
        self.optimize()

    def _finalize_final_module(self) -> None:
        self.load()


def _linked_with(library: CodeLibrary) -> tuple[list[CodeLibrary], list[Any]]:
    """What a library calls, directly or not: what is linked late, and other libraries.

    Callers stand before what they call: LLVM leaves out what nobody refers to yet.
    """
    late: dict[CodeLibrary, None] = {}  # in the order in which all they call was found
    others: dict[Any, None] = {}

    def find(caller: CodeLibrary) -> None:
        for called in caller._linking_libraries:
            if not getattr(called, "linked_late", False):
                others[called] = None
            elif called not in late:
                find(called)
                late[called] = None

    find(library)
    return list(reversed(late)), list(others)


def is_loaded(generator: Any, symbol: str) -> bool:
    """Whether machine code with such a symbol is ready to be called."""
    return bool(generator._engine.is_symbol_defined(symbol))
