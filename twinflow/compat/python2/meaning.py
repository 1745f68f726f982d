"""What Python 3 means otherwise: changes of the syntax tree of a mended program.

Division of integers, lists from `keys()` and `map`, methods that have gone, classes
with `next` or `__metaclass__`, imports of modules beside the file. The functions that
are called in their places are those of `runtime`.
"""

import ast
import os

_NAMES = "twinflow.compat.python2.names"
_VIEWS = ("keys", "values", "items")
_GONE = {
    "iteritems", "iterkeys", "itervalues", "viewitems", "viewkeys", "viewvalues",
    "has_key", "next", "message", "func_name", "func_code", "func_defaults",
    "func_globals", "func_doc", "im_func", "im_self", "im_class", "decode",
}  # fmt: skip
_OF_CLASSES = {
    "next", "__nonzero__", "__metaclass__", "__cmp__", "__eq__", "__unicode__",
    "__div__", "__rdiv__", "__idiv__", "__getslice__",
}  # fmt: skip
_CODE = ("exec", "eval")
_ERROR = "_twinflow_error"


def changed(
    tree: ast.AST, parts: dict[str, str], future: set[str], folder: str | None
) -> ast.AST:
    """The tree of a program with the meaning that Python 2 gave to it.

    Args:
        tree: of the mended program. parts: see Edits.parts.
        future: what it imports from __future__.
        folder: where modules may lie beside it, if it is part of a package.
    """
    return ast.fix_missing_locations(_Meaning(parts, future, folder).visit(tree))


def with_names(tree: ast.Module) -> ast.Module:
    """The tree of a file, which first of all imports the names of Python 2."""
    at = 1 if tree.body and _is_docstring(tree.body[0]) else 0
    while at < len(tree.body) and _is_future(tree.body[at]):
        at += 1
    line = tree.body[at].lineno if at < len(tree.body) else 1
    place = {"lineno": line, "end_lineno": line, "col_offset": 0, "end_col_offset": 0}
    star = ast.alias("*", **place)
    tree.body.insert(at, ast.ImportFrom(_NAMES, [star], 0, **place))
    return ast.fix_missing_locations(tree)


def _is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_future(node):
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _call(name, node, *args, **kwargs):
    """A call of a function of the runtime, at the place of a node."""
    keywords = [ast.keyword(k, v) for k, v in kwargs.items()]
    made = ast.Call(ast.Name(f"_twinflow_{name}", ast.Load()), list(args), keywords)
    return ast.fix_missing_locations(ast.copy_location(made, node))


def _placed(nodes, at):
    """New statements, at the line of another node."""
    for node in nodes:
        for inner in ast.walk(node):
            ast.copy_location(inner, at)
    return nodes


def _is_number(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, float | complex)


