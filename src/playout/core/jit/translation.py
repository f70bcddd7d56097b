"""From a function's bytecode to Numba's representation, with assignment expressions.

What is set to a temporary first, `$1 = f(); y = $1`, Numba sets at once, `y = f()`, and
drops the temporary. In `(y := f()) > 3` it is used again, and would be unknown.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from .internals import (
    ByteCode,
    FunctionIdentity,
    Interpreter,
    TranslateByteCode,
    canonicalize_cfg,
    ir,
    register_pass,
)

__all__ = ["Translated", "blocks_of"]


class _Translation(Interpreter):
    """Keeps temporaries that are used again."""

    def _remove_unused_temporaries(self) -> None:
        """Numba's, which leaves alone what is set to an expression."""
        body = self.current_block.body
        again = {name for each in body for name in _used_by(each)}
        again.update(self.dfainfo.outgoing_phis.values())
        for statement in body:
            value = getattr(statement, "value", None)
            if _is_assigned(statement) and value.is_temp and value.name in again:
                statement.value = ir.Expr.cast(value, statement.loc)
                known = self.definitions[statement.target.name]
                known[known.index(value)] = statement.value
        super()._remove_unused_temporaries()


def _is_assigned(statement: Any) -> bool:
    """Whether a variable is set to another."""
    return isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Var)


def _used_by(statement: Any) -> list[str]:
    """The variables that a statement uses, but for those that Numba follows itself."""
    if _is_assigned(statement):
        return []
    if isinstance(statement, ir.Assign):
        value = statement.value
        if not isinstance(value, ir.Expr) or value.op == "exhaust_iter":
            return []
        return [each.name for each in value.list_vars()]
    used = [each.name for each in statement.list_vars()]
    if isinstance(statement, ir.SetItem | ir.SetAttr):
        used.remove(statement.value.name)
    return used


@register_pass(mutates_CFG=True, analysis_only=False)
class Translated(TranslateByteCode):
    """The first pass, from bytecode to Numba's representation."""

    _name = "playout_translation"

    def run_pass(self, state: Any) -> bool:
        state.func_ir = _Translation(state.func_id).interpret(state.bc)
        return True


def blocks_of(function: FunctionType) -> dict[int, Any]:
    """The blocks of a function that is not compiled for itself."""
    identity = FunctionIdentity.from_function(function)
    translated = _Translation(identity).interpret(ByteCode(identity))
    found: dict[int, Any] = canonicalize_cfg(translated.blocks)
    return found
