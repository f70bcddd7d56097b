"""Vectors of words: what one expression does to a word, done to 64 bytes of words.

Interpreted a vector is an array of NumPy's. Compiled it is one value of LLVM's, which a
processor with AVX-512 keeps in a register; `&`, `|`, `^`, `~`, `<<` and `>>` are then
an instruction each. Both operands have words of one width; a shift is a number from 0
to that width less 1, the same for all words.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model

from .internals import AbstractTemplate, infer_global, signature
from .lanes import is_row, spread

__all__ = [
    "any_bit", "count_bits", "fill_like", "load_words", "store_words", "word_at",
    "words_in_vector",
]  # fmt: skip

_BYTES = 64
_WORD = 2**64 - 1


def words_in_vector(bits: int) -> int:
    """How many words of so many bits a vector has.

    >>> words_in_vector(32)
    16
    """
    return 8 * _BYTES // bits


def load_words(array: Any, first: Any) -> Any:
    """A vector of the words that follow each other in an array.

    Compiled, nothing is checked: all of them have to be there.

    Args:
        array: `[W]` unsigned integers of 32 or 64 bits, contiguous.
        first: the index of the first one.

    >>> load_words(np.arange(20, dtype=np.uint32), 3)[:2].tolist()
    [3, 4]
    """
    found = np.array(array[first : first + _BYTES // array.itemsize])
    assert len(found) * array.itemsize == _BYTES
    return found


def store_words(words: Any, array: Any, first: Any) -> None:
    """Write a vector's words to an array, one after another; see `load_words`.

    >>> array = np.zeros(20, dtype=np.uint32)
    >>> store_words(load_words(np.arange(20, dtype=np.uint32), 3), array, 2)
    >>> array[:5].tolist()
    [0, 0, 3, 4, 5]
    """
    array[first : first + len(words)] = words


def fill_like(words: Any, word: Any) -> Any:
    """A vector like another one, with the same word in all places.

    >>> numbers = load_words(np.arange(20, dtype=np.uint32), 0)
    >>> fill_like(numbers, np.uint64(7))[:2].tolist()
    [7, 7]
    """
    mask = 2 ** (8 * words.itemsize) - 1
    return np.full_like(words, int(word) & mask)


def word_at(words: Any, n: Any) -> Any:
    """The n-th word of a vector, counted from 0.

    >>> int(word_at(load_words(np.arange(20, dtype=np.uint32), 3), 2))
    5
    """
    return np.uint64(words[n])


def any_bit(words: Any) -> bool:
    """Whether any bit is set.

    >>> any_bit(load_words(np.zeros(8, dtype=np.uint64), 0))
    False
    """
    return bool(words.any())


def count_bits(words: Any) -> int:
    """How many bits are set in all the words.

    >>> count_bits(load_words(np.full(8, 5, dtype=np.uint64), 0))
    16
    """
    return sum((int(word) & _WORD).bit_count() for word in words.tolist())


# -- compiled --------------------------------------------------------------------------


class WordVectorType(types.Type):
    """Numba's type of a vector of words of some width."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        super().__init__(name=f"WordVector<{bits}>")

    @property
    def lanes(self) -> Any:
        """LLVM's type of it."""
        return ir.VectorType(ir.IntType(self.bits), words_in_vector(self.bits))


@register_model(WordVectorType)
class _WordVectorModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: WordVectorType) -> None:
        super().__init__(dmm, fe_type, fe_type.lanes)


def _words(array: Any) -> WordVectorType | None:
    """The type of a vector of an array's words."""
    if not any(is_row(array, kind) for kind in (types.uint32, types.uint64)):
        return None
    return WordVectorType(array.dtype.bitwidth)


