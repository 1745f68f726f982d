"""The nearest of some points, and the first centers of clusters."""

import numpy as np

from twinflow.base.op import bind_first, define


@bind_first
def _nearest(xp, points, centers, k):
    points, centers = xp.asarray(points), xp.asarray(centers)
    squares = (
        (points * points).sum(1, keepdims=True)
        - 2 * points @ centers.T
        + (centers * centers).sum(1)
    )
    count = min(int(k), centers.shape[0])
    places = xp.argsort(squares, 1)[:, :count]
    found = xp.take_along_axis(squares, places, 1)
    return places.astype(np.int64), xp.maximum(found, np.float32(0))


def _infer_nearest(points, centers, k):
    p, c = points._shape or (None,), centers._shape or (None,)
    count = None if k is None or c[0] is None else min(int(k), c[0])
    return [(p[0], count), (p[0], count)]


NearestNeighbors = define(
    "NearestNeighbors", on_host="k", infer=_infer_nearest, kernel=_nearest
)


def _squares_from(points, center):
    return ((points - center) ** 2).sum(1)


def _check_plus_plus(points, num_to_sample, seed, num_retries_per_sample):
    if np.ndim(points) != 2:
        return "Input points should be a matrix."
    if np.ndim(num_to_sample):
        return "Input num_to_sample should be a scalar."
    if np.ndim(seed):
        return "Input seed should be a scalar."
    if np.ndim(num_retries_per_sample):
        return "Input num_retries_per_sample should be a scalar."
    if not len(points):
        return "Expected points.rows() > 0."
    if num_to_sample <= 0:
        return "Expected num_to_sample > 0."
    if num_to_sample > len(points):
        return (
            f"Expected num_to_sample <= points.rows(). {num_to_sample} vs "
            f"{len(points)}."
        )
    return None


def _plus_plus(points, num_to_sample, seed, num_retries_per_sample):
    """k-means++: each center is far from those before, by chance."""
    rng, points = np.random.RandomState(int(seed) & 0xFFFFFFFF), np.asarray(points)
    count, wanted = len(points), int(num_to_sample)
    retries = int(num_retries_per_sample)
    if retries < 0:
        retries = 2 + int(np.log(wanted))
    chosen = [rng.randint(count)]
    nearest = _squares_from(points, points[chosen[0]])
    while len(chosen) < wanted:
        sums = np.cumsum(nearest, dtype=np.float64)
        places = sums.searchsorted(rng.rand(1 + retries) * sums[-1], "right")
        tries = np.minimum(places, count - 1)  # the last one where the sum is 0 or NaN
        after = [np.minimum(nearest, _squares_from(points, points[i])) for i in tries]
        best = min(range(len(tries)), key=lambda i: after[i].sum())
        chosen.append(int(tries[best]))
        nearest = after[best]
    return points[chosen].astype(np.float32)


def _infer_plus_plus(points, num_to_sample, seed, num_retries_per_sample):
    s = points._shape
    return (None, s[1] if s is not None and len(s) == 2 else None)


KmeansPlusPlusInitialization = define(
    "KmeansPlusPlusInitialization",
    infer=_infer_plus_plus,
    host=_plus_plus,
    check=_check_plus_plus,
    strict=True,
)


def _check_chain(distances, seed):
    if np.ndim(distances) != 1:
        return "Input distances should be a vector."
    if np.ndim(seed):
        return "Input seed should be a scalar."
    return None if len(distances) else "Expected distances_tensor.size() > 0."


def _chain(distances, seed):
    """k-MC2: a walk through points that likes those that are far away."""
    rng = np.random.RandomState(int(seed) & 0xFFFFFFFF)
    at = 0
    for i, chance in enumerate(rng.rand(len(distances))):
        if distances[i] > chance * distances[at]:
            at = i
    return np.int64(at)


KMC2ChainInitialization = define(
    "KMC2ChainInitialization", infer=lambda distances, seed: (), host=_chain,
    check=_check_chain, strict=True,
)  # fmt: skip
