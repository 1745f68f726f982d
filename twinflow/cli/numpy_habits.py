"""What scripts take for granted of NumPy 1 and SciPy's misc, and today's have not.

`twinflow run` gives most of it back; a program that imports twinflow itself has to say
what is written here instead.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from twinflow.compat.door import old_numpy, old_scipy

_SAME = {"bool": "bool", "int": "int", "float": "float", "complex": "complex",
         "object": "object", "str": "str", "unicode": "str", "long": "int"}  # fmt: skip


class Habit(NamedTuple):
    """Where it stands, what to say, and whether `twinflow run` mends it."""

    line: int
    text: str
    mended: bool


def habits(tree: ast.AST) -> list[Habit]:
    """The habits of a script, in the order of its lines."""
    names = set(_names_of(tree, "numpy"))
    return sorted(_found(tree, names), key=lambda habit: habit.line)


def _names_of(tree: ast.AST, module: str) -> Iterator[str]:
    """What a module is called in a script."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == module:
                    yield alias.asname or module


def _found(tree: ast.AST, names: set[str]) -> Iterator[Habit]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Try) or _asks(node):
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "scipy.misc":
            yield from (_of_misc(node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "numpy":
            for alias in node.names:
                yield from _of_numpy(node, alias.name)
        elif isinstance(node, ast.Attribute) and _is_name(node.value, names):
            yield from _of_numpy(node, node.attr)
        elif isinstance(node, ast.Attribute) and _is_misc(node.value):
            yield _of_misc(node, node.attr)
        elif isinstance(node, ast.Call):
            yield from _of_call(node, names)
        yield from _found(node, names)


def _asks(node: ast.AST) -> bool:
    """Whether it looks what is there before it does something."""
    return isinstance(node, ast.If | ast.IfExp) and "attr" in ast.unparse(node.test)


def _is_misc(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node) == "scipy.misc"


def _is_name(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _of_numpy(node: ast.stmt | ast.expr, name: str) -> Iterator[Habit]:
    if name == "*" or name.startswith("__") or hasattr(np, name):
        return
    value = old_numpy.NAMES.get(name)
    if value is None and name not in old_numpy.NAMES:
        near = f"NumPy {np.__version__} does not have {name}"
        yield Habit(node.lineno, near, mended=False)
        return
    yield Habit(node.lineno, f"NumPy 1: np.{name}{_instead(name, value)}", mended=True)


def _instead(name: str, value: object) -> str:
    """`  ->  np.float64`, where there is another name for it."""
    if name in _SAME:
        return f"  ->  {_SAME[name]}"
    for other in (getattr(value, "__name__", ""), "inf", "nan"):
        if other and getattr(np, other, None) is value:
            return f"  ->  np.{other}"
    return " is gone"


def _of_misc(node: ast.stmt | ast.expr, name: str) -> Habit:
    text = f"SciPy of 2018: scipy.misc.{name} is gone"
    return Habit(node.lineno, text, mended=name in old_scipy.NAMES)


def _of_call(node: ast.Call, names: set[str]) -> Iterator[Habit]:
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr != "reshape":
        return
    if any(k.arg == "newshape" for k in node.keywords) and _is_name(
        function.value, names
    ):
        text = "NumPy 1: np.reshape(newshape=...)  ->  shape=..."
        yield Habit(node.lineno, text, mended=True)
