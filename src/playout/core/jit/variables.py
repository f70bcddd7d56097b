"""From Numba's representation of a function to LLVM's: variables and operators.

Where a variable's life ends Numba reads its value, in case there is a reference to take
off, and writes zeros over it. Of most types in a kernel no value owns anything; then
nothing has to be done, which saves a twentieth of compiling. And how an operator on
numbers is called is remembered (see `contexts`), where Numba finds it out once more.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from numba.core.errors import LoweringError, new_error_context

from .internals import Lower, NativeLowering, ir, register_pass

__all__ = ["KernelLowering"]


class _KernelLower(Lower):
    """Numba's, which leaves variables alone that own nothing, and asks less."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._counted: dict[Any, bool] = {}

    def is_counted(self, typ: Any) -> bool:
        """Whether values of a type may hold references to what was allocated."""
        if typ not in self._counted:
            model = self.context.data_model_manager[typ]
            self._counted[typ] = model.contains_nrt_meminfo()
        return self._counted[typ]

    def delvar(self, name: str) -> None:
        """End a variable's life."""
        if self.is_counted(self.typeof(name)):
            super().delvar(name)

    def incref(self, typ: Any, val: Any) -> None:
        """Count a reference."""
        if self.is_counted(typ):
            super().incref(typ, val)

    def decref(self, typ: Any, val: Any) -> None:
        """Take off a reference."""
        if self.is_counted(typ):
            super().decref(typ, val)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Lower an operator of two operands, as Numba does.

        A constant operand, which powers alone are told of, is for Numba.
        """
        if not (expr.static_lhs is expr.static_rhs is ir.UNDEFINED):
            return super().lower_binop(resty, expr, op)
        signature = self.fndesc.calltypes[expr]
        names = expr.lhs.name, expr.rhs.name
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

    def lower_block(self, block: Any) -> None:
        """Lower the statements of a block."""
        self.pre_block(block)
        for statement in block.body:
            if isinstance(statement, ir.Del) and not self.is_counted(
                self.typeof(statement.value)
            ):
                continue
            self.loc = statement.loc
            try:
                self.lower_inst(statement)
            except Exception:
                error = partial(LoweringError, loc=self.loc)
                with new_error_context(
                    'lowering "{inst}" at {loc}',
                    inst=statement, loc=self.loc, errcls_=error,
                ):  # fmt: skip
                    raise
        self.post_block(block)


@register_pass(mutates_CFG=False, analysis_only=False)
class KernelLowering(NativeLowering):
    """Numba's pass with a class of ours."""

    _name = "playout_lowering"

    @property
    def lowering_class(self) -> type[_KernelLower]:
        """What lowers a function."""
        return _KernelLower
