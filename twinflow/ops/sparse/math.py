"""Sums, maxima and softmax of sparse tensors."""

from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.convert import is_tensor_like
from twinflow.base.dispatch import apply
from twinflow.base.op import REAL, define
from twinflow.base.operators import TensorValue
from twinflow.ops.core.compare import greater, greater_equal, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.describe import published
from twinflow.ops.core.elementwise import add, maximum
from twinflow.ops.core.index import gather
from twinflow.ops.core.infer import merge, rank_of, ranked
from twinflow.ops.sparse.dense import SparseTensorDenseAdd
from twinflow.ops.sparse.rows import ascending, fit, fit_all, keys, match
from twinflow.ops.sparse.tensor import is_sparse, sparse_input


# ------------------------------------------------------------------ walking two
def _check_pair(a_indices, a_values, a_shape, b_indices, b_values, b_shape, *_):
    for indices in (a_indices, b_indices):
        if indices.ndim != 2:
            return (
                "Input indices should be matrices but received shapes: "
                f"{list(a_indices.shape)} and {list(b_indices.shape)}"
            )
    p, q = a_shape.tolist(), b_shape.tolist()
    if len(p) != len(q):
        return (
            "Operands do not have the same ranks; got shapes: "
            f"{' '.join(map(str, p))} and {' '.join(map(str, q))}"
        )
    for i, (m, n) in enumerate(zip(p, q, strict=True)):
        if m != n:
            return f"Operands' shapes do not match: got {m} and {n} for dimension {i}"
    return None


def _union(a_indices, b_indices):
    """The rows of either, walking both: (rows of a or -1, rows of b or -1)."""
    a, b = keys(a_indices, b_indices)
    if not ascending(a, b):
        return _walked(a.tolist(), b.tolist())
    union = np.union1d(a, b)
    return _places(union, a), _places(union, b)


def _places(union, own):
    found = np.full(len(union), -1)
    found[np.searchsorted(union, own)] = np.arange(len(own))
    return found


def _walked(a, b):
    """As TensorFlow does where rows are not in order: the lesser head goes next."""
    i = j = 0
    left, right = [], []
    while i < len(a) or j < len(b):
        first = j == len(b) or (i < len(a) and a[i] <= b[j])
        second = i == len(a) or (j < len(b) and b[j] <= a[i])
        left.append(i if first else -1)
        right.append(j if second else -1)
        i, j = i + first, j + second
    return np.array(left, int), np.array(right, int)


def _taken(values, places):
    """The values at places, 0 where a place is -1."""
    out = np.zeros(len(places), values.dtype)
    there = places >= 0
    out[there] = values[places[there]]
    return out


def _rows_at(a_indices, b_indices, left, right):
    out = np.empty((len(left), a_indices.shape[1]), np.int64)
    first = left >= 0
    out[first] = a_indices[left[first]]
    out[~first] = b_indices[right[~first]]
    return out


# ------------------------------------------------------------------ sum
def _sum(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh):
    left, right = _union(a_indices, b_indices)
    total = _taken(a_values, left) + _taken(b_values, right)
    rows = _rows_at(a_indices, b_indices, left, right)
    kept = (left < 0) | (right < 0) | (np.abs(total) >= thresh)
    return [rows[kept], total[kept].astype(a_values.dtype, copy=False), a_shape.copy()]


def _infer_sum(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh):
    fit_all([a_indices, b_indices], [a_values, b_values], [a_shape, b_shape])
    ranked(thresh._shape, 0, "The magnitude threshold must be a scalar: got shape {}")
    s = a_shape._shape or (None,)
    return [(None, *s), (None,), s]


def _infer_pair(a_indices, a_values, a_shape, b_indices, b_values, b_shape):
    fit_all([a_indices, b_indices], [a_values, b_values], [a_shape, b_shape])
    return [(None, None), (None,)]


def _sum_grad(d_sum_values, a_indices, b_indices, sum_indices):
    inputs = (d_sum_values, a_indices, b_indices, sum_indices)
    da, db = apply(SparseAddGrad, inputs)
    return None, da, None, None, db, None, None


SparseAdd = define(
    "SparseAdd",
    infer=_infer_sum,
    host=_sum,
    grad=_sum_grad,
    none_ok=True,
    check=_check_pair,
)


def _infer_sum_grad(backprop_val_grad, a_indices, b_indices, sum_indices):
    fit(sum_indices, backprop_val_grad, None)
    both = [rank_of(i, 2, "indices") for i in (a_indices, b_indices)]
    for s in both:
        merge(s[1:], (sum_indices._shape or (None, None))[1:], "Index ranks differ")
    return [s[:1] for s in both]


def _from_sum(backprop_val_grad, a_indices, b_indices, sum_indices):
    a, b, total = keys(a_indices, b_indices, sum_indices)
    out = []
    for own in (a, b):
        if ascending(total) or not len(total):
            at = np.searchsorted(total, own)
            there = at < len(total)
            there[there] = total[at[there]] == own[there]
            at = np.where(there, at, -1)
        else:
            rows = {k: i for i, k in reversed(list(enumerate(total.tolist())))}
            at = np.array([rows.get(k, -1) for k in own.tolist()], int)
        out.append(_taken(backprop_val_grad, at))
    return out


