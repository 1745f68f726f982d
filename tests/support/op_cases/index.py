"""Rows of ops/core/slicing.py, ops/core/index.py and ops/arrays/one_hot.py."""

import numpy as np

from tests.support.op_cases.table import case, error, floats
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.slicing import getitem, strided_slice

_X6 = np.zeros((2, 3))
_INT = np.int32


def _slice(x, begin, size):
    return x[tuple(np.s_[b : None if s == -1 else b + s] for b, s in zip(begin, size))]


case(
    "Slice", floats(3, 4), (1, 0), (-1, 2), reference=_slice,
    errors=[
        error(_X6, (0, 1), (1, 3), text="Expected size[1] in [0, 2], but got 3"),
        error(_X6, (0,), (1,), text="tensors of size 2, but got shapes [1] and [1]"),
        error(_X6, (0, -1), (1, 1), text="Expected begin[1] in [0, 3], but got -1"),
    ],
)  # fmt: skip
case("Slice", floats(), (), (), reference=lambda x, begin, size: x)
case("Slice", floats(3), (2,), (0,), reference=_slice)

# ------------------------------------------------------------------ x[...]
_OUT = [
    error(_X6, 5, text="slice index 5 of dimension 0 out of bounds."),
    error(_X6, (0, 3), text="slice index 3 of dimension 1 out of bounds."),
    error(_X6, -3, text="slice index -1 of dimension 0 out of bounds."),
    error(
        _X6, (0, 0, 0), text="Index out of range using input dim 2; input has only 2"
    ),
    error(_X6, np.s_[::0], text="strides[0] must be non-zero"),
    error(_X6, (..., ...), text="Multiple ellipses in slice spec not allowed"),
    error(_X6, True, type=TypeError, text="are valid indices, got True"),
    error(_X6, 1.0, text="input #1(zero-based) was expected to be a int32 tensor but"),
]
for _key in (
    0, -1, np.s_[1:], np.s_[::-1], np.s_[..., 0], np.s_[None], np.s_[0, 1, 2],
    np.s_[:, 1:3, ::2], np.s_[-2:, ..., None, 1], np.s_[5:], np.s_[2:0:-1, ..., -1],
    np.s_[...], np.s_[:, None, -1], (),
):  # fmt: skip
    case(getitem, floats(3, 3, 4), _key, reference=lambda x, k: x[k], errors=_OUT)
case(getitem, floats(3), np.int64(1), reference=lambda x, k: x[k])
case(getitem, np.array([b"a", b"b"], object), 1, reference=np.array(b"b", object))


def _masks(begin=0, end=0, ellipsis=0, new_axis=0, shrink=0):
    return {
        "begin_mask": begin, "end_mask": end, "ellipsis_mask": ellipsis,
        "new_axis_mask": new_axis, "shrink_axis_mask": shrink,
    }  # fmt: skip


_STRIDED = (  # begin, end, strides, masks, and the same in NumPy
    ((1,), (3,), (1,), _masks(), np.s_[1:3]),
    ((1, 0), (0, 3), (1, 2), _masks(shrink=1), np.s_[1, 0:3:2]),
    ((1, 2), (0, 0), (-1, -1), _masks(end=3), np.s_[1::-1, 2::-1]),
    (
        (0, 0, 1),
        (0, 0, 2),
        (1, 1, 1),
        _masks(ellipsis=1, new_axis=2),
        np.s_[..., None, 1:2],
    ),
    ((0, -1), (2, 0), (1, 1), _masks(begin=1, shrink=2), np.s_[:2, -1]),
    ((0, 0), (9, 9), (1, 1), _masks(ellipsis=2), np.s_[0:9, ...]),
)
_BOUNDS = error(
    _X6,
    (0, 0),
    (1,),
    (1, 1),
    text="1D equal size tensors, but got shapes [2], [1], and [2]",
)
for _begin, _end, _strides, _attrs, _key in _STRIDED:
    case(
        "StridedSlice", floats(3, 4), _begin, _end, _strides, attrs=_attrs,
        reference=lambda x, *_, key=_key, **__: x[key], errors=[_BOUNDS],
    )  # fmt: skip

    def _scattered(shape, b, e, s, dy, key=_key, **_):
        out = np.zeros(shape)
        out[key] = dy
        return out

    _dy = floats(*np.zeros((3, 4))[_key].shape)
    case("StridedSliceGrad", (3, 4), _begin, _end, _strides, _dy, attrs=_attrs,
         reference=_scattered)  # fmt: skip
case(strided_slice, floats(4), [1], [3], reference=lambda x, b, e: x[1:3])

# ------------------------------------------------------------------ gather
_GATHER = [
    error([1.0, 2.0, 3.0], [1, 7], 0, text="indices[1] = 7 is not in [0, 3)"),
    error([1.0, 2.0, 3.0], [[0, -1]], 0, text="indices[0,1] = -1 is not in [0, 3)"),
    error(_X6, [0], 2, text="Expected axis in the range [-2, 2), but got 2"),
    error(1.0, [0], 0, text="params must be at least 1 dimensional"),
]
for _axis in (0, 1, -1):
    for _index in (2, [0, 2, 2], [[0, 1], [2, 0]], []):
        case(
            "GatherV2", floats(3, 3, 3), np.array(_index, _INT), _axis, errors=_GATHER,
            reference=lambda x, i, axis: np.take(x, i, axis),
        )  # fmt: skip
