"""From a converted tree to a function that has the places of the user's file.

The code is compiled in memory, under the user's file name and with the user's lines,
and its parts are called what the user's function is called: tracebacks, debuggers and
the lines of nodes need no map back.
"""

import ast
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType
from typing import Any

from twinflow.autograph.transpiler import (
    Location,
    OriginInfo,
    anno,
    parser,
    transpiler,
)


class Place(Location):
    """A Location with an end."""

    end: tuple[int, int]


def mark_places(tree: ast.AST, code: CodeType) -> None:
    """Note at each node where it is in the user's file, for `place_nodes`."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", None)
        if line is None:
            continue
        column = getattr(node, "col_offset", 0)
        found = Place(code.co_filename, line, column)
        found.end = _end(node, line, column)
        anno.setanno(node, anno.Basic.ORIGIN, OriginInfo(found, code.co_name, "", None))


def _end(node: Any, line: int, column: int) -> tuple[int, int]:
    """Where a node ends; a loop, branch or definition: its first line."""
    if isinstance(node, ast.If | ast.While):
        node = node.test
    elif isinstance(node, ast.For):
        node = node.iter
    elif isinstance(node, ast.stmt) and hasattr(node, "body"):
        return line, column
    return node.end_lineno or line, node.end_col_offset or column


def place_nodes(node: ast.AST, around: Any) -> None:
    """Put new nodes where what they hold is, else where what holds them is.

    Args:
        node: changed. around: the Place of what holds it.
    """
    found = _place(node)
    if found is None:
        found = next(filter(None, map(_place, ast.walk(node))), around)
    if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias):
        node.lineno, node.col_offset = found.lineno, found.col_offset
        node.end_lineno, node.end_col_offset = found.end
    elif isinstance(node, ast.excepthandler):
        node.lineno, node.col_offset = found.lineno, found.col_offset
    for child in ast.iter_child_nodes(node):
        place_nodes(child, found)


def _place(node: ast.AST) -> Any:
    if not hasattr(node, "_attributes") or not node._attributes:
        return None  # Load and Store, of which there is one each
    origin = anno.getanno(node, anno.Basic.ORIGIN, None)
    return None if origin is None else origin.loc


class Factory:
    """What makes converted functions of one piece of code.

    Attributes:
        text: the converted code, as `to_code` shows it.
    """

    def __init__(self, nodes: Any, name: str, original: Any, generated: set) -> None:
        code = original.__code__
        free = code.co_freevars
        tree = transpiler._wrap_into_factory(
            nodes, name, "inner_factory", "outer_factory", free, ("ag__",), ()
        )
        start = Place(code.co_filename, code.co_firstlineno, 0)
        start.end = (code.co_firstlineno, 0)
        module = ast.Module(tree, [])
        place_nodes(module, start)
        self.nodes, self.name, self.free = nodes, name, free
        namespace: dict = {}
        flags = code.co_flags & _FUTURE
        whole = compile(module, code.co_filename, "exec", flags, dont_inherit=True)
        exec(_renamed(whole, name, code, generated), namespace)
        self.made = namespace["outer_factory"]()

    @property
    def text(self) -> str:
        return parser.unparse(self.nodes, include_encoding_marker=False)

    def function(self, original: Any, operators: Any) -> Callable:
        """The converted form of `original`, with its globals, cells and defaults."""
        code = self.made.__code__
        cells = dict(zip(self.free, original.__closure__ or (), strict=True))
        closure = tuple(cells[n] for n in code.co_freevars)
        make = FunctionType(code, original.__globals__, self.name, (), closure)
        found = make(operators)
        found.__defaults__ = original.__defaults__
        found.__kwdefaults__ = original.__kwdefaults__
        found.__name__, found.__qualname__ = original.__name__, original.__qualname__
        found.__doc__, found.__module__ = original.__doc__, original.__module__
        return found


_FUTURE = 0x1000000  # annotations as texts


def _renamed(code: Any, name: str, original: CodeType, generated: Iterable) -> Any:
    """The code, its generated parts by the name of the function they are part of."""
    inside = code.co_name not in ("<module>", "outer_factory", "inner_factory")
    shown, path = original.co_name, original.co_qualname
    consts = tuple(
        _renamed(c, name, original, generated) if isinstance(c, CodeType) else c
        for c in code.co_consts
    )
    own = inside and (code.co_name == name or code.co_name in generated)
    if own:
        return code.replace(co_consts=consts, co_name=shown, co_qualname=path)
    _, found, rest = code.co_qualname.partition(f".{name}.<locals>.")
    if not found:
        return code.replace(co_consts=consts)
    parts = [p for p in rest.split(".<locals>.") if p not in generated]
    shown = ".<locals>.".join([path, *parts])
    return code.replace(co_consts=consts, co_qualname=shown)
