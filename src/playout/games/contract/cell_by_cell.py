"""A state outside of memory, for rules in Python that read it cell by cell.

Python reads an attribute, or a key of a `dict`, in half the time that a view of memory
takes or less. So a whole rollout by such rules is played on a `CellState`, which is
then written to memory. It computes as `views` does, and can do less: whoever asks for
anything but single cells gets a `NotByCell`, and the rollout is played in memory.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.views import wrap
from ...core.rng import draws_per_number
from .at_random import CHANCE

__all__ = [
    "CellState",
    "Listing",
    "NotByCell",
    "state_class",
    "uniform_rollout_in_python",
]

_WORD = 2**64 - 1


class NotByCell(Exception):
    """A rule has asked for something else than a single cell of an array."""


def _refuse(*_: Any, **__: Any) -> Any:
    raise NotByCell


class SingleCells(dict[Any, Any]):
    """An array field: its numbers by index, a tuple where there are several dimensions.

    Python reads one as it reads a `dict`. All else that arrays, or dictionaries, can do
    is refused. See `_cells_class`, which says how one is written.
    """

    __getattribute__ = _refuse


def _cells_class(
    shape: tuple[int, ...], convert: Callable[[Any], Any]
) -> type[SingleCells]:
    """The class of array fields of a shape.

    Args:
        shape: of the field.
        convert: see `_converter`.
    """
    has, write, read = dict.__contains__, dict.__setitem__, dict.__getitem__

    def __setitem__(self: Any, index: Any, value: Any) -> None:
        if not has(self, index):
            index = place_of(index, shape)
        write(self, index, convert(value))

    def __missing__(self: Any, index: Any) -> Any:
        return read(self, place_of(index, shape))

    own = {"__setitem__": __setitem__, "__missing__": __missing__}
    return type("SingleCells", (SingleCells,), own)


class Listing(list[Any]):
    """The buffer for actions: written at an index as a list is, and read so.

    Args:
        size: how many there is room for.
    """

    def __init__(self, size: int) -> None:
        super().__init__([0] * size)
        self.size = size

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise NotByCell
        return int(list.__getitem__(self, index))

    def expect_whole(self) -> None:
        """Complain where a slice was given a list of another length.

        Raises:
            NotByCell: it was.
        """
        if len(self) != self.size:
            raise NotByCell


#: Operations of arrays, lists and dictionaries, without their underscores.
_REFUSED = """
    abs add and array array_function array_ufunc bool contains copy deepcopy
    delitem divmod eq floordiv format ge gt iadd iand ifloordiv ilshift imatmul
    imod imul invert ior ipow irshift isub iter itruediv ixor le len length_hint
    lshift lt matmul mod mul ne neg or pos pow radd rand rdivmod reduce
    reduce_ex repr reversed rfloordiv rlshift rmatmul rmod rmul ror round rpow
    rrshift rshift rsub rtruediv rxor str sub truediv xor
"""

for _name in _REFUSED.split():
    setattr(SingleCells, f"__{_name}__", _refuse)
    if _name not in ("delitem", "len", "reduce", "reduce_ex"):
        setattr(Listing, f"__{_name}__", _refuse)


def place_of(index: Any, shape: tuple[int, ...]) -> Any:
    """The index as it stands in `SingleCells`: negative ones count from the end.

    Raises:
        NotByCell: it is no index of a single cell.
    """
    single = index if type(index) is tuple else (index,)
    if len(single) != len(shape) or any(type(one) is not int for one in single):
        raise NotByCell
    found = tuple(
        one + size * (one < 0) for one, size in zip(single, shape, strict=True)
    )
    if not all(0 <= one < size for one, size in zip(found, shape, strict=True)):
        raise NotByCell
    return found if type(index) is tuple else found[0]


class CellState:
    """A state: numbers are attributes, arrays are `SingleCells`; see `state_class`.

    Args:
        array: `[1]` the state in memory.
    """

    #: By the name of a field: what makes what memory would hold of a number, and the
    #: class and the indices of an array.
    numbers: dict[str, Callable[[Any], Any]]
    arrays: dict[str, tuple[type[SingleCells], tuple[Any, ...]]]

    def __init__(self, array: NDArray[np.void]) -> None:
        own = self.__dict__
        for name, convert in self.numbers.items():
            own[name] = convert(array[name][0])
        for name, (kind, indices) in self.arrays.items():
            flat = array[name][0].ravel()
            cells = list(flat) if flat.dtype == np.uint64 else flat.tolist()
            own[name] = kind(zip(indices, cells, strict=True))

    def __setattr__(self, name: str, value: Any) -> None:
        convert = self.numbers.get(name)
        if convert is None:
            raise NotByCell
        self.__dict__[name] = convert(value)

    def write(self, array: NDArray[np.void]) -> None:
        """Write it to memory: `[1]`."""
        own = self.__dict__
        for name in self.numbers:
            array[name][0] = own[name]
        for name in self.arrays:
            cells = np.array(list(dict.values(own[name])))
            array[name][0] = cells.reshape(array[name][0].shape)


@functools.lru_cache(maxsize=64)
def state_class(dtype: np.dtype[Any]) -> type[CellState] | None:
    """The class of states of this type; None where there can be none."""
    numbers: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    for name in dtype.names or ():
        base, shape = dtype[name].base, dtype[name].shape
        if base.names or not (base.isnative and base.kind in "biuf"):
            return None
        if shape:
            all_of = itertools.product(*map(range, shape))
            indices = tuple(all_of) if len(shape) > 1 else tuple(range(shape[0]))
            arrays[name] = _cells_class(shape, _converter(base)), indices
        else:
            numbers[name] = _converter(base)
    return type("CellState", (CellState,), {"numbers": numbers, "arrays": arrays})


def _converter(dtype: np.dtype[Any]) -> Callable[[Any], Any]:
    """What makes of a number what memory of this type would hold, as rules read it."""
    if dtype.kind == "b":
        return lambda value: bool(_single(value))
    if dtype.kind == "f":
        return lambda value: dtype.type(_single(value)).item()
    if dtype == np.uint64:
        return lambda value: np.uint64(wrap(_single(value), dtype))
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max

    def convert(value: Any) -> int:
        if type(value) is int and least <= value <= most:
            return value
        return int(wrap(_single(value), dtype))

    return convert


def _single(value: Any) -> Any:
    """The value, if it is a number."""
    if not isinstance(value, int | float | np.generic):
        raise NotByCell
    return value


def uniform_rollout_in_python(game: Any, state: Any, actions: Listing, rng: Any) -> int:
    """`uniform_rollout` of a game that does not `fill`, with Python's own numbers."""
    draws = draws_per_number(game.num_actions())
    plies, moves, bits, limit = 0, 0, 0, game.max_game_length()
    while plies < limit and not game.is_terminal(state):
        plies += 1
        if game.has_chance and game.current_player(state) == CHANCE:
            game.apply(state, game.sample_chance(state, actions, rng))
            continue
        count = int(game.legal_actions(state, actions))
        if count <= 0:
            return plies - 1
        actions.expect_whole()
        if moves & (draws - 1) == 0:
            bits = int(rng.next())
        product = bits * count
        bits = product & _WORD
        game.apply(state, int(list.__getitem__(actions, product >> 64)))
        moves += 1
    return plies
