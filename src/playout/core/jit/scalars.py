"""`int`, `min` and `max` of numbers, written into their caller when compiled.

Numba makes a function of each, for every pair of types, down to machine code of its
own: a twentieth of the time a search takes to compile. What is computed is the same.
It is so for every function that Numba compiles in a process that has imported this.
"""

from __future__ import annotations

import operator
from typing import Any, ClassVar

from numba.core import types
from numba.core.extending import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

__all__: list[str] = []

_NUMBERS = (types.Integer, types.Float)


class _Preferred(AbstractTemplate):
    """Asked before Numba's own, which are for any target."""

    metadata: ClassVar[dict[str, Any]] = {"target": "cpu"}


@infer_global(int)
class _Int(_Preferred):
    key = int

    def generic(self, args: Any, kws: Any) -> Any:
        if kws or len(args) != 1 or not isinstance(args[0], _NUMBERS):
            return None
        (number,) = args
        result = number if isinstance(number, types.Integer) else types.intp
        return signature(result, number)


@lower_builtin(int, types.Integer)
@lower_builtin(int, types.Float)
def _lower_int(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.cast(builder, args[0], sig.args[0], sig.return_type)


class _Extreme(_Preferred):
    def generic(self, args: Any, kws: Any) -> Any:
        if kws or len(args) != 2 or not all(isinstance(arg, _NUMBERS) for arg in args):
            return None
        result = self.context.unify_types(*args)
        return None if result is None else signature(result, *args)


@infer_global(max)
class _Max(_Extreme):
    key = max


@infer_global(min)
class _Min(_Extreme):
    key = min


def _lower_extreme(is_better: Any) -> Any:
    """The second if it is better: so, as in Python, the first if one is no number."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number = sig.return_type
        first, second = (
            context.cast(builder, arg, typ, number)
            for arg, typ in zip(args, sig.args, strict=True)
        )
        compare = context.get_function(
            is_better, signature(types.boolean, number, number)
        )
        return builder.select(compare(builder, (second, first)), second, first)

    return lower


for _function, _is_better in ((max, operator.gt), (min, operator.lt)):
    for _first in _NUMBERS:
        for _second in _NUMBERS:
            lower_builtin(_function, _first, _second)(_lower_extreme(_is_better))
