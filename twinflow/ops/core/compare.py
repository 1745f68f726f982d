"""Comparisons, logic, and choosing between values."""

import numpy as np

from twinflow.base import dtypes, factory, movement
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, Op, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import tensor_in
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.describe import binary_doc, unary_doc
from twinflow.ops.core.infer import broadcast, merge, same, text

_EQUATABLE = (
    dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64, dtypes.uint8,
    dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.complex64,
    dtypes.quint8, dtypes.qint8, dtypes.qint32, dtypes.string, dtypes.bool,
    dtypes.complex128,
)  # fmt: skip


def _compare(kind, fname, sign, ordered="int or float", types=None):
    op = define(
        kind,
        infer=broadcast,
        kernel=lambda xp: getattr(xp, fname),
        types=types,
        strict=True,
    )
    true = [str(bool(getattr(np, fname)(x, 2))) for x in (1, 2)]
    example = f"tf.{fname}([1, 2], [2, 2])  # [{', '.join(true)}]"
    doc = binary_doc(f"x {sign} y", ordered, example, gives="bool")
    return op, factory.binary(op, fname, doc)


Equal, equal = _compare("Equal", "equal", "==", "numeric", _EQUATABLE)
NotEqual, not_equal = _compare("NotEqual", "not_equal", "!=", "numeric", _EQUATABLE)
Less, less = _compare("Less", "less", "<")
LessEqual, less_equal = _compare("LessEqual", "less_equal", "<=")
Greater, greater = _compare("Greater", "greater", ">")
GreaterEqual, greater_equal = _compare("GreaterEqual", "greater_equal", ">=")


def _logical(kind, fname, formula):
    op = define(
        kind, infer=broadcast, kernel=lambda xp: getattr(xp, fname), strict=True
    )
    return op, factory.binary(op, fname, binary_doc(formula, "bool"))


LogicalAnd, logical_and = _logical("LogicalAnd", "logical_and", "x and y")
LogicalOr, logical_or = _logical("LogicalOr", "logical_or", "x or y")
LogicalNot = define("LogicalNot", infer=same, kernel=lambda xp: xp.logical_not)
logical_not = factory.unary(LogicalNot, "logical_not", unary_doc("not x", "bool"))


def logical_xor(
    x: TensorValue, y: TensorValue, name: str | None = "LogicalXor"
) -> Tensor:
    """Whether just one of x and y is true, elementwise with broadcasting.

    Args:
        x, y: bool tensors. name: the name of the last node in a graph.
    """
    some = logical_or(x, y)
    return logical_and(some, logical_not(logical_and(x, y)), name)


def _infer_select(condition, t, e):
    c = condition._shape
    message = (
        "'then' and 'else' must have the same size.  but received: "
        f"{text(t._shape)} vs. {text(e._shape)}"
    )
    if c and t._shape is not None and (len(c) > 1 or len(t._shape) == 1):
        message = _unlike(c, e if t._shape == c else t, 2 if t._shape == c else 1)
    s = merge(t._shape, e._shape, message)
    if c is None or s is None or c == () or c == s:
        return s
    if s == () and len(c) == 1:
        raise InferError(f"'then' must be at least a vector, but saw shape: {text(s)}")
    if len(c) == 1 and len(s) > 1:
        batch = (
            "Number of batches of 'then' must match size of 'cond', but saw: "
            f"{s[0]} vs. {c[0]}"
        )
        return merge(c, s[:1], batch) + s[1:]
    return merge(c, s, message)


def _unlike(condition, other, place):
    return (
        "Inputs to operation Select of type Select must have the same size and shape. "
        f" Input 0: {text(condition)} != input {place}: {text(other._shape)}"
    )


@bind_first
def _select_kernel(xp, condition, t, e):
    if condition.ndim == 1 and t.ndim > 1:
        condition = condition.reshape((-1,) + (1,) * (t.ndim - 1))
    return (movement.choose if xp is np else xp.where)(condition, t, e)


Select: Op = define(
    "Select",
    infer=_infer_select,
    kernel=_select_kernel,
    grad=[
        None,
        lambda dy, condition: apply(Select, (condition, dy, zeros_like(dy))),
        lambda dy, condition: apply(Select, (condition, zeros_like(dy), dy)),
    ],
)

Where = define(
    "Where",
    infer=lambda input: (None, None if input._shape is None else len(input._shape)),
    host=lambda input: np.argwhere(input).astype(np.int64),
    check=lambda input: (
        None if np.ndim(input) else "WhereOp : Unhandled input dimensions: 0"
    ),
)


def where(
    condition: TensorValue, x: TensorValue | None = None, y: TensorValue | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Choose between x and y, or find where `condition` holds.

    Args:
        condition: bool tensor of the shape of `x`, bool[n] for its first axis, or a
            scalar; without x and y also a number, true where it is not 0.
        x, y: tensors of one dtype and one shape; both or neither.
        name: the name of the node in a graph.
    Returns:
        x where `condition` is true and y elsewhere; without them int64[count, rank],
        the indices of the true elements in row-major order.
    Raises:
        ValueError: only one of x and y is given.
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.where([True, False], [1, 2], [3, 4])  # [1, 4]
    """
    if x is None and y is None:
        condition, name = tensor_in(condition, name or "Where", "condition")
        return apply(Where, (condition,), None, name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return apply(Select, (condition, x, y), None, name)
