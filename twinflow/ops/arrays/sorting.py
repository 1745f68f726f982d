"""Order: where values belong in sorted rows, sorting, and the n-th smallest value."""

import functools
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import AxisValue, DTypeValue
from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.arrays.unknown_rank import on_first_axes, on_last_axes
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.division import divide
from twinflow.ops.core.elementwise import multiply, negative, subtract
from twinflow.ops.core.infer import (
    at_least,
    host_rank,
    host_ranked,
    not_negative,
    one_int,
    ranked,
    static_value,
    text,
)
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.transposing import transpose


# ------------------------------------------------------------------ searchsorted
def _infer_bound(sorted_inputs, values, out_type):
    s = ranked(sorted_inputs._shape, 2, "sorted input argument must be a matrix")
    v = ranked(values._shape, 2, "values argument must be a matrix")
    if None not in (s[0], v[0]) and s[0] != v[0]:
        raise InferError(
            "Leading dim_size of both tensors must match.",
            f"Dimension 0 in both shapes must be equal, but are {s[0]} and {v[0]}. "
            f"Shapes are {text(s)} and {text(v)}.",
        )
    return v


def _bound_kernel(side):
    def kernel(sorted_inputs, values, out_type):
        out = np.empty(values.shape, out_type.np)
        for i, row in enumerate(sorted_inputs):
            out[i] = np.searchsorted(row, values[i], side)
        return out

    return kernel


def _bound_in_xla(side):
    @bind_first
    def lower(jax, sorted_inputs, values, out_type):
        jnp = jax.numpy
        search = jax.vmap(lambda row, v: jnp.searchsorted(row, v, side=side))
        places = search(jnp.asarray(sorted_inputs), jnp.asarray(values))
        return places.astype(out_type.np)

    return lower


def _define_bound(kind, side):
    return define(
        kind,
        infer=_infer_bound,
        kernel=lambda xp: _bound_kernel(side),
        lower=_bound_in_xla(side),
    )


LowerBound = _define_bound("LowerBound", "left")
UpperBound = _define_bound("UpperBound", "right")


def searchsorted(
    sorted_sequence: Any, values: TensorValue, side: str = "left",
    out_type: DTypeValue = dtypes.int32, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Where to insert values into sorted rows so that they stay sorted.

    Args:
        sorted_sequence: a tensor[..., n], sorted along its last axis.
        values: a tensor[..., m] of the same dtype.
        side: "left", before what is equal, or "right", behind it.
        out_type: int32 or int64. name: the name of the node in a graph.
    Returns:
        out_type[..., m]
    Raises:
        ValueError: another side.
    Example:
        tf.searchsorted([1, 3, 5], [3, 4])  # [1, 2]
    """
    if side not in ("left", "right"):
        raise ValueError(f"side must be either 'right' or 'left'.  Saw: {side}.")
    op = LowerBound if side == "left" else UpperBound
    sequence = _rows(convert_to_tensor(sorted_sequence, name="sorted_sequence"))
    values = convert_to_tensor(values, name="values")
    attrs = {"out_type": dtypes.as_dtype(out_type)}
    found = apply(op, (sequence, _rows(values)), attrs, name)
    return reshape(found, values._shape_value())


def _rows(t):
    """`t` with all its axes but the last as one."""
    return reshape(t, [-1, t._shape_value()[-1]])


# ------------------------------------------------------------------ sort
def sort(
    values: TensorValue, axis: AxisValue = -1, direction: str = "ASCENDING",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """`values` in order along an axis.

    Args:
        values: a real tensor of at least one axis. axis: which.
        direction: "ASCENDING" or "DESCENDING". name: the name scope in a graph.
    Raises:
        ValueError: another direction. InvalidArgumentError: there is no such axis.
    Example:
        tf.contrib.framework.sort([3., 1., 2.])  # [1., 2., 3.]
    """
    with dispatch.current_mode().name_scope(name or "sort"):
        dispatch.current_mode().leave_ids(2)  # the axis and the rank
        return _sorted(values, axis, direction, True)


def argsort(
    values: TensorValue, axis: AxisValue = -1, direction: str = "ASCENDING",
    stable: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The places that put `values` in order along an axis; equal ones keep theirs.

    Args:
        values, axis, direction, name: see sort. stable: has no effect.
    Returns:
        int32 of the shape of `values`.
    Example:
        tf.contrib.framework.argsort([3., 1., 2.])  # [1, 2, 0]
    """
    with dispatch.current_mode().name_scope(name or "argsort"):
        dispatch.current_mode().leave_ids(2)  # the axis and the rank
        return _sorted(values, axis, direction, False)


def _sorted(values, axis, direction, as_values):
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"{direction} should be one of ASCENDING, DESCENDING")
    axis = one_int(static_value(axis))
    if axis is None:
        raise ValueError("tf.contrib.framework.sort needs a constant axis.")
    values = convert_to_tensor(values, name="values")
    turn = _turned if direction == "ASCENDING" else (lambda x: x)
    x = turn(values)
    s = values._shape
    n = None if s is None else len(s)
    if dispatch.current_mode().eager and -n <= axis < n:
        k = s[axis]
    else:
        k = shape(values)[axis]  # says what is wrong with the axis
    if axis == -1 or (n is not None and axis in (-1, n - 1)):
        found = top_k(x, k)
        return turn(found.values) if as_values else found.indices
    if n is None:
        part = on_last_axes if axis < 0 else on_first_axes
        count = -axis if axis < 0 else axis + 1
        again = functools.partial(
            _sorted, axis=axis, direction=direction, as_values=as_values
        )
        return part(again, values, count)
    perm = convert_to_tensor(_swapped(axis, n), name="transposition")
    found = top_k(transpose(x, perm), k)
    return transpose(turn(found.values) if as_values else found.indices, perm)


