"""Broadcasting and its transpose, the sum: what gradients are shaped with.

Note [Repeated gradients]: the gradient of a sum is one number repeated, or a row or a
column. Eagerly a large one is a view of what is repeated (np.broadcast_to), which takes
no pass through memory and cannot be written to. Elementwise rules read it as it is; for
the others it is laid out first (autodiff.backprop), because their kernels want rows.
"""

import functools
import math
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import ShapeValue
from twinflow.base.dispatch import apply, new
from twinflow.base.op import InferError, define
from twinflow.base.products import dot
from twinflow.base.reductions import LARGE, add_reduce
from twinflow.base.tape_record import record
from twinflow.ops.core.constant import constant
from twinflow.ops.core.infer import ints, length, reduced, sizes, static_value, text
from twinflow.ops.core.shape import reshape


def _infer_broadcast_to(input, shape):
    s, x = sizes(shape), input._shape
    if s is not None and x is not None and not _extends(x, s):
        raise InferError(
            f"invalid shape to broadcast from {text(x)} to {text(s)}",
            f"Cannot broadcast a tensor with shape {text(x)} shape {text(s)}",
        )
    return s


def _extends(x, s):
    if len(x) > len(s):
        return False
    pairs = zip(reversed(x), reversed(s), strict=False)
    return all(p == q or p == 1 or None in (p, q) for p, q in pairs)


def _repeat(x, shape):
    """np.broadcast_to takes 2.8 us, this 0.4, and gives memory of its own."""
    out = np.empty(shape, x.dtype)
    out[...] = x
    return out


def _repeated(x, shape):
    """`_repeat`, or a view: see Note [Repeated gradients]."""
    out = np.empty(shape, x.dtype)
    if out.size >= LARGE and x.dtype.kind in "fc":
        return np.broadcast_to(x, out.shape)
    out[...] = x
    return out


def is_repeated(x):
    """Whether an array is a large one that `spread` has made."""
    if type(x) is not np.ndarray or x.size < LARGE or x.flags.writeable:
        return False
    return any(n > 1 and not s for n, s in zip(x.shape, x.strides, strict=True))


def _broadcast_numpy(input, shape):
    shape = ints(shape)
    if input.ndim > len(shape):  # an assignment takes leading axes of size 1
        raise ValueError("more axes than the shape has")
    return _repeat(input, shape)


def _broadcast_kernel(xp):
    if xp is np:
        return _broadcast_numpy
    return lambda input, shape: xp.broadcast_to(input, ints(shape))


def _broadcast_in_xla(jax):
    """Behind a barrier: what follows stays an op on as many elements.

    XLA would move the division in a mean's gradient in front of the broadcast, then
    take the sum of that with what arrived before for an op on one large operand, which
    it computes again for each reader: along the residual stream of a network each sum
    would start over from the first.
    """
    plain = _broadcast_kernel(jax.numpy)
    return lambda input, shape: jax.lax.optimization_barrier(plain(input, shape))


BroadcastTo = define(
    "BroadcastTo",
    on_host="shape",
    infer=_infer_broadcast_to,
    kernel=_broadcast_kernel,
    lower=_broadcast_in_xla,
    grad=[lambda dy, shape_input: unbroadcast(dy, shape_input)],
    grad_names="Reshape_3",
    strict=True,
)


def broadcast_to(input: Any, shape: ShapeValue, name: str | None = None) -> Any:
    """`input` repeated along new leading axes and along axes of size 1.

    Args:
        input: a tensor of any dtype.
        shape: ints or an integer tensor that `input` can be broadcast to.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it cannot.
    Example:
        tf.broadcast_to([1, 2], [2, 2])  # [[1, 2], [1, 2]]
    """
    if type(input) is dispatch.EagerTensor and type(shape) is tuple:
        observers = dispatch.observers
        tapes = () if observers is None else observers.tapes
        if tapes is not None and _extends(input._a.shape, shape):
            t = new(dispatch.EagerTensor)
            t._a = _repeat(input._a, shape)
            t.dtype = input.dtype
            t._id = 0
            if tapes:
                record(BroadcastTo, tapes, (input, shape), (t,), None)
            return t
    return apply(BroadcastTo, (input, shape), None, name)


def broadcast_axes(s0, s1):
    """The axes along which each of two shapes is repeated in their broadcast."""
    n = max(len(s0), len(s1))
    a, b = (1,) * (n - len(s0)) + s0, (1,) * (n - len(s1)) + s1
    r0 = [i for i in range(n) if a[i] == 1 and (b[i] != 1 or i < n - len(s0))]
    r1 = [i for i in range(n) if b[i] == 1 and (a[i] != 1 or i < n - len(s1))]
    return r0, r1


def _gradient_args(s0, s1):
    return [np.array(r, np.int32) for r in broadcast_axes(ints(s0), ints(s1))]


BroadcastGradientArgs = define(
    "BroadcastGradientArgs(s0: host T, s1: host T) -> (r0: int32, r1: int32)",
    infer=lambda s0, s1: [(None,), (None,)],
    kernel=lambda xp: _gradient_args,
)


@functools.lru_cache(maxsize=64)
def _ones(n, dtype):
    return np.ones(n, dtype)


def _by_blas(matrix):
    kind = matrix.dtype.char
    return kind == "d" or (kind == "f" and matrix.size < LARGE)


