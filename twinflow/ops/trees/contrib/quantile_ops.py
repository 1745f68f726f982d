"""The accumulators of quantiles, and the ops that put numbers into buckets by them."""

import numpy as np
from google.protobuf.message import DecodeError

from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.formats import decision_protos
from twinflow.ops.core.infer import ranked, same_dim, scalar
from twinflow.ops.core.versions import nothing
from twinflow.ops.strings.arrays import filled, one
from twinflow.ops.trees.contrib.stamped import (
    StampedCell,
    define_handle,
    define_stateful,
    locked,
)
from twinflow.ops.trees.contrib.summaries import parsed, serialized
from twinflow.ops.trees.quantiles import QuantileStream, Summary

_NONE = np.zeros(0, np.float32)


class QuantileCell(StampedCell):
    """A stream of numbers, and the boundaries that were made of it last."""

    __slots__ = ("buckets", "ready_buckets", "settings", "stream")
    kind = "N10tensorflow13boosted_trees22QuantileStreamResourceE"

    def __init__(self, name):
        super().__init__(name)
        self.buckets, self.ready_buckets = _NONE, False
        self.settings, self.stream = (0.0, 0, 0, False), None

    def create(self, stamp, settings):
        """Begin, unless it is there.

        Args:
            settings: (epsilon, number of quantiles, how many numbers may come,
                whether boundaries are quantiles).
        """
        if not self.initialized:
            self.settings, self.stamp = settings, int(one(stamp))
            self.clear()

    def clear(self):
        """Forget the numbers."""
        error, _, most, _ = self.settings
        self.stream = QuantileStream(float(np.float32(error)), most)

    def boundaries(self):
        """Those of the numbers that came."""
        _, count, _, exact = self.settings
        return _boundaries(self.stream.summary(), count, exact)


def _boundaries(summary, count, exact=False):
    return summary.quantiles(count) if exact else summary.boundaries(count)


# ---------------------------------------------------------------------- summaries
def _parsed(kind, text, what):
    try:
        return getattr(decision_protos.quantiles, kind).FromString(text)
    except DecodeError:
        raise invalid(f"Unable to parse {what}.") from None


def _columns(dense, indices, values, weights):
    """(the numbers, their weights) of each feature; two lists"""
    weights = np.ravel(weights)
    return (
        [(np.ravel(x)[: len(weights)], weights) for x in dense],
        [(x, weights[np.asarray(i)[:, 0]]) for i, x in zip(indices, values)],
    )


def _summary(values, weights, error, most):
    stream = QuantileStream(float(np.float32(error)), most)
    stream.push(values, weights)
    return stream.summary()


def _infer_columns(dense, indices, values, shapes, weights):
    (batch, _) = ranked(weights._shape, 2)
    for x in dense:
        batch = same_dim(batch, ranked(x._shape, 2)[0])
    for x in indices:
        ranked(x._shape, 2)
    for x in (*values, *shapes):
        ranked(x._shape, 1)


def _infer_summaries(dense, indices, values, shapes, weights, epsilon):
    _infer_columns(dense, indices, values, shapes, weights)
    return [()] * (len(dense) + len(values))


def _summaries(dense, indices, values, shapes, weights, epsilon):
    most = np.size(weights) + 1
    return [
        filled([serialized(_summary(*pair, epsilon, most))], ())
        for group in _columns(dense, indices, values, weights)
        for pair in group
    ]


MakeQuantileSummaries = define(
    "MakeQuantileSummaries", _infer_summaries, host=_summaries
)


def _infer_buckets(
    dense, indices, values, shapes, weights, dense_config, sparse_config
):
    _infer_columns(dense, indices, values, shapes, weights)
    return [(None,)] * (len(dense) + len(values))


def _quantile_buckets(
    dense, indices, values, shapes, weights, dense_config, sparse_config
):
    groups, most = _columns(dense, indices, values, weights), np.size(weights) + 1
    out = []
    for group, texts in zip(groups, (dense_config, sparse_config)):
        for pair, text in zip(group, texts, strict=True):
            chosen = _parsed("QuantileConfig", text, "quantile config")
            found = _summary(*pair, chosen.eps, most)
            out.append(_boundaries(found, chosen.num_quantiles))
    return out


QuantileBuckets = define("QuantileBuckets", _infer_buckets, host=_quantile_buckets)


# ---------------------------------------------------------------------- accumulators
QuantileStreamResourceHandleOp = define_handle(
    "QuantileStreamResourceHandleOp", QuantileCell
)
QuantileAccumulatorIsInitialized = define_stateful(
    "QuantileAccumulatorIsInitialized", scalar, lambda cell: np.bool_(cell.initialized)
)


