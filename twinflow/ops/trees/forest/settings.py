"""The parameters of a forest, as the ops of tf.contrib.tensor_forest take them."""

import functools
import math

import numpy as np
from google.protobuf.message import DecodeError

from twinflow.base.errors import invalid
from twinflow.formats.decision_protos import forest

DENSE, SPARSE, REGRESSION, SPARSE_OR_DENSE = range(4)  # the kinds of leaves
DENSE_GINI, SPARSE_GINI, LEAST_SQUARES = range(3)  # the kinds of statistics
BASIC, _, HOEFFDING, BOOTSTRAP = range(4)  # when a leaf may split early
KEEP_ALL, HALF, QUARTER, TENTH, PRUNE_HOEFFDING = range(5)  # what pruning leaves out
PRUNED_SHARE = {HALF: 0.5, QUARTER: 0.25, TENTH: 0.1}


def parsed(message, data, what):
    """A message with the fields of serialized bytes.

    Raises:
        InvalidArgumentError: they are none of such a message.
    """
    try:
        message.ParseFromString(
            data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
        )
    except DecodeError:
        raise invalid(f"Unable to parse {what} proto: {data[:40]!r}.") from None
    return message


@functools.lru_cache(maxsize=64)
def settings_of(serialized):
    """The TensorForestParams of an attribute; not to be changed.

    Raises:
        InvalidArgumentError: what it asks for is not there.
    """
    found = parsed(forest.TensorForestParams(), serialized, "TensorForestParams")
    if found.collection_type:
        raise invalid(
            "collection_type: got GRAPH_RUNNER_COLLECTION, expected COLLECTION_BASIC: "
            "candidates that are graphs in files are not read."
        )
    if found.stats_type > LEAST_SQUARES:
        kind = forest.StatsModelType.Name(found.stats_type)
        raise invalid(
            f"stats_type: got {kind}, expected STATS_DENSE_GINI, STATS_SPARSE_GINI or "
            "STATS_LEAST_SQUARES_REGRESSION."
        )
    return found


def resolved(param, depth):
    """The value of a DepthDependentParam at a depth: a float."""
    kind = param.WhichOneof("ParamType")
    if kind == "linear":
        at = param.linear
        value = at.y_intercept + at.slope * depth
        return min(max(value, at.min_val), at.max_val)
    if kind == "exponential":
        at = param.exponential
        return at.bias + at.multiplier * math.pow(at.base, at.depth_multiplier * depth)
    if kind == "threshold":
        at = param.threshold
        return at.on_value if depth >= at.threshold else at.off_value
    return float(param.constant_value)


def smoothed_gini(total, square, classes):
    """The Gini impurity with one more example of each class, times the examples.

    Args:
        total, square: float32, the sum of the counts and of their squares.
        classes: how many.
    """
    one = np.float32(1)
    more = np.float32(classes) + total
    share = (square + np.float32(2) * total + np.float32(classes)) / (more * more)
    return total * (one - share)
