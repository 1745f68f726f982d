"""Scripts that only Python 2 can read: what `twinflow run` and `check` say of them."""

import ast
import sys
from collections.abc import Callable, Iterator

from twinflow.compat.python2 import mending

_MOST = 20


def refused(source: bytes, path: str) -> bool:
    """Whether only Python 2 can read a script; says so, line by line."""
    if not mending.is_old(source):
        return False
    print(explained(source, path), file=sys.stderr)
    return True


def explained(
    source: bytes | str, path: str, place: Callable[[int], str] | None = None
) -> str:
    """What would have to be written instead, and how the script runs as it is.

    Args:
        source: the script. path: its name. place: what to call a line.
    """
    place = place or (lambda line: f"{path}:{line}")
    try:
        ast.parse(mending.decoded(source))
        reason = ""
    except SyntaxError as error:
        reason = f" ({place(error.lineno or 1)}: {error.msg})"
    found = mending.spellings(source)
    lines = [f"{path} is written in Python 2, and Python 3 cannot read it{reason}."]
    for spelling in found[:_MOST]:
        where = f"{place(spelling.line)}: "
        lines.append(where + spelling.stands)
        lines.append(f"{'write: ':>{len(where)}}{spelling.write}")
    if len(found) > _MOST:
        more = len(found) - _MOST
        lines.append(f"... and {more} more lines: `twinflow check {path}` lists them.")
    lines.append(
        f"`twinflow run --py2 {path}` runs it as it stands: / of integers rounds down, "
        "map gives a list, and so on; the file stays as it is."
    )
    return "\n".join(lines)


_METHODS = {"iteritems": "items", "itervalues": "values", "iterkeys": "keys"}
_VERSIONS = ("version", "py2", "py3")


def old_names(tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """What Python 3 reads, but has not: (the node, what to say).

    Args:
        tree: of a script; what stands in a `try`, or in an `if` that asks for the
            version of Python, is left out.
    """
    for node in ast.iter_child_nodes(tree):
        asks = isinstance(node, ast.If | ast.IfExp) and any(
            v in ast.unparse(node.test).lower() for v in _VERSIONS
        )
        if asks or isinstance(node, ast.Try):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield from _old_method(node, node.func)
        yield from old_names(node)


def _old_method(call, function):
    name, owner = function.attr, ast.unparse(function.value)
    if name in _METHODS and not call.args and not call.keywords:
        yield call, f"Python 2: {owner}.{name}()  ->  {owner}.{_METHODS[name]}()"
    elif name == "has_key" and len(call.args) == 1:
        key = ast.unparse(call.args[0])
        yield call, f"Python 2: {owner}.has_key({key})  ->  {key} in {owner}"
