"""What interpreted rules see of a state: a `Row`, and `Cells` in place of its arrays.

Both compute as compiled code does. Integers narrower than 64 bits read as Python ints,
64-bit unsigned ones as `np.uint64`, and writes wrap around as they do in memory.
`Cells` are NumPy arrays in all else: a rule may sum, compare, slice and roll them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .advice import unknown_field

__all__ = ["Cells", "Row", "wrap"]


class Row:
    """One record, read and written by attribute, with compiled arithmetic."""

    __slots__ = ("_record",)
    _record: Any

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        try:
            return _read(self._record[name])
        except (KeyError, ValueError):
            raise self._unknown(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        record = self._record
        if name not in record.dtype.names:
            raise self._unknown(name)
        field = record[name]
        if isinstance(field, np.ndarray):
            field.view(Cells)[...] = value
        else:
            record[name] = wrap(value, field.dtype)

    def __getitem__(self, key: Any) -> Any:
        raise TypeError(self._instead_of(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(self._instead_of(key))

    def _unknown(self, name: str) -> AttributeError:
        """What to raise where there is no field of this name."""
        return AttributeError("; ".join(unknown_field(name, self._record.dtype.names)))

    def _instead_of(self, key: Any) -> str:
        """What to write instead of an index."""
        names = self._record.dtype.names
        if isinstance(key, int) and -len(names) <= key < len(names):
            key = names[key]
        name = key if key in names else names[0]
        return f"fields are read and written by name: write state.{name}"


class Cells(np.ndarray):
    """An array field of a row, or what was made of one.

    NumPy computes with a narrow array and a plain number in the array's type, Numba in
    64 bits: here the number counts as 64 bits wide, too.

    >>> cells = np.array([100, -1, 0, 1], dtype=np.int8).view(Cells)
    >>> (cells * 2)[0], cells.max() + 100, np.count_nonzero(cells == 1)
    (200, 200, 1)
    >>> cells[0] += 100  # wraps, as it does when compiled
    >>> cells[0]
    -56
    """

    def __getitem__(self, index: Any) -> Any:
        return _read(super().__getitem__(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(value, Row):
            value = value._record
        super().__setitem__(index, wrap(value, self.dtype))

    @property
    def flat(self) -> Any:
        """The cells in one dimension: a view where memory allows."""
        return self.reshape(-1)

    def __pow__(self, exponent: Any, modulus: None = None) -> Any:
        return np.power(self, exponent)  # NumPy would take a square in the narrow type

    def fill(self, value: Any) -> None:
        """Write a number into every cell."""
        self[...] = value

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        """Compute by NumPy's function of elements, plain numbers as Numba sees them."""
        options = {name: _bare(value) for name, value in options.items()}
        if out is not None:
            options |= {"out": _bare(out), "casting": "unsafe"}
        found = getattr(ufunc, method)(*map(_wide, inputs), **options)
        return _read(found) if out is None else out[0]

    def __array_function__(
        self, function: Any, types: Any, args: Any, options: Any
    ) -> Any:
        """Compute by NumPy's function; what is an array or a number reads as here."""
        args = [_wide(arg) for arg in args] if function is np.where else _bare(args)
        return _read(function(*args, **_bare(options)))


def _read(value: Any) -> Any:
    """A value of NumPy's as rules see it."""
    if isinstance(value, np.ndarray):
        return value if isinstance(value, Cells) else value.view(Cells)
    if isinstance(value, np.void):
        return Row(value)
    if isinstance(value, np.generic):
        return value if isinstance(value, np.uint64) else value.item()
    if type(value) in (tuple, list):
        return type(value)(map(_read, value))
    return value


def _bare(value: Any) -> Any:
    """The same without `Cells`, for NumPy to compute with."""
    if isinstance(value, Cells):
        return value.view(np.ndarray)
    if type(value) in (tuple, list):
        return type(value)(map(_bare, value))
    return value


def _wide(value: Any) -> Any:
    """The same, where a plain number has the type that Numba gives it."""
    if type(value) is int and -(1 << 63) <= value < 1 << 63:
        return np.int64(value)
    return np.float64(value) if type(value) is float else _bare(value)


def wrap(value: Any, dtype: np.dtype[Any]) -> Any:
    """The value as memory of this type would hold it (modulo 2 to the width).

    Args:
        value: a number, or an array of numbers.
        dtype: of the memory; what is no integer takes the value as it is.

    >>> wrap(-1, np.dtype("u1")), wrap(200, np.dtype("i1"))
    (255, -56)
    """
    if dtype.kind not in "iu":
        return value
    if np.ndim(value):
        return _wrap_all(value, dtype)
    bits = 8 * dtype.itemsize
    value = int(value) & ((1 << bits) - 1)
    if dtype.kind == "i" and value >> (bits - 1):
        value -= 1 << bits
    return value


def _wrap_all(values: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    with np.errstate(invalid="ignore"):
        return np.asarray(values).astype(dtype)
