"""Softplus and its kin, the error function, rounding, and tests for odd values."""

import math

import numpy as np

from twinflow.base import dispatch, dtypes, factory
from twinflow.base.op import FLOAT, define
from twinflow.ops.constant import convert_to_tensor
from twinflow.ops.describe import unary_doc
from twinflow.ops.elementwise import exp, multiply, negative, sigmoid, square
from twinflow.ops.infer import same

Softplus = define(
    "Softplus(features: T) -> (activations: T)",
    infer=same,
    kernel=lambda xp: lambda x: xp.logaddexp(x, x.dtype.type(0)),
    types=FLOAT,
    grad=[lambda dy, features: multiply(dy, sigmoid(features))],
    strict=True,
)
softplus = factory.unary(
    Softplus, "softplus", unary_doc("log(1 + exp(x))", "float", arg="features"),
    gate="is_floating", arg="features",
)  # fmt: skip


def log_sigmoid(x, name=None):
    """log(1 / (1 + exp(-x))) = -softplus(-x), elementwise.

    Args:
        x: float tensor of any shape. name: the name of the last node in a graph.
    """
    with dispatch.current_mode().name_scope(name or "LogSigmoid") as scope:
        return negative(softplus(negative(convert_to_tensor(x, name="x"))), scope)


def _each(function):
    """An elementwise kernel from a function of Python's math (0.1 us a number)."""
    ufunc = np.frompyfunc(function, 1, 1)

    def kernel(x):
        return np.asarray(ufunc(np.asarray(x, np.float64))).astype(x.dtype)

    return lambda xp: kernel


_TWO_BY_SQRT_PI = 2.0 / math.sqrt(math.pi)

Erf = define(
    "Erf(x: T) -> (y: T)",
    infer=same,
    kernel=_each(math.erf),
    types=FLOAT,
    grad=[
        lambda dy, x: multiply(dy, multiply(exp(negative(square(x))), _TWO_BY_SQRT_PI))
    ],
    strict=True,
)
erf = factory.unary(Erf, "erf", unary_doc("The error function", "float"), "is_floating")

Erfc = define(
    "Erfc(x: T) -> (y: T)",
    infer=same,
    kernel=_each(math.erfc),
    types=FLOAT,
    grad=[
        lambda dy, x: multiply(dy, multiply(exp(negative(square(x))), -_TWO_BY_SQRT_PI))
    ],
    strict=True,
)
erfc = factory.unary(Erfc, "erfc", unary_doc("1 - erf(x)", "float"), "is_floating")


def _step(kind, fname, ufunc, formula):
    """A function whose slope is 0 or not defined: no gradient flows through it."""
    op = define(
        f"{kind}(x: T) -> (y: T)",
        infer=same,
        kernel=lambda xp: getattr(xp, ufunc),
        types=FLOAT,
        strict=True,
    )
    return op, factory.unary(op, fname, unary_doc(formula, "float"), "is_floating")


Floor, floor = _step("Floor", "floor", "floor", "The largest whole number <= x")
Ceil, ceil = _step("Ceil", "ceil", "ceil", "The smallest whole number >= x")
Rint, rint = _step("Rint", "rint", "rint", "The nearest whole number, halves to even")
Round, _round = _step("Round", "round", "rint", "The nearest whole number")


def round(x, name=None):
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
    op = define(
        f"{kind}(x: T) -> (y: bool)",
        infer=same,
        kernel=lambda xp: getattr(xp, ufunc),
        types=FLOAT,
        strict=True,
    )
    doc = unary_doc(formula, "float", gives="bool")
    return op, factory.unary(op, fname, doc, "is_floating", dtypes.bool)


IsNan, is_nan = _test("IsNan", "is_nan", "isnan", "Whether x is not a number")
IsInf, is_inf = _test("IsInf", "is_inf", "isinf", "Whether x is infinite")
IsFinite, is_finite = _test(
    "IsFinite", "is_finite", "isfinite", "Whether x is a finite number"
)
