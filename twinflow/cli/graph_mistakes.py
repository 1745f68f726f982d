"""What programs with Sessions do to tensors that only values can stand.

Note [Mistakes in graphs]: a script is read as one of graphs if it makes a Session or a
placeholder, never turns eager execution on and does without AutoGraph. In it a name is
a tensor where the statements before it, in the same function, say so: what an op of
TensorFlow, a variable or arithmetic on them was assigned to. Every other name may be
anything, and nothing is said of it. So each finding is one, and many are missed. What
runs eagerly in between is left out (`_eager`).
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.train.optimizer import Optimizer

_GRAPHS = {"Session", "InteractiveSession", "placeholder", "MonitoredSession",
           "MonitoredTrainingSession"}  # fmt: skip
_OTHERS = {"enable_eager_execution", "enable_v2_behavior", "autograph",
           "executing_eagerly"}  # fmt: skip
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_NO_TRUTH = "a tensor of a graph is neither true nor false yet: use tf.cond, tf.where"
_NO_VALUE = "a tensor of a graph has no value yet: take it from session.run"
_NO_LOOP = "a tensor of a graph has no elements yet: use tf.map_fn, tf.while_loop"
_ASKED = "compute_gradients"
_LATER = "is not known before the graph runs: use tf.shape"
_KEY = "is no key of feed_dict: give the placeholder, or its name as 'x:0'"

_BOTH = "eager_mode"  # in the names of blocks and decorators

Found = Iterator[tuple[int, str]]
Meaning = Callable[[ast.AST], Any]


def mistakes(tree: ast.AST, meaning: Meaning) -> Found:
    """(line, text) of each mistake; see Note [Mistakes in graphs]."""
    words = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    words |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    graphs = words & _GRAPHS and not words & _OTHERS
    applies = "apply_gradients" in words
    eager = _eager(tree, meaning) if graphs else set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module) and graphs:
            yield from _Scope(meaning, applies, eager).of(node)
        elif isinstance(node, ast.FunctionDef):
            traced = _tracer(node, meaning)
            if traced or (graphs and node not in eager):
                yield from _Scope(meaning, applies, eager, traced).of(node)


def _eager(tree: ast.AST, meaning: Meaning) -> set[ast.AST]:
    """What runs eagerly, or in both modes, in a program of graphs.

    That are blocks of `eager_mode`, tests of both modes, functions of tfe.py_func, and
    the functions that these call by their names.
    """
    found: set[ast.AST] = set()
    names: set[str] = set()
    for node in ast.walk(tree):
        marks = [i.context_expr for i in getattr(node, "items", ())]
        marks = marks if isinstance(node, ast.With) else []
        marks += getattr(node, "decorator_list", ())
        if any(_BOTH in ast.unparse(mark) for mark in marks):
            found.update(ast.walk(node))
        elif isinstance(node, ast.Call):
            called = getattr(meaning(node.func), "__name__", "")
            names |= _names(node.args[:1]) if called == "eager_py_func" else set()
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    count = -1
    while count != len(found):
        count = len(found)
        names |= _names([n.func for n in found if isinstance(n, ast.Call)])
        found.update(n for f in functions if f.name in names for n in ast.walk(f))
    return found


def _names(nodes: Iterable[Any]) -> set[str]:
    """The last words of names."""
    return {getattr(n, "id", getattr(n, "attr", "")) for n in nodes}


def _tracer(function: ast.FunctionDef, meaning: Meaning) -> str:
    """What traces a function: "defun", "function" (with AutoGraph), or ""."""
    for decorator in function.decorator_list:
        call = isinstance(decorator, ast.Call)
        found = meaning(decorator.func if call else decorator)
        name = getattr(found, "__name__", "")
        if getattr(found, "__module__", "") == "twinflow.execute.function":
            options = decorator.keywords if call else []
            converts = any(k.arg == "autograph" for k in options)
            return "function" if converts else name
    return ""


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of one function, in their order, without those of others in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS | ast.ClassDef):
            yield child
            yield from _inside(child)


class _Scope:
    """One function, or the module: what its names are known to be."""

    def __init__(
        self, meaning: Meaning, applies: bool, eager: set[ast.AST], traced: str = ""
    ) -> None:
        self.meaning, self.applies, self.traced = meaning, applies, traced
        self.eager = set() if traced else eager
        self.given: set[str] = set()  # the parameters of a function that is traced
        self.tensors: dict[str, list[Any] | None] = {}  # their lengths, if written

    def of(self, node: Any) -> Found:
        if self.traced:
            self.given = {a.arg for a in node.args.args}
        converted = self.traced == "function"
        for line, text in self._block(node.body):
            if not (converted and text in (_NO_TRUTH, _NO_LOOP)):
                yield line, text
        yield from () if self.applies else self._idle(node)

    def _block(self, body: list[ast.stmt]) -> Found:
        for statement in body:
            yield from self._statement(statement)

    def _statement(self, node: ast.stmt) -> Found:
        if isinstance(node, _FUNCTIONS | ast.ClassDef):
            return
        if node in self.eager:
            for name in _names(ast.walk(node)):
                self.tensors.pop(name, None)
            return
        for part in _own_parts(node):
            for inner in (part, *_inside(part)):
                yield from self._uses(inner)
        if isinstance(node, ast.If | ast.While | ast.Assert) and self.is_tensor(
            node.test
        ):
            yield node.lineno, _NO_TRUTH
        if isinstance(node, ast.For) and self.is_tensor(node.iter):
            yield node.lineno, _NO_LOOP
        if isinstance(node, ast.Assign | ast.AugAssign | ast.For | ast.With):
            self._assign(node)
        for name in ("body", "orelse", "finalbody"):
            yield from self._block(getattr(node, name, []))
        for handler in getattr(node, "handlers", []):
            yield from self._block(handler.body)

    def _assign(self, node: Any) -> None:
        """Note what a statement assigns; what is not known any more is forgotten."""
        if isinstance(node, ast.AugAssign):
            return
        targets = getattr(node, "targets", None) or [getattr(node, "target", node)]
        nodes = [n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
        names = [n.id for n in nodes if isinstance(n.ctx, ast.Store)]
        plain = isinstance(node, ast.Assign) and isinstance(targets[0], ast.Name)
        known = plain and self.is_tensor(node.value)
        for name in names:
            self.tensors.pop(name, None)
            if known:
                self.tensors[name] = self._lengths(node.value)

    def _lengths(self, node: ast.AST) -> list[Any] | None:
        """The shape that a placeholder is made with, as it is written."""
        if not isinstance(node, ast.Call):
            return None
        if getattr(self.meaning(node.func), "__name__", "") != "placeholder":
            return None
        given = {k.arg: k.value for k in node.keywords}
        shape = node.args[1] if len(node.args) > 1 else given.get("shape")
        items = getattr(shape, "elts", None)
        return items and [getattr(e, "value", e) for e in items]

    # ------------------------------------------------------------ what is a tensor
    def is_tensor(self, node: ast.AST | None) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.tensors
        if isinstance(node, ast.Call):
            return _gives_a_tensor(self.meaning(node.func))
        if isinstance(node, ast.BinOp):
            return self.is_tensor(node.left) or self.is_tensor(node.right)
        if isinstance(node, ast.UnaryOp):
            return not isinstance(node.op, ast.Not) and self.is_tensor(node.operand)
        if isinstance(node, ast.Compare):
            sizes = ast.Lt | ast.LtE | ast.Gt | ast.GtE
            sides = [node.left, *node.comparators]
            return isinstance(node.ops[0], sizes) and any(map(self.is_tensor, sides))
        return isinstance(node, ast.Subscript) and self.is_tensor(node.value)

    # ------------------------------------------------------------ uses
    def _uses(self, node: ast.AST) -> Found:
        if isinstance(node, ast.BoolOp):
            tests = node.values
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            tests = [node.operand]
        else:
            tests = [node.test] if isinstance(node, ast.IfExp) else []
        yield from ((t.lineno, _NO_TRUTH) for t in tests if self.is_tensor(t))
        if isinstance(node, ast.Call):
            yield from self._call(node)
        if any(map(self.is_tensor, _formatted(node))):
            yield node.lineno, _NO_VALUE

    def _call(self, node: ast.Call) -> Found:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        of = getattr(node.func, "value", None)
        plain = of is None and name in ("float", "int", "bool", "round")
        of_numpy = getattr(of, "id", "") in ("np", "numpy")
        if (plain or of_numpy) and any(map(self.is_tensor, node.args)):
            yield node.lineno, _NO_VALUE
        given = getattr(of, "id", "") in self.given
        if name == "numpy" and of and (given or self.is_tensor(of)):
            yield node.lineno, _NO_VALUE
        if name in ("run", "eval"):
            yield from self._feeds(node)
        makes = name in ("int", "range") or _gives_a_tensor(self.meaning(node.func))
        for argument in node.args if makes else []:
            for part in getattr(argument, "elts", [argument]):
                if text := self._unknown(part):
                    yield node.lineno, text

    def _feeds(self, node: ast.Call) -> Found:
        given = [k.value for k in node.keywords if k.arg == "feed_dict"]
        given += node.args[1:2]
        for feeds in given:
            for key in getattr(feeds, "keys", ()):
                value = getattr(key, "value", None)
                if isinstance(key, ast.Constant) and ":" not in str(value):
                    yield key.lineno, f"{value!r} {_KEY}"

    def _unknown(self, node: ast.AST) -> str:
        """What to say of `x.shape[0]`, where that length was given as None."""
        match node:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id=name), attr="shape")
                | ast.Call(func=ast.Attribute(ast.Name(id=name), "get_shape")),
                slice=ast.Constant(value=int(index)),
            ):
                lengths = self.tensors.get(name) or []
                known = index >= len(lengths) or lengths[index] is not None
                return "" if known else f"{ast.unparse(node)} {_LATER}({name})[{index}]"
        return ""

    # ------------------------------------------------------------ optimizers
    def _idle(self, function: ast.AST) -> Found:
        """Optimizers whose gradients nobody applies, in a file where nobody does."""
        nodes = list(_inside(function))
        for node in nodes:
            if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
                continue
            made, target = self.meaning(node.value.func), node.targets[0]
            is_one = isinstance(made, type) and issubclass(made, Optimizer)
            if is_one and isinstance(target, ast.Name):
                uses = [n for n in nodes if getattr(n, "id", "") == target.id]
                asked = [n for n in nodes if getattr(n, "attr", "") == _ASKED]
                if len(uses) == 1 + sum(a.value in uses for a in asked):
                    text = (
                        f"{target.id} trains nothing: use minimize or apply_gradients"
                    )
                    yield node.lineno, text


def _formatted(node: Any) -> list[ast.AST]:
    """The values that become numbers in a text: `"%.2f" % x`, f"{x:.2f}"."""
    if isinstance(node, ast.FormattedValue):
        return [node.value] if node.format_spec else []
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)):
        return []
    text = getattr(node.left, "value", None)
    if not isinstance(text, str):
        return []
    kinds = re.findall(r"%[-+ #0-9.*]*([a-zA-Z])", text)
    values = getattr(node.right, "elts", [node.right])
    return [v for v, kind in zip(values, kinds) if kind in "dieEfFgG"]


def _own_parts(node: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without the statements in it."""
    blocks = ast.stmt | ast.ExceptHandler
    return (c for c in ast.iter_child_nodes(node) if not isinstance(c, blocks))


def _gives_a_tensor(function: Any) -> bool:
    """Whether calling it gives one tensor or variable, as its annotation says."""
    if isinstance(function, type):
        return issubclass(function, ResourceHandle)
    code = getattr(inspect.unwrap(function), "__code__", None) if function else None
    if code is not None and code.co_filename == "<twinflow op>":
        return True
    try:
        result = inspect.signature(function).return_annotation
    except (TypeError, ValueError):
        return False
    home = getattr(function, "__module__", None) or ""
    return result in (Tensor, "Tensor") and home.startswith("twinflow")
