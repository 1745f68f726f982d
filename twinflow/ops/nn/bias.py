"""One number per channel, added; and the dense layers made of it."""

import functools
from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.dispatch import apply, current_mode, new
from twinflow.base.op import bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.pieces import in_pieces
from twinflow.base.reductions import LARGE, add_reduce
from twinflow.base.tape_record import record_binary
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.ops.core.broadcast import broadcast_to
from twinflow.ops.core.infer import at_least, one_of, ranked, same_dim
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.window import FORMATS

_plus = in_pieces(np.add, 2)
_FLAT = "Input tensor must be at least 2D: {}"


def _bias_axis(data_format):
    return 1 if data_format == "NCHW" else -1


def _infer_bias(value, bias, data_format):
    one_of("BiasAdd", "data_format", data_format, FORMATS)
    b = ranked(bias._shape, 1, "Biases must be 1D: {}")
    if data_format == "NCHW":
        where, low, message = "channel", 3, "NCHW format supports only 4D input tensor."
    else:
        where, low, message = "last", 2, _FLAT
    s = at_least(value._shape, low, message)
    if s is not None:
        wrong = f"Must provide as many biases as the {where} dimension of the input"
        axis = _bias_axis(data_format)
        same_dim(s[axis], b[0], f"{wrong} tensor: {{}} vs. {{}}", b, s)
    return s


@bind_first
def _bias_kernel(xp, value, bias, data_format):
    if data_format == "NCHW":
        bias = bias.reshape((-1,) + (1,) * (value.ndim - 2))
    return xp.add(value, bias)


def _bias_grad_kernel(xp):
    def kernel(dy, data_format):
        if data_format == "NCHW":
            axes = (0, *range(2, dy.ndim))
        else:
            axes = tuple(range(dy.ndim - 1))
        return xp.sum(dy, axes, dtype=dy.dtype)

    def eager(dy, data_format):
        if data_format == "NCHW":
            return add_reduce(dy, (0, *range(2, dy.ndim)), dy.dtype)
        if dy.size >= LARGE:
            return add_reduce(dy.reshape(-1, dy.shape[-1]), 0, dy.dtype)
        if dy.ndim > 2 and dy.size:  # long rows first: half the time for 16x8x8x8
            dy, c = dy.reshape(dy.shape[0], -1), dy.shape[-1]
            dy = add_reduce(dy, 0, dy.dtype).reshape(-1, c)
        return add_reduce(dy, tuple(range(dy.ndim - 1)), dy.dtype)

    return eager if xp is np else kernel


def _infer_bias_grad(out_backprop, data_format):
    one_of("BiasAddGrad", "data_format", data_format, FORMATS)
    s = at_least(out_backprop._shape, 2, _FLAT)
    return (None,) if s is None else (s[_bias_axis(data_format)],)


BiasAdd = define(
    "BiasAdd",
    infer=_infer_bias,
    kernel=_bias_kernel,
    grad=[
        lambda dy: dy,
        lambda dy, data_format: _summed(dy, data_format),
    ],
)

BiasAdd.np.bound = lambda data_format: (
    functools.partial(BiasAdd.np, data_format=data_format)
    if data_format == "NCHW"
    else _plus
)


def _summed(dy, data_format):
    """The sum over all but the channels."""
    if (
        type(dy) is dispatch.EagerTensor
        and dispatch.observers is None
        and data_format == "NHWC"
        and dy._a.ndim == 2
    ):
        return dispatch.wrap(add_reduce(dy._a, 0, dy._a.dtype), dy.dtype)
    return apply(BiasAddGrad, (dy,), {"data_format": data_format})


BiasAddGrad = define(
    "BiasAddGrad",
    infer=_infer_bias_grad,
    kernel=_bias_grad_kernel,
    grad=[
        lambda dy, shape_out_backprop, data_format: _repeated(
            dy, shape_out_backprop, data_format
        )
    ],
)