def _turned(x):
    """Numbers in the opposite order; for integers ~x, which cannot overflow."""
    if not x.dtype.is_integer:
        return negative(x)
    top = x.dtype.max if x.dtype.is_unsigned else -1
    return subtract(constant(np.array(top, x.dtype.np)), x)


def _swapped(axis, n):
    """The permutation that swaps an axis with the last one."""
    perm = list(range(n))
    perm[axis], perm[-1] = perm[-1], perm[axis]
    return perm


# ------------------------------------------------------------------ nth_element
def _infer_nth(input, n, reverse):
    try:
        host_ranked(n, 0, "N must be scalar, got shape {}")
    except InferError as error:
        usual = f"Input must be scalar but has rank {host_rank(n)}"
        raise InferError(str(error), usual) from None
    s, n = input._shape, one_int(n)
    at_least(s, 1, "Input must be >= 1-D, got shape {}")
    not_negative(n, 1, f"Need n >= 0, got {n}")
    if s is None:
        return None
    if None not in (n, s[-1]) and s[-1] <= n:
        raise InferError(
            "Input must have at least n+1 columns",
            f"Input must have last dimension > n = {n} but is {s[-1]}",
        )
    return s[:-1]


@bind_first
def _nth_kernel(xp, input, n, reverse):
    place, kind = one_int(n), input.dtype
    if kind.kind == "V":  # NumPy does not sort the nan of bfloat16
        input = input.astype(np.float32)
    found = xp.sort(input, -1)[..., -1 - place if reverse else place]
    return found.astype(kind)


def _nth_grad(dy, input, values):
    """Elements equal to the n-th share the gradient."""
    hit = cast(equal(input, expand_dims(values, -1)), dy.dtype)
    share = divide(dy, reduce_sum(hit, -1))
    return multiply(expand_dims(share, -1), hit)


NthElement = define(
    "NthElement", on_host="n", infer=_infer_nth, kernel=_nth_kernel, grad=[_nth_grad]
)


def nth_element(
    input: TensorValue, n: TensorValue, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The n-th smallest element along the last axis, counted from 0.

    Args:
        input: a real tensor of at least one axis. n: an int scalar.
        reverse: take the n-th largest. name: the name of the node in a graph.
    Returns:
        A tensor of the shape of `input` without its last axis.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): n is out of range.
    Example:
        tf.contrib.nn.nth_element([3., 1., 2.], 1)  # 2.
    """
    return apply(NthElement, (input, n), {"reverse": reverse}, name)
