"""Which names each statement and block reads and writes: static_analysis.activity."""

import ast
import weakref
from typing import Any

from twinflow.autograph.transpiler import anno, annos, qual_names
from twinflow.contrib.autograph.static.visiting import Base

NodeAnno = annos.NodeAnno


class Scope:
    """The names that are read and written somewhere.

    Args:
        parent: the Scope around, or None.
        isolated: whether names that are new here stay here, as in a function.
        add_unknown_symbols: accepted.
    Attributes:
        used, modified, created, returned: sets of QNs.
        params: from QNs to weak references to the functions that they are of.
    """

    def __init__(
        self, parent: Any, isolated: bool = True, add_unknown_symbols: bool = False
    ) -> None:
        self.isolated, self.parent = isolated, parent
        self.add_unknown_symbols = add_unknown_symbols
        self.used: set = set()
        self.modified: set = set()
        self.created: set = set()
        self.returned: set = set()
        self.params: dict = {}

    def __repr__(self) -> str:
        shown = (("r", self.used), ("c", self.created), ("w", self.modified))
        return f"{{{', '.join(f'{k}={tuple(map(str, v))}' for k, v in shown)}}}"

    @property
    def referenced(self) -> set:
        """What is read here, or around if this is not isolated."""
        if self.isolated or self.parent is None:
            return self.used
        return self.used | self.parent.referenced

    def copy_from(self, other: "Scope") -> None:
        """Take the names of another, in place of these."""
        for name in ("used", "modified", "created", "returned", "params"):
            setattr(self, name, getattr(other, name).copy())

    @classmethod
    def copy_of(cls, other: "Scope") -> "Scope":
        """Another with the same names."""
        parent = None if other.parent is None else cls.copy_of(other.parent)
        found = cls(parent, other.isolated, other.add_unknown_symbols)
        found.copy_from(other)
        return found

    def merge_from(self, other: "Scope") -> None:
        """Take the names of another as well."""
        for name in ("used", "modified", "created", "returned", "params"):
            getattr(self, name).update(getattr(other, name))

    def has(self, name: Any) -> bool:
        """Whether a name is written here or around."""
        if name in self.modified or name in self.params:
            return True
        return self.parent is not None and self.parent.has(name)

    def mark_read(self, name: Any) -> None:
        """A name is read here."""
        self.used.add(name)
        if self.parent is not None and name not in self.created:
            self.parent.mark_read(name)

    def mark_param(self, name: Any, owner: ast.AST) -> None:
        """A name is a parameter of a function."""
        self.params[name] = weakref.ref(owner)
        if self.parent is not None and not self.isolated:
            self.parent.mark_param(name, owner)

    def mark_creation(self, name: Any, writes_create_symbol: bool = False) -> None:
        """A name is written here for the first time; part of another, it is not new."""
        part = name.is_composite() and not writes_create_symbol
        if not part:
            self.created.add(name)

    def mark_write(self, name: Any) -> None:
        """A name is written here."""
        self.modified.add(name)
        if self.isolated or self.parent is None:
            self.mark_creation(name)
            return
        if not self.parent.has(name):
            self.mark_creation(name)
        self.parent.mark_write(name)

    def mark_returned(self, name: Any) -> None:
        """A function returns a name."""
        self.returned.add(name)
        if not self.isolated and self.parent is not None:
            self.parent.mark_returned(name)


