"""Ops that work element by element."""

from typing import Any

import numpy as np

from twinflow.base import dtypes

_ONE_TO_ONE = {
    "Abs": "Abs", "Acos": "Acos", "Acosh": "Acosh", "Add": "Add", "AddV2": "Add",
    "Asin": "Asin", "Asinh": "Asinh", "Atan": "Atan", "Atanh": "Atanh",
    "Ceil": "Ceil", "ComplexAbs": "Abs", "Cos": "Cos", "Cosh": "Cosh",
    "Elu": "Elu", "Equal": "Equal", "Erf": "Erf", "Exp": "Exp", "Floor": "Floor",
    "Greater": "Greater", "GreaterEqual": "GreaterOrEqual", "Inv": "Reciprocal",
    "IsInf": "IsInf", "IsNan": "IsNaN", "Less": "Less", "LessEqual": "LessOrEqual",
    "Log": "Log", "LogicalAnd": "And", "LogicalNot": "Not", "LogicalOr": "Or",
    "Maximum": "Max", "Minimum": "Min", "Mul": "Mul", "Neg": "Neg", "Pow": "Pow",
    "RealDiv": "Div", "Reciprocal": "Reciprocal", "Relu": "Relu", "Rint": "Round",
    "Round": "Round", "Sigmoid": "Sigmoid", "Sign": "Sign", "Sin": "Sin",
    "Sinh": "Sinh", "Softplus": "Softplus", "Softsign": "Softsign", "Sqrt": "Sqrt",
    "Sub": "Sub", "Tan": "Tan", "Tanh": "Tanh", "TruncateDiv": "Div",
    "BitwiseAnd": "BitwiseAnd", "BitwiseOr": "BitwiseOr", "BitwiseXor": "BitwiseXor",
    "Invert": "BitwiseNot",
}  # fmt: skip
_FORWARDS = (
    "CheckNumerics", "EnsureShape", "GuaranteeConst", "Identity", "PreventGradient",
    "Print", "ReadVariableOp", "Snapshot", "StopGradient", "DeepCopy",
)  # fmt: skip


def number(w: Any, t: Any, value: float) -> str:
    """A constant scalar of the dtype of `t`."""
    return w.constant(np.asarray(value, t.dtype.base_dtype.np))


def _plain(kind: str) -> Any:
    return lambda w, node: w.same(kind, *w.values(node.inputs))


def _read(w: Any, node: Any) -> str:
    if node.type == "ReadVariableOp":
        return w.cell(node.inputs[0])
    return w.value(node.inputs[0])


def _all_read(w: Any, node: Any) -> list[str]:
    return w.values(node.inputs)


def _results(w: Any, node: Any) -> list[str]:
    """What a function with a gradient of its own gives."""
    return w.values(list(node.inputs)[: node.attrs["results"]])


def _cast(w: Any, node: Any) -> str:
    x, to = node.inputs[0], node.outputs[0].dtype
    name = w.value(x)
    if x.dtype.is_floating and to.is_integer:  # as C does; ONNX leaves it open
        return w.cast(name, to)
    return name if x.dtype.base_dtype is to else w.cast(name, to)


def _square(w: Any, node: Any) -> str:
    x = w.value(node.inputs[0])
    return w.same("Mul", x, x)


def _squared_difference(w: Any, node: Any) -> str:
    d = w.same("Sub", *w.values(node.inputs))
    return w.same("Mul", d, d)


def _rsqrt(w: Any, node: Any) -> str:
    return w.same("Reciprocal", w.same("Sqrt", w.value(node.inputs[0])))


def _not_equal(w: Any, node: Any) -> str:
    return w.same("Not", w.same("Equal", *w.values(node.inputs)))


def _relu6(w: Any, node: Any) -> str:
    t = node.inputs[0]
    return w.same("Min", w.same("Relu", w.value(t)), number(w, t, 6))


def _leaky(w: Any, node: Any) -> str:
    return w.same("LeakyRelu", w.value(node.inputs[0]), alpha=node.attrs["alpha"])


def _selu(w: Any, node: Any) -> str:
    alpha, gamma = 1.6732632423543772, 1.0507009873554805
    return w.same("Selu", w.value(node.inputs[0]), alpha=alpha, gamma=gamma)


def _log1p(w: Any, node: Any) -> str:
    """log(1 + x), for small x as well: x * log(u) / (u - 1) where u = 1 + x."""
    t = node.inputs[0]
    x, one = w.value(t), number(w, t, 1)
    u = w.same("Add", x, one)
    rest = w.same("Sub", u, one)
    zero = w.same("Equal", rest, number(w, t, 0))
    many = w.same("IsInf", u)
    safe = w.same("Where", zero, one, rest)
    found = w.same("Div", w.same("Mul", x, w.same("Log", u)), safe)
    return w.same("Where", zero, x, w.same("Where", many, u, found))


def _expm1(w: Any, node: Any) -> str:
    """exp(x) - 1, for small x as well: 2 * sinh(x / 2) * exp(x / 2)."""
    t = node.inputs[0]
    half = w.same("Mul", w.value(t), number(w, t, 0.5))
    product = w.same("Mul", w.same("Sinh", half), w.same("Exp", half))
    return w.same("Mul", number(w, t, 2), product)


def _erfc(w: Any, node: Any) -> str:
    t = node.inputs[0]
    return w.same("Sub", number(w, t, 1), w.same("Erf", w.value(t)))


