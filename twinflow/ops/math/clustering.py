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


def _plus_plus(points, num_to_sample, seed, num_retries_per_sample):
    """k-means++: each center is far from those before, by chance."""
    rng, points = np.random.RandomState(int(seed) & 0xFFFFFFFF), np.asarray(points)
    count, wanted = len(points), int(num_to_sample)
    retries = int(num_retries_per_sample)
    if retries < 0:
        retries = 2 + int(np.log(max(wanted, 1)))
    chosen = [rng.randint(count)]
    nearest = _squares_from(points, points[chosen[0]])
    while len(chosen) < min(wanted, count):
        total = float(nearest.sum())
        chances = nearest.astype(np.float64) / total if total > 0 else None
        if chances is not None:
            chances /= chances.sum()
        tries = rng.choice(count, size=1 + retries, p=chances)
        after = [np.minimum(nearest, _squares_from(points, points[i])) for i in tries]
        best = min(range(len(tries)), key=lambda i: after[i].sum())
        chosen.append(int(tries[best]))
        nearest = after[best]
    return points[chosen].astype(np.float32)


def _infer_plus_plus(points, num_to_sample, seed, num_retries_per_sample):
    return (None, points._shape[1] if points._shape else None)


KmeansPlusPlusInitialization = define(
    "KmeansPlusPlusInitialization", infer=_infer_plus_plus, host=_plus_plus, strict=True
)


def _chain(distances, seed):
    """k-MC2: a walk through points that likes those that are far away."""
    rng, distances = np.random.RandomState(int(seed) & 0xFFFFFFFF), np.ravel(distances)
    at = 0
    for i, chance in enumerate(rng.rand(len(distances))):
        if distances[at] == 0 or distances[i] / distances[at] > chance:
            at = i
    return np.int64(at)


KMC2ChainInitialization = define(
    "KMC2ChainInitialization", infer=lambda distances, seed: (), host=_chain,
    strict=True,
)  # fmt: skip
