"""Comprehensions of lists as loops."""

import ast
from typing import Any

from twinflow.autograph.transpiler import templates
from twinflow.contrib.autograph.static.context import Base


class ListCompTransformer(Base):
    """Makes loops from assignments of comprehensions."""

    def visit_Assign(self, node: ast.Assign) -> Any:
        made = node.value
        if not isinstance(made, ast.ListComp):
            return self.generic_visit(node)
        if len(node.targets) > 1:
            raise NotImplementedError("multiple assignments")
        (target,) = node.targets
        body = templates.replace(
            "target.append(element)", target=target, element=made.elt
        )
        for loop in reversed(made.generators):
            for test in reversed(loop.ifs):
                body = templates.replace("if test:\n  body", test=test, body=body)
            body = templates.replace(
                "for name in items:\n  body",
                name=loop.target, items=loop.iter, body=body,
            )  # fmt: skip
        return [*templates.replace("target = []", target=target), *body]


def transform(node: Any, ctx: Any) -> Any:
    """`x = [...]` of comprehensions in a tree as loops that append.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    """
    return ListCompTransformer(ctx).visit(node)
