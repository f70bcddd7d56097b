"""From Numba's representation of a function to LLVM's: statements and variables.

Where a variable is set or its life ends Numba reads its value, in case there is a
reference to take off, and at the end writes zeros over it. Of most types in a kernel no
value owns anything; then nothing has to be done. How an operator is called is
remembered (see `contexts`), where Numba finds it out once more, and elements of arrays
have code of their own (see `elements`).
"""

from __future__ import annotations

import operator
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from numba import types
from numba.core.errors import LoweringError, new_error_context

from .calls import note_exceptions
from .elements import is_element, load_element, store_element
from .internals import (
    Lower,
    NativeLowering,
    has_place,
    ir,
    make_place,
    register_pass,
)
from .slices import SettingTarget

__all__ = ["KernelLowering", "is_counted"]


def is_counted(context: Any, typ: Any) -> bool:
    """Whether values of a type may hold references to what was allocated."""
    if typ not in _counted:
        _counted[typ] = context.data_model_manager[typ].contains_nrt_meminfo()
    return _counted[typ]


#: Types of functions, and the expressions that read one from outside.
_FUNCTIONS = (types.Function, types.Dispatcher)
_CONSTANTS = (ir.FreeVar, ir.Global)

#: What `is_counted` has found out.
_counted: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


class _KernelLower(Lower):
    """Numba's, which leaves variables alone that own nothing, and asks less."""

    context: Any

    def delvar(self, name: str) -> None:
        """End a variable's life."""
        if is_counted(self.context, self.typeof(name)):
            super().delvar(name)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Set a variable, without a look at the value that it had."""
        is_kept = argidx is None and has_place(self, name)
        if is_kept and not is_counted(self.context, self.typeof(name)):
            self.builder.store(value, make_place(self, name))
        else:
            super().storevar(value, name, argidx)

    def incref(self, typ: Any, val: Any) -> None:
        """Count a reference."""
        if is_counted(self.context, typ):
            super().incref(typ, val)

    def decref(self, typ: Any, val: Any) -> None:
        """Take off a reference."""
        if is_counted(self.context, typ):
            super().decref(typ, val)

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        """What a variable is set to; a function has no value that is ever read."""
        if isinstance(ty, _FUNCTIONS) and isinstance(inst.value, _CONSTANTS):
            return self.context.get_dummy_value()
        return super().lower_assign(ty, inst)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Lower an operator of two operands, as Numba does.

        A constant operand, which powers alone are told of, is for Numba.
        """
        if not (expr.static_lhs is expr.static_rhs is ir.UNDEFINED):
            return super().lower_binop(resty, expr, op)
        return self._operate(
            op, (expr.lhs, expr.rhs), self.fndesc.calltypes[expr], resty
        )

    def lower_getitem(
        self, resty: Any, expr: Any, value: Any, index: Any, signature: Any
    ) -> Any:
        """Lower `value[index]`."""
        kinds = self.typeof(value.name), self.typeof(index.name)
        if is_element(self.context, *kinds):
            array, place = map(self.loadvar, (value.name, index.name))
            found = load_element(
                self.context, self.builder, kinds[0], array, kinds[1], place
            )
            return self._cast(found, kinds[0].dtype, resty)
        return self._operate(operator.getitem, (value, index), signature, resty)

    def lower_setitem(
        self, target_var: Any, index_var: Any, value_var: Any, signature: Any
    ) -> Any:
        """Lower `target_var[index_var] = value_var`."""
        names = target_var.name, index_var.name, value_var.name
        target, index, value = map(self.typeof, names)
        if not is_element(self.context, target, index) or not isinstance(
            value, (types.Number, types.Boolean)
        ):
            return self._set_part(target_var, index_var, value_var, signature)
        array, place, number = map(self.loadvar, names)
        number = self._cast(number, value, signature.args[2])
        number = self._cast(number, signature.args[2], target.dtype)
        return store_element(
            self.context, self.builder, target, array, index, place, number
        )

    def _set_part(self, *statement: Any) -> Any:
        """Lower what may set many numbers, as Numba does but for its error."""
        kept: Any = self.context
        self.context = SettingTarget(kept)
        try:
            return super().lower_setitem(*statement)
        finally:
            self.context = kept

    def _operate(self, op: Any, variables: Any, signature: Any, resty: Any) -> Any:
        names = [variable.name for variable in variables]
        operands = [
            self._cast(value, self.typeof(name), wanted)
            for name, value, wanted in zip(
                names, map(self.loadvar, names), signature.args, strict=True
            )
        ]
        call = self.context.get_operator(op, signature.args)
        return self._cast(call(self.builder, operands), signature.return_type, resty)

    def _cast(self, value: Any, given: Any, wanted: Any) -> Any:
        return self.context.cast(self.builder, value, given, wanted)

    def lower_function_body(self) -> Any:
        """Lower the blocks of a function."""
        note_exceptions(self.builder, self.blocks)
        return super().lower_function_body()

    def lower_block(self, block: Any) -> None:
        """Lower the statements of a block."""
        self.pre_block(block)
        for statement in block.body:
            self.loc = statement.loc
            try:
                self._lower_statement(statement)
            except Exception:
                error = partial(LoweringError, loc=self.loc)
                with new_error_context(
                    'lowering "{inst}" at {loc}',
                    inst=statement, loc=self.loc, errcls_=error,
                ):  # fmt: skip
                    raise
        self.post_block(block)

    def _lower_statement(self, statement: Any) -> None:
        """Lower a statement, most often without writing it out in words, as Numba does.

        Those are for who debugs Numba.
        """
        if isinstance(statement, ir.Del):
            self.delvar(statement.value)
        elif isinstance(statement, ir.Assign) and not isinstance(
            statement.value, ir.Arg
        ):
            name = statement.target.name
            value = self.lower_assign(self.typeof(name), statement)
            self.storevar(value, name)
        else:
            self.lower_inst(statement)


@register_pass(mutates_CFG=False, analysis_only=False)
class KernelLowering(NativeLowering):
    """Numba's pass with a class of ours."""

    _name = "playout_lowering"

    @property
    def lowering_class(self) -> type[_KernelLower]:
        """What lowers a function."""
        return _KernelLower
