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
    CODE_OF_NONE,
    CODE_OF_PYTHON_EXCEPTION,
    CODE_OF_STOP_ITERATION,
    FIRST_CODE_OF_EXCEPTION,
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


class _Status:
    """How a call ended, each answer generated when it is asked for.

    Args:
        builder: of the caller's code.
        code: what the function called has returned.
        may_be_none: whether it returns an optional value.
        exception: where it writes its exception.
    """

    def __init__(
        self, builder: Any, code: Any, may_be_none: bool, exception: Any
    ) -> None:
        self.code = code
        self._builder = builder
        self._may_be_none = may_be_none
        self._exception = exception

    def _compared(self, relation: str, code: Any) -> Any:
        return self._builder.icmp_signed(relation, self.code, code)

    @property
    def is_ok(self) -> Any:
        """Whether there is a result."""
        has_value = self._compared("==", self.code.type(0))
        if not self._may_be_none:
            return has_value
        return self._builder.or_(has_value, self.is_none)

    @property
    def is_error(self) -> Any:
        """Whether there is none."""
        if not self._may_be_none:
            return self._compared("!=", self.code.type(0))
        return self._builder.not_(self.is_ok)

    @property
    def is_none(self) -> Any:
        """Whether the result is None, where there may be another."""
        return self._compared("==", CODE_OF_NONE)

    @property
    def is_stop_iteration(self) -> Any:
        """Whether a generator has come to its end."""
        return self._compared("==", CODE_OF_STOP_ITERATION)

    @property
    def is_python_exc(self) -> Any:
        """Whether an exception of Python's is set."""
        return self._compared("==", CODE_OF_PYTHON_EXCEPTION)

    @property
    def is_user_exc(self) -> Any:
        """Whether an exception was written."""
        return self._compared(">=", FIRST_CODE_OF_EXCEPTION)

    @property
    def excinfoptr(self) -> Any:
        """The exception that was written."""
        return self._builder.load(self._exception)


class KernelCalls(CPUCallConv):
    """Numba's convention, where the caller is a function of a kernel without `try`."""

    def call_function(
        self, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any,
        **options: Any,
    ) -> Any:  # fmt: skip
        """Generate a call; how it ended, and the result."""
        if _catches(builder):
            return super().call_function(
                builder, callee, resty, argtys, args, **options
            )
        result_type = self.get_return_type(resty).pointee
        with builder.goto_entry_block():
            place = builder.alloca(result_type)
        exception = builder.function.args[1]
        given = self._get_arg_packer(argtys).as_arguments(builder, args)
        attributes = options.get("attrs") or ()
        code = builder.call(callee, [place, exception, *given], attrs=attributes)
        may_be_none = isinstance(resty, types.Optional)
        status = _Status(builder, code, may_be_none, exception)
        result = builder.load(place)
        return status, self.context.get_returned_value(builder, resty, result)

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Generate the return of a caller whose call failed."""
        if _catches(builder):
            super().return_status_propagate(builder, status)
        else:
            builder.ret(status.code)  # the exception stands where it is to


def _catches(builder: Any) -> bool:
    """Whether a call may be within a `try`, or by what is no function of a kernel."""
    if getattr(builder, "catches", True):
        return True
    arguments = builder.function.args
    return len(arguments) < 2 or arguments[1].type != excinfo_pointer
