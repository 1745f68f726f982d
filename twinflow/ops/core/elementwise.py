"""Elementwise arithmetic in one place: what most other ops are written with."""

from twinflow.ops.core.arithmetic import (
    Add,
    Mul,
    RealDiv,
    Sub,
    add,
    add_n,
    multiply,
    negative,
    realdiv,
    square,
    squared_difference,
    subtract,
)
from twinflow.ops.core.exponential import (
    Pow,
    exp,
    expm1,
    log,
    log1p,
    pow,
    reciprocal,
    rsqrt,
    sigmoid,
    sqrt,
    tanh,
    tanh_grad,
)
from twinflow.ops.core.magnitude import abs, maximum, minimum, sign

__all__ = [
    "Add", "Mul", "Pow", "RealDiv", "Sub", "abs", "add", "add_n", "exp", "expm1", "log",
    "log1p", "maximum", "minimum", "multiply", "negative", "pow", "realdiv",
    "reciprocal", "rsqrt", "sigmoid", "sign", "sqrt", "square",
    "squared_difference", "subtract", "tanh", "tanh_grad",
]  # fmt: skip
