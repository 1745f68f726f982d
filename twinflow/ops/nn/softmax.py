"""Softmax and its logarithm along one axis.

The ops work on the last axis, as TensorFlow's do; another axis is moved there and back.
"""

import numpy as np

from twinflow.base import factory
from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import current_mode
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import exp, multiply, subtract
from twinflow.ops.core.infer import at_least
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn import rows


def _infer(logits):
    return at_least(logits._shape, 1, "logits must have >= 1 dimension, got {}")


def centred(x):
    """x less its largest entry along the last axis (NumPy)."""
    if not x.ndim:
        raise ValueError("a scalar has no last axis")  # the op has better words
    return x - np.maximum.reduce(x, -1, None, None, True) if x.size else x.copy()


def _softmax_kernel(xp):
    if xp is not np:
        return lambda x: _traced_softmax(xp, x)

    def kernel(x):
        if (found := rows.softmax(rows.SOFTMAX, x)) is not None:
            return found
        e = centred(x)
        np.exp(e, out=e)
        e /= np.add.reduce(e, -1, None, None, True)
        return e

    return kernel


def _traced_softmax(xp, x):
    if not x.size:
        return x
    e = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return e / xp.sum(e, axis=-1, keepdims=True)


def _softmax_grad(dy, softmax):
    found = rows.eager_gradient(rows.SOFTMAX_BACK, dy, softmax)
    if found is not None:
        return found
    along = reduce_sum(multiply(dy, softmax), -1, True)
    return multiply(subtract(dy, along), softmax)


Softmax = define(
    "Softmax",
    infer=_infer,
    kernel=_softmax_kernel,
    grad=[_softmax_grad],
    grad_names="mul_1",
    strict=True,
)
_softmax = factory.unary(Softmax, "softmax", "", arg="logits")


def softmax(
    logits: TensorValue, axis: AxisValue | None = None, name: str | None = None,
    dim: AxisValue | None = None,
) -> Tensor:  # fmt: skip
    """exp(logits) / sum(exp(logits)) along one axis.

    Args:
        logits: float tensor, not a scalar.
        axis: the axis, the last one if None. dim: the old name of `axis`.
        name: the name of the call.
    Returns:
        a tensor like `logits`, positive, with sum 1 along the axis
    Raises:
        tf.errors.InvalidArgumentError: there is no such axis.
    Example:
        tf.nn.softmax([0., 0.])  # [0.5, 0.5]
    """
    if axis is None and dim is None:
        return _softmax(logits, name)
    return _along(_softmax, logits, chosen_axis(axis, dim), name)


def _log_softmax_kernel(xp):
    if xp is not np:
        return lambda x: _traced_log_softmax(xp, x)

    def kernel(x):
        if (found := rows.softmax(rows.LOG_SOFTMAX, x)) is not None:
            return found
        z = centred(x)
        z -= np.log(np.add.reduce(np.exp(z), -1, None, None, True))
        return z

    return kernel


def _traced_log_softmax(xp, x):
    if not x.size:
        return x
    z = x - xp.max(x, axis=-1, keepdims=True)
    return z - xp.log(xp.sum(xp.exp(z), axis=-1, keepdims=True))


def _log_softmax_grad(dy, logsoftmax):
    found = rows.eager_gradient(rows.LOG_SOFTMAX_BACK, dy, logsoftmax)
    if found is not None:
        return found
    return subtract(dy, multiply(reduce_sum(dy, -1, True), exp(logsoftmax)))


LogSoftmax = define(
    "LogSoftmax",
    infer=_infer,
    kernel=_log_softmax_kernel,
    grad=[_log_softmax_grad],
    grad_names="sub",
    strict=True,
)
_log_softmax = factory.unary(LogSoftmax, "log_softmax", "", arg="logits")


def log_softmax(
    logits: TensorValue, axis: AxisValue | None = None, name: str | None = None,
    dim: AxisValue | None = None,
) -> Tensor:  # fmt: skip
    """logits - log(sum(exp(logits))) along one axis.

    Args:
        logits: float tensor, not a scalar.
        axis: the axis, the last one if None. dim: the old name of `axis`.
        name: the name of the call.
    Returns:
        a tensor like `logits`
    Raises:
        tf.errors.InvalidArgumentError: there is no such axis.
    Example:
        tf.nn.log_softmax([0., 0.])  # [-0.693, -0.693]
    """
    if axis is None and dim is None:
        return _log_softmax(logits, name)
    return _along(_log_softmax, logits, chosen_axis(axis, dim), name)


def chosen_axis(axis, dim):
    """The axis by its new or its old name; -1 if neither is given.

    Raises:
        ValueError: both are given.
    """
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'dim' and 'axis'")
    axis = dim if axis is None else axis
    return -1 if axis is None else int(axis)


def _along(function, logits, axis, name):
    logits = convert_to_tensor(logits)
    n = None if logits._shape is None else len(logits._shape)
    if axis == -1 or axis + 1 == n:
        return function(logits, name)
    if n is None:
        raise ValueError(f"axis={axis} needs logits of known rank, got {logits}.")
    perm = swapped(n, axis)
    with current_mode().counted(30):
        return transpose(function(transpose(logits, perm)), perm, name or "transpose")


def swapped(n, axis):
    """The permutation of n axes that exchanges `axis` and the last one."""
    axis = axis + n if axis < 0 else axis
    perm = list(range(n - 1)) + [axis if axis >= 0 else n]  # refused as no axis at once
    if 0 <= axis < n:
        perm[axis] = n - 1
    return tuple(perm)
