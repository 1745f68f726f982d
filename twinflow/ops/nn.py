"""What layers are made of: biases, dropout, the largest entries, embeddings."""

import numpy as np

from twinflow.base import dispatch, factory
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply, current_mode, new
from twinflow.base.op import FLOAT, NUMBER, InferError, define
from twinflow.base.record import record
from twinflow.ops.constant import convert_to_tensor
from twinflow.ops.elementwise import add, multiply
from twinflow.ops.infer import text
from twinflow.ops.linalg import matmul
from twinflow.ops.nn_activation import relu
from twinflow.ops.nn_window import FORMATS, one_of


def _bias_axis(data_format):
    return 1 if data_format == "NCHW" else -1


def _infer_bias(value, bias, data_format):
    one_of("BiasAdd", "data_format", data_format, FORMATS)
    s, b = value._shape, bias._shape
    nchw = data_format == "NCHW"
    if b is not None and len(b) != 1:
        raise InferError(
            f"Biases must be 1D: {text(b)}",
            f"Shape must be rank 1 but is rank {len(b)}",
        )
    low = 3 if nchw else 2
    if s is not None and len(s) < low:
        raise InferError(
            "NCHW format supports only 4D input tensor."
            if nchw
            else f"Input tensor must be at least 2D: {text(s)}",
            f"Shape must be at least rank {low} but is rank {len(s)}",
        )
    _check_bias(s, b, _bias_axis(data_format))
    return s


def _check_bias(s, b, axis):
    if s is None or b is None or None in (s[axis], b[0]) or s[axis] == b[0]:
        return
    where = "channel" if axis == 1 else "last"
    raise InferError(
        f"Must provide as many biases as the {where} dimension of the input tensor: "
        f"{text(b)} vs. {text(s)}",
        f"Dimensions must be equal, but are {s[axis]} and {b[0]}",
    )


def _bias_kernel(xp):
    def kernel(value, bias, data_format):
        if data_format == "NCHW":
            bias = bias.reshape((-1,) + (1,) * (value.ndim - 2))
        return xp.add(value, bias)

    return kernel


def _bias_grad_kernel(xp):
    def kernel(dy, data_format):
        if data_format == "NCHW":
            axes = (0, *range(2, dy.ndim))
        else:
            axes = tuple(range(dy.ndim - 1))
        return xp.sum(dy, axes, dtype=dy.dtype)

    def eager(dy, data_format):
        if data_format == "NCHW":
            return np.add.reduce(dy, (0, *range(2, dy.ndim)), dy.dtype)
        return np.add.reduce(dy.reshape(-1, dy.shape[-1]), 0, dy.dtype)

    return eager if xp is np else kernel


def _infer_bias_grad(out_backprop, data_format):
    s = out_backprop._shape
    return (None,) if s is None else (s[_bias_axis(data_format)],)


BiasAdd = define(
    "BiasAdd(value: T, bias: T) -> (output: T); data_format='NHWC'",
    infer=_infer_bias,
    kernel=_bias_kernel,
    types=NUMBER,
    grad=[
        lambda dy: dy,
        lambda dy, data_format: apply(BiasAddGrad, (dy,), {"data_format": data_format}),
    ],
)

BiasAddGrad = define(
    "BiasAddGrad(out_backprop: T) -> (output: T); data_format='NHWC'",
    infer=_infer_bias_grad,
    kernel=_bias_grad_kernel,
    types=NUMBER,
    grad=[
        lambda dy, shape_out_backprop, data_format: _repeated(
            dy, shape_out_backprop, data_format
        )
    ],
)
