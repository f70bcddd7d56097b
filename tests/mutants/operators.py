"""The mistakes: every place of a file where a classic mutation operator applies.

| operator   | example                                                               |
|------------|-----------------------------------------------------------------------|
| comparison | `a < b` becomes `a <= b`, `a == b` becomes `a != b`, `in` `not in`    |
| arithmetic | `a + b` becomes `a - b`, `a << b` becomes `a >> b`, `-a` becomes `a`  |
| boolean    | `a and b` becomes `a or b`, `not a` becomes `a`, `True` `False`       |
| constant   | `3` becomes `4`, and `2`                                              |
| condition  | `if a:` becomes `if not a:`; also of `while`, `a if b else c`, filters|
| extreme    | `min(a, b)` becomes `max(a, b)`                                       |
| removal    | a statement without a value becomes `pass`: a call, `+=`, `raise`,    |
|            | `break`, `continue`, what is written to a field or an element         |

What no test can or should notice is left out: annotations, texts and `__all__`.
"""

import ast
import copy
import hashlib
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
_EXTREMES = {"min": "max", "max": "min"}
#: Comparisons whose mutant is their negation already.
_OPPOSITES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)


@dataclass(frozen=True)
class Mutant:
    """One mistake in one file.

    Attributes:
        path: of the file, from `src/playout`.
        line: where it is.
        operator: see the module's docstring.
        change: what identifies it, also after edits elsewhere: the function, and the
            line before and after.
        text: the file with the mistake.
    """

    path: str
    line: int
    operator: str
    change: str
    text: str

    @property
    def function(self) -> str:
        """The function that it is in, with its class; the class or module if none."""
        return self.change.partition(":")[0]

    @property
    def name(self) -> str:
        """What it is called on the list of equivalent mutants."""
        return f"{self.path} {self.change}"

    @property
    def key(self) -> str:
        """What its fate is filed under; another one after an edit of the file."""
        text = f"{self.path}\n{self.text}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def mutants(path: str, text: str) -> list[Mutant]:
    """All mutants of a file, in the order of its lines."""
    finder = _Finder()
    finder.visit(ast.parse(text))
    found = [_mutant(path, text, *place) for place in finder.found]
    return sorted({each.text: each for each in found}.values(), key=lambda m: m.line)


def _mutant(
    path: str, text: str, node: ast.AST, operator: str, new: str, where: str
) -> Mutant:
    """Replace what stands at a node; columns of `ast` count bytes."""
    lines = text.encode().splitlines(keepends=True)
    first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]
    before = lines[first][: node.col_offset]  # type: ignore[attr-defined]
    after = lines[last][node.end_col_offset :]  # type: ignore[attr-defined]
    changed = before + new.encode() + after
    old = b"".join(lines[first : last + 1])
    mutated = b"".join([*lines[:first], changed, *lines[last + 1 :]]).decode()
    change = f"{where}: {_in_one_line(old)} => {_in_one_line(changed)}"
    return Mutant(path, first + 1, operator, change, mutated)


def _in_one_line(octets: bytes) -> str:
    return " ".join(octets.decode().split())


class _Finder(ast.NodeVisitor):
    """Collects (node, operator, what replaces it, name of the function)."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.AST, str, str, str]] = []
        self.where: list[str] = []

    def _add(self, node: ast.AST, operator: str, new: ast.AST | str) -> None:
        text = new if isinstance(new, str) else f"({ast.unparse(new)})"
        self.found.append((node, operator, text, ".".join(self.where) or "module"))

    def _inside(self, node: ast.FunctionDef | ast.ClassDef, parts: list[ast.AST]):
        self.where.append(node.name)
        for part in parts:
            self.visit(part)
        self.where.pop()

    # -- what is left out --------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        defaults = [each for each in node.args.kw_defaults if each is not None]
        self._inside(node, [*node.args.defaults, *defaults, *node.body])

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._inside(node, [*node.body])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Texts, with the numbers that are written into them."""

    def visit_Assign(self, node: ast.Assign) -> None:
        if ast.unparse(node.targets[0]) == "__all__":
            return
        if all(isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets):
            self._add(node, "removal", "pass")
        self.visit(node.value)

    # -- operators ---------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> None:
        for index, operator in enumerate(node.ops):
            new = copy.deepcopy(node)
            new.ops[index] = _COMPARISONS[type(operator)]()
            self._add(node, "comparison", new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in _ARITHMETIC and not (_is_text(node) or _is_type(node)):
            new = copy.copy(node)
            new.op = _ARITHMETIC[type(node.op)]()
            self._add(node, "arithmetic", new)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._add(node, "removal", "pass")
        if type(node.op) in _ARITHMETIC and not _is_text(node.value):
            new = copy.copy(node)
            new.op = _ARITHMETIC[type(node.op)]()
            self._add(node, "arithmetic", ast.unparse(new))
        self.visit(node.value)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.USub):
            self._add(node, "arithmetic", node.operand)
        elif isinstance(node.op, ast.Not):
            self._add(node, "boolean", node.operand)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        new = copy.copy(node)
        new.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._add(node, "boolean", new)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add(node, "boolean", str(not node.value))
        elif isinstance(node.value, int | float):
            for step in (1, -1):
                self._add(node, "constant", f"({node.value + step!r})")

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in _EXTREMES:
            new = copy.copy(node)
            new.func = ast.Name(_EXTREMES[node.func.id])
            self._add(node, "extreme", new)
        self.generic_visit(node)

    # -- conditions --------------------------------------------------------------------

    def _negate(self, test: ast.expr) -> None:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], _OPPOSITES):
            return
        self._add(test, "condition", ast.UnaryOp(ast.Not(), test))

    def visit_If(self, node: ast.If | ast.While | ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    visit_While = visit_If  # type: ignore[assignment]
    visit_IfExp = visit_If  # type: ignore[assignment]

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negate(test)
        self.generic_visit(node)

    # -- statements --------------------------------------------------------------------

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call | ast.Await):
            self._add(node, "removal", "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._add(node, "removal", "pass")  # what it says is not looked at

    def visit_Continue(self, node: ast.Continue) -> None:
        self._add(node, "removal", "pass")

    def visit_Break(self, node: ast.Break) -> None:
        self._add(node, "removal", "pass")


def _is_type(node: ast.expr) -> bool:
    """Whether this is a union of types, such as `Start | Stop`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _is_type(node.left) and _is_type(node.right)
    return isinstance(node, ast.Name) and node.id.istitle()


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is put together from texts."""
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    if isinstance(node, ast.JoinedStr):
        return True
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
