"""Rows of ops.math: counting, confusion_matrix and polynomial."""

import numpy as np

from tests.support.op_cases.table import case, distinct, error, floats
from twinflow.base import dtypes
from twinflow.ops.math.confusion_matrix import confusion_matrix
from twinflow.ops.math.counting import (
    bincount,
    histogram_fixed_width,
    histogram_fixed_width_bins,
)
from twinflow.ops.math.polynomial import accumulate_n, polyval

_INTS = np.array([[1, 3], [1, 0]], np.int32)
_NEGATIVE = error([1, -1], 3, np.zeros(0, np.int32), text="arr must be non-negative!")

case("Bincount", _INTS, 5, np.zeros(0, np.int32), errors=[
    _NEGATIVE,
    error([1], -3, np.zeros(0, np.int32), text="size (-3) must be non-negative"),
    error([1, 2], 3, np.zeros(3), text="weights must have the shape of arr"),
], reference=np.array([1, 2, 0, 1, 0], np.int32))  # fmt: skip
case("Bincount", _INTS, 2, np.zeros((0,), np.int64), reference=np.array([1, 2]))
case("Bincount", _INTS, 5, floats(2, 2),
     reference=lambda a, n, w: np.bincount(a.ravel(), w.ravel(), n))  # fmt: skip
case(bincount, [1, 1, 3], reference=np.array([0, 2, 0, 1], np.int32))
case(bincount, [1, 1, 3], attrs={"minlength": 6, "dtype": "int64"},
     reference=lambda a, **_: np.bincount(a, minlength=6))  # fmt: skip
case(bincount, [1, 1, 3], attrs={"maxlength": 2},
     reference=np.array([0, 2], np.int32))  # fmt: skip
case(bincount, [1, 1, 3], np.array([1, 2, 3], np.int32),
     reference=np.array([0, 3, 0, 3], np.int32))  # fmt: skip
case(bincount, np.zeros(0, np.int32), reference=np.zeros(0, np.int32))


def _histogram(values, limits, n, dtype=dtypes.int32):
    inside = np.clip(values, limits[0], np.nextafter(limits[1], -np.inf))
    return np.histogram(inside, n, tuple(limits))[0].astype(dtypes.as_dtype(dtype).np)


_VALUES = distinct(4, 5, low=-3.01, high=7.03)
_LIMITS = np.array([0.0, 5.0])
for _dtype in (dtypes.int32, dtypes.int64):
    case(
        "HistogramFixedWidth", _VALUES, _LIMITS, 5, attrs={"dtype": _dtype},
        reference=_histogram, grad=(),
        errors=[
            error(np.zeros(2), np.array([5.0, 5.0]), 3, text="but got '[5, 5]'"),
            error(np.zeros(2), np.zeros(3), 3, text="should be a vector of 2 elements"),
            error(np.zeros(2), np.zeros((1, 2)), 3, text="should be a vector."),
            error(np.zeros(2), _LIMITS, 0, text="positive number, but got '0'"),
            error(np.zeros(2), _LIMITS, [3], text="nbins should be a scalar."),
        ],
    )  # fmt: skip
case("HistogramFixedWidth", np.array([1, 20], np.int32), np.array([0, 5], np.int32), 3,
     reference=np.array([1, 0, 1], np.int32))  # fmt: skip
case(histogram_fixed_width, _VALUES, _LIMITS, 5, reference=_histogram, grad=())
case(
    histogram_fixed_width_bins, _VALUES, _LIMITS, 5, grad=(),
    reference=lambda x, r, n: np.clip(np.floor(n * x / 5), 0, n - 1).astype(np.int32),
)  # fmt: skip

_EDGES = {"boundaries": [1.0, 3.0]}
case("Bucketize", np.array([[1.0, 5.0], [-1.0, 3.0]]), attrs=_EDGES, grad=(),
     reference=np.array([[1, 2], [0, 2]], np.int32),
     errors=[error([1.0], boundaries=[3.0, 1.0], text="Expected sorted")])  # fmt: skip
for _kind in (np.int32, np.int64):
    case("Bucketize", np.array([1, 5, 0], _kind), attrs=_EDGES,
         reference=np.array([1, 2, 0], np.int32))  # fmt: skip
case(
    "Bucketize",
    np.array([1, 5], np.int32),
    attrs={"boundaries": []},
    reference=np.zeros(2, np.int32),
)


# ------------------------------------------------------------------ confusion
def _counts(labels, predictions, num_classes=None, weights=None, dtype="int32"):
    n = num_classes or max(np.max(labels), np.max(predictions)) + 1
    out = np.zeros((n, n))
    for i, (a, b) in enumerate(zip(np.ravel(labels), np.ravel(predictions))):
        out[a, b] += 1 if weights is None else weights[i]
    return out if dtype != "int32" else out.astype(np.int32)


_WRONG = [
    error([1, 2], [1, -2], text="`predictions` contains negative values"),
    error([-1, 2], [1, 2], text="`labels` contains negative values"),
    error([1, 2], [1, 2], num_classes=2, text="`labels` out of bound"),
]
case(confusion_matrix, [1, 2, 4, 2], [2, 2, 4, 2], reference=_counts, errors=_WRONG)
case(confusion_matrix, [[1], [2]], [1, 0], attrs={"num_classes": 5}, reference=_counts)
case(confusion_matrix, [1, 2], [[1], [0]], reference=_counts)
case(
    confusion_matrix, [1, 1, 0], [1, 1, 2], dtypes=["float64"],
    attrs={"weights": np.array([0.5, 2.0, 1.5]), "dtype": "float64"}, reference=_counts,
    errors=[error([1], [1], type=ValueError, text="are incompatible")],
)  # fmt: skip

# ------------------------------------------------------------------ polynomials, sums
case(polyval, [floats(3), floats(2, 1), floats()], floats(3),
     reference=lambda c, x: (c[0] * x + c[1]) * x + c[2])  # fmt: skip
case(polyval, [], floats(3), reference=np.zeros(3), grad=())

_SHAPES = error([np.zeros(2), np.zeros(1)], type=ValueError, text="(2,) and (1,)")
case("AccumulateNV2", [floats(2, 3), floats(2, 3)], reference=sum)
case(
    accumulate_n, [floats(2), floats(2), floats(2)], reference=sum,
    errors=[
        _SHAPES,
        error([], type=ValueError, text="inputs must be a list of at least one Tensor"),
        error([[1.0], [2]], type=ValueError, text="with the same dtype and shape"),
        error([[1.0]], tensor_dtype=dtypes.int32, type=TypeError,
              text="tensor_dtype is <dtype: 'int32'>, but input is of type"),
    ],
)  # fmt: skip
case(
    "ApproximateEqual", np.array([1.0, 2.0]), np.array([1.0, 2.1]), grad=(),
    attrs={"tolerance": 0.05}, reference=np.array([True, False]),
    errors=[error(np.zeros(2), np.zeros(1), text="x shape: [2]. y shape: [1]")],
)  # fmt: skip

for _name, _numpy in {
    "sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum,
}.items():  # fmt: skip
    case(
        "NcclReduce", [floats(2, 3), distinct(2, 3)], attrs={"reduction": _name},
        reference=lambda x, reduction, numpy=_numpy: numpy(*x),
        grad=None if _name == "sum" else (),
    )  # fmt: skip
case("NcclBroadcast", floats(2, 3), reference=lambda x: x)
