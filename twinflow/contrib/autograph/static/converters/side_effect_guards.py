"""What follows a call that gives nothing waits for it."""

import ast
from typing import Any, Protocol

from twinflow.autograph.transpiler import (
    anno,
    annos,
    ast_util,
    qual_names,
    templates,
)
from twinflow.contrib.autograph.static.context import Base

NodeAnno = annos.NodeAnno


class SymbolNamer(Protocol):
    """What side_effect_guards asks of a namer."""

    def new_symbol(self, name_root: str, reserved_locals: Any) -> str:
        """A name that nothing has."""


class SideEffectGuardTransformer(Base):
    """Puts what follows a call below `ag__.utils.control_dependency_on_returns`."""

    def _block(self, nodes: list) -> list:
        found: list = []
        into, aliases = found, {}  # type: list, dict
        for i, node in enumerate(nodes):
            new = self.visit(node)
            if aliases:
                new = ast_util.rename_symbols(qual_names.resolve(new), aliases)
            if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
                into.append(new)
                continue
            guard, own = self._guard(new, nodes[i + 1 :])
            into.append(guard)
            into = guard.body
            aliases = {**aliases, **own}
        return found

    def _guard(self, node: Any, rest: list) -> tuple[Any, dict]:
        """(the `with` for what follows a call, {its arguments: their new names})."""
        read = {n for r in rest for n in _names(r)}
        taken = sorted(_names(node.value, local=True) & read, key=str)
        if not rest or not taken:
            text = "with ag__.utils.control_dependency_on_returns(call):\n  pass"
            (guard,) = templates.replace(text, call=node.value)
            if rest:
                guard.body.clear()
            return guard, {}
        new = [
            qual_names.QN(self.ctx.namer.new_symbol(n.ssf(), set(map(str, read))))
            for n in taken
        ]
        text = (
            "with ag__.utils.control_dependency_on_returns(call):\n"
            "  news = ag__.utils.alias_tensors(olds)"
        )
        (guard,) = templates.replace(
            text, call=node.value, olds=[n.ast() for n in taken],
            news=new[0] if len(new) == 1 else _targets(new),
        )  # fmt: skip
        return guard, dict(zip(taken, new, strict=True))

    def _blocks(self, node: Any) -> Any:
        node.body = self._block(node.body)
        if getattr(node, "orelse", None):
            node.orelse = self._block(node.orelse)
        return node

    visit_FunctionDef = visit_With = visit_If = visit_While = visit_For = _blocks


def _targets(names: list) -> ast.Tuple:
    return ast.Tuple([ast.Name(str(n), ast.Store()) for n in names], ast.Store())


def _names(node: ast.AST, local: bool = False) -> set:
    """The names that a tree has; `local`: those of variables alone."""
    return {
        anno.getanno(n, anno.Basic.QN)
        for n in ast.walk(node)
        if isinstance(n, ast.Name)
        and anno.hasanno(n, anno.Basic.QN)
        and not (local and not anno.getanno(n, NodeAnno.IS_LOCAL, False))
    }


def transform(node: Any, ctx: Any) -> Any:
    """Blocks in a tree in which what follows a call that gives nothing waits for it.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    """
    return SideEffectGuardTransformer(ctx).visit(node)
