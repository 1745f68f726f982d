"""Windows with holes, by dealing the grid points out to batches."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.space_batch import (
    batch_to_space_nd,
    required_space_to_batch_paddings,
    space_to_batch_nd,
)
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.division import floordiv
from twinflow.ops.core.elementwise import multiply, subtract
from twinflow.ops.core.infer import ints, static_value
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.shape import shape


def with_space_to_batch(
    input: TensorValue, dilation_rate: Any, padding: str, op: Callable[..., Any],
    filter_shape: Any = None, spatial_dims: Any = None, data_format: Any = None,
) -> Tensor:  # fmt: skip
    """`op` on the points of `input` that are `dilation_rate` apart.

    Windows of neighbours in each of the interleaved grids are windows with holes in the
    whole: batch_to_space_nd(op(space_to_batch_nd(input))). Where all rates are 1 it is
    op(input).

    Args:
        input: a tensor with the axes of `spatial_dims`.
        dilation_rate: int32[n], of known length.
        padding: "SAME" or "VALID".
        op: ``(tensor, n, padding) -> tensor``.
        filter_shape: the sizes of the windows, n ints or more; needed for "SAME".
        spatial_dims: increasing axes >= 1; 1 ... n by default, or 2 ... n + 1.
        data_format: "NC..." says that channels come second.
    Returns:
        what `op` gives, dealt back
    Raises:
        ValueError: the arguments do not fit.
    Example:
        def op(x, n, padding):
            return tf.nn.pool(x, [2], "MAX", padding)
        x = tf.ones([1, 6, 1])
        tf.nn.with_space_to_batch(x, [2], "VALID", op)  # 1., 1., 1., 1.
    """
    input = convert_to_tensor(input, name="input")
    rate = _known(dilation_rate)
    n = _length(rate)
    first = data_format is not None and data_format.startswith("NC")
    dims = _spatial_dims(spatial_dims, n, 2 if first else 1)
    if isinstance(rate, np.ndarray):
        if (rate < 1).any():
            raise ValueError("dilation_rate must be positive")
        if (rate == 1).all():
            return op(input, n, padding)
    base = _base_paddings(padding, filter_shape, rate, n)
    sizes = _sizes(input, dims)
    paddings, crops = _paddings(sizes, rate, base)
    rate = _placed(rate, 1, dims)
    dealt = space_to_batch_nd(input, rate, _placed(paddings, 0, dims))
    return batch_to_space_nd(op(dealt, n, "VALID"), rate, _placed(crops, 0, dims))


def _known(value):
    """`value` as an array, or as a tensor where it is not known."""
    if isinstance(value, list | tuple | np.ndarray | range):
        return np.array(value, np.int32)
    value = convert_to_tensor(value, dtypes.int32, name="dilation_rate")
    known = static_value(value)
    return value if known is None else np.asarray(known)


def _length(rate):
    s = rate.shape if isinstance(rate, np.ndarray) else rate._shape
    if s is not None and len(s) != 1:
        raise ValueError("rate must be rank 1")
    if s is None or s[0] is None:
        raise ValueError("rate must have known shape")
    return s[0]


def _spatial_dims(dims, n, start):
    dims = list(range(start, start + n) if dims is None else dims)
    if dims != sorted({int(d) for d in dims}) or any(d < 1 for d in dims):
        raise ValueError(
            "spatial_dims must be a montonically increasing sequence of positive "
            "integers"
        )
    return dims


def _base_paddings(padding, filter_shape, rate, n):
    """What the windows need before and after each axis: [n, 2]."""
    if padding == "VALID":
        return np.zeros([n, 2], np.int32)
    if padding != "SAME":
        raise ValueError(f"Invalid padding method {padding!r}")
    if filter_shape is None:
        raise ValueError("filter_shape must be specified for SAME padding")
    ks = _known(filter_shape)[:n]
    if isinstance(ks, np.ndarray) and isinstance(rate, np.ndarray):
        extra = (ks - 1) * rate
        return np.stack([extra // 2, extra - extra // 2], 1).astype(np.int32)
    extra = multiply(subtract(ks, 1), convert_to_tensor(rate))
    before = floordiv(extra, 2)
    return stack([before, subtract(extra, before)], 1)


def _sizes(input, dims):
    s = input._shape
    if s is not None and max(dims, default=-1) >= len(s):
        raise ValueError(
            f"input must have more than {max(dims)} axes, got {input.shape}"
        )
    if s is not None and all(s[d] is not None for d in dims):
        return np.array([s[d] for d in dims], np.int32)
    whole = shape(input)
    return stack([whole[d] for d in dims])


def _paddings(sizes, rate, base):
    """The paddings and crops, as arrays where they are known."""
    if not all(isinstance(v, np.ndarray) for v in (sizes, rate, base)):
        return required_space_to_batch_paddings(sizes, rate, base)
    more = -(sizes + base.sum(1)) % rate
    paddings = np.stack([base[:, 0], base[:, 1] + more], 1)
    return paddings, np.stack([np.zeros_like(more), more], 1)


def _placed(numbers, fill, dims):
    """`numbers` at the axes `dims` - 1, and `fill` at the others before the last."""
    if not isinstance(numbers, np.ndarray):
        known = static_value(numbers)
        numbers = numbers if known is None else np.asarray(known)
    missing = [d for d in range(1, dims[-1] + 1) if d not in dims]
    if not missing:
        return numbers
    if isinstance(numbers, np.ndarray):
        out = np.full((dims[-1], *numbers.shape[1:]), fill, numbers.dtype)
        out[np.array(dims) - 1] = numbers
        return out
    rows = (1, *ints(numbers._shape[1:]))
    blank = convert_to_tensor(np.full(rows, fill, np.int32))
    parts = [
        numbers[dims.index(d) : dims.index(d) + 1] if d in dims else blank
        for d in range(1, dims[-1] + 1)
    ]
    return concat(parts, 0)
