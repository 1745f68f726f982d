"""Ops on quantised tensors: small integers, and the range that they stand for.

They run on the host, as in TensorFlow; see quantized_numbers for the arithmetic.
"""

import collections
import math
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.products import PRODUCTS
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import ints, unchanged
from twinflow.ops.core.joining import ConcatV2
from twinflow.ops.core.product import MatMul
from twinflow.ops.core.shape import Reshape
from twinflow.ops.nn.conv import Conv2D
from twinflow.ops.nn.pool import AvgPool, MaxPool
from twinflow.ops.nn.quantized_numbers import (
    bounds_of,
    dequantized,
    from_floats,
    number,
    plain,
    quantized,
    range_of_product,
    requantized,
    storage,
    to_floats,
    wrapped,
)

_TYPES = (
    dtypes.qint8, dtypes.quint8, dtypes.qint32, dtypes.qint16, dtypes.quint16,
)  # fmt: skip


def _define(kind, infer, host, names="", **facts):
    types = dict.fromkeys(names.split(), _TYPES)
    return define(kind, infer=infer, host=host, types=types, **facts)


def _with_range(rule):
    """The shapes of a tensor and of its range."""
    return lambda *args, **attrs: [rule(*args, **attrs), (), ()]


def define_quantized(kind, infer, host, names, **facts):
    """An op that gives a tensor and its range.

    Args:
        kind: its type. infer: the shape rule of the tensor. host: the kernel.
        names: the type attributes that are quantised dtypes, in one text.
    """
    return _define(kind, _with_range(infer), host, names, **facts)


def _float32s(*values):
    return [np.float32(number(v)) for v in values]


# ---------------------------------------------------------------------- to and fro
def _quantize(input, min_range, max_range, T, mode, round_mode):
    if round_mode == "HALF_TO_EVEN" and mode != "SCALED":
        raise invalid(
            f"Round mode '{round_mode}' only supported for mode 'SCALED', but mode is "
            f"'{mode}'."
        )
    low, high = number(min_range), number(max_range)
    return quantized(input, low, high, T, mode, round_mode)


def _dequantize(input, min_range, max_range, mode):
    return dequantized(input, number(min_range), number(max_range), mode)


QuantizeV2 = _define("QuantizeV2", _with_range(unchanged), _quantize, "T")
Dequantize = _define("Dequantize", unchanged, _dequantize, "T")


def _requantized(q, low, high, new_low, new_high, out_type):
    ends = number(low), number(high)
    found = requantized(q, *ends, storage(out_type), new_low, new_high)
    return [found, new_low, new_high]


def _requantize(input, input_min, input_max, new_min, new_max, out_type):
    new = number(new_min), number(new_max)
    return _requantized(input, input_min, input_max, *new, out_type)


def _used(input, input_min, input_max):
    """The range of the numbers that are there; it has 0 in it."""
    q = plain(input)
    ends = np.array([q.min(), q.max()]) if q.size else np.zeros(2, q.dtype)
    low, high = to_floats(ends, q.dtype, number(input_min), number(input_max))
    return min(np.float32(0), low), max(np.float32(0), high)


def _range(input, input_min, input_max):
    return list(_used(input, input_min, input_max))


def _shrunk(input, input_min, input_max, out_type):
    used = _used(input, input_min, input_max)
    return _requantized(input, input_min, input_max, *used, out_type)


Requantize = _define(
    "Requantize", _with_range(unchanged), _requantize, "Tinput out_type"
)
RequantizationRange = _define(
    "RequantizationRange", lambda *_, **__: [(), ()], _range, "Tinput"
)
QuantizeDownAndShrinkRange = _define(
    "QuantizeDownAndShrinkRange", _with_range(unchanged), _shrunk, "Tinput out_type"
)


# ---------------------------------------------------------------------- products
_EXACT = 1 << 24  # float32 holds all whole numbers up to it


def _zero(kind, low, high):
    """The integer of a type that stands for 0."""
    return float(from_floats(0.0, kind, low, high))


