"""`x[i]` as calls."""

import ast
from typing import Any

from twinflow.autograph import directives
from twinflow.autograph.transpiler import templates
from twinflow.contrib.autograph.static.context import Base


class SliceTransformer(Base):
    """Calls `ag__.get_item` and `ag__.set_item`."""

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Subscript):
            return node
        target = node.targets[0]
        if isinstance(target.slice, ast.Slice | ast.Tuple):
            return node
        return templates.replace(
            "target = ag__.set_item(target, key, item)",
            target=target.value, key=target.slice, item=node.value,
        )  # fmt: skip

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if isinstance(node.slice, ast.Slice | ast.Tuple):
            return node
        if not isinstance(node.ctx, ast.Load):
            return node
        none = ast.Constant(None)
        dtype = self.get_definition_directive(
            node.value, directives.set_element_type, "dtype", default=none
        )
        return templates.replace_as_expression(
            "ag__.get_item(target, key, opts=ag__.GetItemOpts(element_dtype=dtype))",
            target=node.value, key=node.slice, dtype=dtype,
        )  # fmt: skip


def transform(node: Any, ctx: Any) -> Any:
    """Items of lists and tensors in a tree as calls; slices stay.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    """
    return SliceTransformer(ctx).visit(node)
