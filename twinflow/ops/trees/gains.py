"""What splits gain: sums of gradients and hessians by bucket, and the best bucket.

With the gradients g and hessians h of a node's examples, its step of Newton's is
-g/(h + l2), and it lowers the loss by g^2/(h + l2); l1 shrinks g towards 0.
"""

import numpy as np

from twinflow.base.errors import invalid

_TINY = np.float32(1e-6)


def contribution(g, h, l1, l2):
    """The steps and gains of sums of gradients and hessians: two float32 arrays."""
    g, h, l1, l2 = (np.asarray(a, np.float32) for a in (g, h, l1, l2))
    shrunk = np.where(np.abs(g) > l1, g - np.sign(g) * l1, np.float32(0))
    divisor = h + l2
    with np.errstate(divide="ignore", invalid="ignore"):
        step = -shrunk / divisor
        gain = -shrunk * step
    usable = (np.abs(g) > l1) & (divisor > _TINY)
    zero = np.float32(0)
    return np.where(usable, step, zero), np.where(usable, gain, zero)


def stats_summary(node_ids, gradients, hessians, features, max_splits, num_buckets):
    """float32[features, max_splits, num_buckets, 2]: the sums by node and bucket."""
    size = max_splits * num_buckets
    gradients, hessians = np.ravel(gradients), np.ravel(hessians)
    _check(node_ids, max_splits, "node_ids", "max_splits")
    out = np.empty((len(features), size, 2), np.float32)
    for i, buckets in enumerate(features):
        _check(buckets, num_buckets, f"bucketized_features_list[{i}]", "num_buckets")
        place = np.asarray(node_ids, np.int64) * num_buckets + buckets
        out[i, :, 0] = np.bincount(place, gradients, size)
        out[i, :, 1] = np.bincount(place, hessians, size)
    return out.reshape(len(features), max_splits, num_buckets, 2)


def _check(numbers, limit, what, limit_name):
    if np.size(numbers) and not 0 <= np.min(numbers) <= np.max(numbers) < limit:
        raise invalid(
            f"Expected {what} in [0, {limit_name}={limit}), got numbers from "
            f"{np.min(numbers)} to {np.max(numbers)}."
        )


def best_gains(node_range, stats, l1, l2, complexity, min_weight):
    """The best split of each node that has examples enough, by one feature.

    Args:
        node_range: (first, end). stats: float32[max_splits, num_buckets, 2].
        l1, l2: of leaves. complexity: what a split costs. min_weight: the least sum
            of hessians of a node that may be split.
    Returns:
        (nodes, gains, thresholds, left steps, right steps), an entry a split.
    """
    first, end = (int(i) for i in np.ravel(node_range))
    below = np.cumsum(np.asarray(stats)[first:end], axis=1, dtype=np.float32)
    total = below[:, -1]
    nodes = np.flatnonzero(~(total[:, 1] < min_weight))
    below, total = below[nodes], total[nodes]
    above = total[:, None] - below
    left_step, left_gain = contribution(below[..., 0], below[..., 1], l1, l2)
    right_step, right_gain = contribution(above[..., 0], above[..., 1], l1, l2)
    whole = contribution(total[:, 0], total[:, 1], l1, l2)[1]
    gains = left_gain + right_gain
    best = np.argmax(gains, axis=1) if nodes.size else nodes
    at = np.arange(nodes.size), best
    return (
        (nodes + first).astype(np.int32),
        gains[at] - whole - np.float32(complexity),
        best.astype(np.int32),
        left_step[at][:, None],
        right_step[at][:, None],
    )
