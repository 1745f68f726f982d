"""Rows of ops.sparse: dense, cwise, matmul, reduce, math, order and rows."""

import numpy as np

from tests.support.op_cases.table import (
    away_from_zero,
    case,
    distinct,
    error,
    floats,
)

_I = np.array([[0, 1], [1, 0], [1, 2]])  # the places of most samples, in a 2x3 matrix
_J = np.array([[0, 0], [1, 0]])
_S = (2, 3)
_SHAPE = np.array(_S)
_V, _X6 = np.arange(3.0), np.zeros(_S)


def dense(indices, values, shape):
    """The dense array of a sparse one; what comes twice is added up."""
    out = np.zeros(shape, values.dtype)
    np.add.at(out, tuple(indices.T), values)
    return out


def places(a, b):
    """Where each row of `a` is in `b`, or -1."""
    rows = b.tolist()
    return np.array([rows.index(r) if r in rows else -1 for r in a.tolist()], np.int64)


# ------------------------------------------------------------------ to dense
def _filled(indices, shape, values, default, validate_indices=True):
    out = np.full(shape, default)
    indices = indices.reshape(-1, 1) if indices.ndim < 2 else indices
    out[tuple(indices.T)] = values
    return out


_ONE = np.array(0.5)
_BAD = [
    error([[0, 0], [0, 0]], _S, [1.0, 2.0], 0.0, text="indices[1] = [0,0] is repeated"),
    error([[1, 2], [0, 0]], _S, [1.0, 2.0], 0.0,
          text="indices[1] = [0,0] is out of order"),
    error([[0, 0], [2, 0]], _S, [1.0, 2.0], 0.0,
          text="indices[1] = [2,0] is out of bounds: need 0 <= index < [2,3]"),
    error([[0, 0], [2, 0]], _S, [1.0, 2.0], 0.0, validate_indices=False,
          text="Indices are not valid (out of bounds).  Shape: [2,3]"),
    error([[0, 0]], (2,), [1.0], 0.0,
          text="output_shape has incorrect number of elements: 1 should be: 2"),
    error([[[0, 0]]], _S, [1.0], 0.0,
          text="sparse_indices should be a scalar, vector, or matrix, got shape"),
    error([[0, 0]], _S, [1.0, 2.0], 0.0,
          text="sparse_values has incorrect shape [2], should be [] or [1]"),
    error([[0, 0]], _S, [1.0], [0.0], text="default_value should be a scalar."),
    error([1], np.array([[5]]), [1.0], 0.0, text="output_shape should be a vector"),
]  # fmt: skip
_ANY = ("float32", "float64", "float16", "bfloat16")
case("SparseToDense", _I, _S, floats(3), _ONE, reference=_filled, errors=_BAD,
     dtypes=_ANY)  # fmt: skip
case("SparseToDense", np.array([3, 1]), (5,), floats(2), _ONE, reference=_filled,
     attrs={"validate_indices": False})  # fmt: skip
case("SparseToDense", np.array([1, 3]), (5,), floats(), _ONE, reference=_filled)
case("SparseToDense", np.array(2, np.int32), (5,), floats(), _ONE, reference=_filled)
case("SparseToDense", np.zeros((0, 2), np.int64), _S, floats(0), _ONE,
     reference=_filled)  # fmt: skip
case("SparseToDense", np.zeros((1, 0), np.int64), (), floats(1), _ONE,
     reference=lambda i, s, values, default: values[0])  # fmt: skip
case("SparseToDense", np.array([0, 2]), (3,), np.array([b"a", b"b"], object),
     np.array(b"", object), reference=np.array([b"a", b"", b"b"], object))  # fmt: skip


# ------------------------------------------------------------------ sparse and dense
def _matmul(indices, values, shape, b, adjoint_a=False, adjoint_b=False):
    a = dense(indices, values, shape)
    return (a.T if adjoint_a else a) @ (b.T.conj() if adjoint_b else b)


