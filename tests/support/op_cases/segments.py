"""Rows of ops/segment*.py."""

import numpy as np

from tests.support.op_cases.table import case, distinct, error, floats
from twinflow.ops.math import segment_unsorted

_INT = np.int32
_HALF = ("float16", "bfloat16", "float32", "float64")
_IDS = np.array([0, 0, 2, 3], _INT)


def _by_segment(reduce, empty, ids, data, n):
    out = np.full((n, *data.shape[ids.ndim :]), empty, data.dtype)
    rows = data.reshape(ids.size, *data.shape[ids.ndim :])
    for i in set(ids.ravel().tolist()) - {-1}:
        out[i] = reduce(rows[ids.ravel() == i], axis=0)
    return out


_SORTED = [
    error(np.zeros(3), [0, 2, 1], text="segment ids are not increasing"),
    error(
        np.zeros(3), [-1, 0, 1],
        text="Segment id -1 out of range [0, 2), possibly because 'segment_ids' input",
    ),
    error(np.zeros(3), [0, 1], text="be the same size as dimension 0 of input."),
    error(np.zeros(3), [[0, 1, 2]], text="segment_ids should be a vector."),
]  # fmt: skip
_KINDS = (
    ("Sum", np.sum, 0),
    ("Mean", np.mean, 0),
    ("Prod", np.prod, 1),
    ("Max", np.max, 0),
    ("Min", np.min, 0),
)
for _kind, _reduce, _empty in _KINDS:
    case(
        f"Segment{_kind}", distinct(4, 2), _IDS, data_dependent=True, dtypes=_HALF,
        reference=lambda x, i, f=_reduce, e=_empty: _by_segment(f, e, i, x, 4),
        errors=_SORTED,
    )  # fmt: skip
    case(f"Segment{_kind}", np.zeros((0, 2)), np.zeros(0, np.int64), grad=(),
         data_dependent=True, reference=np.zeros((0, 2)))  # fmt: skip
case("SegmentMean", np.array([-3, -4, 5], _INT), np.array([0, 0, 1]),
     data_dependent=True, reference=np.array([-3, 5], _INT))  # fmt: skip
case("SegmentSum", np.array([1 + 2j, 3, 1j]), np.array([0, 0, 1]), data_dependent=True,
     reference=np.array([4 + 2j, 1j]))  # fmt: skip
case("SegmentProd", np.array([0.0, 2.0, 3.0]), np.array([0, 0, 1]), order=1,
     reason="the second slope at 0 is that of where()", data_dependent=True,
     reference=np.array([0.0, 3.0]))  # fmt: skip

# ------------------------------------------------------------------ unsorted
_ANY = np.array([2, 0, -1, 2], _INT)
_OUTSIDE = [
    error([1.0, 2.0], [0, 3], 3, text="segment_ids[1] = 3 is out of range [0, 3)"),
    error([1.0, 2.0], [0], 3, text="data.shape = [2] does not start with segment"),
    error([1.0], [0], -4, text="Input num_segments == -4 must not be negative."),
    error([1.0], [0], [4], text="num_segments should be a scalar, not shape [1]"),
]


for _kind, _reduce, _empty in _KINDS[2:]:
    case(
        f"UnsortedSegment{_kind}", distinct(4, 2), np.array([2, 0, 1, 2]), 3,
        reference=lambda x, i, n, f=_reduce: _by_segment(f, 0, i, x, n),
        errors=_OUTSIDE, dtypes=_HALF,
    )  # fmt: skip
    case(
        f"UnsortedSegment{_kind}", distinct(2, 2, 3), np.array([[1, 0], [1, -1]]), 2,
        reference=lambda x, i, n, f=_reduce: _by_segment(f, 0, i, x, n),
    )  # fmt: skip
case("UnsortedSegmentProd", distinct(4), _ANY, 4,
     reference=lambda x, i, n: _by_segment(np.prod, 1, i, x, n))  # fmt: skip
case("UnsortedSegmentMax", np.array([5, 7], _INT), np.array([1, 1]), 2,
     reference=np.array([np.iinfo(_INT).min, 7], _INT))  # fmt: skip
case("UnsortedSegmentMin", np.array([5, 7], np.uint8), np.array([1, 1]), 2,
     reference=np.array([255, 5], np.uint8))  # fmt: skip


def _averaged(power):
    def reference(x, ids, n):
        counts = np.maximum(np.bincount(ids[ids >= 0], minlength=n), 1)
        total = _by_segment(np.sum, 0, ids, x, n)
        return total / counts.reshape(-1, *(1,) * (x.ndim - 1)) ** power

    return reference


for _function, _power in (
    (segment_unsorted.unsorted_segment_mean, 1),
    (segment_unsorted.unsorted_segment_sqrt_n, 0.5),
):
    case(_function, floats(4, 2), _ANY, 4, reference=_averaged(_power))
    case(_function, floats(4), _ANY, 4, reference=_averaged(_power))

# ------------------------------------------------------------------ sparse
_ROWS = np.array([0, 2, 3], _INT)
_RUNS = np.array([0, 0, 2], _INT)
_SPARSE = [
    error(np.zeros((4, 2)), [0, 7], [0, 0], text="Bad: indices[1] == 7 out of range"),
    error(np.zeros((4, 2)), [0, 1], [1, 0], text="segment ids are not increasing"),
    error(np.zeros((4, 2)), [0], [0, 1], text="should have same size."),
    error(np.zeros((4, 2)), [[0]], [0], text="indices should be a vector."),
]
_TOLD = [
    error(np.zeros(4), [0, 1], [0, 2], 2, text="segment ids must be < num_segments"),
    error(np.zeros(4), [0], [0], -1, text="segment ids must be >= 0"),
]


def _sparse(power):
    def reference(x, indices, ids, n=None):
        n = ids[-1] + 1 if n is None else n
        return _averaged(power)(x[indices], ids, n)

    return reference


def _slope(power):
    def reference(dy, indices, ids, n):
        out = np.zeros((n, *dy.shape[1:]))
        for i, s in zip(indices, ids, strict=True):
            out[i] += dy[s] / np.sum(ids == s) ** power
        return out

    return reference


for _kind, _power in (("Sum", 0), ("Mean", 1), ("SqrtN", 0.5)):
    case(f"SparseSegment{_kind}", floats(4, 2), _ROWS, _RUNS, data_dependent=True,
         reference=_sparse(_power), errors=_SPARSE)  # fmt: skip
    for _n in (3, 5):
        case(f"SparseSegment{_kind}WithNumSegments", floats(4, 2),
             _ROWS.astype(np.int64), _RUNS, _n, reference=_sparse(_power),
             errors=_TOLD)  # fmt: skip
    if _power:
        case(f"SparseSegment{_kind}Grad", floats(3, 2), _ROWS, _RUNS, 4,
             reference=_slope(_power),
             errors=[error(np.zeros(3), [9], [0], 4, text="Index 9 out of range [0, 4"),
                     error(np.zeros(3), [0], [9], 4, text="Invalid number of segments"),
                     error(np.zeros(3), [0, 1], [9, 0], 4, text="id 9 out of range [0"),
        ])  # fmt: skip