case("GatherV2", floats(0, 2), np.zeros((0, 3), _INT), 0,
     reference=np.zeros((0, 3, 2)))  # fmt: skip
case("GatherV2", np.array([b"a", b"b"], object), np.array(1), 0,
     reference=np.array(b"b", object))  # fmt: skip

_ND = [
    error(
        _X6, [[0, 3]], text="indices[0] = [0, 3] does not index into param shape [2,3]"
    ),
    error(_X6, [5], text="indices = [5] does not index into param shape [2,3]"),
    error(_X6, [[0, 3, 1]], text="must be <= params rank; saw: 3 vs. 2"),
]
for _index in ([[0, 1], [1, 2], [0, 1]], [[1], [0]], [1, 1], [[[0], [1]]]):
    case(
        "GatherNd", floats(2, 3), np.array(_index, _INT), errors=_ND,
        reference=lambda x, i: x[tuple(np.moveaxis(i, -1, 0))],
    )  # fmt: skip
case("GatherNd", floats(2), np.zeros((3, 0), _INT),
     reference=lambda x, i: np.broadcast_to(x, (3, 2)))  # fmt: skip


def _scatter(indices, updates, shape):
    out = np.zeros(shape)
    np.add.at(out, tuple(np.moveaxis(indices, -1, 0)), updates)
    return out


_SCATTER = [
    error([[5]], [1.0], (3,), text="indices[0] = [5] does not index into shape [3]"),
    error([[0]], [1.0, 2.0], (3,),
          text="dimensions of indices and update must match. Indices shape: [1,1]"),
]  # fmt: skip
case("ScatterNd", np.array([[0], [2], [0]], _INT), floats(3), (4,), reference=_scatter,
     errors=_SCATTER)  # fmt: skip
case("ScatterNd", np.array([[1], [1]], _INT), floats(2, 3), (2, 3), reference=_scatter)
case(
    "ScatterNd", np.array([[0, 1], [1, 2]], _INT), floats(2), (2, 3), reference=_scatter
)


def _segments(data, ids, n):
    out = np.zeros((n, *data.shape[ids.ndim :]))
    for place, i in np.ndenumerate(ids):
        if i >= 0:
            out[i] += data[place]
    return out


case(
    "UnsortedSegmentSum", floats(4, 2), np.array([2, 0, -1, 2], _INT), 3,
    reference=_segments,
    errors=[
        error([1.0, 2.0], [0, 3], 3, text="segment_ids[1] = 3 is out of range [0, 3)"),
        error([1.0, 2.0], [0], 3, text="data.shape = [2] does not start with segment"),
    ],
)  # fmt: skip
case("UnsortedSegmentSum", floats(2, 2, 3), np.array([[1, 0], [1, 1]]), 2,
     reference=_segments)  # fmt: skip
case("UnsortedSegmentSum", floats(0, 2), np.zeros(0, _INT), 2, reference=_segments)

# ------------------------------------------------------------------ one_hot, masks
_OFF = np.array(0.5)


def _hot(indices, depth, on, off, axis=-1):
    hit = np.expand_dims(indices, axis if axis >= 0 else indices.ndim) == np.arange(
        depth
    ).reshape((-1,) + (1,) * (indices.ndim - axis if axis >= 0 else 0))
    return np.where(hit, on, off)


for _axis in (-1, 0, 1):
    case(
        "OneHot", np.array([0, 5, -1, 2], _INT), 3, np.array(2.0), _OFF,
        attrs={"axis": _axis}, reference=_hot,
        errors=[
            error([0, 1], -3, 1.0, 0.0, text="depth must be non-negative, got: -3"),
            error([0, 1], 3, 1.0, 0.0, axis=5,
                  text="Expected axis to be -1 or between [0, 2).  But received: 5"),
        ],
    )  # fmt: skip
case(
    one_hot, np.array([1, 0]), 2, reference=np.array([[0, 1], [1, 0]], np.float32),
    errors=[
        error([0], 3, on_value=1.0, off_value=0, type=TypeError, text="does not match"),
        error([0], 3, on_value=5, dtype="float32", type=TypeError, text="not match"),
    ],
)  # fmt: skip
case(boolean_mask, floats(2, 3), np.array([True, False]), reference=lambda x, m: x[m],
     needs="rank",
     errors=[error(_X6, True, type=ValueError, text="mask cannot be scalar."),
             error(_X6, [True], type=ValueError,
                   text="Shapes (2,) and (1,) are incompatible")])  # fmt: skip
case(boolean_mask, floats(2, 3), np.array([True, False, True]), attrs={"axis": 1},
     reference=lambda x, m, axis: x[:, m], needs="rank")  # fmt: skip
case(boolean_mask, floats(2, 3, 2), np.array([[True, False, True], [False] * 3]),
     reference=lambda x, m: x[m], needs="rank")  # fmt: skip
