"""How functions of a kernel call each other: as Numba's do, in fewer instructions.

After each call Numba has two dozen instructions that tell apart which of five ends the
function called has come to, and whether the caller catches exceptions. A function that
is no generator and returns no optional value has two ends, and a caller without `try`
catches nothing. A third of a search was such instructions before LLVM removed them.

The convention stays Numba's: a function returns a code, and writes its result and its
exception where its first two arguments say. So either side may be Numba's own code.
"""

from __future__ import annotations

from typing import Any

from numba import types

from .internals import CallStatus, CPUCallConv, ir, mark_try_block

__all__ = ["KernelCalls", "note_exceptions"]


def note_exceptions(builder: Any, blocks: Any) -> None:
    """Note in the builder of a function whether it catches exceptions, for its calls.

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
        attrs: Any = None,
    ) -> Any:  # fmt: skip
        """Generate a call; how it ended, and the result."""
        catches = getattr(builder, "catches", True)  # nothing is noted of wrappers
        if catches or attrs or _has_more_ends(resty, argtys):
            return super().call_function(builder, callee, resty, argtys, args, attrs)
        with builder.goto_entry_block():
            place = builder.alloca(self.get_return_type(resty).pointee)
        given = self.context.get_arg_packer(argtys).as_arguments(builder, args)
        exception = builder.function.args[1]  # where the caller's own would stand
        code = builder.call(callee, [place, exception, *given])
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
