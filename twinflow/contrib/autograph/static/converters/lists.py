"""Lists as values: what changes a list gives a new one."""

import ast
from typing import Any

from twinflow.autograph import directives
from twinflow.autograph.transpiler import anno, annos, templates
from twinflow.contrib.autograph.static.context import Base

NodeAnno = annos.NodeAnno
POP_USES = "pop_uses"


class ListTransformer(Base):
    """Calls `ag__.new_list`, `list_append`, `list_pop` and `list_stack`."""

    def visit_List(self, node: ast.List) -> Any:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        return templates.replace_as_expression("ag__.new_list(items)", items=node)

    def _said(self, node: ast.AST, name: str) -> Any:
        none = ast.Constant(None)
        said = directives.set_element_type
        return self.get_definition_directive(node, said, name, default=none)

    def visit_Expr(self, node: ast.Expr) -> Any:
        call = node.value
        if _is_method(call, "append") and len(call.args) == 1:  # type: ignore[attr-defined]
            self.generic_visit(call)
            return templates.replace(
                "target = ag__.list_append(target, element)",
                target=call.func.value, element=call.args[0],  # type: ignore[attr-defined]
            )  # fmt: skip
        return self._statement(node)

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if _is_method(node, "pop") and len(node.args) < 2 and self._pops is not None:
            target: Any = node.func.value  # type: ignore[attr-defined]
            used = {str(anno.getanno(target, anno.Basic.QN, ""))}
            name = self.ctx.namer.new_symbol(f"{ast.unparse(target)}_pop", used)
            self._pops.append((node, target, name))
            return ast.Name(name, ast.Load())
        if ast.unparse(node.func) == "tf.stack" and len(node.args) == 1:
            dtype = self._said(node.args[0], "dtype")
            if not (isinstance(dtype, ast.Constant) and dtype.value is None):
                return templates.replace_as_expression(
                    "ag__.list_stack(target, opts=ag__.ListStackOpts("
                    "element_dtype=dtype, original_call=original))",
                    target=node.args[0], dtype=dtype, original=node.func,
                )  # fmt: skip
        return node

    _pops: Any = None

    def _statement(self, node: Any) -> Any:
        """A statement after those that pop what it uses, in its order."""
        around, self._pops = self._pops, []
        self.generic_visit(node)
        pops, self._pops = self._pops, around
        found = []
        for call, target, name in pops:
            key = call.args[0] if call.args else ast.Constant(None)
            found += templates.replace(
                "target, name = ag__.list_pop(target, key, opts=ag__.ListPopOpts("
                "element_dtype=dtype, element_shape=shape))",
                target=target, name=name, key=key,
                dtype=self._said(target, "dtype"), shape=self._said(target, "shape"),
            )  # fmt: skip
        return [*found, node] if found else node

    visit_Assign = visit_AugAssign = visit_Return = visit_Assert = _statement


def _is_method(node: ast.AST, name: str) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == name
        and anno.hasanno(node.func.value, anno.Basic.QN)
    )


def transform(node: Any, ctx: Any) -> Any:
    """Lists in a tree as values.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    """
    return ListTransformer(ctx).visit(node)
