"""`a if c else b` as a call."""

import ast
from typing import Any

from twinflow.autograph.transpiler import templates
from twinflow.contrib.autograph.static.context import Base


class ConditionalExpressionTransformer(Base):
    """Makes calls of `ag__.if_stmt`."""

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        return templates.replace_as_expression(
            "ag__.if_stmt(test, lambda: body, lambda: orelse)",
            test=node.test, body=node.body, orelse=node.orelse,
        )  # fmt: skip


def transform(node: Any, ctx: Any) -> Any:
    """Conditional expressions in a tree as calls.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    """
    return ConditionalExpressionTransformer(ctx).visit(node)
