"""The operators of `and`, `or`, `not`, comparisons and `assert` in converted code."""

import operator
from collections.abc import Callable
from typing import Any

from twinflow.autograph.state import deciding
from twinflow.autograph.values import is_staged
from twinflow.base import dispatch
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.graph.cond import joined, predicate
from twinflow.graph.node import Region
from twinflow.graph.regions import traced
from twinflow.ops.core import compare
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.debugging.checks import Assert

_COMPARISONS: dict = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip


def and_(left: Callable, right: Callable) -> Any:
    """`left() and right()`; the right side runs where the left one is true."""
    a = left()
    if not is_staged(a):
        return a and right()
    return _lazily(a, right, compare.logical_and, when=True)


def or_(left: Callable, right: Callable) -> Any:
    """`left() or right()`; the right side runs where the left one is false."""
    a = left()
    if not is_staged(a):
        return a or right()
    return _lazily(a, right, compare.logical_or, when=False)


# Ops that take all values: to compute one too many does no harm.
_TOTAL = frozenset(
    """Abs Add All Any Cast Const Equal Greater GreaterEqual Identity Less LessEqual
    LogicalAnd LogicalNot LogicalOr Max Maximum Mean Min Minimum Mul Neg NotEqual
    Placeholder ReadVariableOp Shape Sub Sum TwinParam""".split()  # noqa: SIM905
)


def _lazily(left: Tensor, right: Callable, both: Callable, when: bool) -> Any:
    """`both` of the two sides; the right one in a branch where it might fail."""
    graph = dispatch.current_mode()
    then, orelse = (Region(graph.region, label) for label in ("then", "else"))
    own, other = (then, orelse) if when else (orelse, then)
    with deciding():
        found = traced(graph, own, right)
    made = graph.nodes[own.first : own.last]
    bool_scalar = is_staged(found) and found.dtype is left.dtype and not found._shape
    if left._shape or not bool_scalar or all(n.type in _TOTAL for n in made):
        for node in made:
            if node.region is own:
                node.region = graph.region
        return both(left, found)
    own.results = [found]
    other.first = other.last = len(graph.nodes)
    other.results = [left]
    with graph.name_scope("cond"):
        (out,) = joined(graph, predicate(graph, left), then, orelse, "cond")
    return out


def not_(value: Any) -> Any:
    """`not value`."""
    return compare.logical_not(value) if is_staged(value) else not value


def eq(left: Any, right: Any) -> Any:
    """`left == right`; of tensors, whose elements are equal."""
    if _compares(left, right):
        return compare.equal(left, right)
    return left == right


def not_eq(left: Any, right: Any) -> Any:
    """`left != right`."""
    if _compares(left, right):
        return compare.not_equal(left, right)
    return left != right


def _compares(left: Any, right: Any) -> bool:
    """Whether one is a tensor, and the other something to compare it with."""
    if left is None or right is None:
        return False
    return isinstance(left, _TENSORS) or isinstance(right, _TENSORS)


_TENSORS = (Tensor, TensorLike)


def compared(left: Any, signs: tuple, *rest: Callable) -> Any:
    """`left < b() <= c()`: each operand is computed once, and only if it is needed."""
    found: Any = True
    for sign, later in zip(signs, rest, strict=True):
        right = later()
        result = _compared(left, sign, right)
        if is_staged(found):
            found = compare.logical_and(found, result)
        elif is_staged(result):
            found = result
        else:
            found = result
            if not found:
                return found
        left = right
    return found


def _compared(left: Any, sign: str, right: Any) -> Any:
    if sign == "==":
        return eq(left, right)
    if sign == "!=":
        return not_eq(left, right)
    return _COMPARISONS[sign](left, right)


def assert_stmt(test: Callable, message: Callable) -> Any:
    """`assert test(), message()`; of a tensor of a graph, when it runs.

    Raises:
        AssertionError: it is known to be false.
    """
    found = test()
    if is_staged(found):
        said = message()
        said = "Assertion error" if said is None else said
        data = list(said) if isinstance(said, tuple | list) else [said]
        ok = reduce_all(found) if found._shape != () else found
        return Assert(ok, data)
    if not found:
        said = message()
        raise AssertionError(*(() if said is None else (said,)))
    return None
