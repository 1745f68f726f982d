"""Rows of ops.sparse (parts, select, serialize, cross) and nn.embedding_sparse."""

import numpy as np

from tests.support.op_cases.sparse import dense, places
from tests.support.op_cases.table import case, covered, error, floats
from twinflow.base import dtypes
from twinflow.ops.nn.embedding_sparse import embedding_lookup_sparse
from twinflow.ops.sparse.serialize import encode
from twinflow.ops.sparse.tensor import SparseTensor

_I = np.array([[0, 1], [1, 0], [1, 2]])
_J = np.array([[0, 0], [1, 0]])
_S = np.array([2, 3])
_V = np.arange(3.0)


def _sparse(array):
    """The parts of the sparse form of an array."""
    there = np.argwhere(array)
    return [there, array[tuple(there.T)], np.array(array.shape)]


# ------------------------------------------------------------------ concat, split
def _concat(indices, values, shapes, concat_dim):
    parts = [dense(i, v, s) for i, v, s in zip(indices, values, shapes)]
    return _sparse(np.concatenate(parts, concat_dim))


for _dim in (0, 1, -1):
    case(
        "SparseConcat", [_I, _J], [floats(3, low=1), floats(2, low=1)], [_S, _S],
        attrs={"concat_dim": _dim}, reference=_concat, grad=(),
        errors=[
            error([_I, _J], [_V, _V[:2]], [_S, _S], concat_dim=2,
                  text="Concat dimension must be in range [-2, 2), got 2"),
            error([_I, _J], [_V, _V[:2]], [_S, np.array([3, 4])],
                  text="Input shapes must match: expected "),
            error([_I, _J[:, :1]], [_V, _V[:2]], [_S, _S[:1]],
                  text="must match: expected 2 but got 1 at position 1"),
        ],
    )  # fmt: skip
case("SparseConcat", [_I[::-1].copy(), _J], [floats(3, low=1), floats(2, low=1)],
     [_S, _S], reference=_concat, attrs={"concat_dim": 1}, grad=())  # fmt: skip


def _split(axis, i, v, s, num_split):
    parts = np.array_split(dense(i, v, s), num_split, axis)
    return [p for kind in zip(*map(_sparse, parts)) for p in kind]


for _dim, _n in ((0, 2), (1, 2), (1, 3), (1, 1)):
    case(
        "SparseSplit", _dim, _I, floats(3, low=1), (2, 3), attrs={"num_split": _n},
        reference=_split, data_dependent=True,
        errors=[
            error(-1, _I, _V, (2, 3), text="num_dim must be in the interval [0, 2)"),
            error(2, _I, _V, (2, 3), text="should be between 0 and rank (2), got 2"),
            error(0, _I, _V, (2, 3), num_split=3,
                  text="between 1 and the splitting dimension size (2), got 3"),
        ],
    )  # fmt: skip


# ------------------------------------------------------------------ slice
def _sliced(i, v, s, start, size):
    part = dense(i, v, s)[tuple(np.s_[a : a + n] for a, n in zip(start, size))]
    return _sparse(part)


for _start, _size in (([1, 0], [1, 3]), ([0, 1], [9, 9]), ([0, 0], [1, 1])):
    case(
        "SparseSlice", _I, floats(3, low=1), _S, np.array(_start), np.array(_size),
        reference=_sliced, data_dependent=True,
        errors=[
            error(_I, _V, _S, [0], [1, 1],
                  text="Expected start to be a vector of length 2 but got length 1"),
            error(_I, _V, _S, [0, 0], [1],
                  text="Expected size to be a vector of length 2 but got length 1"),
            error(_I, _V, _S, [0, 0], [1, -1], text="to be non-negative, got [1,-1]"),
        ],
    )  # fmt: skip


def _slice_grad(dy, i, start, rows):
    at = places(i - start, rows)
    return np.where(at < 0, 0.0, dy[at])


case("SparseSliceGrad", floats(2), _I, np.array([1, 0]), np.array([[0, 0], [0, 2]]),
     reference=_slice_grad)  # fmt: skip


# ------------------------------------------------------------------ fill_empty_rows
def _fill(i, v, s, default):
    empty = ~np.isin(np.arange(s[0]), i[:, 0])
    rows = np.concatenate(
        [i, [[r] + [0] * (len(s) - 1) for r in np.flatnonzero(empty)]]
    )
    perm = np.argsort(rows[:, 0], kind="stable")
    values = np.concatenate([v, np.full(empty.sum(), default, v.dtype)])
    return [rows[perm].astype(int), values[perm], empty, np.argsort(perm)[: len(v)]]


_ROWS = [
    error([[7, 0]], [1.0], (3, 2), 0.0, text="indices(0, 0) is invalid: 7 >= 3"),
    error([[0, 0]], [1.0], (0, 2), 0.0,
          text="dense_shape[0] = 0 but indices.shape[0] = 1"),
    error([[0, 0]], [1.0], (3, 2), [0.0],
          text="default_value must be a scalar, saw: [1]"),
]  # fmt: skip
_THREE = np.array([[3, 1], [1, 0], [1, 2]])
case("SparseFillEmptyRows", _THREE, floats(3), (5, 3), floats(), reference=_fill,
     errors=_ROWS, data_dependent=True)  # fmt: skip
case("SparseFillEmptyRows", _THREE, np.array([b"a", b"b", b"c"], object), (5, 3),
     np.array(b"-", object), reference=_fill, data_dependent=True)  # fmt: skip
case("SparseFillEmptyRowsGrad", np.array([4, 1, 2]), floats(6),
     reference=lambda back, dy: [dy[back], dy[[0, 3, 5]].sum()])  # fmt: skip


