"""Frames of Python for what runs inside a graph, at the user's file and line.

Note [Line frames]: a debugger of Python shows frames: their file, line and names. For
an op of a graph one is made: a code object that says it is from the user's file and
line, run with the op's values as its local names. pdb's list, where, p and display then
work on ops as they are.
"""

import ast
import functools
import os
import sys
from types import CodeType, FrameType
from typing import Any

from twinflow.base.frames import line_number

_CALLED = "__twinflow__"
_NOWHERE = "<no line of the program>"


def frame_at(pair: tuple | None, name: str, local: dict) -> FrameType:
    """A frame that stands at a user's line.

    Args:
        pair: (code, lasti) of the line, or None. name: in place of a function's.
        local: its local names; the dict itself is `f_locals`.
    """
    found: list = []
    local[_CALLED] = lambda: found.append(sys._getframe(1))
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        _run(pair, name, local)
    finally:
        sys.settrace(tracer)
        del local[_CALLED]
    return found[0]


def run_line(pair: tuple, name: str, local: dict) -> None:
    """Run a line of the user's that does nothing; tracers see it.

    Args:
        pair, name, local: see `frame_at`.
    """
    local[_CALLED] = int
    try:
        _run(pair, name, local)
    finally:
        del local[_CALLED]


def _run(pair: tuple | None, name: str, local: dict) -> None:
    if pair is None:
        exec(_code(_NOWHERE, 1, 1, name), {}, local)
        return
    code = pair[0]
    place = (code.co_filename, line_number(pair), code.co_firstlineno)
    exec(_code(*place, name), names_of(code.co_filename), local)


@functools.lru_cache(4096)
def _code(filename: str, line: int, first: int, name: str) -> CodeType:
    call = ast.Expr(ast.Call(ast.Name(_CALLED, ast.Load()), [], []))
    tree = ast.Module([call], [])
    for node in ast.walk(tree):
        if "lineno" in getattr(node, "_attributes", ()):
            place: Any = node
            place.lineno = place.end_lineno = max(line - first, 0) + 1
            place.col_offset = place.end_col_offset = 0
    made = compile(tree, filename, "exec")
    return made.replace(co_name=name, co_qualname=name, co_firstlineno=first)


def names_of(filename: str) -> dict:
    """The names of the module that was made from a file; none if there is none."""
    for module in list(sys.modules.values()):
        home = getattr(module, "__file__", None)
        if isinstance(home, str) and os.path.abspath(home) == filename:
            return vars(module)
    main = sys.modules.get("__main__")
    return {} if main is None or os.path.exists(filename) else vars(main)
