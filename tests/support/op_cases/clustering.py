"""Rows of ops.math.clustering."""

import numpy as np

from tests.support.op_cases.table import case

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
case(
    "KmeansPlusPlusInitialization", np.ones((3, 2), np.float32), np.int64(2),
    np.int64(0), np.int64(2), reference=np.ones((2, 2), np.float32), grad=(),
    dtypes=["float32"], data_dependent=True,
)  # fmt: skip
case(
    "KMC2ChainInitialization", np.array([1, 0, 5], np.float32), np.int64(0),
    reference=np.array(2, np.int64), grad=(), dtypes=["float32"],
)  # fmt: skip
