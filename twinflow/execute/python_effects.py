"""What a traced Python function does in Python alone: once a trace, not once a call.

A static look at the source; nothing is run.
"""

import ast
import inspect
import os
import textwrap
from collections.abc import Callable, Iterator

_CHANGES = ("append", "extend", "insert", "pop", "remove", "clear", "update", "add",
            "setdefault", "popitem", "discard")  # fmt: skip
_RANDOM = ("np.random.", "numpy.random.", "random.")
_CLOCKS = ("time.time", "time.perf_counter", "datetime.now", "datetime.datetime.now")


PRINTS = "prints once a trace; tf.print prints in each call"


def once_only(function: Callable) -> list[tuple[str, str]]:
    """(line, what) of what runs while a function is traced, and not when it is called.

    Args:
        function: a Python function; one without source gives nothing.
    """
    try:
        source, first = inspect.getsourcelines(function)
        path = inspect.getsourcefile(function) or ""
        tree = ast.parse(textwrap.dedent("".join(source)))
    except (OSError, TypeError, SyntaxError):
        return []  # typed into a shell, or a lambda inside of a longer expression
    path = os.path.relpath(path) if path.startswith(os.getcwd()) else path
    body = _definition(tree)
    if body is None:
        return []
    found = sorted(set(_effects(body)))
    return [(f"{path}:{first + line - 1}", what) for line, what in found]


def _definition(tree: ast.Module) -> ast.AST | None:
    kinds = (ast.FunctionDef, ast.Lambda)
    return next((n for n in ast.walk(tree) if isinstance(n, kinds)), None)


def _effects(function: ast.AST) -> Iterator[tuple[int, str]]:
    own = _own_names(function)
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal):
            names = ", ".join(node.names)
            yield node.lineno, f"assigns {names} outside of the function"
        elif isinstance(node, ast.Call):
            what = _call(node, own)
            if what:
                yield node.lineno, what
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for t in targets:
                root = _root(t)
                if not isinstance(t, ast.Name) and root and root not in own:
                    yield node.lineno, f"changes {ast.unparse(t)}, which is outside"


def _call(node: ast.Call, own: set) -> str:
    name = ast.unparse(node.func)
    if name == "print":
        return PRINTS
    if name in ("open", "input"):
        return f"calls {name}() once a trace"
    if name.startswith(_RANDOM):
        return f"draws {name}() once a trace: a constant. tf.random draws in each call"
    if name in _CLOCKS:
        return f"asks {name}() once a trace: a constant. tf.timestamp asks in each call"
    if name.endswith(".numpy") or name.startswith(("np.", "numpy.")):
        return f"computes {name}() in NumPy, once a trace: a constant"
    if isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
        root = _root(node.func)
        if root and root not in own:
            return f"changes {ast.unparse(node.func.value)} once a trace"
    return ""


def _own_names(function: ast.AST) -> set[str]:
    """The names that a function binds itself, arguments left out: they are outside."""
    return {
        n.id for n in ast.walk(function)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }  # fmt: skip


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