# ------------------------------------------------------------------ strings
def _strings(*parts):
    return [encode(p, dtypes.from_numpy(p.dtype)) for p in parts]


def _texts(rows):
    out = np.empty(np.shape(rows), object)
    out[...] = rows
    return out


_F, _T = np.array([1.0, 2.0, 3.0], np.float32), np.array([b"a", b"", b"xyz"], object)
for _values in (_F, _T, np.array([1, 2, 3]), np.array([True, False, True])):
    case("SerializeSparse", _I, _values, _S,
         reference=_texts(_strings(_I, _values, _S)))  # fmt: skip
    _rows = [
        _strings(_I[:1, 1:], _values[:1], _S[1:]),
        _strings(_I[1:, 1:], _values[1:], _S[1:]),
    ]
    case(
        "SerializeManySparse", _I, _values, _S, reference=_texts(_rows),
        data_dependent=True,
        errors=[
            error([[1, 0], [0, 0]], [1.0, 2.0], [2, 3],
                  text="indices[1] = [0,0] is out of order"),
            error([[0]], [1.0], [2],
                  text="Rank of input SparseTensor should be > 1, but saw rank: 1"),
        ],
    )  # fmt: skip
    for _op in ("DeserializeManySparse", "DeserializeSparse"):
        case(
            _op, _texts(_rows), attrs={"dtype": dtypes.from_numpy(_values.dtype)},
            reference=[_I, _values, _S], data_dependent=True,
            errors=[
                error(_texts(_rows), dtype=dtypes.complex64,
                      text="Requested SparseTensor of type complex64 but SparseTensor"),
                error(_texts([[b"a", b"b", b"c"]]), text="Could not parse serialized"),
                error(_texts([[b"a", b"b"]]),
                      text="Serialized sparse should have 3 as the last dimension"),
            ],
        )  # fmt: skip
case("DeserializeSparse", _texts(_strings(_I, _F, _S)), reference=[_I, _F, _S],
     attrs={"dtype": dtypes.float32}, data_dependent=True)  # fmt: skip

covered("AddSparseToTensorsMap", "tests/ops/test_sparse.py")
covered("AddManySparseToTensorsMap", "tests/ops/test_sparse.py")
covered("TakeManySparseFromTensorsMap", "tests/ops/test_sparse.py")

_CROSSED = _texts([b"a_X_1", b"a_X_2", b"b_X_1", b"b_X_2", b"c_X_3", b"c_X_4"])
_PLACES = np.array([[0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [1, 1]])
_DENSE = np.array([[1, 2], [3, 4]])
_ABC = [np.array([b"a", b"b", b"c"], object)]
_ROW = np.array([[0, 0], [0, 1], [1, 0]])
case("SparseCross", [_ROW], _ABC, [np.array([2, 2])], [_DENSE], data_dependent=True,
     attrs={"hashed_output": False, "num_buckets": 0, "hash_key": 0,
            "out_type": dtypes.string, "internal_type": dtypes.string},
     reference=[_PLACES, _CROSSED, np.array([2, 4])])  # fmt: skip
case("SparseCross", [_ROW[[0, 2]]], [np.array([1, 2])], [np.array([2, 1])],
     [_DENSE[:, :1] * 0 + [[3], [4]]], data_dependent=True,
     attrs={"hashed_output": True, "num_buckets": 10, "hash_key": 7,
            "out_type": dtypes.int64, "internal_type": dtypes.int64},
     reference=[_ROW[[0, 2]], np.array([9, 6]), np.array([2, 1])])  # fmt: skip
for _kind, _hashes, _more in (
    ("SparseFeatureCrossV2", [9, 6], {"hash_key": 7}),
    ("SparseFeatureCross", [0, 6], {}),
):
    case(_kind, [_ROW[[0, 2]]], [np.array([1, 2])], [np.array([2, 1])],
         [_DENSE[:, :1] * 0 + [[3], [4]]], data_dependent=True,
         attrs={"hashed_output": True, "num_buckets": 10, "out_type": dtypes.int64,
                "internal_type": dtypes.int64, **_more},
         reference=[_ROW[[0, 2]], np.array(_hashes), np.array([2, 1])])  # fmt: skip


# ------------------------------------------------------------------ embeddings
_AT = np.array([[0, 0], [0, 1], [2, 0], [2, 3]])
_IDS = np.array([1, 3, 0, 1])


def looked_up(params, weights, combiner, weighted):
    """embedding_lookup_sparse of the ids above, as a function of two tensors."""
    ids = SparseTensor(_AT, _IDS, [3, 4])
    weights = SparseTensor(_AT, weights, [3, 4]) if weighted else None
    return embedding_lookup_sparse(params, ids, weights, combiner=combiner)


def _combined(params, weights, combiner, weighted):
    w = np.zeros((3, 4))
    w[[0, 0, 2, 2], _IDS] = weights if weighted else 1.0
    scale = {"sum": np.ones(3), "mean": w.sum(1), "sqrtn": np.sqrt((w * w).sum(1))}
    with np.errstate(invalid="ignore"):
        out = (w @ params) / scale[combiner][:, None]
    return out if weighted else np.nan_to_num(out)


for _combiner in ("sum", "mean", "sqrtn"):
    case(looked_up, floats(4, 2), floats(4, low=0.5), _combiner, True,
         reference=_combined, grad=(0, 1) if _combiner == "sum" else ())  # fmt: skip
    case(looked_up, floats(4, 2), floats(4), _combiner, False, grad=(0,),
         reference=_combined)  # fmt: skip
