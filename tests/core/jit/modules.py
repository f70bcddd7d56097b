"""The intermediate code that LLVM is given for a function."""

from __future__ import annotations

from typing import Any

import pytest

from playout.core.jit.libraries import CodeLibrary
from playout.core.jit.native import kernel


def code_of(function: Any, monkeypatch: pytest.MonkeyPatch, *args: Any) -> str:
    """Of a kernel for such arguments, without what it calls, before it is optimised."""
    codes: list[str] = []
    add = CodeLibrary.add_ir_module

    def noted(self: Any, module: Any) -> None:
        if self.name.rpartition(".")[2] == function.__name__:
            codes.append(str(module))
        add(self, module)

    monkeypatch.setattr(CodeLibrary, "add_ir_module", noted)
    kernel(function).compile(*args)
    return codes[0]
