"""What interpreted rules see of a state: a `Row`, and `Cells` in place of its arrays.

Both compute as compiled code does. Integers narrower than 64 bits read as Python ints,
64-bit unsigned ones as `np.uint64`, and writes wrap around as they do in memory.
`Cells` are NumPy arrays in all else: a rule may sum, compare, slice and roll them.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .advice import unknown_field

__all__ = [
    "Cells",
    "Row",
    "UnfitNumber",
    "refusing_overflow",
    "row_class",
    "unfit",
    "wrap",
]

#: What a row notes of a field, besides its arrays: how to read, and write, a number.
_READ, _WRITE = "read ", "write "
#: The same of a number that was read once, by the record.
_ONCE = object()
#: What Python's view of memory says to an index, or a value, that it does not take.
_UNFIT = (IndexError, TypeError, ValueError, NotImplementedError, OverflowError)
_refusing: ContextVar[bool] = ContextVar("_refusing", default=False)


class UnfitNumber(OverflowError):
    """A number that is written where it does not fit, while that is refused."""


@contextlib.contextmanager
def refusing_overflow() -> Iterator[None]:
    """Here numbers of fewer than 64 bits do not wrap around: `UnfitNumber` is raised.

    So it can be found out where rules that fail have gone wrong.
    """
    token = _refusing.set(True)
    try:
        yield
    finally:
        _refusing.reset(token)


def unfit(value: int, dtype: np.dtype[Any], field: str) -> str:
    """What to say of a number that does not fit; `field` may be "" in an array.

    >>> unfit(300, np.dtype("u1"), "left")[:56]
    "300 does not fit the field 'left', which holds 0 to 255;"
    """
    where = f"the field {field!r}" if field else f"an array of {dtype}"
    held = np.iinfo(dtype)
    return (
        f"{value} does not fit {where}, which holds {held.min} to {held.max}; give it "
        "a wider type in state_dtype()"
    )


class Row:
    """One record, read and written by attribute, with compiled arithmetic.

    Each field is looked up once: how to read a number stands in the row from then on,
    and so do its arrays. A row of `row_class` reads faster.

    Args:
        record: the record.
        array: the array that it is a row of, if it may be read through that.
        index: its place there.
    """

    _record: Any

    def __init__(self, record: Any, array: Any = None, index: int = 0) -> None:
        own = self.__dict__
        own["_record"], own["_array"], own["_index"] = record, array, index

    def __getattr__(self, name: str) -> Any:
        """A field that is not in the row yet: an array, or all of them."""
        own = vars(self)
        record, array = own["_record"], own["_array"]
        try:
            value = record[name] if array is None else array[name][own["_index"]]
        except (KeyError, ValueError):
            raise self._unknown(name) from None
        if isinstance(value, np.ndarray):
            value = vars(self)[name] = _quick(value, name)
            return value
        return _read(value)

    def __setattr__(self, name: str, value: Any) -> None:
        write = vars(self).get(_WRITE + name)
        if write is not None:
            try:
                write(0, value)
                return
            except _UNFIT:
                pass  # it wraps
        self._write(name, value)

    def _write(self, name: str, value: Any) -> None:
        """Write a field, whatever it is given."""
        own = vars(self)
        record, array = own["_record"], own["_array"]
        if name not in record.dtype.names:
            raise self._unknown(name)
        if record.dtype[name].shape:
            getattr(self, name)[...] = value
        elif array is None:
            record[name] = wrap(value, record.dtype[name], name)
        else:
            array[name][own["_index"]] = wrap(value, record.dtype[name], name)

    def _open(self, name: str) -> Callable[[int], Any]:
        """How to read a number of this row, which is given 0; noted in the row."""
        place = vars(self)["_array"][name][self._index :][:1]
        read = place.item
        if place.dtype == np.uint64:
            read = place.__getitem__
        elif place.dtype.isnative and (view := _memory(place)) is not None:
            read = view.__getitem__
            vars(self)[_WRITE + name] = view.__setitem__
        vars(self)[_READ + name] = read
        return read

    def __getitem__(self, key: Any) -> Any:
        raise TypeError(self._instead_of(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(self._instead_of(key))

    def __dir__(self) -> list[str]:
        """The fields and what the class has, for whoever completes names."""
        return sorted({*dir(type(self)), *self._record.dtype.names})

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


@functools.lru_cache(maxsize=256)
def row_class(dtype: np.dtype[Any]) -> type[Row]:
    """The class of rows of an array of this type, made with that array."""
    numbers = [
        n for n in dtype.names or () if dtype[n].shape == () and not dtype[n].names
    ]
    readers = {name: property(_reader(name, dtype[name])) for name in numbers}
    return type("Row", (Row,), readers)


def _reader(name: str, dtype: np.dtype[Any]) -> Callable[[Row], Any]:
    """A method that reads a number of a row.

    The first time through its array, as NumPy looks up a record's field four times as
    long.
    """
    key, is_wide = _READ + name, dtype.type is np.uint64

    def read(row: Row) -> Any:
        own = row.__dict__
        known = own.get(key)
        if known is None:  # many rows are looked at once
            own[key] = _ONCE
            column, index = own["_array"][name], own["_index"]
            return column[index] if is_wide else column.item(index)
        if known is _ONCE:
            known = row._open(name)
        return known(0)

    return read


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

    #: The memory, where single cells are read and written faster through it, and the
    #: type of an index to one.
    memory: Any = None
    single: Any = None
    #: What the row calls it, if it is a whole field.
    field: str = ""

    def __getitem__(self, index: Any) -> Any:
        if type(index) is self.single:
            try:
                return self.memory[index]
            except _UNFIT:
                pass  # not a single cell, or none at all
        return _read(super().__getitem__(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(index) is self.single:
            try:
                self.memory[index] = value
                return
            except _UNFIT:
                pass  # it wraps, or is written to many
        if isinstance(value, Row):
            value = value._record
        super().__setitem__(index, wrap(value, self.dtype, self.field))

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
        if out is None and not options and method == "__call__":  # as mostly
            return _read(ufunc(*map(_wide, inputs)))
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


def _quick(field: NDArray[Any], name: str) -> Cells:
    """An array field, which is a view of the row's memory."""
    cells = field.view(Cells)
    cells.field = name
    memory = _memory(field)
    if memory is not None and field.dtype != np.uint64:  # those read as NumPy's own
        cells.memory, cells.single = memory, int if field.ndim == 1 else tuple
    return cells


