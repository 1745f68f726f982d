"""Functions that raise errors with the user's lines."""

import ast
from typing import Any

from twinflow.autograph.transpiler import anno, templates
from twinflow.contrib.autograph.static.context import Base


class ErrorRewritingTransformer(Base):
    """Puts the bodies of functions into `try`."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        outer = len(self.enclosing_entities) <= 1
        if outer and anno.hasanno(node, anno.Basic.ORIGIN):
            text = (
                "try:\n  body\n"
                "except:\n  ag__.rewrite_graph_construction_error(ag_source_map__)"
            )
            node.body = templates.replace(text, body=node.body)
        return node


def transform(node: Any, ctx: Any) -> Any:
    """A function whose errors are GraphConstructionErrors.

    Args:
        node: the tree of a function with origins (see origin_info.resolve), analysed.
        ctx: its EntityContext.
    """
    return ErrorRewritingTransformer(ctx).visit(node)
