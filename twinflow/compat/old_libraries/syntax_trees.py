"""`gast` of 2018, where no other is installed: the nodes of Python's own `ast`."""

import ast
from typing import Any


def _name(id: str, ctx: ast.expr_context, annotation: Any = None) -> ast.AST:
    """A Name; of a parameter (`Param`) an `arg`, as Python has it."""
    if isinstance(ctx, ast.Param):
        return ast.arg(id, annotation)
    return ast.Name(id, ctx)


class _Name(type(ast.AST)):  # type: ignore[misc]
    """The class of `gast.Name`, which has a third field, `annotation`."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, ast.Name)


class Name(ast.Name, metaclass=_Name):
    """A name; made with three values, of which the last is the annotation."""

    def __new__(cls, id: str, ctx: Any, annotation: Any = None) -> Any:
        return _name(id, ctx, annotation)


def gast() -> dict[str, Any]:
    """The names of the module."""
    found = {n: v for n, v in vars(ast).items() if n[:1] != "_"}
    own = {"Name": Name, "ast_to_gast": _same, "gast_to_ast": _same}
    return found | own | {"__version__": "0.2.0"}


def _same(node: ast.AST) -> ast.AST:
    """The tree as it is."""
    return node
