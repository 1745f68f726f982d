"""The first centers of clusters: points far from each other, by chance."""

import math

import numpy as np

from twinflow.base import native
from twinflow.base.op import define
from twinflow.ops.random.one_by_one import OneByOne

_TRIES = 1000  # draws that find nothing but what was chosen before
_HALF = np.float32(0.5)


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


def _candidate(rng, sums, chosen):
    """A point that is not chosen, the farther the likelier."""
    if not chosen:
        return rng.below(len(sums))
    for _ in range(_TRIES):
        at = int(sums.searchsorted(rng.fraction() * sums[-1], "right"))
        if at not in chosen:
            break
    return min(at, len(sums) - 1)  # the last one where the sum is 0 or NaN


def _dots(points, center):
    """The sums in the order of native/clusters.c."""
    found = np.zeros(len(points), np.float32)
    for column, factor in zip(points.T, center):
        found += column * factor
    return found


def _lanes_sum(x):
    lanes = np.zeros(16, np.float32)
    for part in np.pad(x, (0, -len(x) % 16)).reshape(-1, 16):
        lanes += part
    while len(lanes) > 1:
        lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
    return float(lanes[0])


def _choices(points, wanted, seed, retries):
    """int64[wanted]; what native/clusters.c does."""
    rng, norms = OneByOne(seed), np.zeros(len(points), np.float32)
    for column in points.T:
        norms += column * column
    norms *= _HALF
    nearest = sums = np.full(len(points), np.inf, np.float32)
    chosen: set = set()
    for _ in range(wanted):
        found = []
        for at in [_candidate(rng, sums, chosen) for _ in range(1 + retries)]:
            half = norms - _dots(points, points[at]) + norms[at]
            half = np.where(half < 0, np.float32(0), half)
            after = np.where(half < nearest, half, nearest)
            found.append((_lanes_sum(after), at, after))
        _, at, nearest = min(found, key=lambda one: one[0])
        sums = np.cumsum(nearest)
        chosen.add(at)
        yield at


def _plus_plus(points, num_to_sample, seed, num_retries_per_sample):
    """k-means++: each center is far from those before, by chance."""
    points, wanted = np.ascontiguousarray(points), int(num_to_sample)
    retries, seed = int(num_retries_per_sample), int(seed) % 2**64
    if retries < 0:
        retries = 2 + int(math.log(wanted))
    if hasattr(native.fast, "first_centers") and points.size:
        places = np.empty(wanted, np.int64)
        native.fast.first_centers(points, points.shape[1], seed, retries, places)
    else:
        with np.errstate(all="ignore"):
            places = list(_choices(points, wanted, seed, retries))
    return points[places].astype(np.float32, copy=False)


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
    chances, at = OneByOne(seed).fractions(len(distances) - 1), 0
    for i, chance in enumerate(chances, 1):
        if distances[i] > chance * distances[at]:
            at = i
    return np.int64(at)


KMC2ChainInitialization = define(
    "KMC2ChainInitialization", infer=lambda distances, seed: (), host=_chain,
    check=_check_chain, strict=True,
)  # fmt: skip
