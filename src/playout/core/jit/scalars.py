"""`int`, `min` and `max` of numbers, written into kernels where they are called.

Numba makes a function of each, for every pair of types, down to machine code of its
own: a tenth of the time that a search takes to compile. What is computed is the same.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.extending import lower_builtin

from .internals import AbstractTemplate, signature

__all__ = ["TEMPLATES"]

_NUMBERS = (types.Integer, types.Float)


class _Ours(AbstractTemplate):
    """Answers for numbers, before Numba's own, which answer for all else."""

    def get_impl_key(self, sig: Any) -> Any:
        """The key that our code is registered under; Numba's own code uses others."""
        return type(self)


class _Int(_Ours):
    key = int

    def generic(self, args: Any, kws: Any) -> Any:
        if kws or len(args) != 1 or not isinstance(args[0], _NUMBERS):
            return None
        (number,) = args
        result = number if isinstance(number, types.Integer) else types.intp
        return signature(result, number)


class _Extreme(_Ours):
    def generic(self, args: Any, kws: Any) -> Any:
        if kws or len(args) != 2 or not all(isinstance(arg, _NUMBERS) for arg in args):
            return None
        result = self.context.unify_types(*args)
        return None if result is None else signature(result, *args)


class _Max(_Extreme):
    key = max
    is_better = operator.gt


class _Min(_Extreme):
    key = min
    is_better = operator.lt


TEMPLATES = (_Int, _Max, _Min)


@lower_builtin(_Int, types.Integer)
@lower_builtin(_Int, types.Float)
def _lower_int(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.cast(builder, args[0], sig.args[0], sig.return_type)


def _lower_extreme(is_better: Any) -> Any:
    """The second if it is better: so, as in Python, the first if one is NaN."""

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


for _template in (_Max, _Min):
    for _first in _NUMBERS:
        for _second in _NUMBERS:
            _lower = _lower_extreme(_template.is_better)
            lower_builtin(_template, _first, _second)(_lower)
