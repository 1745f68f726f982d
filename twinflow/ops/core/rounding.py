"""Softplus and its kin, rounding, and tests for odd values."""

from twinflow.base import dispatch, factory
from twinflow.base.op import COMMON_REAL, define
from twinflow.base.operators import TensorValue
from twinflow.base.pieces import with_loop
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.describe import unary_doc
from twinflow.ops.core.elementwise import multiply, negative, sigmoid
from twinflow.ops.core.exponential import sigmoid_grad
from twinflow.ops.core.infer import same, same_pair

Softplus = define(
    "Softplus",
    infer=same,
    kernel=with_loop("softplus", lambda xp: lambda x: xp.logaddexp(x, x.dtype.type(0))),
    grad=[lambda dy, features: softplus_grad(dy, features)],
)
softplus = factory.unary(
    Softplus,
    "softplus",
    unary_doc("log(1 + exp(x))", "float", arg="features"),
    arg="features",
)


def _softplus_grad_kernel(xp):
    return lambda dy, x: (dy / (xp.exp(-x) + x.dtype.type(1))).astype(dy.dtype)


def _softplus_second(dy, gradients, features):
    return sigmoid_grad(sigmoid(features), multiply(dy, gradients))


SoftplusGrad = define(
    "SoftplusGrad",
    infer=same_pair,
    kernel=_softplus_grad_kernel,
    grad=[lambda dy, features: softplus_grad(dy, features), _softplus_second],
)
softplus_grad = factory.binary(
    SoftplusGrad,
    "softplus_grad",
    "The gradient of softplus.",
    args=("gradients", "features"),
)


def log_sigmoid(x: TensorValue, name: str | None = None) -> Tensor:
    """log(1 / (1 + exp(-x))) = -softplus(-x), elementwise.

    Args:
        x: float tensor of any shape. name: the name of the last node in a graph.
    """
    with dispatch.current_mode().name_scope(name or "LogSigmoid") as scope:
        return negative(softplus(negative(convert_to_tensor(x, name="x"))), scope)


def _step(kind, fname, ufunc, formula):
    """A function whose slope is 0 or not defined: no gradient flows through it."""
    op = define(kind, infer=same, kernel=lambda xp: getattr(xp, ufunc))
    return op, factory.unary(op, fname, unary_doc(formula, "float"))


Floor, floor = _step("Floor", "floor", "floor", "The largest whole number <= x")
Ceil, ceil = _step("Ceil", "ceil", "ceil", "The smallest whole number >= x")
Rint, rint = _step("Rint", "rint", "rint", "The nearest whole number, halves to even")
Round = define(
    "Round",
    infer=same,
    kernel=lambda xp: lambda x: x if x.dtype.kind == "i" else xp.rint(x),
    types=COMMON_REAL,
)
_round = factory.unary(Round, "round", unary_doc("The nearest whole number", "float"))


def round(x: TensorValue, name: str | None = None) -> Tensor:
    """The nearest whole number, halves to even, elementwise.

    Args:
        x: int or float tensor; ints are returned as they are.
        name: the name of the node in a graph.
    Example:
        tf.round([0.5, 1.5, -0.5])  # [0., 2., -0.]
    """
    x = convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else _round(x, name)


def _test(kind, fname, ufunc, formula):
    op = define(kind, infer=same, kernel=lambda xp: getattr(xp, ufunc))
    doc = unary_doc(formula, "float", gives="bool")
    return op, factory.unary(op, fname, doc)


IsNan, is_nan = _test("IsNan", "is_nan", "isnan", "Whether x is not a number")
IsInf, is_inf = _test("IsInf", "is_inf", "isinf", "Whether x is infinite")
IsFinite, is_finite = _test(
    "IsFinite", "is_finite", "isfinite", "Whether x is a finite number"
)
