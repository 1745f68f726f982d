"""The ops that put numbers into buckets by their quantiles; all run on the host."""

import threading

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.op import define
from twinflow.base.state import Cell
from twinflow.ops.core.infer import ranked, same_dim, scalar
from twinflow.ops.core.versions import nothing
from twinflow.ops.strings.arrays import one
from twinflow.ops.trees.quantiles import QuantileStream, of_entries


class QuantileCell(Cell):
    """Streams of numbers, one a feature, and the boundaries made of them.

    Args:
        name: for errors.
    """

    __slots__ = ("_settings", "boundaries", "lock", "streams")

    def __init__(self, name):
        super().__init__(name, dtypes.resource, ())
        self.lock, self.streams, self._settings = threading.RLock(), None, None
        self.boundaries: list = []

    def fresh(self):
        """One that is not there yet."""
        return QuantileCell(self.name)

    @property
    def initialized(self):
        """Whether its streams have been made."""
        return self.streams is not None

    def __deepcopy__(self, memo):
        return self.fresh()

    def __reduce__(self):
        raise TypeError("Streams of quantiles cannot be pickled.")

    def create(self, error, count, most):
        """Make the streams, unless they are there."""
        with self.lock:
            if self.streams is None:
                self._settings = error, most
                self.boundaries = [np.zeros(0, np.float32)] * count
                self.streams = [QuantileStream(error, most) for _ in range(count)]

    def ready(self):
        """The streams.

        Raises:
            NotFoundError: there are none yet.
        """
        if self.streams is None:
            raise errors.NotFoundError(
                None, None,
                f"Resource localhost/{self.name}/"
                "N10tensorflow35BoostedTreesQuantileStreamResourceE does not exist.",
            )  # fmt: skip
        return self.streams

    def flush(self, buckets, quantiles):
        """Make the boundaries of what came so far, and start anew."""
        with self.lock:
            found = [stream.summary() for stream in self.ready()]
            self.boundaries = [
                s.quantiles(buckets - 1) if quantiles else s.boundaries(buckets)
                for s in found
            ]
            self.streams = [QuantileStream(*self._settings) for _ in found]


def _define(kind, infer, kernel, **facts):
    return define(kind, infer, host=kernel, stateful=True, **facts)


def _cell(name, attrs):
    return QuantileCell(attrs["shared_name"] or name)


BoostedTreesQuantileStreamResourceHandleOp = _define(
    "BoostedTreesQuantileStreamResourceHandleOp",
    scalar,
    lambda cell, **attrs: _cell("", attrs) if cell is None else cell,
    attrs={"cell": None},
    cell="cell",
    home=_cell,
)

IsBoostedTreesQuantileStreamResourceInitialized = _define(
    "IsBoostedTreesQuantileStreamResourceInitialized",
    scalar,
    lambda cell: np.bool_(cell.initialized),
)


def _infer_create(handle, epsilon, num_streams, max_elements):
    ranked(epsilon._shape, 0)
    ranked(num_streams._shape, 0)
    return []


def _create(cell, epsilon, num_streams, max_elements):
    cell.create(float(one(epsilon)), int(one(num_streams)), max_elements)
    return ()


BoostedTreesCreateQuantileStreamResource = _define(
    "BoostedTreesCreateQuantileStreamResource", _infer_create, _create
)


# ---------------------------------------------------------------------- numbers
def _infer_summaries(float_values, example_weights, epsilon):
    (batch,) = ranked(example_weights._shape, 1)
    for x in float_values:
        batch = same_dim(ranked(x._shape, 2)[0], batch)
    ranked(epsilon._shape, 0)
    return [(None, 4)] * len(float_values)


def _summaries(values, weights, epsilon):
    out = []
    for feature in values:
        stream = QuantileStream(float(one(epsilon)), len(weights) + 1)
        stream.push(feature, weights)
        out.append(stream.summary().entries())
    return out


BoostedTreesMakeQuantileSummaries = define(
    "BoostedTreesMakeQuantileSummaries", _infer_summaries, host=_summaries
)


def _infer_add(handle, summaries):
    for x in summaries:
        ranked(x._shape, 2)
    return []


def _add(cell, summaries):
    with cell.lock:
        for stream, entries in zip(cell.ready(), summaries):
            stream.add(of_entries(entries))
    return ()


BoostedTreesQuantileStreamResourceAddSummaries = _define(
    "BoostedTreesQuantileStreamResourceAddSummaries", _infer_add, _add
)


def _flush(cell, num_buckets, generate_quantiles):
    cell.flush(int(one(num_buckets)), generate_quantiles)
    return ()


BoostedTreesQuantileStreamResourceFlush = _define(
    "BoostedTreesQuantileStreamResourceFlush", nothing, _flush
)


def _boundaries(cell, num_features):
    cell.ready()
    return list(cell.boundaries)


BoostedTreesQuantileStreamResourceGetBucketBoundaries = _define(
    "BoostedTreesQuantileStreamResourceGetBucketBoundaries",
    lambda handle, num_features: [(None,)] * num_features,
    _boundaries,
    attrs={"num_features": 0},
)


def _infer_buckets(float_values, bucket_boundaries):
    for x in bucket_boundaries:
        ranked(x._shape, 1)
    return [(ranked(x._shape, 2)[0], 1) for x in float_values]


def _bucketize(values, boundaries):
    out = []
    for feature, limits in zip(values, boundaries, strict=True):
        found = np.searchsorted(limits, np.ravel(feature))
        found = np.minimum(found, max(len(limits) - 1, 0))
        out.append(found.astype(np.int32)[:, None])
    return out


BoostedTreesBucketize = define("BoostedTreesBucketize", _infer_buckets, host=_bucketize)
