"""What Numba says of the mistakes people make most, and what to write instead."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

__all__ = ["advice_on", "unknown_field"]

#: What Numba says, and what to do about it. `\A` looks at the reason alone: what comes
#: after it lists all that Numba has tried, texts and unsupported things among them.
_ADVICE = (
    (
        r"\bindex type float|\A.*getitem\([^\n]*array\([^\n]*\), float\d+\)$",
        "an index is a whole number: divide by //, or write int(...)",
    ),
    (
        r"\A.*\b(max|min)\([^\n]*\b(key|default)=|in a function that may escape",
        "no function is handed on that uses variables of the method, and max and min "
        "have no `key` and `default`: write a loop that keeps the best so far",
    ),
    (
        r"\A.*Invalid use of Literal\[",
        "what is called here is a number: a variable has the name of a function",
    ),
    (
        r"not computed with in place",
        "in place, arrays take what their type can hold, unsigned ones no plain "
        "number: write cells[:] = cells + 1, or take signed types, i1 to i8",
    ),
    (
        r"Illegal IR, del",
        "a name of its own needs no `del`: it ends with the method",
    ),
    (
        r"IMPORT_NAME",
        "imports stand at the top of the file",
    ),
    (
        r"UNPACK_EX",
        "name all that is unpacked, or take it by index: first, rest = row[0], row[1:]",
    ),
    (
        r"DICT_MERGE|CALL_FUNCTION_EX|_lru_cache_wrapper",
        "a function that is decorated is not compiled, nor one that is called by "
        "**keywords: leave the decorator away; what is computed once is a `constant`",
    ),
    (
        r"\A.*\b(eq|ne)\((nested)?array\([^\n]*(list\(|Tuple)"
        r"|\A.*\b(eq|ne)\((list\(|(Uni)?Tuple)[^\n]*array\("
        r"|\A.*\btuple\((nested)?array\(",
        "of an array no tuple is made, and it is compared with a number or an array: "
        "write row[0] == 1 and row[1] == 1",
    ),
    (
        r"\A.*Field '\w+' was not found in record",
        "fields are read and written by name, as in state.left",
    ),
    (
        r"\A.*DictType\[undefined|\bdict\(undefined",
        "a dict that begins empty has the type of what is first put in: put something "
        "in before it is asked, or count in an array, as in np.zeros(3, np.int64)",
    ),
    (
        r"name 'super'|LOAD_SUPER",
        "super() is not compiled: give the shared code a method or function of its own",
    ),
    (
        r"<built-in function (any|all)>",
        "any and all of Python go through a list or an array of one dimension: ask an "
        "array of more for itself, as in (cells == 1).any()",
    ),
    (
        r"Untyped global name '(\w+': .*<class 'function'>|any'|all')"
        r"|not_\((list|set|.*Tup)",
        "a function that is decorated with njit is compiled by Numba alone: leave the "
        "decorator away, and it is compiled as the rules are",
    ),
    (
        r"Cannot modify readonly array|setitem\((Uni)?Tuple",
        "a global array or list, or a `constant`, cannot be written to: put what "
        "changes into the state, as a field of state_dtype()",
    ),
    (
        r"'(deep)?copy' of type Module",
        "a state is not copied: `apply` works in place, on the state it is given",
    ),
    (
        r"Unknown attribute '\w+' of type Module",
        "of modules only NumPy, math and plain functions of one's own are compiled: "
        "write it with numbers, tuples, arrays and loops",
    ),
    (
        r"axis=",
        "of NumPy's functions only some are compiled with `axis`, np.sum among them: "
        "loop over the rows, as in `for row in state.cells:`",
    ),
    (
        r"BLAS|<intrinsic _impl>",
        "`@` and np.dot are compiled for arrays of whole numbers, or of floats of one "
        "type: write (a * b).sum()",
    ),
    (
        r"an array in place of a field|[Cc]annot cast .* to nestedarray",
        "write into the field, as in state.cells[:] = ...",
    ),
    (
        r"getitem\(Tuple\(",
        "a table whose rows differ in length or in kind is not indexed by a variable: "
        "make it a NumPy array, with shorter rows filled up",
    ),
    (
        r"setitem\(array\([^)]*\), slice<[^>]*>, range_",
        "a range is not assigned to a part of an array: write np.arange(...)",
    ),
    (
        r"f-string|FORMAT_\w+|CONVERT_VALUE",
        "text is not for compiled rules: put it together in action_name or render",
    ),
    (
        r"yield in a closure",
        "generator expressions are not compiled: put the list in brackets, as in "
        "sum([x for x in ...]), or write a loop",
    ),
    (
        r"'add' of type (iter|zip|range|enumerate)|a set of such values",
        "build a set in a loop: found = set(), then found.add(x), with numbers or "
        "tuples of numbers",
    ),
    (
        r"global name 'reversed'",
        "count down with range(n - 1, -1, -1), or go through array[::-1]",
    ),
    (
        r"imprecise type: (list|set)\(undefined\)",
        "what begins empty has the type of what is first put in, in the same function: "
        "use append or add (not +=), or begin with an item; a function that returns a "
        "list begins it before its first return, as `found = []`, and returns `found`",
    ),
    (
        r"not_\(array",
        "an array is neither true nor false: ask for its length, as in len(moves) == 0",
    ),
    (
        r"mask of several dimensions",
        "index with a mask of one dimension, as in flat = cells.ravel(); "
        "flat[flat == 1], or use np.where, np.argwhere or a loop",
    ),
    (
        r"unsupported NumPy function|Unknown attribute "
        r"'(?!append|pop|remove|insert|extend)\w+' of type (nested)?array",
        "Numba does not compile this of NumPy: write a loop, or take one of the idioms "
        "of docs/rules-in-numpy.md",
    ),
    (
        r"Untyped global name '\w+':.*\b(dict|set|list)\b|reflected (set|list|dict)"
        r"|\A.*Numba type of <class '(dict|set|list)'>",
        "a global dict or set, or a list of unlike things, cannot be compiled: make it "
        "a NumPy array or a tuple, or a `constant` of the class; what changes during a "
        "game belongs into the state",
    ),
    (
        r"Untyped global name.*(<class 'type'>|<class 'abc)",
        "classes cannot be used inside compiled methods: call plain functions and use "
        "numbers, tuples and NumPy arrays",
    ),
    (
        r"Untyped global name|NameError|not defined",
        "compiled methods can use numbers, tuples, NumPy arrays, NumPy and math "
        "functions and plain Python functions from outside: check the name",
    ),
    (
        r"STORE_GLOBAL|STORE_DEREF|DELETE_GLOBAL",
        "compiled rules cannot change globals: put what changes into the state, as a "
        "field of state_dtype()",
    ),
    (
        r"lowering \w.*\.\w+ = |resolve setattr: \(\w+\(",
        "parameters cannot change during a game: put what changes into the state, as "
        "a field of state_dtype()",
    ),
    (
        r"Cannot bind.*\*, \w",
        "a parameter that is given by its name alone is not compiled: leave the * away "
        "that stands before it",
    ),
    (
        r"Cannot bind",
        "call the method or function with as many arguments as it has parameters",
    ),
    (
        r"^\w+ with [\w, ]+=$",
        "this is compiled without keywords only, as in zip(names, cells)",
    ),
    (
        r"\bEnum( class)?<",
        "members of an Enum are no numbers: compare them with members, or make it "
        "an IntEnum",
    ),
    (
        r"cell variable",
        "a name that is set within a list in brackets (:=), or by an inner function, "
        "is not compiled: write a loop",
    ),
    (
        r"\A.*(unsupported|not supported|Unsupported|Exception object)",
        "with, classes and most of try are not compiled: write plain loops and "
        "conditions",
    ),
    (
        r"Unknown attribute .*(Compiled|<[0-9a-f]{16}>)",
        "self has only the dataclass's fields and methods, no static ones; a field is "
        "declared in the class body with a type and a value",
    ),
    (
        r"Unknown attribute '(append|pop|remove|insert|extend)' of type (nested)?array",
        "arrays have a fixed size: write to actions[count] and return the count",
    ),
    (
        r"Unknown attribute '\w+' of type (float|u?int|bool|Literal)",
        "it is a number and has no attributes: those of a state, of a node and of self "
        "are read by name, as in state.left or child.visits",
    ),
    (
        r"getiter.*Tuple",
        "the tuple's items have different types: make them alike with int(...) or "
        "float(...), or loop over indices",
    ),
    (
        r"[Cc]annot unify|can't unify|conflict",
        "a variable has values of different types on different paths (a number and "
        "None, say): give it one type throughout",
    ),
    (
        r"(rshift|lshift|and_|or_|xor|invert|inv).*float64",
        "an unsigned 64-bit number met a signed one and became a float: keep both "
        "sides np.uint64, also constants, as in x >> np.uint64(1)",
    ),
    (
        r"recursion|type-inferred|Recursion|re-entrant",
        "methods that call each other in a circle are not compiled: use a loop with a "
        "stack in an array of the state",
    ),
    (
        r"\A.*(unicode_type|\bstr\b)",
        "text is not for compiled rules: keep names in action_name, render and the "
        "other methods for people, and compare a static text field with ==",
    ),
    (
        r"\A.*[gs]etitem\((array\([^)]*\)|nestedarray\(\w+, \([^)]*\)\)), "
        r"(bool\b|(Uni)?Tuple\((list|array)\()",
        "an array is indexed by numbers (of a condition, int(...)), slices or one "
        "array of places or of booleans: else write a loop",
    ),
    (
        r"Buffer dtype|setitem",
        "check that what is stored has the type and shape of the field or buffer",
    ),
)


def advice_on(text: str) -> str | None:
    """What to write instead, for the first known mistake that a message is about.

    >>> advice_on("Unknown attribute 'append' of type array(int32, 1d, C)")
    'arrays have a fixed size: write to actions[count] and return the count'
    """
    for pattern, advice in _ADVICE:
        if re.search(pattern, text, re.MULTILINE):
            return advice
    return None


#: Rows that are no states, told by fields of theirs.
_ROWS = (
    ({"value_sum", "visits"}, "a node of the tree"),
    ({"num_nodes", "root_mover"}, "tree.info"),
    ({"node", "mover"}, "a step of the path"),
)


def unknown_field(name: str, known: Iterable[str]) -> tuple[str, str]:
    """The reason and the advice where a row has no field of this name.

    >>> unknown_field("lft", ["left"])
    ("the state has no field 'lft'", 'did you mean left? state_dtype() has left')
    >>> unknown_field("copy", ["left"])[1]
    '`apply` works in place: change the state it is given, and return nothing'
    >>> unknown_field("mean", ["value_sum", "visits"])
    ("a node of the tree has no column 'mean'", 'its columns are value_sum, visits')
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    for told_by, row in _ROWS:
        if told_by <= set(names):
            reason = f"{row} has no column {name!r}"
            return reason, f"{hint}its columns are {', '.join(names)}"
    reason = f"the state has no field {name!r}"
    if name in ("copy", "clone"):
        return reason, (
            "`apply` works in place: change the state it is given, and return nothing"
        )
    return reason, f"{hint}state_dtype() has {', '.join(names)}"