@locked
def _create(
    cell, stamp, container, shared_name, max_elements, epsilon, num_quantiles,
    generate_quantiles,
):  # fmt: skip
    settings = epsilon, num_quantiles, max_elements, generate_quantiles
    cell.create(stamp, settings)
    return ()


CreateQuantileAccumulator = define_stateful(
    "CreateQuantileAccumulator", nothing, _create
)


def _add(cells, stamp, summaries):
    for cell, text in zip(cells, summaries):
        with cell.lock:
            if cell.is_at(stamp):
                cell.stream.add(parsed(one(text)))
    return ()


QuantileAccumulatorAddSummaries = define_stateful(
    "QuantileAccumulatorAddSummaries", nothing, _add
)


def _get_buckets(cells, stamp):
    ready = [cell.is_at(stamp) and cell.ready_buckets for cell in cells]
    buckets = [cell.buckets if there else _NONE for cell, there in zip(cells, ready)]
    return [*map(np.bool_, ready), *buckets]


QuantileAccumulatorGetBuckets = define_stateful(
    "QuantileAccumulatorGetBuckets",
    lambda cells, stamp, **_: [()] * len(cells) + [(None,)] * len(cells),
    _get_buckets,
)


@locked
def _flush(cell, stamp, next_stamp):
    cell.move(stamp, next_stamp)
    cell.buckets, cell.ready_buckets = cell.boundaries(), True
    cell.clear()
    return ()


@locked
def _flush_summary(cell, stamp, next_stamp):
    cell.move(stamp, next_stamp)
    found = serialized(cell.stream.summary())
    cell.clear()
    return filled([found], ())


QuantileAccumulatorFlush = define_stateful("QuantileAccumulatorFlush", nothing, _flush)
QuantileAccumulatorFlushSummary = define_stateful(
    "QuantileAccumulatorFlushSummary", scalar, _flush_summary
)


@locked
def _serialize(cell):
    state = decision_protos.quantiles.QuantileStreamState()
    nothing_yet = Summary(*[_NONE] * 4)
    for level in (*cell.ready().stream.levels, None):  # the last: what is not sorted in
        state.summaries.add().ParseFromString(serialized(level or nothing_yet))
    text = filled([state.SerializeToString()], ())
    return np.int64(cell.stamp), text, np.bool_(cell.ready_buckets), cell.buckets


QuantileAccumulatorSerialize = define_stateful(
    "QuantileAccumulatorSerialize", lambda cell: [(), (), (), (None,)], _serialize
)


@locked
def _deserialize(cell, stamp, state, ready, buckets):
    cell.ready().clear()
    found = _parsed("QuantileStreamState", one(state), "quantile stream state")
    levels = [
        parsed(m.SerializeToString()) if m.entries else None for m in found.summaries
    ]
    cell.stream.levels = levels[:-1]
    cell.stamp, cell.ready_buckets = int(one(stamp)), bool(one(ready))
    cell.buckets = np.asarray(buckets, np.float32)
    return ()


QuantileAccumulatorDeserialize = define_stateful(
    "QuantileAccumulatorDeserialize", nothing, _deserialize
)


# ---------------------------------------------------------------------- buckets
def _infer_quantiles(
    dense_values, sparse_values, dense_buckets, sparse_buckets, sparse_indices
):
    found = [(ranked(x._shape, 2)[0], 2) for x in dense_values]
    return found + [(ranked(x._shape, 1)[0], 2) for x in sparse_values]


def _in_buckets(values, buckets, dimensions, number):
    if not len(buckets):
        raise invalid(f"Got empty buckets for feature {number}")
    found = np.searchsorted(buckets, values)
    found = np.minimum(found, len(buckets) - 1)
    return np.stack([found, dimensions], axis=1).astype(np.int32)


def _quantiles(
    dense_values, sparse_values, dense_buckets, sparse_buckets, sparse_indices
):
    found = [
        _in_buckets(np.ravel(x), buckets, np.zeros(np.size(x), np.int32), i)
        for i, (x, buckets) in enumerate(zip(dense_values, dense_buckets))
    ]
    sparse = zip(sparse_values, sparse_buckets, sparse_indices)
    return found + [
        _in_buckets(x, buckets, np.asarray(at)[:, 1], i)
        for i, (x, buckets, at) in enumerate(sparse)
    ]


Quantiles = define("Quantiles", _infer_quantiles, host=_quantiles)


def _bucketize(values, boundaries):
    if np.any(np.diff(boundaries) < 0):
        raise invalid("Expected sorted boundaries")
    return np.searchsorted(boundaries, values, side="right").astype(np.int32)


BucketizeWithInputBoundaries = define(
    "BucketizeWithInputBoundaries",
    lambda input, boundaries: input._shape,
    host=_bucketize,
)
