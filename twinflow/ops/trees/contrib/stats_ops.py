"""The accumulators of statistics, of single numbers and of tensors."""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.infer import ranked, same_dim, scalar
from twinflow.ops.core.versions import nothing
from twinflow.ops.strings.arrays import one
from twinflow.ops.trees.contrib import statistics
from twinflow.ops.trees.contrib.stamped import (
    StampedCell,
    define_handle,
    define_stateful,
    locked,
)


class StatsCell(StampedCell):
    """Sums of statistics, and of how many updates they are."""

    __slots__ = ("num_updates", "shapes", "sums")
    kind = "N10tensorflow13boosted_trees12_GLOBAL__N_124StatsAccumulatorResourceIffEE"

    def __init__(self, name):
        super().__init__(name)
        self.num_updates, self.shapes, self.sums = 0, ((), ()), statistics.empty()

    def create(self, stamp, shapes):
        """Begin, unless it is there."""
        if not self.initialized:
            self.shapes = shapes
            self.clear(int(one(stamp)))

    def clear(self, stamp):
        """Begin anew."""
        self.stamp, self.num_updates = stamp, 0
        self.sums = statistics.empty(*self.shapes)

    def add(self, stamp, rows):
        """Add statistics, if they were made for the stamp."""
        self.check(rows)
        if self.is_at(stamp):
            self.num_updates += 1
            self.sums = statistics.together(self.sums, rows)

    def check(self, rows):
        """Refuse statistics of another shape."""
        names = "Gradients", "Hessians"
        for name, array, shape in zip(names, rows[2:], self.ready().shapes):
            if np.shape(array)[1:] != shape:
                found, wanted = (_listed(s) for s in (np.shape(array)[1:], shape))
                raise invalid(f"{name} dimensions must match: {found}, {wanted}")


class TensorStatsCell(StatsCell):
    """Sums of gradients and hessians that are tensors."""

    __slots__ = ()
    kind = (
        "N10tensorflow13boosted_trees12_GLOBAL__N_124StatsAccumulatorResource"
        "ISt6vectorIfSaIfEES4_EE"
    )


def _listed(shape):
    return "[" + ",".join(map(str, shape)) + "]"


def _infer_rows(partition_ids, feature_ids, gradients, hessians, rank=None):
    (count,) = ranked(partition_ids._shape, 1)
    count = same_dim(count, ranked(feature_ids._shape, 2)[0])
    for x in (gradients, hessians):
        shape = x._shape if rank is None else ranked(x._shape, rank)
        if shape:
            count = same_dim(count, shape[0])


def _infer_add(rank):
    def infer(handles, stamp_token, partition_ids, feature_ids, gradients, hessians):
        ranked(stamp_token._shape, 0)
        for rows in zip(partition_ids, feature_ids, gradients, hessians):
            _infer_rows(*rows, rank)
        return []

    return infer


def _add(cells, stamp, *lists):
    for cell, *rows in zip(cells, *lists):
        with cell.lock:
            cell.add(stamp, statistics.Sums(*rows))
    return ()


@locked
def _flush(cell, stamp, next_stamp):
    updates, sums = np.int64(cell.ready().num_updates), cell.sums
    cell.move(stamp, next_stamp)
    cell.clear(cell.stamp)
    return (updates, *sums)


@locked
def _serialize(cell):
    return (np.int64(cell.ready().stamp), np.int64(cell.num_updates), *cell.sums)


@locked
def _deserialize(cell, stamp, num_updates, *rows):
    cell.ready()
    cell.sums = statistics.summed(*rows)
    cell.stamp, cell.num_updates = int(one(stamp)), int(one(num_updates))
    return ()


@locked
def _create(cell, stamp, *shapes):
    found = tuple(tuple(np.ravel(s).tolist()) for s in shapes) or ((), ())
    cell.create(stamp, found)
    return ()


_NUMBERS = [(None,), (None, 2), (None,), (None,)]
_TENSORS = [(None,), (None, 2), None, None]


def _define_family(kind, cell_class, rows, rank):
    """The ops of an accumulator; `rank` is that of its gradients, if it is known."""
    ops = {
        "ResourceHandleOp": define_handle(f"{kind}ResourceHandleOp", cell_class),
        "Create": define_stateful(f"Create{kind}", nothing, _create),
        "IsInitialized": define_stateful(
            f"{kind}IsInitialized", scalar, lambda cell: np.bool_(cell.initialized)
        ),
        "Add": define_stateful(f"{kind}Add", _infer_add(rank), _add),
        "Flush": define_stateful(f"{kind}Flush", lambda *_: [(), *rows], _flush),
        "Serialize": define_stateful(
            f"{kind}Serialize", lambda _: [(), (), *rows], _serialize
        ),
        "Deserialize": define_stateful(f"{kind}Deserialize", nothing, _deserialize),
        "MakeSummary": define(
            f"{kind}MakeSummary", lambda *_: list(rows), host=statistics.summed
        ),
    }
    return ops


scalar_ops = _define_family("StatsAccumulatorScalar", StatsCell, _NUMBERS, 1)
tensor_ops = _define_family("StatsAccumulatorTensor", TensorStatsCell, _TENSORS, None)
