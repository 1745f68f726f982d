"""Checks of numbers: their order, and whether they are finite."""

import math
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.compare import less, less_equal
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.infer import same
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import reshape
from twinflow.ops.debugging.static import with_dependencies

NUMERIC_TYPES = frozenset(
    (
        dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32,
        dtypes.int64, dtypes.uint8, dtypes.qint8, dtypes.qint32, dtypes.quint8,
        dtypes.complex64,
    )
)  # fmt: skip


def is_numeric_tensor(tensor: TensorValue) -> bool:
    """Whether `tensor` is a tensor of one of the common number types.

    These are float32, float64, int8 to int64, uint8, complex64 and quantized types.
    """
    return isinstance(tensor, Tensor) and tensor.dtype in NUMERIC_TYPES


def is_non_decreasing(x: TensorValue, name: str | None = None) -> Tensor:
    """Whether x[i] <= x[i + 1] everywhere, in row-major order.

    Args:
        x: a numeric tensor. name: the name scope in a graph.
    Returns:
        bool scalar; true for less than two elements.
    Raises:
        TypeError: `x` is not numeric.
    Example:
        tf.is_non_decreasing([1, 1, 2])  # True
    """
    return _ordered(x, less_equal, name or "is_non_decreasing")


def is_strictly_increasing(x: TensorValue, name: str | None = None) -> Tensor:
    """Whether x[i] < x[i + 1] everywhere; see tf.is_non_decreasing."""
    return _ordered(x, less, name or "is_strictly_increasing")


def _ordered(x, compare, name):
    with dispatch.current_mode().name_scope(name):
        flat = reshape(x, [-1])
        if not is_numeric_tensor(flat):
            raise TypeError(f"Expected x to be numeric, instead found: {flat!s}")
        steps = flat[1:] - flat[:-1]
        return reduce_all(compare(constant(0, steps.dtype), steps))


def _are_finite(x):
    if x.size == 1 and x.dtype.kind == "f":  # a loss: a tenth of the time
        return math.isfinite(x.item())
    return np.isfinite(x).all()


def _check_numbers(tensor, message):
    if _are_finite(tensor):
        return None
    checks = (("Inf", np.isinf), ("NaN", np.isnan))
    found = " and ".join(word for word, odd in checks if np.any(odd(tensor)))
    return f"{message} : Tensor had {found} values"


CheckNumerics = define(
    "CheckNumerics",
    infer=same,
    kernel=lambda xp: lambda tensor, message: tensor,
    grad=[lambda dy: dy],
    guard=lambda xp: lambda tensor, message: xp.all(xp.isfinite(tensor)),
    check=_check_numbers,
)


def check_numerics(
    tensor: TensorValue, message: str, name: str | None = None
) -> Tensor:
    """`tensor`, if all of it is finite.

    Args:
        tensor: a float tensor. message: what the error begins with.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: there is a NaN or an infinity.
    """
    return apply(CheckNumerics, (tensor,), {"message": message}, name)


def verify_tensor_all_finite(
    t: TensorValue, msg: str, name: str | None = None
) -> Tensor:
    """`t`, after a check that it holds no NaN and no infinity.

    Args:
        t: a float tensor. msg: what the error begins with. name: for a graph.
    Raises:
        InvalidArgumentError: it does.
    """
    with dispatch.current_mode().name_scope(name or "VerifyFinite"):
        t = convert_to_tensor(t, name="t")
        return with_dependencies([check_numerics(t, message=msg)], t)


def add_check_numerics_ops() -> Any:
    """One op that checks every float tensor of the graph, in the order they were made.

    Returns:
        The op; it fails with the name of the first tensor that is not finite.
    Raises:
        RuntimeError: eager execution is enabled.
        ValueError: a tensor lies inside tf.cond or tf.while_loop.
    """
    mode = dispatch.current_mode()
    if mode.eager:
        raise RuntimeError(
            "add_check_numerics_ops() is not compatible with eager execution. "
            "To check for Inf's and NaN's under eager execution, call "
            "tfe.seterr(inf_or_nan='raise') once before executing the "
            "checked operations."
        )
    checked = (dtypes.float16, dtypes.float32, dtypes.float64)
    last: list = []
    for node in mode.get_operations():
        for t in node.outputs:
            if t.dtype not in checked:
                continue
            if node.region is not None:
                raise ValueError(
                    "`tf.add_check_numerics_ops() is not compatible with TensorFlow "
                    "control flow operations such as `tf.cond()` or `tf.while_loop()`."
                )
            with mode.control_dependencies(last):
                last = [check_numerics(t, message=t.name)]
    with mode.control_dependencies(last):
        return no_op(name="group_deps")