class _Meaning(ast.NodeTransformer):
    def __init__(self, parts, future, folder):
        self._parts, self._folder = parts, folder
        self._divides = "division" not in future
        self._beside = folder is not None and "absolute_import" not in future
        self._generators = [False]

    # ---------------------------------------------------------------- expressions
    def visit_BinOp(self, node):
        self.generic_visit(node)
        plain = _is_number(node.left) or _is_number(node.right)
        if not isinstance(node.op, ast.Div) or not self._divides or plain:
            return node
        return _call("divided", node, node.left, node.right)

    def visit_AugAssign(self, node):
        """`a.b /= c` reads and writes once: `a` is kept under another name."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not self._divides:
            return node
        before, target = self._kept(node.target)
        read = ast.parse(ast.unparse(target), mode="eval").body
        value = _call("divided_here", node, read, node.value)
        return [*_placed(before, node), *_placed_value(target, value, node)]

    def _kept(self, target):
        if isinstance(target, ast.Attribute):
            text = f"_twinflow_owner.{target.attr}"
            kept = [("_twinflow_owner", target.value)]
        elif isinstance(target, ast.Subscript):
            text = "_twinflow_owner[_twinflow_index]"
            kept = [("_twinflow_owner", target.value)]
            index = target.slice
            if isinstance(index, ast.Slice | ast.Tuple):
                return [], target  # slices are written out twice
            kept.append(("_twinflow_index", index))
        else:
            return [], target
        before = [ast.Assign([ast.Name(n, ast.Store())], v) for n, v in kept]
        return before, ast.parse(f"{text} = 0").body[0].targets[0]

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if node.attr not in _GONE or not isinstance(node.ctx, ast.Load):
            return node
        return _call("attribute", node, node.value, ast.Constant(node.attr))

    def visit_Call(self, node):
        function = node.func
        names = [k.arg for k in node.keywords]
        if isinstance(function, ast.Attribute):
            if function.attr in _VIEWS and not node.args and not names:
                self.generic_visit(node)
                return _call("listed", node, node)
            if function.attr == "sort" and (node.args or "cmp" in names):
                self.generic_visit(node)
                node.args.insert(0, function.value)
                node.func = _call("sort", function).func
                return node
        elif isinstance(function, ast.Name) and function.id in _CODE and node.args:
            kind = ast.Constant(function.id)
            node.args[0] = _call("code", node.args[0], node.args[0], kind)
        self.generic_visit(node)
        return node

    def visit_Lambda(self, node):
        self.generic_visit(node)
        for name in self._tuples(node.args):
            target = ast.parse(f"{self._parts[name]} = 0").body[0].targets[0]
            one = ast.Tuple([ast.Name(name, ast.Load())], ast.Load())
            inner = ast.ListComp(
                node.body, [ast.comprehension(target, one, [], 0)]
            )  # the body, for the parts of the one tuple
            body = ast.Subscript(inner, ast.Constant(0), ast.Load())
            node.body = ast.copy_location(body, node.body)
        return ast.fix_missing_locations(node)

    # ---------------------------------------------------------------- statements
    def visit_FunctionDef(self, node):
        self._generators.append(_yields(node))
        self.generic_visit(node)
        self._generators.pop()
        first = []
        for name in self._tuples(node.args):
            first += ast.parse(f"{self._parts[name]} = {name}").body
        node.body[:0] = _placed(first, node.body[0])
        return node

    def _tuples(self, args):
        return [a.arg for a in args.args if a.arg in self._parts]

    def visit_Raise(self, node):
        """`raise StopIteration` ends a generator; since Python 3.7 it is an error."""
        self.generic_visit(node)
        kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        ends = isinstance(kind, ast.Name) and kind.id == "StopIteration"
        if ends and self._generators[-1] and node.cause is None:
            return ast.copy_location(ast.Return(None), node)
        return node

    def visit_ExceptHandler(self, node):
        """The name of an error stays behind the block."""
        self.generic_visit(node)
        if node.name is None:
            return node
        text = f"{node.name} = {_ERROR}"
        if node.name in self._parts:
            text = f"{self._parts[node.name]} = _twinflow_parts_of({_ERROR})"
        node.name = _ERROR
        node.body[:0] = _placed(ast.parse(text).body, node)
        return node

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        if _given(node.body) & _OF_CLASSES:
            mark = ast.Name("_twinflow_class", ast.Load())
            node.decorator_list.append(ast.copy_location(mark, node))
        return node

    # ---------------------------------------------------------------- imports
    def _is_beside(self, module):
        first = os.path.join(self._folder, module.partition(".")[0])
        return os.path.isfile(f"{first}.py") or os.path.isfile(
            os.path.join(first, "__init__.py")
        )

    def visit_ImportFrom(self, node):
        if self._beside and not node.level and self._is_beside(node.module):
            node.level = 1
        return node

    def visit_Import(self, node):
        """`import a.b` of a package's module, from the package."""
        if not self._beside or not any(self._is_beside(a.name) for a in node.names):
            return node
        found = []
        for alias in node.names:
            above, _, last = alias.name.rpartition(".")
            if not self._is_beside(alias.name):
                found.append(ast.Import([alias]))
            elif alias.asname or not above:
                name = ast.alias(last, alias.asname)
                found.append(ast.ImportFrom(above or None, [name], 1))
            else:  # loads a.b, and gives the name a
                name = ast.alias(last, "_twinflow_module")
                found.append(ast.ImportFrom(above, [name], 1))
                first = ast.alias(alias.name.partition(".")[0])
                found.append(ast.ImportFrom(None, [first], 1))
        return _placed(found, node)


def _placed_value(target, value, node):
    return [ast.copy_location(ast.Assign([target], value), node)]


def _given(body):
    """The names that the statements of a class give."""
    names = {getattr(n, "name", None) for n in body}
    assigned = (t for n in body if isinstance(n, ast.Assign) for t in n.targets)
    return names | {t.id for t in assigned if isinstance(t, ast.Name)}


def _yields(function):
    """Whether a function itself is a generator."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        inner = ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.AsyncFunctionDef
        if not isinstance(node, inner):
            waiting += ast.iter_child_nodes(node)
    return False
