"""Functions whose ops have their name."""

import ast
from typing import Any

from twinflow.autograph.transpiler import anno, templates
from twinflow.contrib.autograph.static.context import Base
from twinflow.contrib.autograph.static.converters.control_flow import MADE


class FunctionBodyTransformer(Base):
    """Puts the bodies of functions into `ag__.function_scope`."""

    def _name(self) -> str:
        around = self.enclosing_entities
        owner = self.ctx.info.owner_type
        whole = isinstance(around[0], ast.ClassDef)
        if owner is not None and len(around) == 1 and not whole:
            return f"{owner.__name__}/{around[0].name}"
        if len(around) > 1 and isinstance(around[-2], ast.ClassDef):
            return f"{around[-2].name}/{around[-1].name}"
        return around[-1].name

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        if anno.hasanno(node, MADE):
            return node
        body, first = node.body, node.body[0]
        text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        kept, body = (body[:1], body[1:]) if text else ([], body)
        if not body:
            return node
        name = ast.Constant(self._name())
        node.body = kept + templates.replace(
            "with ag__.function_scope(name):\n  body", name=name, body=body
        )
        return node


def transform(node: Any, ctx: Any) -> Any:
    """Functions whose ops stand in a name scope of the function's name.

    Args:
        node: the tree of a function or class, analysed. ctx: its EntityContext.
    """
    return FunctionBodyTransformer(ctx).visit(node)
