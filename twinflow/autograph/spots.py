"""Both lines of an error: where a variable had its value, and where it changes."""

import ast
import linecache
from typing import Any, NamedTuple

from twinflow.autograph.source import assignments
from twinflow.base import frames

_STATEMENTS = (ast.If, ast.While, ast.For, ast.IfExp)


class Spot(NamedTuple):
    """A statement of the user's program: its file and line."""

    filename: str
    line: int


def here() -> Spot:
    """The innermost line of the program that is at work."""
    (pair,) = frames.user_frames(1) or ((None, 0),)
    if pair is None:
        return Spot("an unknown file", 0)
    return Spot(pair[0].co_filename, frames.line_number(pair))


def shown(spot: Spot) -> str:
    """`train.py:12: s = 0`"""
    name = frames._short_path(spot.filename)
    text = linecache.getline(spot.filename, spot.line).strip()
    return f"{name}:{spot.line}" + (f": {text}" if text else "")


def lines_around(spot: Spot, name: str) -> tuple[Spot, Spot]:
    """Where a variable was given a value before a statement, and last inside it.

    Args:
        spot: of the loop or branch. name: of the variable.
    Returns:
        Two Spots; that of the statement where the program does not say.
    """
    last = _end(spot)
    lines = assignments(spot.filename, spot.line, name)
    before = [n for n in lines if n < spot.line]
    inside = [n for n in lines if spot.line <= n <= last]
    return (
        Spot(spot.filename, before[-1] if before else spot.line),
        Spot(spot.filename, inside[-1] if inside else spot.line),
    )


def branch_lines(spot: Spot, name: str) -> tuple[Spot | None, Spot | None]:
    """Where each branch of an `if` gives a variable a value; None where it does not."""
    node = _statement(spot)
    if not isinstance(node, ast.If):
        return None, None
    lines = assignments(spot.filename, spot.line, name)
    start = node.body[0].lineno, node.body[-1].end_lineno or 0
    other = (0, -1)
    if node.orelse:
        other = node.orelse[0].lineno, node.orelse[-1].end_lineno or 0
    found = [[n for n in lines if a <= n <= b] for a, b in (start, other)]
    then, orelse = (Spot(spot.filename, f[-1]) if f else None for f in found)
    return then, orelse


def return_lines(spot: Spot) -> tuple[Spot, Spot]:
    """Where the branches of an `if` return; of one that does not, the next `return`."""
    node = _statement(spot)
    if not isinstance(node, ast.If):
        return spot, spot
    lines = _returns(spot)
    rest = [n for n in lines if n > (node.end_lineno or 0)]
    found = []
    for block in (node.body, node.orelse):
        first, last = (block[0].lineno, block[-1].end_lineno or 0) if block else (1, 0)
        own = [n for n in lines if first <= n <= last]
        found.append(Spot(spot.filename, (own or rest or [spot.line])[0]))
    return found[0], found[1]


def _returns(spot: Spot) -> list[int]:
    """The lines of `return` in the function around a line."""
    tree = ast.parse("".join(linecache.getlines(spot.filename)))
    scope: Any = tree
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.lineno <= spot.line <= (node.end_lineno or 0):
            scope = node
    return sorted(n.lineno for n in ast.walk(scope) if isinstance(n, ast.Return))


def _end(spot: Spot) -> int:
    node = _statement(spot)
    return spot.line if node is None else node.end_lineno or spot.line


def _statement(spot: Spot) -> Any:
    """The loop or branch that begins at a line, or None."""
    try:
        tree = ast.parse("".join(linecache.getlines(spot.filename)))
    except SyntaxError:
        return None
    nodes = (n for n in ast.walk(tree) if isinstance(n, _STATEMENTS))
    return next((n for n in nodes if n.lineno == spot.line), None)