def _bound_bias_grad(data_format):
    kernel = functools.partial(BiasAddGrad.np, data_format=data_format)
    if data_format == "NCHW":
        return kernel
    return lambda dy: add_reduce(dy, 0, dy.dtype) if dy.ndim == 2 else kernel(dy)


BiasAddGrad.np.bound = _bound_bias_grad


def _infer_bias_v1(value, bias):
    return _infer_bias(value, bias, "NHWC")


BiasAddV1 = define(
    "BiasAddV1",
    infer=_infer_bias_v1,
    kernel=lambda xp: xp.add,
    grad=[
        lambda dy: dy,
        lambda dy: apply(BiasAddGrad, (dy,), {"data_format": "NHWC"}),
    ],
)


def _repeated(dy, shape, data_format):
    """A vector of channels in the shape that BiasAddGrad summed up."""
    if data_format == "NCHW":
        spatial = len(shape) - 2 if type(shape) is tuple else 2
        dy = reshape(dy, (-1,) + (1,) * spatial)
    return broadcast_to(dy, shape)


def _added(x, b):
    """x + b, in longer rows where there are few channels (11 us, not 22)."""
    if x.ndim != 4 or b.size >= 64 or not x.size:
        return x + b if x.size < LARGE else _plus(x, b)
    n, h, w, c = x.shape
    row = np.concatenate([b] * w)
    return _added(x.reshape(n * h, w * c), row).reshape(x.shape)


def bias_add(
    value: TensorValue, bias: Any, data_format: str | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """value + bias, one number per channel.

    Args:
        value: number[batch, ..., channels] (NCHW: channels second).
        bias: number[channels]. data_format: "NHWC" (the default) or "NCHW".
        name: the name of the call.
    Returns:
        a tensor like `value`
    Raises:
        tf.errors.InvalidArgumentError: the shapes do not fit.
    Example:
        tf.nn.bias_add([[1., 2.]], [10., 20.])  # [[11., 22.]]
    """
    if isinstance(bias, ResourceHandle) and dispatch.current_mode().eager:
        bias = bias._as_tensor()
    if type(value) is type(bias) is dispatch.EagerTensor and data_format != "NCHW":
        x, b = value._a, bias._a
        if (
            value.dtype is bias.dtype
            and b.ndim == 1
            and x.ndim > 1
            and x.shape[-1] == b.size
            and value.dtype.is_number
            and data_format in (None, "NHWC")
        ):
            observers = dispatch.observers
            tapes = () if observers is None else observers.tapes
            if tapes is not None:
                t = new(dispatch.EagerTensor)
                t._a = x + b if x.ndim == 2 and x.size < LARGE else _added(x, b)
                t.dtype = value.dtype
                t._id = 0
                if tapes:
                    record_binary(BiasAdd, tapes, value, bias, t, BiasAdd.sig.attrs)
                return t
    attrs = {"data_format": data_format or "NHWC"}
    return apply(BiasAdd, (value, bias), attrs, name or "BiasAdd")


def xw_plus_b(
    x: TensorValue, weights: TensorValue, biases: Any, name: str | None = None
) -> Tensor:
    """x @ weights + biases.

    Args:
        x: float[batch, inputs]. weights: float[inputs, units]. biases: float[units].
        name: the name of the call.
    Returns:
        float[batch, units]
    Example:
        tf.nn.xw_plus_b([[1., 2.]], [[1.], [1.]], [0.5])  # [[3.5]]
    """
    with current_mode().name_scope(name or "xw_plus_b") as scope:
        return bias_add(matmul(x, weights), biases, name=scope)


def relu_layer(
    x: TensorValue, weights: TensorValue, biases: Any, name: str | None = None
) -> Tensor:
    """relu(x @ weights + biases).

    Args:
        x: float[batch, inputs]. weights: float[inputs, units]. biases: float[units].
        name: the name of the call.
    Returns:
        float[batch, units]
    Example:
        tf.nn.relu_layer([[1., 2.]], [[1.], [-1.]], [0.5])  # [[0.]]
    """
    with current_mode().name_scope(name or "relu_layer") as scope:
        return relu(bias_add(matmul(x, weights), biases), scope)
