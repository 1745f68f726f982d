"""`break` as a variable and `continue`."""

import ast
from typing import Any

from twinflow.autograph.transpiler import anno, annos, templates
from twinflow.contrib.autograph.static.context import Base

NodeAnno = annos.NodeAnno


class _Break:
    """The variable of a loop, and whether it is used."""

    def __init__(self) -> None:
        self.used, self.control_var_name = False, None  # type: bool, Any

    def __repr__(self) -> str:
        return f"used: {self.used}, var: {self.control_var_name}"


class BreakTransformer(Base):
    """Gives loops that break a variable that says so."""

    def visit_Break(self, node: ast.Break) -> Any:
        self.state[_Break].used = True
        name = self.state[_Break].control_var_name
        return templates.replace("name = True\ncontinue", name=name)

    def _loop(self, node: Any) -> tuple[Any, bool]:
        """(the name of the loop's variable, whether the loop breaks)."""
        scope = anno.getanno(node, NodeAnno.BODY_SCOPE)
        name = self.ctx.namer.new_symbol("break_", scope.referenced | scope.modified)
        self.state[_Break].enter()
        self.state[_Break].control_var_name = name
        node.body = self.visit_block(node.body)
        used = self.state[_Break].used
        self.state[_Break].exit()
        node.orelse = self.visit_block(node.orelse)
        return name, used

    def visit_While(self, node: ast.While) -> Any:
        node.test = self.visit(node.test)
        name, used = self._loop(node)
        if not used:
            return node
        text = "name = False\nwhile test and not name:\n  body"
        found = templates.replace(text, name=name, test=node.test, body=node.body)
        return found + self._guarded(node.orelse, name)

    def visit_For(self, node: ast.For) -> Any:
        node.iter = self.visit(node.iter)
        name, used = self._loop(node)
        if not used:
            return node
        rest, node.orelse = node.orelse, []
        test = templates.replace_as_expression("not name", name=name)
        anno.setanno(node, anno.Basic.EXTRA_LOOP_TEST, test)
        found = templates.replace("name = False", name=name)
        return [*found, node, *self._guarded(rest, name)]

    def _guarded(self, block: Any, name: Any) -> list:
        if not block:
            return []
        return templates.replace("if not name:\n  block", name=name, block=block)


def transform(node: Any, ctx: Any) -> Any:
    """`break` in a tree as a variable and `continue`.

    A `for` loop is left with `not variable` as anno.Basic.EXTRA_LOOP_TEST, which
    control_flow heeds.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    """
    return BreakTransformer(ctx).visit(node)