_MATMUL = [
    error([[0, 3]], [1.0], _S, np.zeros((3, 2)),
          text="k (3) from index[0,1] out of bounds (>=3)"),
    error([[0, 0], [-1, 0]], [1.0, 1.0], _S, np.zeros((3, 2)),
          text="m (-1) from index[1,0] out of bounds (>=2)"),
    error([[0, 3]], [1.0], _S, np.zeros((2, 2)), adjoint_a=True,
          text="m (3) from index[0,1] out of bounds (>=3)"),
    error([[0, 0]], [1.0], _S, _X6, text="does not match: 3 vs. 2"),
    error([[0, 0]], [1.0], _S, [0.0], text="Tensor 'b' is not a matrix"),
    error([[0]], [1.0], (2,), _X6, text="Tensor 'a_shape' must have 2 elements"),
]  # fmt: skip
_TWICE = np.array([[1, 0], [0, 1], [1, 0]])
for _indices in (_I, _TWICE, _I.astype(np.int32)):
    case("SparseTensorDenseMatMul", _indices, floats(3), _S, floats(3, 4),
         reference=_matmul, errors=_MATMUL)  # fmt: skip
for _a, _b, _shape in ((1, 0, (2, 4)), (0, 1, (4, 3)), (1, 1, (4, 2))):
    case(
        "SparseTensorDenseMatMul", _I, floats(3), _S, floats(*_shape),
        attrs={"adjoint_a": bool(_a), "adjoint_b": bool(_b)}, reference=_matmul,
    )  # fmt: skip
case("SparseTensorDenseMatMul", np.zeros((0, 2), np.int64), floats(0), _S, floats(3, 2),
     reference=_matmul)  # fmt: skip
case("SparseTensorDenseMatMul", _I, np.array([1, 2, 3]), _S, np.ones((3, 1), int),
     reference=np.array([[1], [5]]))  # fmt: skip
case("SparseTensorDenseMatMul", _I, np.array([1j, 2, 3]), _S,
     np.array([[1j, 2], [3, 4j]]), attrs={"adjoint_a": True}, grad=(),
     reference=_matmul)  # fmt: skip

case(
    "SparseTensorDenseAdd", _TWICE, floats(3), _S, floats(2, 3), dtypes=_ANY,
    reference=lambda i, v, s, b: b + dense(i, v, s),
    tol={"float16": 4e-3, "bfloat16": 4e-2}, reason="two additions at one place",
    errors=[
        error([[0, 0]], [1.0], _S, [1.0],
              text="Two operands have different ranks; received: 2 and 1"),
        error([[0, 0]], [1.0], _S, np.zeros((2, 2)),
              text="Dimension 1 does not equal (no broadcasting is supported)"),
        error([[0, 0], [5, 2]], [1.0, 1.0], _S, _X6,
              text="Sparse tensor has some invalid index on dimension 0; dense"),
    ],
)  # fmt: skip
case("SparseTensorDenseAdd", np.zeros((2, 0), np.int64), floats(2), (), floats(),
     reference=lambda i, v, s, b: b + v.sum())  # fmt: skip

_CWISE = [
    error(_I, _V, _S, [1.0, 2.0],
          text="broadcasts dense to sparse only; got incompatible shapes: [2,3] vs."),
    error(_I, _V, _S, np.ones((2, 2, 3)), text="[2,3] vs. [2,2,3]"),
    error([[0, 0], [5, 2]], _V[:2], _S, [1.0], text="Provided indices are out-of-bo"),
]  # fmt: skip
for _op, _ufunc in (("Add", np.add), ("Mul", np.multiply), ("Div", np.divide)):
    for _dense in ((2, 3), (3,), (2, 1), (), (1, 1)):
        case(
            f"SparseDenseCwise{_op}", _I, floats(3), _S, floats(*_dense, low=0.5),
            errors=_CWISE, dtypes=_ANY if _dense == (3,) else ("float32", "float64"),
            reference=lambda i, v, s, d, f=_ufunc: f(
                v, np.broadcast_to(d, s)[tuple(i.T)]
            ),
        )  # fmt: skip
