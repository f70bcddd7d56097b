"""What to say where Numba fell over, and its exception says little of the cause."""

from __future__ import annotations

from traceback import walk_tb

from numba import types

__all__ = ["record_of", "unsaid"]


def unsaid(error: Exception) -> str:
    """What to say of an exception without a message, or of one that Numba fell over."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    functions = {frame.f_code.co_name for frame in frames}
    last = frames[-1].f_locals if frames else {}
    if functions and frames[-1].f_code.co_qualname == "Set.__init__":
        return "a set of such values is not compiled"
    if last.get("kws") and isinstance(getattr(last.get("self"), "key", None), type):
        return f"{last['self'].key.__name__} with {', '.join(dict(last['kws']))}="
    if functions & {"fancy_getitem", "fancy_setslice"}:
        return "a mask of several dimensions is not compiled"
    if frames and "InplaceArrayOperator" in frames[-1].f_code.co_qualname:
        return "an array that cannot hold the result is not computed with in place"
    if "array_to_array" in functions:
        return "an array in place of a field, of another shape or type, is not compiled"
    return f"{error}" or f"it gave up ({type(error).__name__})"


def record_of(error: KeyError) -> types.Record | None:
    """The type of the row in which Numba looked for a field that is not there."""
    found = None
    for frame, _ in walk_tb(error.__traceback__):
        values = frame.f_locals.values()
        found = next((v for v in values if isinstance(v, types.Record)), found)
    return found