def picked(values, places):
    """As `_taken`, with ops: of tensors."""
    if values._shape is not None and values._shape[0] == 0:
        return cast(zeros_like(places), values.dtype)
    found = gather(values, maximum(places, 0))
    return where(greater_equal(places, 0), found, zeros_like(found))


def _sum_grad_grad(d_a_val_grad, d_b_val_grad, a_indices, b_indices, sum_indices):
    da = picked(d_a_val_grad, match(sum_indices, a_indices))
    db = picked(d_b_val_grad, match(sum_indices, b_indices))
    return add(da, db), None, None, None


SparseAddGrad = define(
    "SparseAddGrad", infer=_infer_sum_grad, host=_from_sum, grad=_sum_grad_grad
)


def sparse_add(a: Any, b: TensorValue, thresh: TensorValue = 0) -> Any:
    """a + b, where at least one of them is sparse.

    Args:
        a, b: SparseTensors of one shape and dtype, rows in order; or one of them dense.
        thresh: a number; sums of two elements that are less in size are left out.
    Returns:
        A SparseTensor; a tensor where one is dense.
    Raises:
        TypeError: both are dense. InvalidArgumentError: the shapes differ.
    Example:
        tf.sparse_add(tf.SparseTensor([[1]], [5.], [2]), [1., 1.])  # [1, 6]
    """
    if not (is_sparse(a) or is_sparse(b)):
        raise TypeError(
            "At least one input should be SparseTensor; do you mean to use tf.add()?"
        )
    if not (is_sparse(a) and is_sparse(b)):
        sp, dense = (a, b) if is_sparse(a) else (b, a)
        sp = sparse_input(sp)
        return apply(
            SparseTensorDenseAdd, (sp.indices, sp.values, sp.dense_shape, dense)
        )
    a, b = sparse_input(a), sparse_input(b)
    real = a.dtype.real_dtype
    if is_tensor_like(thresh):
        thresh = convert_to_tensor(thresh, real)
    else:
        thresh = convert_to_tensor(np.asarray(thresh, real.np), name="thresh")
    if not dispatch.current_mode().eager:
        a.shape.assert_is_compatible_with(b.shape)
    found = apply(SparseAdd, (*a._components(), *b._components(), thresh))
    return a._with((found[0], found[1], a.dense_shape))


# ------------------------------------------------------------------ maximum
def _extremum(kind):
    """SparseSparseMaximum or Minimum: a missing element counts as 0."""
    choose = getattr(np, kind.lower())
    wins = greater_equal if kind == "Maximum" else _less_equal

    def kernel(a_indices, a_values, a_shape, b_indices, b_values, b_shape):
        left, right = _union(a_indices, b_indices)
        found = choose(_taken(a_values, left), _taken(b_values, right))
        return [_rows_at(a_indices, b_indices, left, right), found]

    def grad(d_output_values, a_indices, a_values, b_indices, b_values, output_indices):
        sides = (a_indices, a_values), (b_indices, b_values)
        da = _share(d_output_values, output_indices, *sides, wins)
        db = _share(d_output_values, output_indices, *sides[::-1], _strict(wins))
        return None, da, None, None, db, None

    return define(
        f"SparseSparse{kind}",
        infer=_infer_pair,
        host=kernel,
        types=None if kind == "Maximum" else REAL,
        grad=grad,
        none_ok=True,
        check=_check_pair,
    )


def _less_equal(x, y):
    return greater_equal(y, x)


def _strict(wins):
    """A tie goes to the first operand."""
    return greater if wins is greater_equal else (lambda x, y: greater(y, x))


def _share(dy, rows, own, other, wins):
    """What of `dy` goes to the values of one operand."""
    (indices, values), (others, other_values) = own, other
    rival = picked(other_values, match(indices, others))
    back = picked(dy, match(indices, rows))
    return where(wins(values, rival), back, zeros_like(back))


SparseSparseMaximum = _extremum("Maximum")
SparseSparseMinimum = _extremum("Minimum")


def _public(op, word):
    def extremum(sp_a, sp_b, name=None):
        sp_a, sp_b = sparse_input(sp_a), sparse_input(sp_b)
        inputs = (*sp_a._components(), *sp_b._components())
        indices, values = apply(op, inputs, None, name or op.type)
        return sp_a._with((indices, values, sp_a.dense_shape))

    return published(extremum, f"sparse_{word}imum", _DOC.format(word), __name__)


_DOC = """{}(a, b), elementwise; an element that only one of them has is held against 0.

    Args:
        sp_a, sp_b: SparseTensors of one shape and real dtype, rows in order.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: the shapes differ.
    """


sparse_maximum = _public(SparseSparseMaximum, "max")
sparse_minimum = _public(SparseSparseMinimum, "min")
