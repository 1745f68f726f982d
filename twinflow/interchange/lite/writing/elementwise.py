"""Ops that work element by element."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.interchange.lite.model import Value, type_number

_ONE_TO_ONE = {
    "Abs": "ABS", "Add": "ADD", "AddV2": "ADD", "Ceil": "CEIL", "Cos": "COS",
    "Div": "DIV", "Elu": "ELU", "Equal": "EQUAL", "Exp": "EXP", "Floor": "FLOOR",
    "FloorDiv": "FLOOR_DIV", "FloorMod": "FLOOR_MOD", "Greater": "GREATER",
    "GreaterEqual": "GREATER_EQUAL", "Less": "LESS", "LessEqual": "LESS_EQUAL",
    "Log": "LOG", "LogSoftmax": "LOG_SOFTMAX", "LogicalAnd": "LOGICAL_AND",
    "LogicalNot": "LOGICAL_NOT", "LogicalOr": "LOGICAL_OR", "Maximum": "MAXIMUM",
    "Minimum": "MINIMUM", "Mul": "MUL", "Neg": "NEG", "NotEqual": "NOT_EQUAL",
    "Pow": "POW", "RealDiv": "DIV", "Relu": "RELU", "Relu6": "RELU6", "Rint": "ROUND",
    "Round": "ROUND", "Rsqrt": "RSQRT", "Sigmoid": "LOGISTIC", "Sin": "SIN",
    "Sqrt": "SQRT", "Square": "SQUARE", "SquaredDifference": "SQUARED_DIFFERENCE",
    "Sub": "SUB", "Tanh": "TANH",
}  # fmt: skip
_FLOATS = frozenset((  # whole numbers have to go through floats for these
    "ABS", "SQUARE", "CEIL", "FLOOR", "NEG", "RSQRT", "SQRT",
))  # fmt: skip
_SELU = 1.0507009873554805, 1.7580993408473766  # its scale, and alpha * scale
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_STEP = 0.3275911  # Abramowitz and Stegun 7.1.26: off by 1.5e-7 at most


def number(w: Any, v: Value, value: float) -> Value:
    """A constant scalar of the dtype of a value."""
    return w.constant(np.asarray(value, v.dtype))


def _plain(kind: str) -> Callable:
    def write(w: Any, node: Any) -> Value:
        return w.last(kind, *w.values(node.inputs))

    return write


def _same(w: Any, node: Any) -> Value:
    return w.value(node.inputs[0])


def _all(w: Any, node: Any) -> list[Value]:
    return w.values(node.inputs)


def _results(w: Any, node: Any) -> list[Value]:
    """What a function with a gradient of its own gives."""
    return w.values(list(node.inputs)[: node.attrs["results"]])


def cast(w: Any, v: Value, dtype: Any) -> Value:
    """A value in another dtype."""
    dtype = np.dtype(dtype)
    if v.dtype == dtype:
        return v
    numbers = {
        "in_data_type": type_number(v.dtype), "out_data_type": type_number(dtype)
    }  # fmt: skip
    return w.op("CAST", v, dtype=dtype, **numbers)


def _cast(w: Any, node: Any) -> Value:
    return cast(w, w.value(node.inputs[0]), node.outputs[0].dtype.np)


def _softmax(w: Any, node: Any) -> Value:
    return w.last("SOFTMAX", w.value(node.inputs[0]), beta=1.0)


def _leaky(w: Any, node: Any) -> Value:
    return w.last("LEAKY_RELU", w.value(node.inputs[0]), alpha=node.attrs["alpha"])


def _formula(formula: Callable) -> Callable:
    """A writer of `formula(op, number, *inputs)`."""

    def write(w: Any, node: Any) -> Value:
        given = w.values(node.inputs)
        return formula(w.op, lambda n: number(w, given[0], n), *given)

    return write


def _softplus(op: Any, n: Any, x: Value) -> Value:
    """max(x, 0) + log(1 + exp(-|x|))"""
    small = op("EXP", op("MINIMUM", x, op("NEG", x)))
    return op("ADD", op("RELU", x), op("LOG", op("ADD", small, n(1))))


def _selu(op: Any, n: Any, x: Value) -> Value:
    scale, below = _SELU
    left = op("SUB", op("EXP", op("MINIMUM", x, n(0))), n(1))
    return op("ADD", op("MUL", op("RELU", x), n(scale)), op("MUL", left, n(below)))


def _absolute(op: Any, x: Value) -> Value:
    return op("MAXIMUM", x, op("NEG", x))


def _softsign(op: Any, n: Any, x: Value) -> Value:
    return op("DIV", x, op("ADD", _absolute(op, x), n(1)))


def _hyperbolic(kind: str) -> Callable:
    def formula(op: Any, n: Any, x: Value) -> Value:
        both = op(kind, op("EXP", x), op("EXP", op("NEG", x)))
        return op("MUL", both, n(0.5))

    return formula


def _sign(op: Any, n: Any, x: Value) -> Value:
    """x / max(|x|, tiny), where tiny is the smallest number that divides."""
    least = 1 if x.dtype.kind == "i" else np.finfo(np.float32).tiny
    return op("DIV", x, op("MAXIMUM", _absolute(op, x), n(least)))


def _erf(op: Any, n: Any, x: Value) -> Value:
    """sign(x) * (1 - (a1 t + ... + a5 t^5) * exp(-x * x)), t = 1 / (1 + p |x|)"""
    size = _absolute(op, x)
    t = op("DIV", n(1), op("ADD", op("MUL", size, n(_ERF_STEP)), n(1)))
    total = op("MUL", t, n(_ERF[-1]))
    for a in _ERF[-2::-1]:
        total = op("MUL", op("ADD", total, n(a)), t)
    bell = op("EXP", op("NEG", op("MUL", x, x)))
    return op("MUL", _sign(op, n, x), op("SUB", n(1), op("MUL", total, bell)))


def _total(op: Any, n: Any, *values: Value) -> Value:
    total = values[0]
    for v in values[1:]:
        total = op("ADD", total, v)
    return total


def _is_finite(op: Any, n: Any, x: Value) -> Value:
    """x - x is zero where x is finite, and otherwise no number."""
    return op("EQUAL", op("SUB", x, x), n(0), dtype=bool)


def _div_no_nan(op: Any, n: Any, x: Value, y: Value) -> Value:
    none = op("EQUAL", y, n(0), dtype=bool)
    found = op("DIV", x, op("SELECT_V2", none, n(1), y, dtype=x.dtype))
    return op("SELECT_V2", none, n(0), found, dtype=x.dtype)


def _xlogy(op: Any, n: Any, x: Value, y: Value) -> Value:
    none = op("EQUAL", x, n(0), dtype=bool)
    safe = op("SELECT_V2", none, n(1), y, dtype=x.dtype)
    return op("MUL", x, op("LOG", safe))


def _select(w: Any, node: Any) -> Value:
    given = w.values(node.inputs)
    own, wide = given[0].shape, given[1].shape
    if own == wide:
        return w.last("SELECT", *given)
    if len(own) == 1 < len(wide):
        given[0] = w.reshape(given[0], own + (1,) * (len(wide) - 1))
    return w.last("SELECT_V2", *given)


def _fake_quant(w: Any, node: Any) -> Value:
    """Whole numbers of some bits; what is constant keeps its range for the model."""
    x, *ends = node.inputs
    v = w.value(x)
    low, high = (
        float(w.needed(t, "its range")) for t in ends
    ) if ends else (node.attrs["min"], node.attrs["max"])  # fmt: skip
    options = {
        "min": low, "max": high, "num_bits": node.attrs["num_bits"],
        "narrow_range": node.attrs["narrow_range"],
    }  # fmt: skip
    if v.array is None:
        return w.last("FAKE_QUANT", v, **options)
    given = [v.array, *(w.known(t) for t in ends)]
    found = w.derived(v, np.asarray(node.opdef.np(*given, **node.attrs)), "quantized")
    found.range, found.least = (low, high), int(node.attrs["narrow_range"])
    return found


def _whole(kind: str) -> Callable:
    """What has a kernel for floats alone."""

    def write(w: Any, node: Any) -> Value:
        v = w.value(node.inputs[0])
        if v.dtype.kind == "f":
            return w.last(kind, v)
        return cast(w, w.op(kind, cast(w, v, np.float32)), v.dtype)

    return write


_FORMULAS: dict[str, Callable] = {
    "AddN": _total, "Cosh": _hyperbolic("ADD"), "DivNoNan": _div_no_nan, "Erf": _erf,
    "Erfc": lambda op, n, x: op("SUB", n(1), _erf(op, n, x)),
    "Expm1": lambda op, n, x: op("SUB", op("EXP", x), n(1)),
    "Inv": lambda op, n, x: op("DIV", n(1), x), "IsFinite": _is_finite,
    "IsNan": lambda op, n, x: op("NOT_EQUAL", x, x, dtype=bool),
    "Log1p": lambda op, n, x: op("LOG", op("ADD", x, n(1))),
    "Reciprocal": lambda op, n, x: op("DIV", n(1), x), "Selu": _selu, "Sign": _sign,
    "Sinh": _hyperbolic("SUB"), "Softplus": _softplus, "Softsign": _softsign,
    "Tan": lambda op, n, x: op("DIV", op("SIN", x), op("COS", x)),
    "Xlogy": _xlogy, "LogicalXor": lambda op, n, x, y: op("NOT_EQUAL", x, y),
}  # fmt: skip
WRITERS = {
    **{ours: _plain(theirs) for ours, theirs in _ONE_TO_ONE.items()},
    **{ours: _whole(theirs) for ours, theirs in _ONE_TO_ONE.items()
       if theirs in _FLOATS},
    **{ours: _formula(formula) for ours, formula in _FORMULAS.items()},
    "Cast": _cast, "FakeQuantWithMinMaxArgs": _fake_quant,
    "FakeQuantWithMinMaxVars": _fake_quant, "Identity": _same, "IdentityN": _all,
    "LeakyRelu": _leaky, "Select": _select, "Softmax": _softmax,
    "TwinCustomGradient": _results,
}  # fmt: skip
