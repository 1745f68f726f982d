"""`continue` as a variable that skips the rest of the body."""

import ast
from typing import Any

from twinflow.autograph.transpiler import anno, annos, templates
from twinflow.contrib.autograph.static.context import Base

NodeAnno = annos.NodeAnno
CONTROL_VAR_NAME = "control_var_name"
CONTINUE_USED = "continue_used"
GUARD_CREATED = "guard_created"
CREATE_GUARD_NEXT = "create_guard_next"


class ContinueCanonicalizationTransformer(Base):
    """Guards what stands after a `continue`."""

    def visit_Continue(self, node: ast.Continue) -> Any:
        self.set_local(CONTINUE_USED, True)
        name = self.get_local(CONTROL_VAR_NAME)
        return templates.replace("name = True", name=name)

    def _loop(self, node: Any) -> Any:
        scope = anno.getanno(node, NodeAnno.BODY_SCOPE)
        name = self.ctx.namer.new_symbol("continue_", scope.referenced | scope.modified)
        self.enter_local_scope()
        self.set_local(CONTROL_VAR_NAME, name)
        node.body = self._block(node.body)
        if self.get_local(CONTINUE_USED, False):
            node.body = templates.replace("name = False", name=name) + node.body
        self.exit_local_scope()
        node.orelse = self._block(node.orelse)
        return node

    def _block(self, nodes: list) -> list:
        """Statements; what follows one with a `continue` stands below an `if`."""
        found: list = []
        into, guard = found, False
        for node in nodes:
            if guard:
                name = self.get_local(CONTROL_VAR_NAME)
                (test,) = templates.replace("if not name:\n  pass", name=name)
                into.append(test)
                into, guard = test.body, False
                into.clear()
            before = self.get_local(CONTINUE_USED, False)
            self.set_local(CONTINUE_USED, False)
            new = self.visit(node)
            into.extend(new if isinstance(new, list | tuple) else [new])
            guard = self.get_local(CONTINUE_USED, False)
            self.set_local(CONTINUE_USED, before or guard)
        return found

    def visit_If(self, node: ast.If) -> Any:
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    def visit_With(self, node: ast.With) -> Any:
        node.body = self._block(node.body)
        return node

    visit_While = visit_For = _loop


def transform(node: Any, ctx: Any) -> Any:
    """`continue` in a tree as a variable that skips the rest of the body.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    """
    return ContinueCanonicalizationTransformer(ctx).visit(node)
