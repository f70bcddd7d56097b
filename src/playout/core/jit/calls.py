"""How functions of a kernel call each other: as Numba's do, in fewer words.

Every call was followed by two dozen instructions of LLVM's that told apart what cannot
be: which of five ends the function has come to, where the caller has no generator; and
whether the caller catches exceptions, where it has no `try`. A third of a search was
that before LLVM removed it.

The convention is Numba's: a function returns a code, and writes its result and its
exception where its first two arguments say. What calls is generated otherwise only.
"""

from __future__ import annotations

from typing import Any

from numba import types

from .internals import (
    CallStatus,
    CPUCallConv,
    excinfo_pointer,
    ir,
    mark_try_block,
)

__all__ = ["KernelCalls", "note_exceptions"]


def note_exceptions(builder: Any, blocks: Any) -> None:
    """Have calls that a builder makes know whether their function catches exceptions.

    Args:
        builder: of the function's code.
        blocks: of the function.
    """
    builder.catches = any(
        isinstance(statement.value, ir.Global)
        and statement.value.value is mark_try_block
        for block in blocks.values()
        for statement in block.find_insts(ir.Assign)
    )


class KernelCalls(CPUCallConv):
    """Numba's convention, where the caller is a function of a kernel without `try`."""

    def call_function(
        self, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any,
        **options: Any,
    ) -> Any:  # fmt: skip
        """Generate a call; how it ended, and the result."""
        if _catches(builder) or _has_more_ends(resty, argtys):
            return super().call_function(
                builder, callee, resty, argtys, args, **options
            )
        with builder.goto_entry_block():
            place = builder.alloca(self.get_return_type(resty).pointee)
        given = self.context.get_arg_packer(argtys).as_arguments(builder, args)
        exception = builder.function.args[1]  # it is written where it is to be
        attributes = options.get("attrs") or ()
        code = builder.call(callee, [place, exception, *given], attrs=attributes)
        failed = builder.icmp_signed("!=", code, code.type(0))
        result = self.context.get_returned_value(builder, resty, builder.load(place))
        return CallStatus(code, None, None, failed, None, None, None, None), result

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Generate the return of a caller whose call failed."""
        if status.excinfoptr is None:
            builder.ret(status.code)
        else:
            super().return_status_propagate(builder, status)


def _has_more_ends(result: Any, arguments: Any) -> bool:
    """Whether a call may end otherwise than with a result or an exception."""
    is_step = any(isinstance(one, types.Generator) for one in arguments)
    return is_step or isinstance(result, types.Optional)


def _catches(builder: Any) -> bool:
    """Whether a call may be within a `try`, or by what is no function of a kernel."""
    if getattr(builder, "catches", True):
        return True
    arguments = builder.function.args
    return len(arguments) < 2 or arguments[1].type != excinfo_pointer
