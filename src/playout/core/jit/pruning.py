"""A method without a statement that cannot be compiled, to see what else cannot be.

Numba gives up at the first thing it cannot compile. Without the statement in which it
did, the same method shows the next. What is left makes no sense, and is never run.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from types import CodeType, FunctionType

__all__ = ["names_at", "without_lines"]


def without_lines(function: FunctionType, lines: list[int]) -> FunctionType | None:
    """A function without the innermost statements that some lines of its file are in.

    A loop, a condition or another statement with blocks is replaced by its blocks. The
    lines of what is left keep their numbers.

    Args:
        function: the function.
        lines: in its file.

    Returns:
        The function that is left; None where it cannot be made.
    """
    found = _parsed(function)
    if found is None:
        return None
    for line in lines:
        statement = _statement_at(found, line)
        if statement is None:
            return None
        _replace(found, statement)
    tree = ast.fix_missing_locations(ast.Module([found], type_ignores=[]))
    try:
        module = compile(tree, function.__code__.co_filename, "exec")
    except SyntaxError:  # a `break` whose loop is gone
        return None
    code = next(one for one in module.co_consts if isinstance(one, CodeType))
    if code.co_freevars:
        return None
    outer = inspect.getclosurevars(function).nonlocals
    known = {**function.__globals__, **outer} if outer else function.__globals__
    return FunctionType(code, known, function.__name__, function.__defaults__)


def names_at(function: FunctionType, line: int) -> tuple[set[str], set[str]]:
    """The names that the statement at a line reads, and those that it sets."""
    found = _parsed(function)
    at = None if found is None else _statement_at(found, line)
    if at is None:
        return set(), set()
    names = [node for node in _parts(at) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    imported = {
        (node.asname or node.name).partition(".")[0]
        for node in _parts(at)
        if isinstance(node, ast.alias)
    }
    written = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return read, written | imported


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """What a statement consists of, without the statements in its blocks."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            yield child
            yield from _parts(child)


def _parsed(function: FunctionType) -> ast.FunctionDef | None:
    """The definition of a function, with the line numbers of its file."""
    try:
        lines, first = inspect.getsourcelines(function)
        found = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except (OSError, SyntaxError):
        return None
    if not isinstance(found, ast.FunctionDef):
        return None
    found.decorator_list.clear()
    ast.increment_lineno(found, max(first, 1) - 1)
    return found


def _statements(block: ast.AST) -> Iterator[ast.stmt]:
    """All statements in a definition, outer ones first."""
    for child in ast.iter_child_nodes(block):
        if isinstance(child, ast.stmt):
            yield child
        yield from _statements(child)


def _statement_at(function: ast.FunctionDef, line: int) -> ast.stmt | None:
    """The innermost statement to which a line belongs."""
    found = None
    for statement in _statements(function):
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            found = statement
    return found


def _replace(function: ast.FunctionDef, old: ast.stmt) -> None:
    """Put a statement's blocks in its place; an exception where something is returned.

    So no path gives None that gave a number before.
    """
    blocks = [getattr(old, name, []) for name in ("body", "orelse", "finalbody")]
    new = [statement for block in blocks for statement in block]
    if not new:
        returns = isinstance(old, ast.Return)
        other = ast.Raise(ast.Name("ValueError", ast.Load())) if returns else ast.Pass()
        new = [ast.copy_location(other, old)]
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and old in block:
                at = block.index(old)
                block[at : at + 1] = new
                return
