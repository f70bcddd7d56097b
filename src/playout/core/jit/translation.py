"""From a function's bytecode to Numba's representation, with assignment expressions.

What is set to a temporary first, `$1 = f(); y = $1`, Numba sets at once, `y = f()`, and
drops the temporary. In `(y := f()) > 3` it is used again, and would be unknown.

A function is compiled for other types again and again, and its translation is the same.
It is kept as bytes, for passes change what they are given, from the second time on.
"""

from __future__ import annotations

import builtins
import io
import pickle
from types import CodeType, FunctionType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from .internals import (
    ByteCode,
    FunctionIdentity,
    Interpreter,
    TranslateByteCode,
    canonicalize_cfg,
    ir,
    parts_of_translation,
    register_pass,
    translation_of,
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
        state.func_ir = _kept(state.func_id) or _translated(state)
        return True


def blocks_of(function: FunctionType) -> dict[int, Any]:
    """The blocks of a function that is not compiled for itself."""
    identity = FunctionIdentity.from_function(function)
    translated = _Translation(identity).interpret(ByteCode(identity))
    found: dict[int, Any] = canonicalize_cfg(translated.blocks)
    return found


# -- what is kept ----------------------------------------------------------------------


class _Kept(NamedTuple):
    """The translation of a function.

    Attributes:
        code: of the function.
        data: all but what is listed beside it.
        names: what is read from outside, each as it was found.
    """

    code: CodeType
    data: bytes
    names: list[Any]


#: Of functions that were translated twice; None of those that were translated once.
_translations: WeakKeyDictionary[FunctionType, _Kept | None] = WeakKeyDictionary()

#: What is read from outside a function.
_NAMES = (ir.Global, ir.FreeVar)


def _translated(state: Any) -> Any:
    """The translation of a function; it is kept when it is made again."""
    function = state.func_id.func
    made = _Translation(state.func_id).interpret(state.bc)
    if function not in _translations:
        _translations[function] = None
    elif (kept := _as_bytes(made, state.func_id)) is not None:
        _translations[function] = kept
    return made


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.names: list[Any] = []

    def persistent_id(self, obj: Any) -> int | None:
        if type(obj) not in _NAMES:
            return None
        self.names.append(obj)
        return len(self.names) - 1


class _Unpickler(pickle.Unpickler):
    def __init__(self, kept: _Kept) -> None:
        super().__init__(io.BytesIO(kept.data))
        self.names = kept.names

    def persistent_load(self, pid: int) -> Any:
        return self.names[pid]


def _as_bytes(made: Any, identity: Any) -> _Kept | None:
    """A translation to be kept; None if it has functions within, or too many parts."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    try:
        pickler.dump(parts_of_translation(made))
    except (pickle.PicklingError, RecursionError, TypeError):
        return None
    return _Kept(identity.code, file.getvalue(), pickler.names)


def _is_unchanged(name: Any, identity: Any) -> bool:
    """Whether what was read from outside a function stands there still."""
    function = identity.func
    if isinstance(name, ir.FreeVar):
        try:
            return function.__closure__[name.index].cell_contents is name.value
        except ValueError:  # not set yet
            return False
    if name.name not in identity.code.co_names:
        return True  # Numba's own, as what a `try` begins with
    built_in = getattr(builtins, name.name, ir.UNDEFINED)
    return function.__globals__.get(name.name, built_in) is name.value


def _kept(identity: Any) -> Any:
    """The translation that was kept, if all that it reads is still there; or None."""
    kept = _translations.get(identity.func)
    if kept is None or kept.code is not identity.code:
        return None
    if not all(_is_unchanged(name, identity) for name in kept.names):
        return None
    return translation_of(identity, _Unpickler(kept).load())
