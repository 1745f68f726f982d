"""What ``+``, ``[]`` and their kin mean on tensors and on variables."""

import numpy as np

from twinflow.base import dispatch, dtypes, factory
from twinflow.base.tensor import Composite, Tensor, TensorLike
from twinflow.ops.core import compare, division, elementwise, slicing
from twinflow.ops.core.product import MatMul, matmul


def _operator(op, name, gate):
    return factory.binary(op, name, f"x {name} y", gate, default=name)


def _compared(op):
    doc = f"{op.type} of x and y"
    return factory.binary(op, op.type, doc, "is_real", dtypes.bool)


def _any_matmul(fast, inputs, name):
    return matmul(*inputs, False, False, False, False, False, False, name)


_plain_mul = factory.slow_path(elementwise.Mul)


def _any_mul(fast, inputs, name):
    """A sparse tensor beside a dense one does this itself."""
    if isinstance(inputs[1], Composite) and not isinstance(inputs[1], TensorLike):
        return NotImplemented
    return _plain_mul(fast, inputs, name)


_matmul = factory.binary(
    MatMul, "matmul", "a @ b", "is_factor", default="matmul", kernel=np.dot,
    slow=_any_matmul, matrices=True,
)  # fmt: skip


def _xor(x, y):
    with dispatch.current_mode().name_scope("xor") as scope:
        return compare.logical_xor(x, y, scope)


def _reflected(function):
    def reflected(y, x):
        return function(x, y)

    return reflected


_BINARY = {
    "add": _operator(elementwise.Add, "add", "is_addable"),
    "sub": _operator(elementwise.Sub, "sub", "is_arithmetic"),
    "mul": factory.binary(
        elementwise.Mul, "mul", "x mul y", "is_arithmetic", default="mul", slow=_any_mul
    ),
    "truediv": division.truediv,
    "div": division.div,
    "floordiv": division.floordiv,
    "mod": _operator(division.FloorMod, "mod", "is_common_real"),
    "pow": _operator(elementwise.Pow, "pow", "is_common"),
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


def install_on_value(cls):
    """Give a class of variables the operators of their values.

    Args:
        cls: a class whose objects have ``_as_tensor()``.
    """
    for name, method in METHODS.items():
        setattr(cls, name, _on_value(name, method))


def _on_value(name, method):
    def operator(self, *others):
        return method(self._as_tensor(), *others)

    operator.__name__ = operator.__qualname__ = name
    return operator


_IN_PLACE = {
    "__iadd__": ("+", "variable.assign_add(value)"),
    "__isub__": ("-", "variable.assign_sub(value)"),
    "__imul__": ("*", None),
    "__itruediv__": ("/", None),
    "__ifloordiv__": ("//", None),
    "__ipow__": ("**", None),
}


def refuse_in_place(cls):
    """Let `variable += value` say what to write in its place, in eager mode."""
    for name, (sign, method) in _IN_PLACE.items():
        setattr(cls, name, _refusal(sign, method))


def _refusal(sign, method):
    def refuse(self, other):
        if self.graph is not None:
            return NotImplemented  # rebinds the name to a tensor
        if method is None:
            text = (
                f"Use `var.assign(var {sign} value)` to modify the variable or "
                f"`var = var {sign} value` to get a new Tensor object."
            )
        else:
            text = (
                f"Use {method} to modify the variable value and variable = variable "
                f"{sign} value to get a new Tensor object."
            )
        raise RuntimeError(f"Variable {sign}= value not supported. {text}")

    return refuse
