"""What ``+``, ``[]`` and their kin mean on tensors and on variables."""

import numpy as np

from twinflow.base import dtypes, factory
from twinflow.base.tensor import Tensor
from twinflow.ops import compare, division, elementwise, slicing
from twinflow.ops.linalg import MatMul, matmul


def _operator(op, name, gate="is_number", result=None):
    return factory.binary(op, name, f"x {name} y", gate, result, default=name)


def _compared(op, gate="is_number"):
    return factory.binary(op, op.type, f"{op.type} of x and y", gate, dtypes.bool)


def _any_matmul(fast, inputs, name):
    return matmul(*inputs, False, False, False, False, False, False, name)


_matmul = factory.binary(
    MatMul, "matmul", "a @ b", default="matmul", kernel=np.dot, slow=_any_matmul,
    matrices=True,
)  # fmt: skip


def _xor(x, y):
    return compare.logical_xor(x, y, "xor")


def _reflected(function):
    def reflected(y, x):
        return function(x, y)

    return reflected


_BINARY = {
    "add": _operator(elementwise.Add, "add"),
    "sub": _operator(elementwise.Sub, "sub"),
    "mul": _operator(elementwise.Mul, "mul"),
    "truediv": division.truediv,
    "div": division.div,
    "floordiv": division.floordiv,
    "mod": _operator(division.FloorMod, "mod"),
    "pow": _operator(elementwise.Pow, "pow"),
    "matmul": _matmul,
    "and": factory.binary(
        compare.LogicalAnd, "and_", "x & y", "is_bool", default="and"
    ),
    "or": factory.binary(compare.LogicalOr, "or_", "x | y", "is_bool", default="or"),
    "xor": _xor,
}

_OTHERS = {
    "__lt__": _compared(compare.Less),
    "__le__": _compared(compare.LessEqual),
    "__gt__": _compared(compare.Greater),
    "__ge__": _compared(compare.GreaterEqual),
    "__neg__": elementwise.negative,
    "__abs__": elementwise.abs,
    "__invert__": compare.logical_not,
    "__getitem__": slicing.getitem,
}

METHODS = {
    **{f"__{name}__": function for name, function in _BINARY.items()},
    **{f"__r{name}__": _reflected(function) for name, function in _BINARY.items()},
    **_OTHERS,
}


def install(cls):
    """Give a class the operators of tensors; ``==`` stays identity.

    Args:
        cls: a class whose objects convert to tensors.
    Returns:
        The class.
    """
    for name, method in METHODS.items():
        setattr(cls, name, method)
    return cls


install(Tensor)
