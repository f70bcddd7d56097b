"""Whole numbers of one, two or three words, for boards of up to 192 bits.

Interpreted they are Python's integers. Compiled each is one number of LLVM's, so that
`&`, `|`, `^`, `~`, `+`, `-`, `<<`, `>>`, `==` and `!=` are a few instructions, and of
a single word the same ones as of `uint64`. Shifts go by a number from 0 to 63. Python's
integers have no end: what may be shifted out at the top, or inverted, has to be cut by
an `&` before it is compared or stored.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model

from .internals import AbstractTemplate, infer_global, signature

__all__ = ["count_ones", "first_one", "wide", "word_of"]

_WORD = 2**64 - 1
_MOST_WORDS = 3


def wide(*words: Any) -> Any:
    """A number of as many words as are given, one to three, the lowest first.

    >>> wide(np.uint64(1), np.uint64(2)) == 1 + (2 << 64)
    True
    """
    return sum((int(word) & _WORD) << 64 * n for n, word in enumerate(words))


def word_of(number: Any, n: int) -> Any:
    """The `n`-th word of a wide number, `n` a constant; 0 where it has none.

    >>> int(word_of(wide(np.uint64(1), np.uint64(2)), 1))
    2
    """
    return np.uint64(number >> 64 * n & _WORD)


def count_ones(number: Any) -> int:
    """How many bits are set.

    >>> count_ones(wide(np.uint64(5), np.uint64(1)))
    3
    """
    return int(number).bit_count()


def first_one(number: Any) -> int:
    """The index of the lowest set bit; one has to be.

    >>> first_one(wide(np.uint64(0), np.uint64(4)))
    66
    """
    return int(number & -number).bit_length() - 1


# -- compiled --------------------------------------------------------------------------


class WideType(types.Type):
    """Numba's type of a number of some words."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(name=f"Wide<{words}>")


@register_model(WideType)
class _WideModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: WideType) -> None:
        super().__init__(dmm, fe_type, ir.IntType(64 * fe_type.words))


class _Make(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        whole = all(isinstance(arg, types.Integer) for arg in args)
        if kws or not whole or not 1 <= len(args) <= _MOST_WORDS:
            return None
        return signature(WideType(len(args)), *[types.uint64] * len(args))


class _WordOf(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if kws or len(args) != 2 or not isinstance(args[0], WideType):
            return None
        return signature(types.uint64, args[0], types.int64)


class _Measure(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if kws or len(args) != 1 or not isinstance(args[0], WideType):
            return None
        return signature(types.int64, args[0])


class _Unary(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(args[0], args[0]) if isinstance(args[0], WideType) else None


class _Binary(AbstractTemplate):
    """Two of one width, or a wide number and a narrow one."""

    result: Any = None

    def generic(self, args: Any, kws: Any) -> Any:
        number, other = args
        if not isinstance(number, WideType):
            return None
        if isinstance(other, types.Integer):
            other = types.int64
        elif other != number:
            return None
        return signature(self.result or number, number, other)


class _Comparison(_Binary):
    result = types.boolean


def _template(kind: type, function: Any) -> None:
    infer_global(function)(type(kind.__name__, (kind,), {"key": function}))


for _function, _kind in (
    (wide, _Make),
    (word_of, _WordOf),
    (count_ones, _Measure),
    (first_one, _Measure),
    (operator.invert, _Unary),
    (operator.neg, _Unary),
):
    _template(_kind, _function)


@lower_builtin(wide, types.VarArg(types.uint64))
def _lower_wide(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    whole = ir.IntType(64 * len(args))
    found = whole(0)
    for n, arg in enumerate(args):
        part = builder.shl(_fit(builder, arg, whole), whole(64 * n))
        found = builder.or_(found, part)
    return found


@lower_builtin(word_of, WideType, types.int64)
def _lower_word_of(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    number, n = args
    size = number.type
    shift = builder.mul(_fit(builder, n, size), size(64))
    inside = builder.icmp_unsigned("<", shift, size(size.width))
    word = builder.lshr(number, builder.select(inside, shift, size(0)))
    return _fit(builder, builder.select(inside, word, size(0)), ir.IntType(64))


@lower_builtin(count_ones, WideType)
def _lower_count_ones(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _fit(builder, builder.ctpop(args[0]), ir.IntType(64))


@lower_builtin(first_one, WideType)
def _lower_first_one(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    zeros = builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))
    return _fit(builder, zeros, ir.IntType(64))


@lower_builtin(operator.invert, WideType)
def _lower_invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


@lower_builtin(operator.neg, WideType)
def _lower_neg(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.neg(args[0])


def _fit(builder: Any, number: Any, size: Any) -> Any:
    """A number of another width: the same bits, as far as there are."""
    if number.type.width < size.width:
        return builder.zext(number, size)
    return number if number.type == size else builder.trunc(number, size)


def _lower_binary(name: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number, other = args
        return getattr(builder, name)(number, _fit(builder, other, number.type))

    return lower


def _lower_comparison(sign: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number, other = args
        return builder.icmp_unsigned(sign, number, _fit(builder, other, number.type))

    return lower


def _register(function: Any, kind: type, lower: Any) -> None:
    _template(kind, function)
    for other in (WideType, types.int64):
        lower_builtin(function, WideType, other)(lower)


for _function, _name in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.lshift, "shl"),
    (operator.rshift, "lshr"),
):
    _register(_function, _Binary, _lower_binary(_name))
    _inplace = getattr(operator, f"i{_function.__name__.rstrip('_')}")
    _register(_inplace, _Binary, _lower_binary(_name))

for _function, _sign in ((operator.eq, "=="), (operator.ne, "!=")):
    _register(_function, _Comparison, _lower_comparison(_sign))