def _memory(array: NDArray[Any]) -> memoryview | None:
    """The memory of an array of numbers; None where Python cannot read it so."""
    try:
        view: Any = memoryview(array)
        if array.dtype.isnative and not array.flags.aligned:  # of a packed row
            view = memoryview(array.view(np.uint8)).cast(array.dtype.char)
        view[(0,) * array.ndim]
    except _UNFIT:
        return None
    return view


def _read(value: Any) -> Any:
    """A value of NumPy's as rules see it."""
    kind = type(value)
    if kind is np.ndarray:
        return value.view(Cells)
    if kind is np.uint64 or kind is Cells:
        return value
    if isinstance(value, np.ndarray):
        return value.view(Cells)
    if isinstance(value, np.void):
        return Row(value)
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (tuple, list):
        return type(value)(map(_read, value))
    return value


def _bare(value: Any) -> Any:
    """The same without `Cells`, for NumPy to compute with."""
    kind = type(value)
    if kind is Cells:
        return value.view(np.ndarray)
    if kind is tuple or kind is list:
        return kind(map(_bare, value))
    return value


def _wide(value: Any) -> Any:
    """The same, where a plain number has the type that Numba gives it."""
    if type(value) is int and -(1 << 63) <= value < 1 << 63:
        return np.int64(value)
    return np.float64(value) if type(value) is float else _bare(value)


def wrap(value: Any, dtype: np.dtype[Any], field: str = "") -> Any:
    """The value as memory of this type would hold it (modulo 2 to the width).

    Args:
        value: a number, or an array of numbers.
        dtype: of the memory; what is no integer takes the value as it is.
        field: what the memory is called.

    Raises:
        UnfitNumber: the value does not fit, where `refusing_overflow` holds.

    >>> wrap(-1, np.dtype("u1")), wrap(200, np.dtype("i1"))
    (255, -56)
    """
    if dtype.kind not in "iu":
        return value
    if np.ndim(value):
        return _wrap_all(value, dtype, field)
    bits = 8 * dtype.itemsize
    whole = int(value)
    wrapped = whole & ((1 << bits) - 1)
    if dtype.kind == "i" and wrapped >> (bits - 1):
        wrapped -= 1 << bits
    if wrapped != whole and bits < 64 and _refusing.get():
        raise UnfitNumber(unfit(whole, dtype, field))
    return wrapped


def _wrap_all(values: Any, dtype: np.dtype[Any], field: str) -> NDArray[Any]:
    with np.errstate(invalid="ignore"):
        wrapped = np.asarray(values).astype(dtype)
    if dtype.itemsize < 8 and _refusing.get():
        outside = np.ravel(values)[np.ravel(np.trunc(values) != wrapped)]
        if len(outside):
            raise UnfitNumber(unfit(int(outside[0]), dtype, field))
    return wrapped
