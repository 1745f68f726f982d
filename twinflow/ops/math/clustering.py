"""The nearest of some points."""

from functools import partial

import numpy as np

from twinflow.base import native
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.products import PRODUCTS
from twinflow.ops.core.infer import ranked, size_is
from twinflow.ops.core.xla_calls import InXla

_SCORES = 1 << 18  # products that are looked at at once


def _squares(xp, x):
    """Of the lengths of rows: NumPy's sums along short rows are slow."""
    return xp.einsum("ij,ij->i", x, x)


@bind_first
def _nearest(xp, points, centers, k):
    points, centers = xp.asarray(points), xp.asarray(centers)
    count = min(int(k), centers.shape[0])
    squares = _squares(xp, points), _squares(xp, centers)
    if xp is np and hasattr(native.fast, "nearest"):
        return _by_native(points, centers, count, *squares)
    return _sorted(xp, count, points @ centers.T, *squares)


def _sorted(xp, count, products, norms, others):
    squares = norms[:, None] - 2 * products + others
    places = xp.argsort(squares, 1, stable=True)[:, :count]
    found = xp.take_along_axis(squares, places, 1)
    return [places.astype(np.int64), xp.maximum(found, np.float32(0))]


_ONES = np.ones((1, 2), np.float32), np.ones(1, np.float32), np.ones(2, np.float32)
_FOUND = [((1, 1), np.int64), ((1, 1), np.float32)]
_IN_XLA = InXla("nearest_for_xla", (_FOUND, [1], *_ONES), [[0]])


@bind_first
def _nearest_in_xla(jax, points, centers, k):
    """XLA sorts all of the products: 130 times as slow as the kernel."""
    xp = jax.numpy
    count = min(int(k), centers.shape[0])
    squares = _squares(xp, points), _squares(xp, centers)
    products, shape = points @ centers.T, (points.shape[0], count)
    results, sort = (
        [(shape, np.int64), (shape, np.float32)],
        partial(_sorted, xp, count),
    )
    return _IN_XLA.call(jax, sort, results, [count], products, *squares)


def _by_native(points, centers, count, norms, others):
    places = np.empty((len(points), count), np.int64)
    found = np.empty((len(points), count), np.float32)
    step = max(1, _SCORES // max(1, len(centers)))
    for start in range(0, len(points), step):
        rows = slice(start, start + step)
        products = PRODUCTS[False, True](points[rows], centers)
        native.fast.nearest(
            products, norms[rows], others, count, places[rows], found[rows]
        )
    return places, found


def _infer_nearest(points, centers, k):
    p = ranked(points._shape, 2, "Input points should be a matrix.", later=True)
    c = ranked(centers._shape, 2, "Input centers should be a matrix.", later=True)
    size_is(p[1], c[1], "Expected point_dimensions == center_dimensions")
    if k is not None:
        ranked(np.shape(k), 0, "Input k should be a scalar.", later=True)
        if k < 0:
            raise InferError(f"Input k should not be negative, got {k}", later=True)
    count = None if k is None or c[0] is None else min(int(k), c[0])
    return [(p[0], count), (p[0], count)]


NearestNeighbors = define(
    "NearestNeighbors",
    on_host="k",
    infer=_infer_nearest,
    kernel=_nearest,
    lower=_nearest_in_xla,
)