case("SparseDenseCwiseDiv", _I, np.array([7, -7, 5]), _S, np.array([2, 2, -2]),
     reference=np.array([3, -3, -2]),
     errors=[error(_I, np.array([1, 2, 3]), _S, 0, text="Integer division by zero")],
     )  # fmt: skip


# ------------------------------------------------------------------ reductions
def _summed(i, v, s, axes, keep_dims=False):
    return dense(i, v, s).sum(
        tuple(np.atleast_1d(axes).astype(int)), keepdims=keep_dims
    )


def _largest(i, v, s, axes, keep_dims=False):
    low = np.full(s, -np.inf)
    low[tuple(i.T)] = v
    out = low.max(tuple(np.atleast_1d(axes).astype(int)), keepdims=keep_dims)
    return np.where(np.isneginf(out), 0, out)


_AXES = [
    error(_I, _V, _S, 2,
          text="Invalid reduction dimension 2, for input with 2 dimensions."),
    error(_I, _V, _S, (0, -3), text="Invalid reduction dimension -3"),
]  # fmt: skip
for _axes in (0, (1,), (-1,), (0, 1), ()):
    for _keep in (False, True):
        _attrs = {"keep_dims": _keep}
        case("SparseReduceSum", _I, floats(3), _S, _axes, attrs=_attrs,
             reference=_summed, errors=_AXES, partial=_axes != ())  # fmt: skip
        case("SparseReduceMax", _I, distinct(3), (3, 3), _axes, attrs=_attrs,
             reference=_largest, errors=_AXES, partial=_axes != ())  # fmt: skip
case("SparseReduceSum", np.array([[0, 1], [5, 0], [1, 2]]), floats(3), _S, (1,),
     reference=lambda i, v, s, a: v[[0, 2]], grad=())  # fmt: skip

for _kind, _join in (("Sum", _summed), ("Max", _largest)):

    def _sparsely(i, v, s, axes, keep_dims=False, join=_join):
        found = join(i, v, s, axes, keep_dims)
        there = np.argwhere(_summed(i, np.ones(len(v)), s, axes, keep_dims))
        values = np.atleast_1d(found[tuple(there.T)])
        return [there, values, np.array(found.shape, np.int64)]

    for _axes in (0, (1,), (0, 1)):
        for _keep in (False, True):
            case(
                f"SparseReduce{_kind}Sparse", _I, distinct(3), (3, 3), _axes,
                attrs={"keep_dims": _keep}, reference=_sparsely, errors=_AXES,
                data_dependent=True,
            )  # fmt: skip

# ------------------------------------------------------------------ sums, extrema
_PAIR = [
    error(_I, _V, _SHAPE, _J, _V[:2], np.array([3, 3]), 0.0,
          text="Operands' shapes do not match: got 2 and 3 for dimension 0"),
    error(_I, _V, _SHAPE, [[0]], [1.0], np.array([3]), 0.0,
          text="Operands do not have the same ranks; got shapes: 2 3 and 3"),
]  # fmt: skip
_BOTH = np.array([[0, 0], [0, 1], [1, 0], [1, 2]])


def _two(i, v, s, j, w, t, *_):
    return dense(i, v, s)[tuple(_BOTH.T)], dense(j, w, s)[tuple(_BOTH.T)]


case("SparseAdd", _I, floats(3, low=1.0), _SHAPE, _J, floats(2, low=1.0), _SHAPE,
     np.array(0.0), reference=lambda *a: [_BOTH, sum(_two(*a)), _SHAPE],
     errors=_PAIR, data_dependent=True, grad=(1, 4))  # fmt: skip
case("SparseAdd", np.array([[1, 2], [0, 0]]), floats(2), _SHAPE, _J, floats(2), _SHAPE,
     np.array(0.0), data_dependent=True, grad=(), reference=lambda i, v, s, j, w, *_: [
         np.array([[0, 0], [1, 0], [1, 2], [0, 0]]), np.concatenate([w, v]), _SHAPE
     ])  # fmt: skip