def shifted(q, low, high, wide=np.float64):
    """The integers less the one that stands for 0, and their type."""
    q, low, high = plain(q), number(low), number(high)
    return q.astype(wide) - wide(_zero(q.dtype, low, high)), (q.dtype, low, high)


def _reach(q, low, high):
    """How large the shifted integers are at most."""
    kind = plain(q).dtype
    zero = _zero(kind, number(low), number(high))
    return max(abs(end - zero) for end in bounds_of(kind))


def _product(a, a_min, a_max, b, b_min, b_max, out_type, depth, multiply):
    """`depth` products are added for each number, in the narrowest exact type."""
    most = _reach(a, a_min, a_max) * _reach(b, b_min, b_max) * depth
    exact = np.float32 if most < _EXACT else np.float64
    a, a_range = shifted(a, a_min, a_max, exact)
    b, b_range = shifted(b, b_min, b_max, exact)
    kind = storage(out_type)
    ends = range_of_product(*a_range, *b_range, kind)
    return [wrapped(multiply(a, b), kind), *ends]


def _conv2d(
    input, filter, min_input, max_input, min_filter, max_filter, out_type, strides,
    padding, dilations,
):  # fmt: skip
    attrs = _conv_attrs(strides, padding, dilations)
    ranges = input, min_input, max_input, filter, min_filter, max_filter
    depth = math.prod(filter.shape[:-1])
    return _product(*ranges, out_type, depth, lambda x, f: Conv2D.np(x, f, **attrs))


def _conv_attrs(strides, padding, dilations):
    return {
        **Conv2D.sig.attrs, "strides": tuple(strides), "padding": padding,
        "dilations": tuple(dilations),
    }  # fmt: skip


def _infer_conv2d(input, filter, *_, strides, padding, dilations, **__):
    return Conv2D.infer(input, filter, **_conv_attrs(strides, padding, dilations))


def _matmul(
    a, b, min_a, max_a, min_b, max_b, transpose_a, transpose_b, Toutput, **_
):  # fmt: skip
    multiplied = PRODUCTS[bool(transpose_a), bool(transpose_b)]
    depth = a.shape[0 if transpose_a else 1]
    return _product(a, min_a, max_a, b, min_b, max_b, Toutput, depth, multiplied)


def _infer_matmul(a, b, *_, transpose_a, transpose_b, **__):
    return MatMul.infer(a, b, transpose_a=transpose_a, transpose_b=transpose_b)


QuantizedConv2D = _define(
    "QuantizedConv2D", _with_range(_infer_conv2d), _conv2d, "Tinput Tfilter out_type"
)
QuantizedMatMul = _define(
    "QuantizedMatMul",
    _with_range(_infer_matmul),
    _matmul,
    "T1 T2 Toutput Tactivation",
)


# ---------------------------------------------------------------------- activations
def _relu(features, low, high, out_type, limit=None):
    q, low, high = plain(features), number(low), number(high)
    ends = [0.0] if limit is None else [0.0, limit]
    cuts = [float(from_floats(e, q.dtype, low, high)) for e in ends]
    cut = np.maximum(q.astype(np.float64), cuts[0])
    if limit is not None:
        cut = np.minimum(cut, cuts[1])
    return [wrapped(cut, storage(out_type)), np.float32(low), np.float32(high)]


def _relu_x(features, max_value, low, high, out_type):
    return _relu(features, low, high, out_type, number(max_value))


def _relu6(features, low, high, out_type):
    return _relu(features, low, high, out_type, 6.0)


_ACTIVATION = "Tinput out_type"
QuantizedRelu = _define("QuantizedRelu", _with_range(unchanged), _relu, _ACTIVATION)
QuantizedRelu6 = _define("QuantizedRelu6", _with_range(unchanged), _relu6, _ACTIVATION)
QuantizedReluX = _define("QuantizedReluX", _with_range(unchanged), _relu_x, _ACTIVATION)


