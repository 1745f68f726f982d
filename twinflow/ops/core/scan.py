"""Running sums and products along an axis."""

import builtins

import numpy as np

from twinflow.base import dtypes, movement
from twinflow.base.annotations import AxisValue
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.complex import conj
from twinflow.ops.core.elementwise import multiply, realdiv
from twinflow.ops.core.infer import host_rank, host_shape, one_int


def _infer_scan(x, axis, **_):
    if host_rank(axis):
        text = f"ScanOp: axis must be a scalar, not {host_shape(axis)}"
        raise InferError(text, later=True)
    s, axis = x._shape, one_int(axis)
    if s is not None and axis is not None and not -len(s) <= axis < len(s):
        raise InferError(
            f"ScanOp: Expected scan axis in the range [{-len(s)}, {len(s)}), but got "
            f"{axis}",
            later=True,
        )
    return s


_HALF = (dtypes.float16.np, dtypes.bfloat16.np)  # these round only at the end


def _scan_kernel(accumulate, start):
    """The kernel of a running `accumulate` ("cumsum"), empty = `start`."""

    def bind(xp):
        ufunc = np.multiply if start else np.add
        running = ufunc.accumulate if xp is np else getattr(xp, accumulate)

        def kernel(x, axis, exclusive, reverse):
            axis = one_int(axis)
            if xp is np and not start:
                found = movement.running_sum(x, axis, exclusive, reverse)
                if found is not None:
                    return found
            x = xp.flip(x, axis) if reverse else x
            wide = np.float32 if x.dtype in _HALF else x.dtype
            out = running(x, axis, dtype=wide).astype(x.dtype)
            if exclusive and x.shape[axis]:
                out = _shifted(xp, out, axis % x.ndim, start)
            return xp.flip(out, axis) if reverse else out

        return kernel

    return bind


def _shifted(xp, x, axis, start):
    """`x` moved by one along `axis`, with `start` in front."""
    head = x.shape[:axis] + (1,) + x.shape[axis + 1 :]
    kept = (builtins.slice(None),) * axis + (builtins.slice(-1),)
    return xp.concatenate([xp.full(head, start, x.dtype), x[kept]], axis)


Cumsum = define(
    "Cumsum",
    on_host="axis",
    infer=_infer_scan,
    kernel=_scan_kernel("cumsum", 0),
    grad=[
        lambda dy, axis, exclusive, reverse: cumsum(dy, axis, exclusive, not reverse)
    ],
)


def cumsum(
    x: TensorValue, axis: AxisValue = 0, exclusive: bool = False, reverse: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The running sum along `axis`.

    Args:
        x: a numeric tensor of at least one axis. axis: which, in [-rank, rank).
        exclusive: leave each element itself out: the first sum is 0.
        reverse: sum from the end. name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    Example:
        tf.cumsum([1, 2, 3])  # [1, 3, 6]
    """
    attrs = {"exclusive": exclusive, "reverse": reverse}
    return apply(Cumsum, (x, axis), attrs, name)


def _cumprod_grad(dy, x, out, axis, exclusive, reverse):
    """Wrong where x is 0, as in TensorFlow."""
    if x.dtype.is_complex:
        x, out = conj(x), conj(out)
    return realdiv(cumsum(multiply(out, dy), axis, exclusive, not reverse), x)


Cumprod = define(
    "Cumprod",
    on_host="axis",
    infer=_infer_scan,
    kernel=_scan_kernel("cumprod", 1),
    grad=[_cumprod_grad],
    grad_names="truediv",
)


def cumprod(
    x: TensorValue, axis: AxisValue = 0, exclusive: bool = False, reverse: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The running product along `axis`; its gradient is not defined where `x` is 0.

    Args:
        x: a numeric tensor of at least one axis. axis: which, in [-rank, rank).
        exclusive: leave each element itself out: the first product is 1.
        reverse: multiply from the end. name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    Example:
        tf.cumprod([1, 2, 3])  # [1, 2, 6]
    """
    attrs = {"exclusive": exclusive, "reverse": reverse}
    return apply(Cumprod, (x, axis), attrs, name)
