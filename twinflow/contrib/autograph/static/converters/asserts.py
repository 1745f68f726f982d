"""`assert` as tf.Assert."""

import ast
from typing import Any

from twinflow.autograph.transpiler import templates
from twinflow.contrib.autograph.static.context import Base


class AssertTransformer(Base):
    """Makes calls of tf.Assert from assertions."""

    def visit_Assert(self, node: ast.Assert) -> Any:
        self.generic_visit(node)
        text = ast.Constant(f"expected {ast.unparse(node.test)}")
        return templates.replace(
            "tf.Assert(test, (message,))", test=node.test, message=node.msg or text
        )


def transform(node: Any, ctx: Any) -> Any:
    """`assert` in a tree as tf.Assert.

    Args:
        node: the tree of a function, analysed (see converter.standard_analysis).
        ctx: its EntityContext.
    """
    return AssertTransformer(ctx).visit(node)
