"""Decorators of functions that are converted."""

import ast
import inspect
import sys
from typing import Any

from twinflow.autograph.transpiler import anno
from twinflow.contrib.autograph.static.context import Base


class DecoratorsTransformer(Base):
    """Drops the decorators that convert; imports the others."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        node.decorator_list = [d for d in node.decorator_list if self._stays(d)]
        return node

    def _stays(self, node: ast.expr) -> bool:
        func = node.func if isinstance(node, ast.Call) else node
        value = anno.getanno(func, "live_val", None)
        if value in self.ctx.program.autograph_decorators:
            return False
        if hasattr(value, "__pyct_is_compile_decorator"):
            return False
        if value is None:  # of the function itself, or Python's own
            return True
        root: Any = func
        while isinstance(root, ast.Attribute):
            root = root.value
        self._import(root, anno.getanno(root, "live_val", None))
        return True

    def _import(self, node: ast.Name, value: Any) -> None:
        if inspect.ismodule(value):
            line = f"import {value.__name__} as {node.id}"
        else:
            module = sys.modules.get(getattr(value, "__module__", None) or "")
            name = getattr(value, "__name__", "")
            if getattr(module, name, None) is not value:
                raise ValueError(
                    f'decorator "{node.id}" cannot be imported: it is not a name of '
                    "its module. Define it at the top of a module, or strip it."
                )
            line = f"from {value.__module__} import {name} as {node.id}"
        self.ctx.program.additional_imports.add(line)


def transform(node: Any, ctx: Any) -> Any:
    """A tree without the decorators that convert.

    Args:
        node: the tree of a function or class, analysed. ctx: its EntityContext; its
            program learns what the other decorators need to be imported.
    """
    return DecoratorsTransformer(ctx).visit(node)