case("SparseAdd", _I, np.array([1, 2, 3]), _SHAPE, _J, np.array([7, -2]), _SHAPE,
     np.array(1), data_dependent=True,
     reference=[_BOTH[[0, 1, 3]], np.array([7, 1, 3]), _SHAPE])  # fmt: skip


def _add_grad(dy, i, j, rows):
    there = [places(own, rows) for own in (i, j)]
    return [np.where(p < 0, 0.0, dy[p]) for p in there]


case("SparseAddGrad", floats(4), _I, _J, _BOTH, reference=_add_grad)
case("SparseAddGrad", floats(3), _I, _J, _BOTH[1:], reference=_add_grad)

for _op, _extremum in (("Maximum", np.maximum), ("Minimum", np.minimum)):
    case(
        f"SparseSparse{_op}", _I, away_from_zero(3), _SHAPE, _J,
        floats(2, low=2.5, high=3.0),
        _SHAPE, reference=lambda *a, f=_extremum: [_BOTH, f(*_two(*a))],
        errors=[error(*e.inputs[:-1], text=e.text) for e in _PAIR], data_dependent=True,
    )  # fmt: skip


def _softmax(i, v, s):
    e = np.exp(v)
    return e / np.array([e[np.all(i[:, :-1] == r, axis=1)].sum() for r in i[:, :-1]])


case("SparseSoftmax", _I, floats(3), _S, reference=_softmax,
     errors=[error([[0]], [1.0], (3,),
                   text="Input should have rank >= 2, but received shape: 3")],
     )  # fmt: skip
case("SparseSoftmax", _TWICE, floats(3), _S, reference=_softmax)
case("SparseSoftmax", np.zeros((0, 2), np.int64), floats(0), _S, reference=np.zeros(0))


# ------------------------------------------------------------------ order
def _sorted(i, v, s):
    perm = np.lexsort(i.T[::-1])
    return [i[perm], v[perm]]


_MIXED = np.array([[1, 2, 0], [0, 1, 1], [1, 0, 1], [0, 0, 0]])
case("SparseReorder", _MIXED, floats(4), np.array([2, 3, 2]), reference=_sorted)
case("SparseReorder", _I[::-1].copy(), np.array([b"a", b"b", b"c"], object), _SHAPE,
     reference=_sorted)  # fmt: skip


def _reshaped(i, s, new):
    flat = np.ravel_multi_index(tuple(i.T), s)
    new = np.empty(s).reshape(new).shape
    return [np.stack(np.unravel_index(flat, new), 1), np.array(new)]


_SIZES = [
    error(_I, _S, (4, 2), text="Input to reshape is a tensor with 6 dense values, but"),
    error(_I, _S, (-1, -1),
          text="only one output dimension may be -1, not both 0 and 1"),
    error(_I, _S, (4, -1), text="the requested shape requires a multiple of 4"),
    error(_I, _S, (-2, 3), text="size 0 must be non-negative, not -2"),
    error(_I, _S, (0, -1), text="cannot infer the missing input size for an empty"),
]  # fmt: skip
for _new in ((3, 2), (6,), (-1, 2), (1, 2, 3)):
    case("SparseReshape", _I, _S, _new, reference=_reshaped, errors=_SIZES)

case("TwinSparseMatch", _I, _J, reference=places)
case("TwinSparseMatch", _J, np.array([[1, 0], [0, 0], [1, 0]]),
     reference=np.array([1, 0]))  # fmt: skip
case("TwinSparseMatch", np.array([[2**62, 0], [5, 2**62]]), np.array([[5, 2**62]]),
     reference=np.array([-1, 0]))  # fmt: skip
case("TwinSparsePlaces", _I, _S, (2, 1), reference=_I * [1, 0])
case("TwinSparsePlaces", _I, _S, (3,), reference=_I[:, 1:])
