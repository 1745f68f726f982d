"""Where nodes come from in the user's file: pyct.origin_info."""

import ast
import io
import textwrap
import tokenize
from collections.abc import Iterator, Sequence
from typing import Any

from twinflow.autograph.transpiler import (
    LineLocation,
    Location,
    OriginInfo,
    anno,
    ast_util,
)


def create_source_map(
    nodes: Any, code: str, filename: str, indices_in_code: Sequence[int]
) -> dict[LineLocation, OriginInfo]:
    """From the lines of a text to the origins of the nodes that it was made from.

    Args:
        nodes: one or several. code: their text. filename: where that is.
        indices_in_code: which statement of `code` each of them is.
    """
    nodes = nodes if isinstance(nodes, tuple | list) else (nodes,)
    statements = ast.parse(code).body
    found: dict[LineLocation, OriginInfo] = {}
    for node, i in zip(nodes, indices_in_code, strict=False):
        for old, new in ast_util.parallel_walk(node, statements[i]):
            origin = anno.getanno(old, anno.Basic.ORIGIN, None)
            line = getattr(new, "lineno", None)
            if origin is not None and line is not None:
                found.setdefault(LineLocation(filename, line), origin)
    return found


def resolve(nodes: Any, source: str, function: Any = None) -> None:
    """Note at each node where it comes from, as anno.Basic.ORIGIN.

    Args:
        nodes: one or several. source: their text. function: which they are of; with
            it, files and lines are those of its file.
    """
    nodes = nodes if isinstance(nodes, tuple | list) else (nodes,)
    lines, comments = source.split("\n"), _comments(source)
    code = getattr(function, "__code__", None)
    name = "" if function is None else function.__name__
    first = code.co_firstlineno - 1 if code is not None else 0
    file = "<unknown>" if code is None else code.co_filename
    inside: Iterator[Any] = (n for top in nodes for n in ast.walk(top))
    for node in inside:
        line = getattr(node, "lineno", None)
        if line is None or line > len(lines):
            continue
        place = Location(file, first + line, node.col_offset)
        found = OriginInfo(place, name, lines[line - 1], comments.get(line))
        anno.setanno(node, anno.Basic.ORIGIN, found)


def _comments(source: str) -> dict[int, str]:
    read = io.StringIO(textwrap.dedent(source)).readline
    return {
        t.start[0]: t.string[1:].strip()
        for t in tokenize.generate_tokens(read)
        if t.type == tokenize.COMMENT
    }
