"""Elementwise ops of a sparse tensor and a dense one that is broadcast to it."""

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first, define
from twinflow.ops.core.complex import conjugated
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import multiply, negative, realdiv
from twinflow.ops.core.index_vectors import gather_nd, scatter_nd
from twinflow.ops.core.infer import ints, text
from twinflow.ops.sparse.rows import fit, inside, places_in


def _fits(whole, part):
    """Whether a dense shape can be broadcast to the sparse one."""
    pairs = zip(reversed(whole), reversed(part), strict=False)
    return len(part) <= len(whole) and all(q in (1, p) for p, q in pairs)


def _check_cwise(sp_indices, sp_values, sp_shape, dense):
    s = ints(sp_shape)
    if not _fits(s, dense.shape):
        return (
            "SparseDenseBinaryOpShared broadcasts dense to sparse only; got "
            f"incompatible shapes: {text(s)} vs. {text(dense.shape)}"
        )
    if not np.all(inside(np, sp_indices, s)):
        return (
            "Provided indices are out-of-bounds w.r.t. dense side with broadcasted "
            "shape"
        )
    return None


def _guard_cwise(kind):
    @bind_first
    def bound(xp, sp_indices, sp_values, sp_shape, dense):
        if not _fits(ints(sp_shape), dense.shape):
            return xp.zeros((), bool)
        good = xp.all(inside(xp, sp_indices, ints(sp_shape)))
        whole = kind == "Div" and dense.dtype.kind in "iu"
        return good & xp.all(dense != 0) if whole else good

    return bound


def _quotient(xp, x, y):
    """x / y; of ints towards zero, as C has it."""
    if x.dtype.kind not in "iu":
        return xp.true_divide(x, y).astype(x.dtype)
    sign = xp.sign(x) * xp.sign(y) if x.dtype.kind == "i" else xp.sign(x)
    return (sign * xp.floor_divide(abs(x), abs(y))).astype(x.dtype)


_APPLIED = {
    "Add": lambda xp, x, y: xp.add(x, y),
    "Mul": lambda xp, x, y: xp.multiply(x, y),
    "Div": _quotient,
}


def _cwise(kind, grad):
    """The op that applies + * or / between a sparse tensor and a smaller dense one."""
    combine = _APPLIED[kind]

    @bind_first
    def bound(xp, sp_indices, sp_values, sp_shape, dense):
        found = _values_at(sp_indices, xp.asarray(dense))
        return combine(xp, sp_values, found)

    def check(sp_indices, sp_values, sp_shape, dense):
        found = _check_cwise(sp_indices, sp_values, sp_shape, dense)
        zero = kind == "Div" and dense.dtype.kind in "iu" and not np.all(dense)
        return found or ("Integer division by zero" if zero else None)

    return define(
        f"SparseDenseCwise{kind}",
        on_host="sp_shape",
        infer=_infer_cwise,
        kernel=bound,
        grad=grad,
        guard=_guard_cwise(kind),
        check=check,
    )


def _infer_cwise(sp_indices, sp_values, sp_shape, dense):
    fit(sp_indices, sp_values, sp_shape)
    return sp_values._shape


def _values_at(indices, dense):
    """The elements of a dense array that belong to rows of the sparse shape."""
    first = indices.shape[1] - dense.ndim
    at = [
        indices[:, first + i] * (n != 1) for i, n in enumerate(dense.shape)
    ]  # an axis of size 1 is repeated
    return dense[tuple(at)]


def _dense_values(sp_indices, sp_shape, dense):
    places = places_in(sp_indices, sp_shape, dense._shape_value())
    return places, gather_nd(dense, places)


def _mul_grad(dy, sp_indices, sp_values, sp_shape, dense, shape_dense):
    places, found = _dense_values(sp_indices, sp_shape, dense)
    back = multiply(dy, conjugated(sp_values))
    return None, multiply(dy, conjugated(found)), _scattered(places, back, shape_dense)


def _div_grad(dy, sp_indices, sp_values, sp_shape, dense, shape_dense):
    places, found = _dense_values(sp_indices, sp_shape, dense)
    dx = realdiv(dy, conjugated(found))
    back = negative(multiply(dx, conjugated(realdiv(sp_values, found))))
    return None, dx, _scattered(places, back, shape_dense)


def _scattered(places, values, shape):
    shape = shape if type(shape) is tuple else cast(shape, dtypes.int64)
    return scatter_nd(places, values, shape)


def _add_grad(dy, sp_indices, sp_shape, shape_dense):
    places = places_in(sp_indices, sp_shape, shape_dense)
    return None, dy, _scattered(places, dy, shape_dense)


SparseDenseCwiseAdd = _cwise("Add", _add_grad)
SparseDenseCwiseMul = _cwise("Mul", _mul_grad)
SparseDenseCwiseDiv = _cwise("Div", _div_grad)

_WIDE = {
    **dict.fromkeys((dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16),
                    dtypes.float32),
    **dict.fromkeys((dtypes.int32, dtypes.int64), dtypes.float64),
}  # fmt: skip


def combined(op, sp, dense, name):
    """(indices, values, dense_shape) of a sparse tensor and a dense operand."""
    with dispatch.current_mode().name_scope(name) as scope:
        dense = convert_to_tensor(dense, sp.dtype.base_dtype, name="y")
        values = sp.values
        wide = _WIDE.get(sp.dtype) if name == "truediv" else None
        if wide is not None:
            values, dense = cast(values, wide), cast(dense, wide)
        inputs = (sp.indices, values, sp.dense_shape, dense)
        return sp.indices, apply(op, inputs, None, scope or name), sp.dense_shape


def sparse_dense_cwise_add(sp_t, dense_t):
    """A SparseTensor plus a tensor that is spread over its shape, where it has values.

    Args:
        sp_t: a SparseTensor. dense_t: a tensor of its dtype.
    Returns:
        A SparseTensor.
    """
    found = combined(SparseDenseCwiseAdd, sp_t, dense_t, "SparseDenseCwiseAdd")
    return sp_t._with(found)
