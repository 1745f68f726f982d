"""Rows of ops.math.clustering."""

import numpy as np

from tests.support.op_cases.table import case, error

_RNG = np.random.RandomState(0)
POINTS, CENTERS = _RNG.rand(5, 3).astype(np.float32), _RNG.rand(4, 3).astype(np.float32)


def nearest(points, centers, k):
    squares = ((points[:, None].astype(np.float64) - centers) ** 2).sum(2)
    places = np.argsort(squares, 1)[:, :k]
    return places.astype(np.int64), np.take_along_axis(squares, places, 1)


for k in (1, 3):
    case(
        "NearestNeighbors", POINTS, CENTERS, k, reference=nearest, grad=(),
        dtypes=["float32"], tol={"float32": 1e-5}, reason="differences of squares",
    )  # fmt: skip
_P = np.ones((3, 2), np.float32)
case(
    "KmeansPlusPlusInitialization", _P, np.int64(2),
    np.int64(0), np.int64(2), reference=np.ones((2, 2), np.float32), grad=(),
    dtypes=["float32"], data_dependent=True,
    errors=[
        error(_P[0], 2, 0, 2, text="Input points should be a matrix."),
        error(_P, [2], 0, 2, text="Input num_to_sample should be a scalar."),
        error(_P, 2, [0], 2, text="Input seed should be a scalar."),
        error(_P, 2, 0, [2], text="num_retries_per_sample should be a scalar."),
        error(_P[:0], 2, 0, 2, text="Expected points.rows() > 0."),
        error(_P, 0, 0, 2, text="Expected num_to_sample > 0."),
        error(_P, 4, 0, 2, text="Expected num_to_sample <= points.rows(). 4 vs 3."),
    ],
)  # fmt: skip
for _distances in ([np.nan] * 3, [0, 0, 0]):  # none is farther than the first
    case(
        "KMC2ChainInitialization", np.array(_distances, np.float32), np.int64(0),
        reference=np.array(0, np.int64), grad=(), dtypes=["float32"],
    )  # fmt: skip
case(
    "KMC2ChainInitialization", np.array([1, 0, 5], np.float32), np.int64(0),
    reference=np.array(2, np.int64), grad=(), dtypes=["float32"],
    errors=[
        error(np.ones((1, 2)), 0, text="Input distances should be a vector."),
        error(np.ones(2), [0], text="Input seed should be a scalar."),
        error(np.ones(0), 0, text="Expected distances_tensor.size() > 0."),
    ],
)  # fmt: skip
