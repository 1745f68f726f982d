"""Nodes that work element by element."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.interchange.onnx.library import dtype_of

_ONE_TO_ONE = {
    "Abs": "Abs", "Acos": "Acos", "Acosh": "Acosh", "Add": "Add", "Asin": "Asin",
    "Asinh": "Asinh", "Atan": "Atan", "Atanh": "Atanh", "Ceil": "Ceil", "Cos": "Cos",
    "Cosh": "Cosh", "Equal": "Equal", "Erf": "Erf", "Exp": "Exp", "Floor": "Floor",
    "Greater": "Greater", "GreaterOrEqual": "GreaterEqual", "IsNaN": "IsNan",
    "Less": "Less", "LessOrEqual": "LessEqual", "Log": "Log", "And": "LogicalAnd",
    "Not": "LogicalNot", "Or": "LogicalOr", "Mul": "Mul", "Neg": "Neg",
    "Reciprocal": "Reciprocal", "Relu": "Relu", "Round": "Round", "Sigmoid": "Sigmoid",
    "Sign": "Sign", "Sin": "Sin", "Sinh": "Sinh", "Softplus": "Softplus",
    "Softsign": "Softsign", "Sqrt": "Sqrt", "Sub": "Sub", "Tan": "Tan", "Tanh": "Tanh",
    "BitwiseAnd": "BitwiseAnd", "BitwiseOr": "BitwiseOr", "BitwiseXor": "BitwiseXor",
    "BitwiseNot": "Invert", "Xor": "NotEqual",
}  # fmt: skip


def _plain(kind: str) -> Any:
    return lambda r, node, *inputs: r.op(kind, *inputs)


def _same(r: Any, node: Any, x: Any, *rest: Any) -> Any:
    return x


def _folded(kind: str) -> Any:
    def read(r: Any, node: Any, first: Any, *rest: Any) -> Any:
        for x in rest:
            first = r.op(kind, first, x)
        return first

    return read


def _mean(r: Any, node: Any, first: Any, *rest: Any) -> Any:
    total = _folded("Add")(r, node, first, *rest)
    return r.op("RealDiv", total, r.like(1 + len(rest), total))


def _div(r: Any, node: Any, x: Any, y: Any) -> Any:
    return r.op("TruncateDiv" if r.dtype(x).is_integer else "RealDiv", x, y)


def _mod(r: Any, node: Any, x: Any, y: Any) -> Any:
    return r.op("TruncateMod" if node.get("fmod", 0) else "FloorMod", x, y)


def _pow(r: Any, node: Any, x: Any, y: Any) -> Any:
    if r.dtype(x) is not r.dtype(y):
        y = r.op("Cast", y, DstT=r.dtype(x))
    return r.op("Pow", x, y)


def _cast(r: Any, node: Any, x: Any) -> Any:
    to = dtype_of(node.get("to"))
    if dtypes.string in (to, r.dtype(x)):
        r.refuse("casts from and to strings have no counterpart")
    return x if to is r.dtype(x) else r.op("Cast", x, DstT=to)


def _cast_like(r: Any, node: Any, x: Any, like: Any) -> Any:
    return x if r.dtype(x) is r.dtype(like) else r.op("Cast", x, DstT=r.dtype(like))


def _where(r: Any, node: Any, condition: Any, x: Any, y: Any) -> Any:
    """Where with broadcasting: all three in the shape that they have together."""
    if r.dtype(x) is dtypes.bool:
        no = r.op("LogicalNot", condition)
        pairs = r.op("LogicalAnd", condition, x), r.op("LogicalAnd", no, y)
        return r.op("LogicalOr", *pairs)
    shapes = [r.shape(v) for v in (condition, x, y)]
    if None in shapes or not shapes[0] == shapes[1] == shapes[2]:
        zeros = r.op("ZerosLike", r.op("Add", r.op("ZerosLike", x), y))
        flags = r.op("ZerosLike", r.op("Cast", condition, DstT=r.dtype(x)))
        zeros = r.op("Add", zeros, flags)
        x, y = r.op("Add", x, zeros), r.op("Add", y, zeros)
        no = r.op("Cast", zeros, DstT=dtypes.bool)
        condition = r.op("LogicalOr", condition, no)
    return r.op("Select", condition, x, y)


def _elu(r: Any, node: Any, x: Any) -> Any:
    return _exponential(r, x, node.get("alpha", 1.0), 1.0)


def _exponential(r: Any, x: Any, alpha: float, gamma: float) -> Any:
    """gamma * x above zero, else gamma * alpha * (exp(x) - 1)."""
    y = r.op("Elu", x)
    if alpha != 1.0:
        above = r.op("Greater", x, r.op("ZerosLike", x))
        y = r.op("Select", above, x, r.op("Mul", r.like(alpha, x), y))
    return y if gamma == 1.0 else r.op("Mul", r.like(gamma, x), y)


def _selu(r: Any, node: Any, x: Any) -> Any:
    alpha = node.get("alpha", 1.6732631921768188)
    gamma = node.get("gamma", 1.0507010221481323)
    return _exponential(r, x, alpha, gamma)


def _celu(r: Any, node: Any, x: Any) -> Any:
    alpha = r.like(node.get("alpha", 1.0), x)
    below = r.op("Mul", alpha, r.op("Elu", r.op("RealDiv", x, alpha)))
    return r.op("Select", r.op("Greater", x, r.op("ZerosLike", x)), x, below)


def _leaky(r: Any, node: Any, x: Any) -> Any:
    alpha = r.like(node.get("alpha", 0.01), x)
    zero = r.like(0, x)
    below = r.op("Mul", alpha, r.op("Minimum", x, zero))
    return r.op("Add", r.op("Relu", x), below)


def _prelu(r: Any, node: Any, x: Any, slope: Any) -> Any:
    below = r.op("Mul", slope, r.op("Minimum", x, r.like(0, x)))
    return r.op("Add", r.op("Maximum", x, r.like(0, x)), below)


def _hard_sigmoid(r: Any, node: Any, x: Any) -> Any:
    alpha, beta = node.get("alpha", 0.2), node.get("beta", 0.5)
    y = r.op("Add", r.op("Mul", x, r.like(alpha, x)), r.like(beta, x))
    return r.op("Minimum", r.op("Maximum", y, r.like(0, x)), r.like(1, x))


def _hard_swish(r: Any, node: Any, x: Any) -> Any:
    y = r.op("Add", r.op("Mul", x, r.like(1 / 6, x)), r.like(0.5, x))
    y = r.op("Minimum", r.op("Maximum", y, r.like(0, x)), r.like(1, x))
    return r.op("Mul", x, y)


def _gelu(r: Any, node: Any, x: Any) -> Any:
    if node.get("approximate", "none") == "tanh":
        cube = r.op("Mul", r.like(0.044715, x), r.op("Mul", x, r.op("Mul", x, x)))
        inner = r.op("Mul", r.like(np.sqrt(2 / np.pi), x), r.op("Add", x, cube))
        bell = r.op("Tanh", inner)
    else:
        bell = r.op("Erf", r.op("Mul", x, r.like(np.sqrt(0.5), x)))
    half = r.op("Mul", x, r.like(0.5, x))
    return r.op("Mul", half, r.op("Add", bell, r.like(1, x)))


def _mish(r: Any, node: Any, x: Any) -> Any:
    return r.op("Mul", x, r.op("Tanh", r.op("Softplus", x)))


def _swish(r: Any, node: Any, x: Any) -> Any:
    scaled = r.op("Mul", x, r.like(node.get("alpha", 1.0), x))
    return r.op("Mul", x, r.op("Sigmoid", scaled))


def _thresholded(r: Any, node: Any, x: Any) -> Any:
    above = r.op("Greater", x, r.like(node.get("alpha", 1.0), x))
    return r.op("Select", above, x, r.op("ZerosLike", x))


def _clip(r: Any, node: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    low, high = (
        r.like(node.get(k), x) if v is None and node.get(k) is not None else v
        for k, v in (("min", low), ("max", high))
    )
    if low is not None:
        x = r.op("Maximum", x, low)
    return x if high is None else r.op("Minimum", x, high)


def _shift(r: Any, node: Any, x: Any, y: Any) -> Any:
    kind = "LeftShift" if node.get("direction") == "LEFT" else "RightShift"
    return r.op(kind, x, y)


def _is_inf(r: Any, node: Any, x: Any) -> Any:
    found = r.op("IsInf", x)
    for flag, side in (("detect_positive", "Less"), ("detect_negative", "Greater")):
        if not node.get(flag, 1):
            found = r.op("LogicalAnd", found, r.op(side, x, r.like(0, x)))
    return found


READERS = {
    **{theirs: _plain(ours) for theirs, ours in _ONE_TO_ONE.items()},
    **dict.fromkeys(("Identity", "Dropout"), _same),
    "Sum": _folded("Add"), "Max": _folded("Maximum"), "Min": _folded("Minimum"),
    "Mean": _mean, "Div": _div, "Mod": _mod, "Pow": _pow, "Cast": _cast,
    "CastLike": _cast_like, "Where": _where, "Elu": _elu, "Selu": _selu,
    "Celu": _celu, "LeakyRelu": _leaky, "PRelu": _prelu, "HardSigmoid": _hard_sigmoid,
    "HardSwish": _hard_swish, "Gelu": _gelu, "Mish": _mish, "Swish": _swish,
    "ThresholdedRelu": _thresholded, "Clip": _clip, "BitShift": _shift,
    "IsInf": _is_inf,
}  # fmt: skip
