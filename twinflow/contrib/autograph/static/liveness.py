"""Which names are read after a block: static_analysis.liveness."""

import ast
from typing import Any

from twinflow.autograph.transpiler import anno, annos, cfg, qual_names
from twinflow.contrib.autograph.static.definitions import scope_of
from twinflow.contrib.autograph.static.visiting import Base

NodeAnno = annos.NodeAnno


class Analyzer(cfg.GraphVisitor):
    """What is live before and after the nodes of one function's graph."""

    def init_state(self, _: Any) -> frozenset:
        return frozenset()

    def visit_node(self, node: Any) -> bool:
        before = self.in_[node]
        after = frozenset().union(*(self.in_[n] for n in node.next))
        self.out[node] = after
        self.in_[node] = _read(node.ast_node) | (after - _written(node.ast_node))
        return self.in_[node] != before


def _read(node: Any) -> frozenset:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        scope = anno.getanno(node, NodeAnno.BODY_SCOPE, None)
        outer = anno.getanno(node, anno.Static.SCOPE, None)
        inner = () if scope is None else scope.used - scope.created - _arguments(scope)
        return frozenset(inner) | frozenset(() if outer is None else outer.used)
    scope = scope_of(node)
    return frozenset(() if scope is None else scope.used)


def _arguments(scope: Any) -> set:
    return set() if scope.parent is None else set(scope.parent.params)


def _written(node: Any) -> frozenset:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return frozenset((qual_names.QN(node.name),))
    scope = scope_of(node)
    return frozenset(() if scope is None else scope.modified | set(scope.params))


class Annotator(Base):
    """Notes at blocks what is live after them.

    Args:
        source_info: the EntityInfo. graphs: of its functions (see cfg.build).
    """

    def __init__(self, source_info: Any, graphs: dict) -> None:
        super().__init__(source_info)
        self.graphs = graphs
        self._analyzer: Any = None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        around = self._analyzer
        self._analyzer = Analyzer(self.graphs[node])
        self._analyzer.visit_reverse()
        self.generic_visit(node)
        self._analyzer = around
        return node

    def _block(self, node: Any) -> Any:
        self.generic_visit(node)
        if self._analyzer is not None:
            after = self._analyzer.graph.stmt_next.get(node, ())
            live = frozenset().union(*(self._analyzer.in_[n] for n in after))
            anno.setanno(node, anno.Static.LIVE_VARS_OUT, live)
        return node

    visit_If = visit_For = visit_While = _block


def resolve(node: Any, source_info: Any, graphs: dict) -> Any:
    """Note at the blocks of a tree which names are read after them.

    Args:
        node: a tree that activity.resolve has seen. source_info: its EntityInfo.
        graphs: its control flow (cfg.build).
    Returns:
        The tree. An If, For and While has LIVE_VARS_OUT.
    """
    return Annotator(source_info, graphs).visit(node)
