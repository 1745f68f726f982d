"""Where the largest and smallest elements along an axis are."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import AxisValue, DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import REAL, InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.reductions import LARGE, places
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import one_int
from twinflow.ops.core.magnitude import without_nan
from twinflow.ops.core.shape import renamed


# ------------------------------------------------------------------ positions
def _infer_arg(input, dimension, output_type):
    s, axis = input._shape, one_int(dimension)
    if s is None or axis is None:
        return None if s is None else (None,) * (len(s) - 1)
    n = len(s)
    if not -n <= axis < n:
        raise InferError(
            f"Expected dimension in the range [{-n}, {n}), but got {axis}",
            f"Dimension ({axis}) must be in the range [{-n}, {n}), where {n} is the "
            "number of dimensions in the input.",
            later=not n,
        )
    if s[axis] == 0:
        shown = "[" + ",".join("?" if d is None else str(d) for d in s) + "]"
        text = f"Reduction axis {axis} is empty in shape {shown}"
        raise InferError(text, later=True)
    axis %= n
    return s[:axis] + s[axis + 1 :]


def _arg_kernel(function):
    def bind(xp):
        find = getattr(xp, function)

        def kernel(input, dimension, output_type):
            axis = one_int(dimension)
            if xp is np and axis in (-1, input.ndim - 1) and input.size >= LARGE:
                found = places(input, function == "argmax")
                if found is not None:
                    return found.astype(output_type.np, copy=False)
            keys = without_nan(xp, input, function)
            return find(keys, axis).astype(output_type.np)

        return kernel

    return bind


ArgMax = define(
    "ArgMax",
    on_host="dimension",
    infer=_infer_arg,
    kernel=_arg_kernel("argmax"),
    types=REAL,
)


ArgMin = define(
    "ArgMin",
    on_host="dimension",
    infer=_infer_arg,
    kernel=_arg_kernel("argmin"),
    types=REAL,
)


def argmax(
    input: TensorValue, axis: AxisValue | None = None, name: str | None = None,
    dimension: Any = None, output_type: DTypeValue = dtypes.int64,
) -> Tensor:  # fmt: skip
    """The index of the largest element along `axis`, the first if there are several.

    Args:
        input: int or float tensor of at least one axis. axis: which; 0 if not given.
        name: the name of the node in a graph. dimension: the older name of `axis`.
        output_type: int64 or int32.
    Returns:
        output_type, without that axis.
    Example:
        tf.argmax([[1, 5], [7, 2]], axis=1)  # [1, 0]
    """
    return _arg(
        ArgMax, input, renamed("axis", axis, "dimension", dimension), name, output_type
    )


def argmin(
    input: TensorValue, axis: AxisValue | None = None, name: str | None = None,
    dimension: Any = None, output_type: DTypeValue = dtypes.int64,
) -> Any:  # fmt: skip
    """The index of the smallest element along `axis`, the first if there are several.

    Args: see tf.argmax.
    """
    return _arg(
        ArgMin, input, renamed("axis", axis, "dimension", dimension), name, output_type
    )


def _arg(op, input, axis, name, output_type):
    attrs = {"output_type": dtypes.as_dtype(output_type)}
    return apply(op, (input, 0 if axis is None else axis), attrs, name)


def arg_max(
    input: TensorValue, dimension: Any, output_type: DTypeValue = dtypes.int64,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The older form of tf.argmax."""
    return argmax(input, dimension, name, output_type=output_type)


def arg_min(
    input: TensorValue, dimension: Any, output_type: DTypeValue = dtypes.int64,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The older form of tf.argmin."""
    return argmin(input, dimension, name, output_type=output_type)
