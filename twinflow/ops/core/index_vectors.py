"""Elements chosen by vectors of indices, and the way back: scattering."""

import numpy as np

from twinflow.base import dispatch
from twinflow.base.annotations import ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.index import first_bad, ndim, row_slices, segment_kernel
from twinflow.ops.core.infer import at_least, ints, merge, product, text
from twinflow.ops.core.shape import reshape


def _infer_gather_nd(params, indices):
    p, i = params._shape, indices._shape
    at_least(i, 1, "indices must be at least a vector")
    if p is None or i is None or i[-1] is None:
        return None
    if i[-1] > len(p):
        raise InferError(
            "index innermost dimension length must be <= params rank; saw: "
            f"{i[-1]} vs. {len(p)}",
            "indices.shape[-1] must be <= params.rank, but saw indices shape: "
            f"{text(i)} and params shape: {text(p)}",
        )
    return i[:-1] + p[i[-1] :]


def _inside(xp, indices, limits):
    """Which index vectors lie inside a block of shape `limits`."""
    last = xp.asarray(last_places(limits, indices.dtype), indices.dtype)
    return xp.all((indices >= 0) & (indices <= last), axis=-1)


def last_places(limits, dtype):
    """The last index of each axis, at most the largest number of an integer dtype."""
    if isinstance(limits, tuple | list | np.ndarray):
        return np.minimum(np.asarray(limits, np.int64) - 1, np.iinfo(dtype).max)
    return limits - 1


def check_at(indices, limits, what):
    """The text for the first index vector outside of a block, or None."""
    return first_bad(
        indices,
        _inside(np, indices, limits[: indices.shape[-1]]),
        lambda label, i: (
            f"indices{label} = [{', '.join(map(str, i.tolist()))}] does not index "
            f"into {what} {text(limits)}"
        ),
    )


@bind_first
def _gather_nd_kernel(xp, params, indices):
    depth = indices.shape[-1]
    if depth == 0:
        return xp.broadcast_to(params, indices.shape[:-1] + params.shape)
    places = tuple(indices[..., i] for i in range(depth))
    return xp.asarray(params)[(*places, ...)]


def _check_params(params, indices):
    if not params.size and product(indices.shape[:-1]):
        return (
            "Requested more than 0 entries, but params is empty.  Params shape: "
            f"{text(params.shape)}"
        )
    return check_at(indices, params.shape, "param shape")


def _gather_nd_grad(dy, shape_params, indices):
    """Where an index names a row, the gradient is sparse as that of gather."""
    if ndim(indices) == 2 and indices._shape[1] == 1:
        return row_slices(dy, shape_params, reshape(indices, [-1]))
    if dy._shape is not None and 0 in dy._shape:
        return zeros(shape_params, dy.dtype)
    return scatter_nd(indices, dy, shape_params)


GatherNd = define(
    "GatherNd",
    infer=_infer_gather_nd,
    kernel=_gather_nd_kernel,
    grad=[_gather_nd_grad],
    guard=lambda xp: (
        lambda params, indices: xp.all(
            _inside(xp, indices, params.shape[: indices.shape[-1]])
        )
    ),
    check=_check_params,
)


def gather_nd(
    params: TensorValue, indices: TensorValue, name: str | None = None
) -> Tensor:
    """The elements or slices of `params` at index vectors.

    Args:
        params: a tensor.
        indices: int32 or int64[..., n]; each vector of n says where to look along the
            first n axes.
        name: the name of the node in a graph.
    Returns:
        A tensor[indices.shape[:-1] + params.shape[n:]].
    Raises:
        InvalidArgumentError: an index is out of range.
    Example:
        tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]])  # [2, 3]
    """
    return apply(GatherNd, (params, indices), None, name)


# ------------------------------------------------------------------ scatter_nd
def _infer_scatter_nd(indices, updates, shape):
    i, u = indices._shape, updates._shape
    if shape is None:
        return None
    s = ints(shape)
    if i is None or u is None or i[-1] is None:
        return s
    if 0 in s and not (0 in i and 0 in u):
        raise InferError("Indices and updates specified for empty output shape")
    if i[-1] > len(s):
        raise InferError(
            "The last dimension of indices must be at most the rank of the output: "
            f"{text(i)} vs. {text(s)}"
        )
    n, message = (
        len(i) - 1,
        (
            "Outer dimensions of indices and update must match. Indices shape: "
            f"{text(i)}, updates shape:{text(u)}"
        ),
    )
    outer = ("outer", f"indices.shape={text(i)}", i[:-1], u[:n])
    inner = ("inner", f"output.shape={text(s)}", s[i[-1] :], u[n:])
    for which, what, wanted, found in (outer, inner):
        try:
            merge(wanted, found)
        except InferError as error:
            start = f"The {which} {len(wanted)} dimensions of"
            raise InferError(
                message,
                f"{start} {what} must match the {which} {len(found)} dimensions of "
                f"updates.shape={text(u)}: {error.graph_message}",
            ) from None
    return s


def _scatter_nd_kernel(xp):
    add_segments = segment_kernel(xp)

    def kernel(indices, updates, shape):
        s, depth = ints(shape), indices.shape[-1]
        strides = [product(s[i + 1 : depth]) for i in range(depth)]
        flat = (indices * xp.asarray(strides, indices.dtype)).sum(axis=-1).reshape(-1)
        rest = s[depth:]
        rows = updates.reshape((flat.size, *rest))
        return add_segments(rows, flat, product(s[:depth])).reshape(s)

    return kernel


ScatterNd = define(
    "ScatterNd",
    on_host="shape",
    infer=_infer_scatter_nd,
    kernel=_scatter_nd_kernel,
    grad=[None, lambda dy, indices: gather_nd(dy, indices)],
    guard=lambda xp: (
        lambda indices, updates, shape: xp.all(
            _inside(xp, indices, ints(shape)[: indices.shape[-1]])
        )
    ),
    check=lambda indices, updates, shape: check_at(indices, ints(shape), "shape"),
)


def scatter_nd(
    indices: TensorValue, updates: TensorValue, shape: ShapeValue,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Zeros of `shape` to which `updates` are added at index vectors.

    Args:
        indices: int32 or int64[..., n]; each vector says where along the first n axes.
        updates: a numeric tensor[indices.shape[:-1] + shape[n:]].
        shape: ints or an integer tensor. name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: an index is out of range.
    Example:
        tf.scatter_nd([[0], [2]], [5, 7], [3])  # [5, 0, 7]
    """
    if dispatch.current_mode().eager:
        indices = convert_to_tensor(indices)
    return apply(ScatterNd, (indices, updates, shape), None, name)