def sum_array(x, axes):
    """The sum; over few rows of a matrix by BLAS, in a third of NumPy's time."""
    if axes == (0,) and x.ndim == 2 and _by_blas(x):
        return dot(_ones(x.shape[0], x.dtype), x)
    return add_reduce(x, axes, x.dtype)


@functools.lru_cache(maxsize=4096)
def _axes_between(shape, full):
    return tuple(broadcast_axes(shape, full)[0])


def _summed(a, dtype, shape):
    """The eager form of `unbroadcast` while nobody looks on."""
    full = a.shape
    if len(full) == 2 and full[1:] == shape and _by_blas(a):
        a = dot(_ones(full[0], a.dtype), a)
    else:
        a = sum_array(a, _axes_between(shape, full)).reshape(shape)
    return dispatch.wrap(a, dtype)


def unbroadcast(dy, shape):
    """Sum `dy` over the axes that broadcasting a value of `shape` added.

    Args:
        dy: a tensor. shape: a tuple of ints, or an integer tensor.
    """
    if type(shape) is tuple:
        eager = type(dy) is dispatch.EagerTensor
        full = dy._a.shape if eager else dy._shape
        if full == shape:
            return dy
        if eager and dispatch.observers is None:
            return _summed(dy._a, dy.dtype, shape)
        if full is not None and None not in full:
            axes = _axes_between(shape, full)
            total = apply(Sum, (dy, axes)) if axes else dy
            return total if total._shape == shape else reshape(total, shape)
    axes = apply(BroadcastGradientArgs, (shape, dy._shape_value()))[0]
    return reshape(apply(Sum, (dy, axes)), shape)


def _sum_kernel(xp):
    def kernel(input, reduction_indices, keep_dims):
        axes = axes_tuple(reduction_indices, input.ndim)
        return xp.sum(input, axes, dtype=input.dtype, keepdims=keep_dims)

    def numpy_kernel(input, reduction_indices, keep_dims):
        axes = axes_tuple(reduction_indices, input.ndim)
        if not keep_dims:
            return sum_array(input, axes)
        return add_reduce(input, axes, input.dtype, None, True)

    return numpy_kernel if xp is np else kernel


def axes_tuple(axes, ndim):
    """Axes as a tuple in which none appears twice."""
    if type(axes) is tuple and len(axes) == 1 and type(axes[0]) is int:
        return axes
    if type(axes) is np.ndarray and axes.size == 1:
        return (axes.item(),)
    out = ints(axes)
    return tuple({a % ndim: 0 for a in out}) if len(out) > 1 else out


Sum = define(
    "Sum",
    on_host="reduction_indices",
    infer=reduced,
    kernel=_sum_kernel,
    grad=[
        lambda dy, shape_input, reduction_indices: spread(
            dy, shape_input, reduction_indices
        )
    ],
    grad_names="Tile",
)


def spread(dy, shape, axes):
    """Undo a reduction: repeat `dy` over the axes that were summed.

    Args:
        dy: a tensor, with or without the reduced axes.
        shape: the shape before, a tuple of ints or an integer tensor.
        axes: the axes, ints or an integer tensor.
    """
    if type(dy) is dispatch.EagerTensor and (
        dispatch.observers is None or dispatch.unseen()
    ):
        a = dy._a
        if not a.ndim:
            return dispatch.wrap(_repeated(a, shape), dy.dtype)
        if type(shape) is tuple and math.prod(shape) >= LARGE:
            a = a.reshape(kept_shape(shape, axes))
            return dispatch.wrap(_repeated(a, shape), dy.dtype)
    elif dy._shape == ():
        return broadcast_to(dy, shape)
    return broadcast_to(reshape(dy, kept_shape(shape, axes)), shape)


def kept_shape(shape, axes):
    """`shape` with 1 at `axes`: a tuple where both are known, else a tensor."""
    known = static_value(axes)
    if type(shape) is tuple and known is not None:
        gone = {a % len(shape) for a in ints(known)}
        return tuple(1 if i in gone else d for i, d in enumerate(shape))
    if type(shape) is tuple:
        shape = constant(shape, dtypes.int32)
    return apply(ReducedShape, (shape, axes))


def _reduced_shape(shape, axes):
    shape = ints(shape)
    gone = {a % len(shape) for a in ints(axes)}
    return np.array([1 if i in gone else d for i, d in enumerate(shape)], np.int32)


def _export_reduced_shape(parts):
    (shape, axes), (kind, of) = parts.inputs, [t.dtype for t in parts.node.inputs]
    if kind is not dtypes.int32:
        shape = parts.add("shape", "Cast", shape, SrcT=kind, DstT=dtypes.int32)
    if of is not dtypes.int32:
        axes = parts.add("axes", "Cast", axes, SrcT=of, DstT=dtypes.int32)
    rank = parts.add("rank", "Size", shape, T=dtypes.int32)
    places = parts.add("mod", "FloorMod", axes, rank, T=dtypes.int32)
    every = parts.add(
        "range", "Range", parts.const("start", 0), rank, parts.const("delta", 1)
    )
    many = parts.add("many", "Shape", axes, T=dtypes.int32)
    ones = parts.add("ones", "Fill", many, parts.const("one", 1), T=dtypes.int32)
    parts.add("", "DynamicStitch", every, places, shape, ones, N=2, T=dtypes.int32)


ReducedShape = define(
    "TwinReducedShape(shape: host T, axes: host Tidx) -> (output: int32)",
    infer=lambda shape, axes: (length(shape),),
    kernel=lambda xp: _reduced_shape,
    export=_export_reduced_shape,
)
