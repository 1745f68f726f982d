"""Writing into variables at index vectors: what tf.scatter_nd_update and kin run."""

import numpy as np

from twinflow.base.op import InferError, bind_first, define
from twinflow.ops.core.index_vectors import check_at
from twinflow.ops.core.infer import at_least, merge, text
from twinflow.ops.variables.scatter import (
    nothing,
    of_reference,
    placed,
    put,
    value_of,
    writable,
)


def _infer_nd(ref, indices, updates, shape=None, **_):
    i, u = indices._shape, updates._shape
    at_least(i == () or u, 1, _outermost(i, u))
    if i is None or u is None or shape is None or i[-1] is None:
        return shape
    _fit_nd(i, u, shape)
    return shape


def _outermost(i, u):
    return (
        "The outermost dimension of updates and indices must match. Got indices.shape "
        f"{text(i)}, updates.shape {text(u)}"
    )


def _fit_nd(i, u, shape):
    """Raise InferError unless updates of shape `u` fit."""
    depth, batch = i[-1], len(i) - 1
    try:
        merge(i[:-1], u[:batch])
    except InferError as error:
        raise InferError(
            _outermost(i, u),
            f"The outer {batch} dimensions of indices.shape={text(i)} must match the "
            f"outer {batch} dimensions of updates.shape={text(u)}: "
            f"{error.graph_message}",
        ) from None
    try:
        merge(shape[depth:], u[batch:])
        if depth > len(shape):
            raise InferError(f"indices.shape[-1] must be <= {len(shape)}, got {depth}")
    except InferError as error:
        rest = max(0, len(shape) - depth)
        raise InferError(
            "Must have updates.shape = indices.shape[:batch_dim] + "
            f"params_shape[slice_dim:], got updates.shape: {text(u)}, indices.shape: "
            f"{text(i)}, params_shape: {text(shape)}, slice_dim: {depth}, and "
            f"batch_dim: {batch}",
            f"The inner {rest} dimensions of input.shape={text(shape)} must match the "
            f"inner {len(u) - batch} dimensions of updates.shape={text(u)}: "
            f"{error.graph_message}",
        ) from None


def _check_nd(ref, indices, updates, **_):
    shape = value_of(ref).shape
    try:
        _fit_nd(indices.shape, updates.shape, shape)
    except InferError as error:
        return str(error)
    return check_at(indices, shape, "shape")


@bind_first
def _guard_nd(xp, state, indices, updates, **_):
    limits = np.array(state.shape[: indices.shape[-1]], indices.dtype)
    return xp.all((indices >= 0) & (indices < limits))


def _along(indices):
    return (*(indices[..., i] for i in range(indices.shape[-1])), ...)


def _nd_kernel(ufunc):
    def kernel(cell, indices, updates, **_):
        a = writable(cell)
        put(a, _along(indices), updates, ufunc)
        cell.write(a)
        return ()

    return lambda xp: kernel


def _nd_step(method):
    @bind_first
    def bound(xp, state, indices, updates, **_):
        new = placed(xp, state, _along(indices), updates, method)
        return (), new

    return bound


def _define_nd(kind, ufunc, method):
    """(The op on a reference, the one on a handle: there is none of Sub.)"""
    facts = {
        "kernel": _nd_kernel(ufunc), "step": _nd_step(method), "cell": "ref",
        "check": _check_nd, "guard": _guard_nd,
    }  # fmt: skip
    ref = define(f"ScatterNd{kind}", infer=of_reference(_infer_nd), **facts)
    if kind == "Sub":
        return ref, None
    attrs = {"shape": None}
    infer = nothing(_infer_nd)
    return ref, define(f"ResourceScatterNd{kind}", attrs=attrs, infer=infer, **facts)


_RULES = {
    "Update": (None, "set"),
    "Add": (np.add, "add"),
    "Sub": (np.subtract, "subtract"),
}
_OPS = {kind: _define_nd(kind, *rule) for kind, rule in _RULES.items()}
ND_SCATTERS = {kind: ref for kind, (ref, _) in _OPS.items()}
RESOURCE_ND_SCATTERS = {kind: op for kind, (_, op) in _OPS.items() if op}
