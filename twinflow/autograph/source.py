"""From a Python function to its syntax tree, with the places of the user's file."""

import ast
import inspect
import linecache
from collections.abc import Iterator
from types import CodeType
from typing import Any

from twinflow.base.frames import format_frame


class NotConverted(SyntaxError, ValueError):
    """A function cannot be converted; the text says why, with its line.

    It was a SyntaxError in TensorFlow 1.12, and is a ValueError of `to_graph`.
    """


def tree_of(function: Any) -> ast.FunctionDef | ast.Lambda:
    """The definition of a function or lambda.

    Args:
        function: a Python function.
    Returns:
        Its node; lines and columns are those of the file.
    Raises:
        NotConverted: the source is not there, or it is not that of the function.
    """
    code = function.__code__
    if code.co_name == "<lambda>":
        return _lambda(code)
    try:
        lines, first = inspect.findsource(code)
    except (OSError, TypeError):
        raise NotConverted(
            f"the source of {function.__name__!r} is not there ({code.co_filename!r})"
        ) from None
    text = "".join(inspect.getblock(lines[first:]))
    node = _parsed(text, first, code)
    if not isinstance(node, ast.FunctionDef) or node.name != code.co_name:
        found = getattr(node, "name", type(node).__name__)
        _refuse_async(node, code)
        raise NotConverted(
            f"at {place(code, first + 1)} there is {found!r}, not {code.co_name!r}: "
            "the file has changed since it was loaded"
        )
    return node


def place(code: CodeType, line: int) -> str:
    """`file.py:12`, relative where it lies below the current folder."""
    name, _, _ = format_frame((code, 0)).rpartition(":")
    return f"{name}:{line}"


def _refuse_async(node: Any, code: CodeType) -> None:
    if isinstance(node, ast.AsyncFunctionDef):
        raise NotConverted(f"'async def' at {place(code, node.lineno)}")


def _parsed(text: str, lines_before: int, code: CodeType) -> ast.AST:
    """The statement that a text begins with, which may be indented."""
    try:
        if text[:1].isspace():
            (block,) = ast.parse("if 1:\n" + text).body
            node: Any = block.body[0]  # type: ignore[attr-defined]
            ast.increment_lineno(node, lines_before - 1)
        else:
            node = ast.parse(text).body[0]
            ast.increment_lineno(node, lines_before)
    except SyntaxError as error:
        raise NotConverted(
            f"Python cannot read the source of {code.co_name!r} at "
            f"{place(code, lines_before + 1)}: {error.msg}"
        ) from None
    return node


def _lambda(code: CodeType) -> ast.Lambda:
    """The lambda whose body the instructions of `code` come from."""
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError as error:
        raise NotConverted(f"Python cannot read {code.co_filename}: {error}") from None
    spans = {(p[0], p[2]) for p in code.co_positions() if None not in p and p[3]}
    names = code.co_varnames[: code.co_argcount]
    found = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Lambda)
        and tuple(a.arg for a in (*n.args.posonlyargs, *n.args.args)) == names
        and all(_within(span, n) for span in spans)
    ]
    if not found:
        raise NotConverted(
            f"the source of the lambda at {place(code, code.co_firstlineno)} is not "
            "there"
        )
    return min(found, key=lambda n: _size(n.body))


def _within(place: Any, node: ast.Lambda) -> bool:
    line, column = place
    start = node.lineno, node.col_offset
    return start <= (line, column) <= (node.end_lineno or 0, node.end_col_offset or 0)


def _size(node: ast.expr) -> tuple:
    return (
        (node.end_lineno or 0) - node.lineno,
        (node.end_col_offset or 0) - node.col_offset,
    )


def assignments(filename: str, line: int, name: str) -> list[int]:
    """The lines at which a name is given a value, in the function around a line.

    Args:
        filename: of the user's file. line: one inside the function.
        name: as `s`, `self.s` or `d['k']`.
    """
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except SyntaxError:
        return []
    scope: Any = tree
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            continue
        if node.lineno <= line <= (node.end_lineno or 0):
            scope = node
    nodes: Iterator[Any] = ast.walk(scope)
    found = [n.lineno for n in nodes if _gives(n, name)]
    return sorted({*found, *_appended(scope, name)})


def _gives(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.arg):
        return node.arg == name
    stored = isinstance(getattr(node, "ctx", None), ast.Store)
    return stored and ast.unparse(node) == name


def _appended(scope: ast.AST, name: str) -> list[int]:
    changes = {f"{name}.{kind}" for kind in ("append", "pop")}
    calls = (n for n in ast.walk(scope) if isinstance(n, ast.Call))
    return [n.lineno for n in calls if ast.unparse(n.func) in changes]