# ---------------------------------------------------------------------- windows
def _pooled(op):
    def attrs_of(ksize, strides, padding):
        more = {"ksize": tuple(ksize), "strides": tuple(strides), "padding": padding}
        return {**op.sig.attrs, **more}

    def kernel(input, min_input, max_input, ksize, strides, padding):
        q = plain(input)
        found = op.np(q.astype(np.float64), **attrs_of(ksize, strides, padding))
        return [wrapped(np.trunc(found), q.dtype), *_float32s(min_input, max_input)]

    def infer(input, *_, ksize, strides, padding):
        return op.infer(input, **attrs_of(ksize, strides, padding))

    return _with_range(infer), kernel


QuantizedAvgPool = _define("QuantizedAvgPool", *_pooled(AvgPool), "T")
QuantizedMaxPool = _define("QuantizedMaxPool", *_pooled(MaxPool), "T")


# ---------------------------------------------------------------------- shapes
def _reshaped(tensor, shape, input_min, input_max):
    return [plain(tensor).reshape(ints(shape)), *_float32s(input_min, input_max)]


QuantizedReshape = _define(
    "QuantizedReshape",
    _with_range(lambda tensor, shape, *_, **__: Reshape.infer(tensor, shape)),
    _reshaped,
    "T",
    on_host="shape",
)


def _concat(concat_dim, values, input_mins, input_maxes):
    low = min(np.float32(0), *map(number, input_mins))
    high = max(map(number, input_maxes))
    kind = plain(values[0]).dtype
    parts = [
        plain(q)
        if (ends := (number(a), number(b))) == (low, high)
        else requantized(q, *ends, kind, low, high)
        for q, a, b in zip(values, input_mins, input_maxes, strict=True)
    ]
    joined = np.concatenate(parts, int(concat_dim))
    return [joined, low, high]


QuantizedConcat = _define(
    "QuantizedConcat",
    _with_range(lambda axis, values, *_, **__: ConcatV2.infer(values, axis)),
    _concat,
    "T",
    on_host="concat_dim",
)


# ---------------------------------------------------------------------- public
def _named(op, inputs, attrs, name):
    kind = collections.namedtuple(op.type, [a.name for a in op.sig.outputs])
    return kind(*apply(op, inputs, attrs, name))


def quantize_v2(
    input: TensorValue, min_range: TensorValue, max_range: TensorValue, T: Any,
    mode: str = "MIN_COMBINED", name: str | None = None,
    round_mode: str = "HALF_AWAY_FROM_ZERO",
) -> Any:  # fmt: skip
    """Floats as small integers that stand for a range.

    Args:
        input: float32 tensor. min_range, max_range: float32[], the range.
        T: tf.qint8, quint8, qint16, quint16 or qint32.
        mode: "MIN_COMBINED", "MIN_FIRST" or "SCALED" (no offset: 0 stays 0).
        name: the name of the node in a graph.
        round_mode: "HALF_AWAY_FROM_ZERO" or "HALF_TO_EVEN" (with SCALED).
    Returns:
        A tuple (output, output_min, output_max): the integers, and the range that was
        taken, which has 0 in it.
    Raises:
        InvalidArgumentError: the range is none.
    Example:
        q = tf.quantize_v2([0., 5., 10.], 0., 10., tf.quint8)
        tf.dequantize(q.output, q.output_min, q.output_max)  # [0., 5.0196, 10.]
    """
    attrs = {"T": dtypes.as_dtype(T), "mode": mode, "round_mode": round_mode}
    return _named(QuantizeV2, (input, min_range, max_range), attrs, name)


def quantize(
    input: TensorValue, min_range: TensorValue, max_range: TensorValue, T: Any,
    mode: str = "MIN_COMBINED", round_mode: str = "HALF_AWAY_FROM_ZERO",
    name: str | None = None,
) -> Any:  # fmt: skip
    """As tf.quantize_v2, with the arguments in another order."""
    return quantize_v2(input, min_range, max_range, T, mode, name, round_mode)


