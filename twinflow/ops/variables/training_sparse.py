"""The updates of optimizers where a gradient has few rows that are not zero."""

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import FLOAT, INDEX, define
from twinflow.ops.arrays.constant import cast


def _summed(xp, like, grad, indices):
    """The gradient as a whole, and which rows it touches (as a column)."""
    column = (-1,) + (1,) * (like.ndim - 1)
    if xp is np:
        total, hit = np.zeros_like(like), np.zeros(len(like), bool)
        np.add.at(total, indices, grad)
        hit[indices] = True
        return total, hit.reshape(column)
    total = xp.zeros_like(like).at[indices].add(grad)
    hit = xp.zeros(like.shape[0], bool).at[indices].set(True)
    return total, hit.reshape(column)


def _roll(xp):
    def step(
        var, accum, lr, grad, indices, momentum, use_nesterov=False, shape=None
    ):  # fmt: skip
        total, hit = _summed(xp, var, grad, indices)
        accum = xp.where(hit, accum * momentum + total, accum)
        by = total * lr + accum * momentum * lr if use_nesterov else accum * lr
        return (), (xp.where(hit, var - by, var), accum)

    return step


ResourceSparseApplyMomentum = define(
    "ResourceSparseApplyMomentum(var: resource, accum: resource, lr: T, grad: T,"
    " indices: Tindices, momentum: T) -> (); use_nesterov=False, shape=None",
    infer=lambda *inputs, use_nesterov, shape: [],
    step=_roll,
    cell=("var", "accum"),
    types={"T": FLOAT, "Tindices": INDEX},
)


def sparse_apply_momentum(var, accum, lr, grad, momentum, use_nesterov, name=None):
    """As `apply_momentum`, on the rows of `grad`, IndexedSlices; others stay."""
    lr, momentum = cast(lr, var.dtype), cast(momentum, var.dtype)
    inputs = (var.handle, accum.handle, lr, grad.values, grad.indices, momentum)
    attrs = {"use_nesterov": use_nesterov, "shape": var._shape}
    return apply(ResourceSparseApplyMomentum, inputs, attrs, name)
