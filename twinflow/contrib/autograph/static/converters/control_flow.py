"""`if`, `while` and `for` as calls of functions."""

import ast
from collections.abc import Iterable
from typing import Any, Protocol

from twinflow.autograph.transpiler import (
    anno,
    annos,
    ast_util,
    qual_names,
    templates,
)
from twinflow.contrib.autograph.static import source_code
from twinflow.contrib.autograph.static.context import Base

NodeAnno = annos.NodeAnno
MADE = "made"  # of functions that are a block of the user's code


class SymbolNamer(Protocol):
    """What control_flow asks of a namer."""

    def new_symbol(self, name_root: str, reserved_locals: Iterable) -> str:
        """A name that nothing has."""


class ControlFlowTransformer(Base):
    """Makes functions from the blocks, and calls `ag__.if_stmt` and so on.

    What a block changes it takes as arguments of its own name, and gives back. Parts,
    as `x.y`, have a name of their own in there.
    """

    # ------------------------------------------------------------ names
    def _defined(self, node: ast.AST, name: Any) -> bool:
        found = anno.getanno(node, anno.Static.DEFINED_VARS_IN)
        return name in found or (name.is_composite() and self._known(found, name))

    def _known(self, found: Any, name: Any) -> bool:
        """Whether what a part belongs to is there: a variable, or a global."""
        root = name
        while root.is_composite():
            root = root.parent
        return root in found or str(root) in self.ctx.info.namespace

    def _lives(self, node: ast.AST, name: Any) -> bool:
        return name.is_composite() or name in anno.getanno(
            node, anno.Static.LIVE_VARS_OUT
        )

    def _refuse_new(self, node: Any, names: Iterable, what: str) -> None:
        bad = sorted(
            str(n)
            for n in names
            if not n.is_composite()
            and self._lives(node, n)
            and not self._defined(node, n)
        )
        if bad:
            raise ValueError(f"The following variables are {what}: {', '.join(bad)}.")

    def _parts(self, names: list, scopes: Iterable) -> dict:
        """{x.y: a name for it}."""
        used = _taken(scopes)
        return {
            n: qual_names.QN(self.ctx.namer.new_symbol(n.ssf(), used))
            for n in names
            if n.is_composite()
        }

    def _function(
        self, name: str, arguments: list, body: Any, result: Any, parts: dict
    ) -> ast.FunctionDef:
        args = [ast.arg(str(parts.get(a, a)), None) for a in arguments]
        body = [*body, ast.Return(result)]
        if parts:
            resolved = [qual_names.resolve(n) for n in body]
            body = [ast_util.rename_symbols(n, parts) for n in resolved]
        found: Any = ast.FunctionDef(
            name, ast.arguments([], args, None, [], [], None, []), body, [], None, None
        )
        if hasattr(ast, "TypeVar"):  # from Python 3.12 on
            found.type_params = []
        anno.setanno(found, MADE, True)
        return found

    def _assigned(self, names: list, call: Any) -> ast.stmt:
        if not names:
            return ast.Expr(call)
        target = _tuple(names, ast.Store()) if len(names) > 1 else _store(names[0])
        return ast.Assign([target], call)

    def _symbols(self, *roots: str, scopes: Iterable) -> list[str]:
        used = _taken(scopes)
        return [self.ctx.namer.new_symbol(root, used) for root in roots]

    # ------------------------------------------------------------ branches
    def visit_If(self, node: ast.If) -> Any:
        node = self.generic_visit(node)  # type: ignore[assignment]
        body = anno.getanno(node, NodeAnno.BODY_SCOPE)
        orelse = anno.getanno(node, NodeAnno.ORELSE_SCOPE)
        changed = _changed(body, orelse)
        both = body.modified & orelse.modified
        self._refuse_new(
            node, changed - both, "created in one branch of an if and used after it"
        )
        names = sorted(changed, key=str)
        given = [n for n in names if self._defined(node, n)]
        taken = [n for n in names if self._lives(node, n)]
        parts = self._parts(names, (body, orelse))
        roots = self._symbols("if_true", "if_false", scopes=(body, orelse))
        result: Any = ast.Constant(1)
        if taken:
            result = _load(taken[0]) if len(taken) == 1 else _tuple(taken, ast.Load())
        branches = [
            self._function(root, given, block, result, parts)
            for root, block in zip(roots, (node.body, node.orelse), strict=True)
        ]
        calls = [ast.Call(ast.Name(r, ast.Load()), [_load(n) for n in given], [])
                 for r in roots]  # fmt: skip
        call = templates.replace_as_expression(
            "ag__.if_stmt(test, lambda: one, lambda: other)",
            test=node.test, one=calls[0], other=calls[1],
        )  # fmt: skip
        return [*branches, self._assigned(taken, call)]

    # ------------------------------------------------------------ loops
    def visit_While(self, node: ast.While) -> Any:
        node = self.generic_visit(node)  # type: ignore[assignment]
        body = anno.getanno(node, NodeAnno.BODY_SCOPE)
        cond = anno.getanno(node, NodeAnno.COND_SCOPE)
        what = "created inside a while loop and used after it"
        self._refuse_new(node, _changed(body), what)
        state = [n for n in sorted(_changed(body), key=str) if self._defined(node, n)]
        parts = self._parts(state, (body, cond))
        test, loop = self._symbols("loop_test", "loop_body", scopes=(body, cond))
        others = sorted(
            (n for n in cond.used - set(state) if not n.is_composite()), key=str
        )
        call = templates.replace_as_expression(
            "ag__.while_stmt(test, body, state, deps)",
            test=test, body=loop, state=_tuple(state, ast.Load()),
            deps=_tuple(others, ast.Load()),
        )  # fmt: skip
        return [
            self._function(test, state, [], node.test, parts),
            self._function(loop, state, node.body, _tuple(state, ast.Load()), parts),
            self._assigned(state, call),
            *node.orelse,
        ]

    def visit_For(self, node: ast.For) -> Any:
        extra = anno.getanno(node, anno.Basic.EXTRA_LOOP_TEST, None)
        if extra is not None:
            extra = self.visit(extra)
        node = self.generic_visit(node)  # type: ignore[assignment]
        body = anno.getanno(node, NodeAnno.BODY_SCOPE)
        items = anno.getanno(node.iter, anno.Static.SCOPE)
        changed = _changed(body, items)
        what = "created inside a for loop and used after it"
        self._refuse_new(node, changed, what)
        state = [n for n in sorted(changed, key=str) if self._defined(node, n)]
        parts = self._parts(state, (body, items))
        test, loop, item = self._symbols(
            "extra_test", "loop_body", "loop_item", scopes=(body, items)
        )
        first: Any = ast.Assign([node.target], ast.Name(item, ast.Load()))
        result = _tuple(state, ast.Load())
        made = [
            self._function(loop, [item, *state], [first, *node.body], result, parts)
        ]
        if extra is not None:
            made.insert(0, self._function(test, state, [], extra, parts))
        call = templates.replace_as_expression(
            "ag__.for_stmt(items, test, body, state)",
            items=node.iter, body=loop, state=_tuple(state, ast.Load()),
            test=ast.Constant(None) if extra is None else test,
        )  # fmt: skip
        return [*made, self._assigned(state, call), *node.orelse]


def _taken(scopes: Iterable) -> set[str]:
    return {str(n) for s in scopes for n in s.referenced | s.modified}


def _changed(*scopes: Any) -> set:
    """What is assigned; items of lists are changed where they are."""
    found = {n for s in scopes for n in s.modified}
    return {n for n in found if not any(q.has_subscript() for q in (n, *n.owner_set))}


def _load(name: Any) -> Any:
    return source_code.parse_expression(str(name))


def _store(name: Any) -> Any:
    found = _load(name)
    found.ctx = ast.Store()
    return found


def _tuple(names: list, ctx: Any) -> ast.Tuple:
    make = _store if isinstance(ctx, ast.Store) else _load
    return ast.Tuple([make(n) for n in names], ctx)


def transform(node: Any, ctx: Any) -> Any:
    """`if`, `while` and `for` in a tree as calls of ag__.if_stmt and so on.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    Raises:
        AutographParseError: a block makes a variable that is read after it and may not
            be there.
    """
    return ControlFlowTransformer(ctx).visit(node)