class ActivityAnalyzer(Base):
    """Notes the Scopes at the nodes of a tree.

    Args:
        context: the EntityInfo. parent_scope: the Scope around the tree, or None.
    """

    def __init__(
        self, context: Any, parent_scope: Any = None, add_unknown_symbols: bool = False
    ) -> None:
        super().__init__(context)
        self.scope = Scope(parent_scope, add_unknown_symbols=add_unknown_symbols)
        self._augmented = self._returned = False

    # ------------------------------------------------------------ names
    def _track(self, node: Any, alters_parent: bool = False) -> None:
        qn = anno.getanno(node, anno.Basic.QN, None)
        if qn is None:
            return
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            if self._augmented:
                self.scope.mark_read(qn)
            if alters_parent and qn.is_composite():
                self.scope.mark_write(qn.parent)
            self.scope.mark_write(qn)
        else:
            self.scope.mark_read(qn)
            if self._returned:
                self.scope.mark_returned(qn)
        anno.setanno(node, NodeAnno.IS_LOCAL, self.scope.has(qn))

    def visit_Name(self, node: ast.Name) -> Any:
        self._track(node)
        return node

    def visit_arg(self, node: ast.arg) -> Any:
        qn = anno.getanno(node, anno.Basic.QN, qual_names.QN(node.arg))
        anno.setanno(node, anno.Basic.QN, qn)
        anno.setanno(node, NodeAnno.IS_LOCAL, True)
        anno.setanno(node, NodeAnno.IS_PARAM, True)
        self.scope.mark_write(qn)
        self.scope.mark_param(qn, self.enclosing_entities[-1])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        augmented, self._augmented = self._augmented, False
        self.generic_visit(node)
        self._augmented = augmented
        self._track(node, alters_parent=self._makes_attribute(node))
        return node

    def _makes_attribute(self, node: ast.Attribute) -> bool:
        """Whether it is `self.x` in a constructor."""
        around = self.enclosing_entities
        if len(around) < 2 or not isinstance(around[-2], ast.ClassDef):
            return False
        value = node.value
        own = isinstance(value, ast.Name) and value.id == "self"
        return own and getattr(around[-1], "name", "") == "__init__"

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        augmented, self._augmented = self._augmented, False
        self.generic_visit(node)
        self._augmented = augmented
        self._track(node)
        return node

    # ------------------------------------------------------------ statements
    def _inside(self, node: Any, key: Any, isolated: bool = False) -> Any:
        """Visit what a node holds, in a scope that is noted at it."""
        around, self.scope = self.scope, Scope(self.scope, isolated)
        self.generic_visit(node)
        anno.setanno(node, key, self.scope)
        self.scope = around
        return node

    def _statement(self, node: Any) -> Any:
        return self._inside(node, anno.Static.SCOPE)

    visit_Expr = visit_Assign = visit_AnnAssign = _statement
    visit_Assert = visit_Delete = visit_Raise = visit_withitem = _statement
    visit_arguments = _statement

    def visit_Return(self, node: ast.Return) -> Any:
        self._returned = True
        self._statement(node)
        self._returned = False
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        around, self.scope = self.scope, Scope(self.scope, False)
        self._augmented = True
        node.target = self.visit(node.target)
        self._augmented = False
        node.value = self.visit(node.value)
        anno.setanno(node, anno.Static.SCOPE, self.scope)
        self.scope = around
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        node.func = self.visit(node.func)
        around, self.scope = self.scope, Scope(self.scope, False)
        node.args = self.visit_block(node.args) or []
        node.keywords = self.visit_block(node.keywords) or []
        anno.setanno(node, NodeAnno.ARGS_SCOPE, self.scope)
        self.scope = around
        return node

    # ------------------------------------------------------------ blocks
    def _in_scope(self, node: Any, nodes: Any, key: Any) -> Any:
        around, self.scope = self.scope, Scope(self.scope, False)
        found = (
            self.visit_block(nodes) if isinstance(nodes, list) else self.visit(nodes)
        )
        anno.setanno(node, key, self.scope)
        self.scope = around
        return found

    def _parallel(self, node: Any) -> Any:
        """Visit `body` and `orelse`, of which neither sees what the other writes."""
        before, found = self._kept(), []
        for name, key in (
            ("body", NodeAnno.BODY_SCOPE), ("orelse", NodeAnno.ORELSE_SCOPE),
        ):  # fmt: skip
            for scope, kept in before:
                scope.copy_from(kept)
            setattr(node, name, self._in_scope(node, getattr(node, name), key))
            found.append(self._kept())
        for scope, kept in (pair for branch in found for pair in branch):
            scope.merge_from(kept)
        return node

    def _kept(self) -> list[tuple[Scope, Scope]]:
        """The scope and those around it, each with a copy."""
        chain = [self.scope]
        while chain[-1].parent is not None:
            chain.append(chain[-1].parent)
        return [(scope, Scope.copy_of(scope)) for scope in chain]

    def visit_With(self, node: ast.With) -> Any:
        return self._inside(node, NodeAnno.BODY_SCOPE)

    def _visit_test(self, node: Any) -> Any:
        node.test = self._in_scope(node, node.test, NodeAnno.COND_SCOPE)
        scope = anno.getanno(node, NodeAnno.COND_SCOPE)
        anno.setanno(node.test, anno.Static.SCOPE, scope)
        return self._parallel(node)

    visit_If = visit_While = _visit_test

    def visit_For(self, node: ast.For) -> Any:
        around, self.scope = self.scope, Scope(self.scope, False)
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        anno.setanno(node.iter, anno.Static.SCOPE, self.scope)
        self.scope = around
        test = anno.getanno(node, anno.Basic.EXTRA_LOOP_TEST, None)
        if test is not None:
            self._in_scope(test, test, anno.Static.SCOPE)
        return self._parallel(node)

    def visit_Try(self, node: ast.Try) -> Any:
        return self.generic_visit(node)

    # ------------------------------------------------------------ functions
    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        around, self.scope = self.scope, Scope(self.scope, False)
        self.scope.mark_write(qual_names.QN(node.name))
        node.decorator_list = self.visit_block(node.decorator_list) or []
        defaults = self.visit_block(node.args.defaults) or []
        anno.setanno(node, anno.Static.SCOPE, self.scope)
        returned, self._returned = self._returned, False
        self.scope, node.args.defaults = Scope(around), []
        node.args = self.visit(node.args)
        node.args.defaults = defaults
        node.body = self._in_scope(node, node.body, NodeAnno.BODY_SCOPE)
        self.scope, self._returned = around, returned
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        augmented, self._augmented = self._augmented, False
        self._inside(node, NodeAnno.BODY_SCOPE, isolated=True)
        anno.setanno(
            node.body, anno.Static.SCOPE, anno.getanno(node, NodeAnno.BODY_SCOPE)
        )
        self._augmented = augmented
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self.scope.mark_write(qual_names.QN(node.name))
        return self._inside(node, NodeAnno.BODY_SCOPE, isolated=True)

    def _comprehension(self, node: Any) -> Any:
        """Visit the loops of a comprehension before what it makes."""
        around, self.scope = self.scope, Scope(self.scope)
        node.generators = self.visit_block(node.generators)
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                setattr(node, name, self.visit(getattr(node, name)))
        self.scope = around
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = _comprehension
    visit_GeneratorExp = _comprehension


def resolve(node: Any, context: Any, parent_scope: Any = None) -> Any:
    """Note at the nodes of a tree which names they read and write.

    Args:
        node: a tree with QNs (see qual_names.resolve). context: its EntityInfo.
        parent_scope: the Scope around, or None.
    Returns:
        The tree.
    """
    return ActivityAnalyzer(context, parent_scope).visit(node)