def _is_finite(w: Any, node: Any) -> str:
    x = w.value(node.inputs[0])
    return w.same("Not", w.same("Or", w.same("IsInf", x), w.same("IsNaN", x)))


def _div(w: Any, node: Any) -> str:
    return w.same("Div", *w.values(node.inputs))


def _floor_div(w: Any, node: Any) -> str:
    t = node.inputs[0]
    x, y = w.values(node.inputs)
    if t.dtype.is_floating:
        return w.same("Floor", w.same("Div", x, y))
    rest = w.same("Mod", x, y)  # of the sign of y
    return w.same("Div", w.same("Sub", x, rest), y)


def _floor_mod(w: Any, node: Any) -> str:
    t = node.inputs[0]
    x, y = w.values(node.inputs)
    if t.dtype.is_integer:
        return w.same("Mod", x, y)
    rest = w.same("Mod", x, y, fmod=1)
    zero = number(w, t, 0)
    off = w.same("And", w.same("Not", w.same("Equal", rest, zero)), w.same(
        "Less", w.same("Mul", w.same("Sign", rest), w.same("Sign", y)), zero
    ))  # fmt: skip
    return w.same("Where", off, w.same("Add", rest, y), rest)


def _truncate_mod(w: Any, node: Any) -> str:
    return w.same("Mod", *w.values(node.inputs), fmod=1)


def _div_no_nan(w: Any, node: Any) -> str:
    t = node.inputs[1]
    x, y = w.values(node.inputs)
    zero, one = number(w, t, 0), number(w, t, 1)
    none = w.same("Equal", y, zero)
    found = w.same("Div", x, w.same("Where", none, one, y))
    return w.same("Where", none, zero, found)


def _xlogy(w: Any, node: Any) -> str:
    t = node.inputs[0]
    x, y = w.values(node.inputs)
    zero = number(w, t, 0)
    found = w.same("Mul", x, w.same("Log", y))
    return w.same("Where", w.same("Equal", x, zero), zero, found)


def _xdivy(w: Any, node: Any) -> str:
    t = node.inputs[0]
    x, y = w.values(node.inputs)
    zero = number(w, t, 0)
    none = w.same("Equal", x, zero)
    return w.same("Where", none, zero, w.same("Div", x, y))


def _add_n(w: Any, node: Any) -> str:
    names = w.values(node.inputs)
    total = names[0]
    for name in names[1:]:
        total = w.same("Add", total, name)
    return total


def _select(w: Any, node: Any) -> str:
    condition, a, _ = node.inputs
    names = w.values(node.inputs)
    rank, wide = len(condition._shape or ()), a._shape
    if wide is not None and condition._shape is not None and 0 < rank < len(wide):
        axes = w.ints(list(range(rank, len(wide))))
        names[0] = w.op("Unsqueeze", names[0], axes)
    return w.same("Where", *names)


def _atan2(w: Any, node: Any) -> str:
    """atan(y / x), and pi more or less where x is negative."""
    t = node.inputs[0]
    y, x = w.values(node.inputs)
    zero, one = number(w, t, 0), number(w, t, 1)
    on_axis = w.same("Equal", x, zero)
    safe = w.same("Where", on_axis, one, x)
    plain = w.same("Atan", w.same("Div", y, safe))
    pi = w.same("Where", w.same("Less", y, zero), *(number(w, t, s * np.pi)
                for s in (-1, 1)))  # fmt: skip
    left = w.same("Where", w.same("Less", x, zero), w.same("Add", plain, pi), plain)
    upright = w.same("Mul", w.same("Sign", y), number(w, t, np.pi / 2))
    return w.same("Where", on_axis, upright, left)


def _shift(direction: str) -> Any:
    return lambda w, node: w.same(
        "BitShift", *w.values(node.inputs), direction=direction
    )


def _max_or_min(kind: str) -> Any:
    def write(w: Any, node: Any) -> str:
        t = node.inputs[0]
        names = w.values(node.inputs)
        if t.dtype not in (dtypes.int8, dtypes.int16, dtypes.uint8, dtypes.uint16):
            return w.same(kind, *names)
        wide = [w.cast(n, dtypes.int32) for n in names]  # runtimes have not the small
        return w.cast(w.same(kind, *wide), t.dtype)

    return write


WRITERS = {
    **{ours: _plain(theirs) for ours, theirs in _ONE_TO_ONE.items()},
    **dict.fromkeys(_FORWARDS, _read),
    "IdentityN": _all_read, "TwinCustomGradient": _results, "Cast": _cast,
    "Square": _square, "Rsqrt": _rsqrt,
    "SquaredDifference": _squared_difference, "NotEqual": _not_equal,
    "Relu6": _relu6, "LeakyRelu": _leaky, "Selu": _selu, "Log1p": _log1p,
    "Expm1": _expm1, "Erfc": _erfc, "IsFinite": _is_finite, "Div": _div,
    "FloorDiv": _floor_div, "FloorMod": _floor_mod, "TruncateMod": _truncate_mod,
    "Mod": _truncate_mod, "DivNoNan": _div_no_nan, "Xlogy": _xlogy, "Xdivy": _xdivy,
    "AddN": _add_n, "Select": _select, "Atan2": _atan2, "LeftShift": _shift("LEFT"),
    "RightShift": _shift("RIGHT"), "Maximum": _max_or_min("Max"),
    "Minimum": _max_or_min("Min"),
}  # fmt: skip
