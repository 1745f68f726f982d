"""What global names stand for, before anything runs: static_analysis.live_values."""

import ast
from typing import Any

from twinflow.autograph.transpiler import anno
from twinflow.contrib.autograph.static.visiting import Base

_SPECIAL_SYMBOLS = {f.__name__: f for f in (abs, float, int, len, print, range)}


class LiveValueResolver(Base):
    """Notes at names what they stand for.

    Args:
        context: the EntityInfo. literals: from names to what they always are.
    """

    def __init__(self, context: Any, literals: dict) -> None:
        super().__init__(context)
        self.literals = literals

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self.generic_visit(node)
        anno.setanno(node, "live_val", self.entity_info.namespace.get(node.name))
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        if not isinstance(node.ctx, ast.Load):
            return node
        found = anno.getanno(node, anno.Static.DEFINITIONS, ())
        if found:
            if all(d.param_of is not None for d in found):
                self._argument(node)
        elif node.id in self.literals:
            anno.setanno(node, "live_val", self.literals[node.id])
        elif node.id in self.entity_info.namespace:
            value = self.entity_info.namespace[node.id]
            anno.setanno(node, "live_val", value)
            anno.setanno(node, "fqn", _full_name(value))
        elif node.id in _SPECIAL_SYMBOLS:
            anno.setanno(node, "live_val", _SPECIAL_SYMBOLS[node.id])
            anno.setanno(node, "fqn", (node.id,))
        return node

    def _argument(self, node: ast.Name) -> None:
        values, types = self.entity_info.arg_values, self.entity_info.arg_types
        if values is not None and node.id in values:
            value = values[node.id]
            anno.setanno(node, "live_val", value)
            anno.setanno(node, "fqn", _full_name(value))
        if types is not None and node.id in types:
            name, kind = types[node.id]
            parts = name if isinstance(name, tuple) else tuple(name.split("."))
            anno.setanno(node, "type", kind)
            anno.setanno(node, "type_fqn", parts)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        value = node.value
        if anno.hasanno(value, "live_val"):
            owner = anno.getanno(value, "live_val")
            if not hasattr(owner, node.attr):
                raise AttributeError(f"{owner} has no attribute {node.attr}")
            anno.setanno(node, "parent_type", type(owner))
            anno.setanno(node, "live_val", getattr(owner, node.attr))
            fqn = anno.getanno(value, "fqn", _full_name(owner))
            anno.setanno(node, "fqn", (*fqn, node.attr))
        elif anno.hasanno(value, "type"):
            kind = anno.getanno(value, "type")
            if hasattr(kind, node.attr):
                anno.setanno(node, "parent_type", kind)
                anno.setanno(node, "live_val", getattr(kind, node.attr))
                fqn = anno.getanno(value, "type_fqn")
                anno.setanno(node, "fqn", (*fqn, node.attr))
        return node


def _full_name(value: Any) -> tuple:
    name = getattr(value, "__name__", None)
    return (name,) if name else (type(value).__module__, type(value).__name__)


def resolve(node: Any, context: Any, literals: dict) -> Any:
    """Note at the names of a tree what they stand for, where that is known.

    Args:
        node: a tree that reaching_definitions.resolve has seen. context: its
            EntityInfo. literals: from names to what they always are.
    Returns:
        The tree. Nodes have "live_val" and its full name as "fqn", a tuple; attributes
        the "parent_type"; arguments of which the type was given "type", "type_fqn".
    """
    return LiveValueResolver(context, literals).visit(node)
