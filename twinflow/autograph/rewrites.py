"""Python that malt does not take, in words that it does: done before its passes."""

import ast
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from twinflow.autograph.source import NotConverted, place

_REFUSED: dict = {
    ast.Match: "'match'",
    ast.Yield: "'yield' (a generator)",
    ast.YieldFrom: "'yield from' (a generator)",
    ast.Await: "'await'",
    ast.AsyncFunctionDef: "'async def'",
    ast.AsyncFor: "'async for'",
    ast.AsyncWith: "'async with'",
    ast.TryStar: "'except*'",
    ast.NamedExpr: "':=' at a place that may not be reached",
    ast.ClassDef: "'class' inside a function",
}


def rewritten(tree: Any, code: CodeType) -> Any:
    """The definition of a function without what malt does not take.

    Args:
        tree: what source.tree_of gives, which is changed. code: of the function.
    Raises:
        NotConverted: it holds what is refused (Python's `match`, generators, `async`).
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            raise _refusal(node, code)
    tree = _Names(code).visit(tree)
    tree = _Statements().visit(tree)
    for node in ast.walk(tree):
        if type(node) in _REFUSED:
            raise _refusal(node, code)
    return ast.fix_missing_locations(tree)


def _refusal(node: Any, code: CodeType) -> NotConverted:
    where = place(code, node.lineno)
    return NotConverted(f"{_REFUSED[type(node)]} at {where} cannot be converted")


class _Names(ast.NodeTransformer):
    """Names as they are outside the class: `__x` mangled, `super()` with arguments."""

    def __init__(self, code: CodeType) -> None:
        parts = [p for p in code.co_qualname.split(".")[:-1] if p != "<locals>"]
        named = code.co_qualname.split(".")
        in_class = len(named) > 1 and named[-2] != "<locals>"
        self.prefix = "_" + parts[-1].lstrip("_") if parts and in_class else ""
        self.first = code.co_varnames[0] if code.co_argcount else ""

    def _mangled(self, name: str) -> str:
        private = name.startswith("__") and not name.endswith("__")
        return self.prefix + name if private else name

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = self._mangled(node.attr)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._mangled(node.id)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        bare = isinstance(node.func, ast.Name) and node.func.id == "super"
        if bare and not node.args and not node.keywords and self.first:
            names = ("__class__", self.first)
            node.args = [_at(node, ast.Name(n, ast.Load())) for n in names]
        return self.generic_visit(node)


class _Statements(ast.NodeTransformer):
    """Statements in simpler ones: loops with `else`, `:=`, annotations."""

    def __init__(self) -> None:
        self.count = 0

    def _name(self) -> str:
        self.count += 1
        return f"popped_before_{self.count}"

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return _at(node, ast.Pass())
        simple = ast.Assign(targets=[node.target], value=node.value)
        return self.visit(_at(node, simple))

    def visit_If(self, node: ast.If) -> Any:
        node.test, before = _hoisted(node.test, self._name)
        return [*before, self.generic_visit(node)]

    def visit_While(self, node: ast.While) -> Any:
        test, before = _hoisted(node.test, self._name)
        if before:
            node.test = _at(node.test, ast.Constant(True))
            leave = ast.If(
                test=_at(test, ast.UnaryOp(ast.Not(), test)),
                body=[_at(test, ast.Break())],
                orelse=[],
            )
            node.body = [*before, _at(test, leave), *node.body]
        return self._loop(node)

    def visit_For(self, node: ast.For) -> Any:
        node.iter, before = _hoisted(node.iter)
        return [*before, *self._loop(node)]

    def _loop(self, node: Any) -> list:
        """A loop; its `else` runs where a flag says that no break came."""
        orelse, node.orelse = node.orelse, []
        if not orelse:
            return [self.generic_visit(node)]
        self.count += 1
        flag = f"left_{self.count}"
        if not _marks(node.body, flag):
            self.generic_visit(node)
            return [node, *self._all(orelse)]
        test = ast.UnaryOp(ast.Not(), ast.Name(flag, ast.Load()))
        rest = ast.If(test=test, body=orelse, orelse=[])
        first = _flagged(orelse[0], flag, value=False)
        self.generic_visit(node)
        return [first, node, *self._all([_at(orelse[0], rest)])]

    def _all(self, nodes: list) -> list:
        found: list = []
        for n in nodes:
            new = self.visit(n)
            found += new if isinstance(new, list) else [new]
        return found

    def _simple(self, node: Any) -> Any:
        if getattr(node, "value", None) is None:
            return node
        node.value, before = _hoisted(node.value)
        self.generic_visit(node)
        return [*before, node]

    visit_Assign = visit_AugAssign = visit_Expr = visit_Return = _simple


def _at(where: Any, node: Any) -> Any:
    """A new node at the place of another."""
    return ast.copy_location(node, where)


def _flagged(where: Any, flag: str, value: bool) -> ast.stmt:
    target = _at(where, ast.Name(flag, ast.Store()))
    whole = ast.Assign(targets=[target], value=_at(where, ast.Constant(value)))
    return _at(where, whole)


def _marks(body: list, flag: str) -> bool:
    """Set the flag before each `break` of the loop around `body`; whether any is."""
    found = False
    for i in reversed(range(len(body))):
        node = body[i]
        if isinstance(node, ast.Break):
            body.insert(i, _flagged(node, flag, value=True))
            found = True
            continue
        inside = isinstance(node, ast.For | ast.While)
        blocks = [node.orelse] if inside else list(_blocks(node))
        inner = [_marks(b, flag) for b in blocks]  # of all of them
        found |= any(inner)
    return found


def _blocks(node: ast.AST) -> Iterator[list]:
    if isinstance(node, ast.FunctionDef):
        return
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for handler in getattr(node, "handlers", []):
        yield handler.body


# ---------------------------------------------------------------- assignments
def _hoisted(value: Any, name: Callable | None = None) -> tuple[Any, list]:
    """An expression without its `:=`, and the assignments that go before it.

    What may not be reached, and what other calls come before, stays where it is.

    Args:
        name: gives a name for what `l.pop()` gives, which goes before as well.
    """
    before: list = []
    while True:
        found = _first(value, name)
        if found is None:
            return value, before
        node, put = found
        target = ast.Name(node.target.id, ast.Store())
        assign = ast.Assign(targets=[_at(node, target)], value=node.value)
        inner, more = _hoisted(node.value, None if _is_pop(node.value) else name)
        assign.value = inner
        before += [*more, _at(node, assign)]
        value = put(_at(node, ast.Name(node.target.id, ast.Load())))


def _first(value: Any, name: Callable | None = None) -> tuple[Any, Callable] | None:
    """The first `:=` that is always reached, and what puts another node there."""
    if isinstance(value, ast.NamedExpr):
        return value, lambda new: new
    if name is not None and _is_pop(value):
        target = _at(value, ast.Name(name(), ast.Store()))
        return _at(value, ast.NamedExpr(target, value)), lambda new: new
    for child, put in _reached(value):
        found = _first(child, name)
        if found is not None:
            node, inner = found
            return node, _after(inner, put)
        if any(not isinstance(n, _STILL) for n in ast.walk(child)):
            return None
    return None


def _after(inner: Callable, put: Callable) -> Callable:
    return lambda new: put(inner(new))


def _is_pop(value: Any) -> bool:
    """Whether it is `l.pop()`, where `l` is a name and what it gets is plain."""
    if not isinstance(value, ast.Call) or value.keywords:
        return False
    func = value.func
    if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
        return False
    plain = all(isinstance(a, ast.Name | ast.Constant) for a in value.args)
    return func.attr == "pop" and plain


_STILL = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.unaryop)


def _reached(value: Any) -> Iterator[tuple[Any, Callable]]:
    """The parts of an expression that are always computed, in their order."""
    if isinstance(value, ast.BoolOp):
        parts = [(value.values, 0)]
    elif isinstance(value, ast.Compare):
        yield value.left, lambda new: _set(value, "left", new)
        parts = [(value.comparators, 0)]
    elif isinstance(value, ast.Call):
        yield value.func, lambda new: _set(value, "func", new)
        parts = [(value.args, i) for i in range(len(value.args))]
    elif isinstance(value, ast.Tuple | ast.List):
        parts = [(value.elts, i) for i in range(len(value.elts))]
    else:
        for name in _FIELDS.get(type(value), ()):
            yield getattr(value, name), _setter(value, name)
        return
    for nodes, i in parts:
        yield nodes[i], _placer(value, nodes, i)


_FIELDS: dict = {
    ast.BinOp: ("left", "right"),
    ast.UnaryOp: ("operand",),
    ast.IfExp: ("test",),
    ast.Attribute: ("value",),
    ast.Subscript: ("value", "slice"),
    ast.Starred: ("value",),
}


def _set(value: Any, name: str, new: Any) -> Any:
    setattr(value, name, new)
    return value


def _setter(value: Any, name: str) -> Callable:
    return lambda new: _set(value, name, new)


def _placer(value: Any, nodes: list, i: int) -> Callable:
    def put(new: Any) -> Any:
        nodes[i] = new
        return value

    return put
