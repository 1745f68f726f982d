"""Functions that return at their end only."""

import ast
from typing import Any

from twinflow.autograph.transpiler import anno, annos, ast_util, templates
from twinflow.contrib.autograph.static.context import AgAnno, Base

NodeAnno = annos.NodeAnno
_KEPT = {
    anno.Basic.ORIGIN, anno.Basic.QN, anno.Static.DEFINITIONS,
    anno.Static.ORIG_DEFINITIONS, AgAnno.DIRECTIVES,
}  # fmt: skip


def contains_return(node: ast.AST) -> bool:
    """Whether a statement returns from the function that it stands in."""
    if isinstance(node, ast.Return):
        return True
    if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
        return False
    return any(map(contains_return, ast.iter_child_nodes(node)))


class LiftReturn(Base):
    """Puts what a function gives into a variable."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.body = self.visit_block(node.body)  # type: ignore[assignment]
        if not any(map(contains_return, node.body)):
            return node
        if not any(map(contains_return, node.body[:-1])) and isinstance(
            node.body[-1], ast.Return
        ):
            return node
        scope = anno.getanno(node, NodeAnno.BODY_SCOPE)
        name = self.ctx.namer.new_symbol("retval", scope.referenced | scope.modified)
        body, returns = self._lifted(node.body, name)
        if not returns:
            raise ValueError(
                f"{node.name!r} returns on some paths only: each branch that has no "
                "`return` must be followed by one"
            )
        node.body = [*body, *templates.replace("return name", name=name)]
        return node

    def _lifted(self, nodes: list, name: str) -> tuple[list, bool]:
        """(statements that assign in place of returning, whether they always do)."""
        for i, node in enumerate(nodes):
            if not contains_return(node):
                continue
            before, rest = nodes[:i], nodes[i + 1 :]
            if isinstance(node, ast.Return):
                value = node.value or ast.Constant(None)
                new = templates.replace("name = value", name=name, value=value)
                return [*before, *new], True
            if isinstance(node, ast.With):
                node.body, returns = self._lifted(node.body, name)
                if not returns:
                    raise ValueError("`return` on some paths of a `with` only")
                return [*before, node], True
            if not isinstance(node, ast.If):
                kind = type(node).__name__.lower()
                raise ValueError(
                    f"`return` statements are not supported in `{kind}`. Assign to a "
                    "variable there, and return after it."
                )
            new, always = self._branch(node, rest, name)
            return [*before, new], always
        return nodes, False

    def _branch(self, node: ast.If, rest: list, name: str) -> tuple[ast.If, bool]:
        """An `if`; the branches that do not return go on with what follows it."""
        body, one = self._lifted([*node.body, *_unless_returned(node.body, rest)], name)
        after = _unless_returned(node.orelse, rest)
        orelse, other = self._lifted([*node.orelse, *after], name)
        node.body, node.orelse = body, orelse
        return node, one and other


def _unless_returned(block: list, rest: list) -> list:
    """What follows a block: nothing where it ends with a `return`, else a copy."""
    if block and isinstance(block[-1], ast.Return):
        return []
    return [ast_util.copy_clean(n, preserve_annos=_KEPT) for n in rest]


def transform(node: Any, ctx: Any) -> Any:
    """Functions in a tree that return at their end only.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    Raises:
        AutographParseError: a function returns in a loop, or on some paths only.
    """
    return LiftReturn(ctx).visit(node)
