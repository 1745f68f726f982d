"""Rows of ops.arrays.partition, unique and sorting, and of ops.sparse.edit_distance."""

import numpy as np

from tests.support.op_cases.table import case, distinct, error, floats
from twinflow.base import dtypes
from twinflow.ops.arrays import sorting

_INT = np.int32
_PARTS = np.array([1, 0, 1, 1], _INT)


def _dealt(x, parts, num_partitions):
    rows = x.reshape(-1, *x.shape[parts.ndim :])
    return [rows[parts.ravel() == i] for i in range(num_partitions)]


_BAD_PARTS = [
    error([1.0, 2.0], [0, 5], num_partitions=2, text="partitions[1] = 5 is not in [0"),
    error([1.0, 2.0], [0], num_partitions=2, text="must start with partitions.shape"),
    error([1.0], [0], num_partitions=0, text="of 0 must be at least minimum 1"),
]
for _shape, _parts in (((4, 2), _PARTS), ((2, 2), np.array([[1, 0], [1, 1]], _INT)),
                       ((3,), np.array(1, _INT))):  # fmt: skip
    case("DynamicPartition", floats(*_shape), _parts, attrs={"num_partitions": 3},
         reference=_dealt, errors=_BAD_PARTS, data_dependent=True)  # fmt: skip


def _stitched(indices, data):
    n = max(i.max() for i in indices) + 1
    out = np.zeros((n, *data[0].shape[indices[0].ndim :]))
    for i, d in zip(indices, data, strict=True):
        out[i] = d
    return out


_STITCH = [
    error([np.array([0, -1])], [np.zeros(2)], text="indices[1] is out of range"),
    error([np.array([0, 1])], [np.zeros(3)], text="data[0].shape = [3] does not start"),
    error([np.array([0]), np.array([1])], [np.zeros(1), np.zeros((1, 2))],
          text="Need data[0].shape[1:] = data[1].shape[1:], got data[0].shape = [1]"),
]  # fmt: skip
for _op in ("DynamicStitch", "ParallelDynamicStitch"):
    case(_op, [np.array([0, 2], _INT), np.array([1, 3], _INT)],
         [floats(2, 3), floats(2, 3)], reference=_stitched, errors=_STITCH,
         data_dependent=True)  # fmt: skip
    case(_op, [np.array(0, _INT), np.array([[2, 1]], _INT)],
         [floats(3), floats(1, 2, 3)], reference=_stitched,
         data_dependent=True)  # fmt: skip
case("DynamicStitch", [np.array([0, 2], _INT)], [np.array([b"a", b"b"], object)],
     reference=np.array([b"a", b"", b"b"], object), data_dependent=True)  # fmt: skip

# ------------------------------------------------------------------ unique
_TWICE = np.array([7, 5, 7, 1], _INT)
_FOUND = (np.array([7, 5, 1], _INT), np.array([0, 1, 0, 2], _INT))
_COUNTS = np.array([2, 1, 1], _INT)
_VECTOR = error(np.zeros((2, 2)), text="unique expects a 1D vector.")
case("Unique", _TWICE, reference=list(_FOUND), errors=[_VECTOR], data_dependent=True)
case("Unique", np.array([b"b", b"a", b"b"], object), attrs={"out_idx": dtypes.int64},
     reference=[np.array([b"b", b"a"], object), np.array([0, 1, 0])],
     data_dependent=True)  # fmt: skip
case("Unique", np.array([1 + 1j, 1, 1 + 1j]), data_dependent=True,
     reference=[np.array([1 + 1j, 1]), np.array([0, 1, 0], _INT)])  # fmt: skip
case("UniqueWithCounts", _TWICE, reference=[*_FOUND, _COUNTS], errors=[_VECTOR],
     data_dependent=True)  # fmt: skip
case("UniqueV2", _TWICE, (), reference=list(_FOUND), data_dependent=True)
_SAME_ROWS = np.array([[1, 2], [3, 4], [1, 2]], _INT)
case("UniqueV2", _SAME_ROWS, (0,), data_dependent=True,
     reference=[_SAME_ROWS[:2], np.array([0, 1, 0], _INT)],
     errors=[error(_SAME_ROWS, (0, 1), text="axis does not have 1 or 0 elements"),
             error(_SAME_ROWS, (5,), text="axis has to be between [0, 2)")],
)  # fmt: skip
case("UniqueWithCountsV2", _SAME_ROWS.T.copy(), (-1,), data_dependent=True,
     reference=[_SAME_ROWS[:2].T, np.array([0, 1, 0], _INT),
                np.array([2, 1], _INT)])  # fmt: skip
