"""Python's own functions as those that take tensors."""

import ast
from typing import Any

from twinflow.autograph import python_builtins
from twinflow.autograph.transpiler import anno, templates
from twinflow.contrib.autograph.static.context import Base


class BuiltinFunctionTransformer(Base):
    """Calls `ag__.len_` and so on in place of `len`."""

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        value = anno.getanno(node.func, "live_val", None)
        if isinstance(value, type | type(len)) and value in _OVERLOADED:
            name = python_builtins.overload_of(value).__name__
            node.func = templates.replace_as_expression("ag__.name", name=name)
        return node


_OVERLOADED = (abs, float, int, len, print, range)


def transform(node: Any, ctx: Any) -> Any:
    """abs, float, int, len, print and range in a tree as those that take tensors.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    """
    return BuiltinFunctionTransformer(ctx).visit(node)
