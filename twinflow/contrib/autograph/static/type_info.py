"""Of which class variables are, before anything runs: static_analysis.type_info."""

import ast
import inspect
from typing import Any

from twinflow.autograph.transpiler import anno
from twinflow.contrib.autograph.static.visiting import Base


class Scope:
    """Values by name.

    Args:
        parent: the Scope around, or None.
    """

    def __init__(self, parent: Any) -> None:
        self.parent, self.values = parent, {}  # type: Any, dict

    def __repr__(self) -> str:
        return f"Scope[{', '.join(map(str, self.values))}]"

    def copy(self) -> "Scope":
        """Another with the same values."""
        found = Scope(self.parent)
        found.values = self.values.copy()
        return found

    def setval(self, name: Any, value: Any) -> None:
        """Keep a value here."""
        self.values[name] = value

    def hasval(self, name: Any) -> bool:
        """Whether it is here or around."""
        inside = name in self.values
        return inside or (self.parent is not None and self.parent.hasval(name))

    def getval(self, name: Any) -> Any:
        """The value, from here or around.

        Raises:
            KeyError: there is none.
        """
        if name in self.values or self.parent is None:
            return self.values[name]
        return self.parent.getval(name)


class TypeInfoResolver(Base):
    """Notes at names of which class they are.

    Args:
        context: the EntityInfo.
    """

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        self._kinds: dict = {}  # from Definitions to (class, its full name)

    def visit_Name(self, node: ast.Name) -> Any:
        found = anno.getanno(node, anno.Static.DEFINITIONS, ())
        if (
            isinstance(node.ctx, ast.Load)
            and len(found) == 1
            and found[0] in self._kinds
        ):
            kind, name = self._kinds[found[0]]
            anno.setanno(node, "type", kind)
            anno.setanno(node, "type_fqn", name)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        kind = anno.getanno(node.func, "live_val", None)
        if inspect.isclass(kind):
            anno.setanno(node, "type", kind)
            anno.setanno(node, "type_fqn", anno.getanno(node.func, "fqn"))
        return node

    def _assigned(self, target: ast.AST, value: ast.AST) -> None:
        found = anno.getanno(target, anno.Static.DEFINITIONS, ())
        if len(found) == 1 and anno.hasanno(value, "type"):
            known = anno.getanno(value, "type"), anno.getanno(value, "type_fqn")
            self._kinds[found[0]] = known

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        self.apply_to_single_assignments(node.targets, node.value, self._assigned)
        return node

    def visit_withitem(self, node: ast.withitem) -> Any:
        self.generic_visit(node)
        if node.optional_vars is not None:
            self.apply_to_single_assignments(
                (node.optional_vars,), node.context_expr, self._assigned
            )
        return node


def resolve(node: Any, context: Any) -> Any:
    """Note at the names of a tree of which class they are, where that is known.

    Args:
        node: a tree that live_values.resolve has seen. context: its EntityInfo.
    Returns:
        The tree. Calls of classes, and names that only hold what such a call gave,
        have the class as "type" and its full name as "type_fqn".
    """
    return TypeInfoResolver(context).visit(node)
