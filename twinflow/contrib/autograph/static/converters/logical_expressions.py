"""`and`, `or`, `not`, `==` and `!=` as ops."""

import ast
from typing import Any

from twinflow.autograph.transpiler import templates
from twinflow.contrib.autograph.static.context import Base

SAFE_BOOLEAN_OPERAND = "SAFE_BOOLEAN_OPERAND"
_OPS: dict[type, str] = {
    ast.And: "logical_and",
    ast.Or: "logical_or",
    ast.Not: "logical_not",
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
}


class LogicalExpressionTransformer(Base):
    """Calls tf.logical_and and so on."""

    def _call(self, op: ast.AST, *args: ast.expr) -> Any:
        if len(args) == 1:
            text = f"tf.{_OPS[type(op)]}(a)"
            return templates.replace_as_expression(text, a=args[0])
        text = f"tf.{_OPS[type(op)]}(a, b)"
        return templates.replace_as_expression(text, a=args[0], b=args[1])

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        if not any(type(op) in _OPS for op in node.ops):
            return node
        sides = [node.left, *node.comparators]
        found: Any = None
        for op, left, right in zip(node.ops, sides[:-1], sides[1:], strict=True):
            one: Any = ast.Compare(left, [op], [right])
            if type(op) in _OPS:
                one = self._call(op, left, right)
            found = one if found is None else self._call(ast.And(), found, one)
        return found

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        return self._call(node.op, node.operand) if type(node.op) in _OPS else node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        found = node.values[-1]
        for value in reversed(node.values[:-1]):
            found = self._call(node.op, value, found)
        return found


def transform(node: Any, ctx: Any) -> Any:
    """Logical expressions in a tree as ops; all operands are computed.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    """
    return LogicalExpressionTransformer(ctx).visit(node)
