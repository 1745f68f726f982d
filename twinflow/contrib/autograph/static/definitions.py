"""Which assignments a name can come from: static_analysis.reaching_definitions."""

import ast
from collections.abc import Callable
from typing import Any

from twinflow.autograph.transpiler import anno, cfg, qual_names
from twinflow.contrib.autograph.static.visiting import Base


class Definition:
    """An assignment of a name.

    Attributes:
        param_of: of a parameter, a weak reference to the function; else None.
    """

    def __init__(self) -> None:
        self.param_of: Any = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}[{id(self):x}]"


def scope_of(node: Any) -> Any:
    """The activity.Scope of a node of a control flow graph, or None."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return None
    return anno.getanno(node, anno.Static.SCOPE, None)


_State = dict  # from QNs to frozensets of Definitions


def _joined(states: list) -> _State:
    found: _State = {}
    for state in states:
        for name, definitions in state.items():
            found[name] = found.get(name, frozenset()) | definitions
    return found


class Analyzer(cfg.GraphVisitor):
    """What reaches the nodes of one function's graph.

    Args:
        graph: of the function. definition_factory: makes a Definition.
        before: what reaches the function from around it.
    """

    def __init__(
        self, graph: Any, definition_factory: Callable, before: _State | None = None
    ) -> None:
        super().__init__(graph)
        self._make, self._before = definition_factory, before or {}
        self.made: dict = {}

    def init_state(self, _: Any) -> _State:
        return {}

    def visit_node(self, node: Any) -> bool:
        came = _joined([self.out[n] for n in node.prev])
        if node is self.graph.entry:
            came = _joined([came, self._before])
        before, self.in_[node] = self.out[node], came
        self.out[node] = came | self._written(node)
        return self.out[node] != before

    def _written(self, node: Any) -> _State:
        scope, own = scope_of(node.ast_node), self.made.setdefault(node, {})
        if isinstance(node.ast_node, ast.FunctionDef | ast.ClassDef):
            names = {_name_of(node.ast_node)}
        else:
            names = set() if scope is None else scope.modified
        for name in names - own.keys():
            own[name] = self._make()
            if scope is not None and name in scope.params:
                own[name].param_of = scope.params[name]
        return {name: frozenset((d,)) for name, d in own.items()}


def _name_of(node: Any) -> Any:
    qn = anno.getanno(node, anno.Basic.QN, None)
    return qual_names.QN(node.name) if qn is None else qn


class TreeAnnotator(Base):
    """Notes the definitions at the names of a tree.

    Args:
        source_info: the EntityInfo. graphs: of its functions (see cfg.build).
        definition_factory: makes a Definition.
    """

    def __init__(self, source_info: Any, graphs: dict, definition_factory: Any) -> None:
        super().__init__(source_info)
        self.graphs, self.definition_factory = graphs, definition_factory
        self._analyzer: Any = None
        self._at: Any = None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self._function(node)

    def _function(self, node: Any) -> Any:
        around, at = self._analyzer, self._at
        before = {} if around is None or at is None else around.in_[at]
        graph = self.graphs.get(node)
        if graph is None:
            return self.generic_visit(node)
        self._analyzer = Analyzer(graph, self.definition_factory, before)
        self._analyzer.visit_forward()
        self._at = None
        self.generic_visit(node)
        self._analyzer, self._at = around, at
        return node

    def visit(self, node: Any) -> Any:
        at = self._at
        if self._analyzer is not None and isinstance(node, ast.AST):
            self._at = self._analyzer.graph.index.get(node, at)
        try:
            return super().visit(node)
        finally:
            self._at = at

    def visit_Name(self, node: Any) -> Any:
        qn = anno.getanno(node, anno.Basic.QN, None)
        if qn is None or self._analyzer is None or self._at is None:
            return node
        if isinstance(node, ast.arg) or not isinstance(node.ctx, ast.Load):
            own = self._analyzer.made[self._at].get(qn)
            found: Any = () if own is None else (own,)
        else:
            found = tuple(self._analyzer.in_[self._at].get(qn, ()))
        anno.setanno(node, anno.Static.DEFINITIONS, found)
        return node

    visit_arg = visit_Name

    def _block(self, node: Any) -> Any:
        if self._analyzer is not None:
            before = self._analyzer.graph.stmt_prev.get(node, ())
            defined = _joined([self._analyzer.out[n] for n in before])
            anno.setanno(node, anno.Static.DEFINED_VARS_IN, frozenset(defined))
        return self.generic_visit(node)

    visit_If = visit_While = visit_Try = _block

    def visit_For(self, node: ast.For) -> Any:
        """The target is assigned where the loop asks for an element."""
        if self._analyzer is not None:
            self._at = self._analyzer.graph.index.get(node.iter, self._at)
        return self._block(node)


def resolve(
    node: Any, source_info: Any, graphs: dict, definition_factory: Any = Definition
) -> Any:
    """Note at the names of a tree where their values can come from.

    Args:
        node: a tree that activity.resolve has seen. source_info: its EntityInfo.
        graphs: its control flow (cfg.build). definition_factory: makes a Definition.
    Returns:
        The tree. A Name has DEFINITIONS; an If, For and While DEFINED_VARS_IN.
    """
    return TreeAnnotator(source_info, graphs, definition_factory).visit(node)