class _Load(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, first = args
        words = _words(array)
        if words is None or not isinstance(first, types.Integer):
            return None
        return signature(words, array, types.int64)


class _WordAt(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        words, n = args
        if not isinstance(words, WordVectorType) or not isinstance(n, types.Integer):
            return None
        return signature(types.uint64, words, types.int64)


class _Store(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        words, array, first = args
        fits = isinstance(words, WordVectorType) and words == _words(array)
        if not fits or not isinstance(first, types.Integer):
            return None
        return signature(types.none, words, array, types.int64)


class _Fill(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        words, word = args
        if not isinstance(words, WordVectorType) or not isinstance(word, types.Integer):
            return None
        return signature(words, words, types.uint64)


class _Reduction(AbstractTemplate):
    result: Any = types.int64

    def generic(self, args: Any, kws: Any) -> Any:
        (words,) = args
        if not isinstance(words, WordVectorType):
            return None
        return signature(self.result, words)


class _Test(_Reduction):
    result = types.boolean


class _Invert(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        (words,) = args
        return signature(words, words) if isinstance(words, WordVectorType) else None


class _Bitwise(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        words, other = args
        if not isinstance(words, WordVectorType) or words != other:
            return None
        return signature(words, words, words)


class _Shift(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        words, step = args
        whole = isinstance(step, types.Integer)
        if not isinstance(words, WordVectorType) or not whole:
            return None
        return signature(words, words, types.int64)


def _template(kind: type, function: Any) -> None:
    infer_global(function)(type(kind.__name__, (kind,), {"key": function}))


_template(_Load, load_words)
_template(_WordAt, word_at)
_template(_Store, store_words)
_template(_Fill, fill_like)
_template(_Reduction, count_bits)
_template(_Test, any_bit)
_template(_Invert, operator.invert)


def _place(
    context: Any, builder: Any, kind: Any, array: Any, first: Any, lanes: Any
) -> Any:
    """Where a vector begins in an array, aligned or not: rows of states are packed."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [first]), lanes.as_pointer())


@lower_builtin(load_words, types.Array, types.int64)
def _lower_load(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    lanes = sig.return_type.lanes
    place = _place(context, builder, sig.args[0], *args, lanes)
    return builder.load(place, align=1)


@lower_builtin(store_words, WordVectorType, types.Array, types.int64)
def _lower_store(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    words, array, first = args
    place = _place(context, builder, sig.args[1], array, first, words.type)
    builder.store(words, place, align=1)
    return context.get_dummy_value()


@lower_builtin(fill_like, WordVectorType, types.uint64)
def _lower_fill(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _fill(builder, args[1], args[0].type)


def _fill(builder: Any, word: Any, lanes: Any) -> Any:
    """A vector with the same word in all places."""
    if lanes.element.width < word.type.width:
        word = builder.trunc(word, lanes.element)
    return spread(builder, word, lanes.count)


@lower_builtin(any_bit, WordVectorType)
def _lower_any(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    whole = ir.IntType(8 * _BYTES)
    return builder.icmp_unsigned("!=", builder.bitcast(args[0], whole), whole(0))


@lower_builtin(word_at, WordVectorType, types.int64)
def _lower_word_at(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    word = builder.extract_element(*args)
    return word if word.type.width == 64 else builder.zext(word, ir.IntType(64))


@lower_builtin(count_bits, WordVectorType)
def _lower_count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    whole = ir.VectorType(ir.IntType(64), _BYTES // 8)
    counts = builder.bitcast(args[0], whole)
    for name, kind in (
        ("llvm.ctpop.v8i64", whole),
        ("llvm.vector.reduce.add.v8i64", ir.IntType(64)),
    ):
        kind = ir.FunctionType(kind, [whole])
        function = builder.module.declare_intrinsic(name, (), kind)
        counts = builder.call(function, [counts])
    return counts


@lower_builtin(operator.invert, WordVectorType)
def _lower_invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


def _lower_bitwise(name: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, name)(*args)

    return lower


def _lower_shift(name: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        words, step = args
        steps = _fill(builder, step, words.type)
        return getattr(builder, name)(words, steps)

    return lower


for _function, _name in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
):
    for _each in (_function, getattr(operator, f"i{_function.__name__.rstrip('_')}")):
        _template(_Bitwise, _each)
        lower_builtin(_each, WordVectorType, WordVectorType)(_lower_bitwise(_name))

for _function, _name in ((operator.lshift, "shl"), (operator.rshift, "lshr")):
    _template(_Shift, _function)
    lower_builtin(_function, WordVectorType, types.int64)(_lower_shift(_name))
