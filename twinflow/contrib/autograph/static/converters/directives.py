"""Calls of lang.directives, as annotations."""

import ast
import inspect
from typing import Any

from twinflow.autograph import directives
from twinflow.autograph.transpiler import anno
from twinflow.contrib.autograph.static.context import AgAnno, Base

ENCLOSING_LOOP = "enclosing_loop"


def map_arguments(call_node: ast.Call, function: Any) -> dict[str, ast.expr]:
    """{argument: tree} of a call of a directive.

    Args:
        call_node: the call. function: what it calls.
    Raises:
        ValueError: an argument that is not given has a default of another kind than
            directives.UNSPECIFIED.
        TypeError: the call does not fit the function.
    """
    named: dict = {k.arg: k.value for k in call_node.keywords}
    bound = inspect.signature(function).bind(*call_node.args, **named)
    bound.apply_defaults()
    found: dict[str, ast.expr] = {}
    for name, value in bound.arguments.items():
        if value is directives.UNSPECIFIED:
            continue
        if not isinstance(value, ast.expr):
            raise ValueError(
                f"Unexpected keyword argument value, {value!r}, for {name!r}: the "
                "default of a directive's argument must be UNSPECIFIED"
            )
        found[name] = value
    return found


class DirectivesTransformer(Base):
    """Takes the calls away and notes what they say."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        call = node.value
        if not isinstance(call, ast.Call):
            return self.generic_visit(node)
        directive = anno.getanno(call.func, "live_val", None)
        if directive is directives.set_element_type:
            self._of_symbol(call, directive)
        elif directive is directives.set_loop_options:
            self._of_loop(call, directive)
        else:
            return self.generic_visit(node)
        return None

    def _of_symbol(self, call: ast.Call, directive: Any) -> None:
        if not call.args:
            raise ValueError(f'"{directive.__name__}" requires a positional argument')
        target, said = call.args[0], map_arguments(call, directive)
        said.pop(next(iter(inspect.signature(directive).parameters)), None)
        for definition in anno.getanno(target, anno.Static.ORIG_DEFINITIONS, ()):
            definition.directives[directive] = said

    def _of_loop(self, call: ast.Call, directive: Any) -> None:
        loop = self.get_local(ENCLOSING_LOOP)
        if loop is None:
            raise ValueError(f'"{directive.__name__}" must be used inside a statement')
        said = map_arguments(call, directive)
        anno.getanno(loop, AgAnno.DIRECTIVES)[directive] = said

    def _loop(self, node: Any) -> Any:
        anno.setanno(node, AgAnno.DIRECTIVES, {})
        self.enter_local_scope()
        self.set_local(ENCLOSING_LOOP, node)
        self.generic_visit(node)
        self.exit_local_scope()
        node.body = node.body or [ast.Pass()]
        if not anno.getanno(node, AgAnno.DIRECTIVES):
            anno.delanno(node, AgAnno.DIRECTIVES)
        return node

    visit_While = visit_For = _loop

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node


def transform(node: Any, ctx: Any) -> Any:
    """A tree without calls of directives, which are noted where they say something.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext.
    Returns:
        The tree. The AnnotatedDefs of lists have `directives`, loops AgAnno.DIRECTIVES.
    """
    return DirectivesTransformer(ctx).visit(node)