def dequantize(
    input: TensorValue, min_range: TensorValue, max_range: TensorValue,
    mode: str = "MIN_COMBINED", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The floats that the integers of a quantised tensor stand for.

    Args:
        input: a tensor of a quantised dtype. Others: see tf.quantize_v2.
    Returns:
        float32, of the shape of `input`.
    """
    inputs = (input, min_range, max_range)
    return apply(Dequantize, inputs, {"mode": mode}, name)


def quantized_concat(
    concat_dim: TensorValue, values: Any, input_mins: Any, input_maxes: Any,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Quantised tensors along an axis, in the one range that has theirs.

    Args:
        concat_dim: int32[]. values: tensors of one quantised dtype.
        input_mins, input_maxes: float32[] each. name: of the node in a graph.
    Returns:
        A tuple (output, output_min, output_max).
    """
    inputs = (concat_dim, list(values), list(input_mins), list(input_maxes))
    return _named(QuantizedConcat, inputs, None, name)


def quantized_conv2d(
    input: TensorValue, filter: TensorValue, min_input: TensorValue,
    max_input: TensorValue, min_filter: TensorValue, max_filter: TensorValue,
    strides: Any, padding: str, out_type: Any = dtypes.qint32,
    dilations: Any = (1, 1, 1, 1), name: str | None = None,
) -> Any:  # fmt: skip
    """The convolution of quantised images with quantised filters.

    Args:
        input: quantised [batch, height, width, in]. filter: [height, width, in, out].
        min_input, max_input, min_filter, max_filter: float32[], their ranges.
        strides, padding, dilations: see tf.nn.conv2d. out_type: tf.qint32.
        name: the name of the node in a graph.
    Returns:
        A tuple (output, min_output, max_output).
    """
    inputs = (input, filter, min_input, max_input, min_filter, max_filter)
    attrs = {
        "strides": tuple(strides), "padding": padding, "dilations": tuple(dilations),
        "out_type": dtypes.as_dtype(out_type),
    }  # fmt: skip
    return _named(QuantizedConv2D, inputs, attrs, name)


def quantized_relu_x(
    features: TensorValue, max_value: TensorValue, min_features: TensorValue,
    max_features: TensorValue, out_type: Any = dtypes.quint8, name: str | None = None,
) -> Any:  # fmt: skip
    """min(max(features, 0), max_value) of a quantised tensor.

    Args:
        features: a quantised tensor. max_value: float32[].
        min_features, max_features: float32[], the range. out_type: the quantised dtype
            of the result. name: the name of the node in a graph.
    Returns:
        A tuple (activations, min_activations, max_activations).
    """
    inputs = (features, max_value, min_features, max_features)
    attrs = {"out_type": dtypes.as_dtype(out_type)}
    return _named(QuantizedReluX, inputs, attrs, name)


def quantized_avg_pool(
    input: TensorValue, min_input: TensorValue, max_input: TensorValue, ksize: Any,
    strides: Any, padding: str, name: str | None = None,
) -> Any:  # fmt: skip
    """The means of windows of quantised images.

    Args:
        input: quantised [batch, height, width, depth]. min_input, max_input: float32[].
        ksize, strides, padding: see tf.nn.avg_pool. name: of the node in a graph.
    Returns:
        A tuple (output, min_output, max_output).
    """
    return _window(QuantizedAvgPool, input, min_input, max_input, ksize, strides,
                   padding, name)  # fmt: skip


def quantized_max_pool(
    input: TensorValue, min_input: TensorValue, max_input: TensorValue, ksize: Any,
    strides: Any, padding: str, name: str | None = None,
) -> Any:  # fmt: skip
    """The largest numbers of windows of quantised images; see `quantized_avg_pool`."""
    return _window(QuantizedMaxPool, input, min_input, max_input, ksize, strides,
                   padding, name)  # fmt: skip


def _window(op, input, low, high, ksize, strides, padding, name):
    attrs = {"ksize": tuple(ksize), "strides": tuple(strides), "padding": padding}
    return _named(op, (input, low, high), attrs, name)