case("ListDiff", np.array([1, 2, 3, 2]), np.array([2]), data_dependent=True,
     reference=[np.array([1, 3]), np.array([0, 2], _INT)],
     errors=[error([[1]], [2], text="x should be a 1D vector."),
             error([1], [[2]], text="y should be a 1D vector.")])  # fmt: skip
case("ListDiff", np.array([b"a", b"b"], object), np.array([b"b"], object),
     attrs={"out_idx": dtypes.int64}, data_dependent=True,
     reference=[np.array([b"a"], object), np.array([0])])  # fmt: skip

# ------------------------------------------------------------------ order
_SEQUENCES = np.array([[1.0, 3.0, 3.0], [2.0, 4.0, 6.0]])
_VALUES = np.array([[3.0, 4.0], [4.0, 7.0]])
for _op, _side in (("LowerBound", "left"), ("UpperBound", "right")):
    case(
        _op, _SEQUENCES, _VALUES, grad=(),
        reference=lambda s, v, side=_side: np.stack([
            np.searchsorted(a, b, side) for a, b in zip(s, v, strict=True)
        ]).astype(_INT),
        errors=[error(_SEQUENCES, _VALUES[:1], text="Leading dim_size of both tensors"),
                error([1.0], _VALUES, text="sorted input argument must be a matrix")],
    )  # fmt: skip
    case(sorting.searchsorted, [1, 3, 5], [3, 9],
         attrs={"side": _side, "out_type": dtypes.int64},
         reference=np.array([1 if _side == "left" else 2, 3]),
         errors=[error([1], [2], side="up", type=ValueError, text="Saw: up.")],
    )  # fmt: skip

for _axis in (-1, 0, 1):
    case(sorting.sort, distinct(3, 4), attrs={"axis": _axis}, reference=np.sort)
    case(sorting.argsort, distinct(3, 4), attrs={"axis": _axis}, grad=(),
         reference=lambda x, axis: np.argsort(x, axis).astype(_INT))  # fmt: skip
case(sorting.sort, distinct(5), attrs={"direction": "DESCENDING"},
     reference=lambda x, direction: np.sort(x)[::-1],
     errors=[error([1.0], direction="X", type=ValueError, text="X should be one of A"),
             error([1.0], axis=4, text="slice index 4 of dimension 0 out of")],
)  # fmt: skip
case(sorting.sort, np.array([0, 255, 7], np.uint8),
     reference=np.array([0, 7, 255], np.uint8))  # fmt: skip
case(sorting.sort, np.array([5, -(2**31), 7], _INT),
     reference=np.array([-(2**31), 5, 7], _INT))  # fmt: skip
case(sorting.argsort, np.array([3.0, 1.0, 3.0, 1.0]), grad=(),
     reference=np.array([1, 3, 0, 2], _INT))  # fmt: skip

_NTH = [
    error([3.0, 1.0], 2, text="Input must have at least n+1 columns"),
    error([3.0, 1.0], -1, text="Need n >= 0, got -1"),
    error([3.0, 1.0], [1], text="N must be scalar, got shape [1]"),
    error(3.0, 0, text="Input must be >= 1-D, got shape []"),
]
for _reverse in (False, True):
    case(
        "NthElement", distinct(3, 4), 1, attrs={"reverse": _reverse}, errors=_NTH,
        reference=lambda x, n, reverse: np.sort(x)[..., -1 - n if reverse else n],
        dtypes=("float16", "bfloat16", "float32", "float64"),
    )  # fmt: skip

# ------------------------------------------------------------------ distance
_LETTERS = np.array([b"a", b"b", b"c"], object)
case(
    "EditDistance", np.array([[0, 0, 0], [1, 0, 1], [2, 0, 0]]), _LETTERS, (3, 1, 2),
    np.array([[0, 1, 0], [1, 0, 0], [1, 0, 1], [1, 1, 0]]),
    np.array([b"a", b"b", b"c", b"a"], object), (3, 2, 2),
    reference=np.array([[np.inf, 1], [0.5, 1], [np.inf, 0]], np.float32),
    errors=[error(np.zeros((1, 1), int), [1], (2,), np.zeros((1, 1), int), [1], (2,),
                  text="rank at least 2, but truth_shape rank is: 1")],
)  # fmt: skip
case(
    "EditDistance", np.array([[0, 0], [0, 1], [0, 2]]), np.array([1, 2, 3]), (1, 3),
    np.array([[0, 0], [0, 1]]), np.array([2, 4]), (1, 2), attrs={"normalize": False},
    reference=np.array([2], np.float32),
)  # fmt: skip
