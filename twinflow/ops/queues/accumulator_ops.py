"""The ops on accumulators; all run on the host."""

import numpy as np

from twinflow.base import dtypes
from twinflow.base.op import define
from twinflow.ops.core.infer import scalar
from twinflow.ops.core.versions import nothing


def _define(kind, infer, kernel, attrs=None, **facts):
    return define(kind, infer, host=kernel, attrs=attrs, stateful=True, **facts)


_MADE = {"cell": None, "dtype": dtypes.float32}
ConditionalAccumulator, SparseConditionalAccumulator = (
    _define(kind, scalar, lambda cell, **_: cell, _MADE, cell="cell")
    for kind in ("ConditionalAccumulator", "SparseConditionalAccumulator")
)


def _apply(cell, local_step, gradient):
    cell.accept(int(local_step), gradient)
    return ()


def _apply_sparse(cell, local_step, indices, values, shape, has_known_shape):
    shape = np.ravel(shape).tolist()
    cell.accept(int(local_step), indices, values, shape, has_known_shape)
    return ()


AccumulatorApplyGradient = _define("AccumulatorApplyGradient", nothing, _apply)
SparseAccumulatorApplyGradient = _define(
    "SparseAccumulatorApplyGradient", nothing, _apply_sparse, {"has_known_shape": False}
)


def _set_step(cell, step):
    cell.set_step(int(step))
    return ()


AccumulatorSetGlobalStep = _define("AccumulatorSetGlobalStep", nothing, _set_step)
AccumulatorNumAccumulated = _define(
    "AccumulatorNumAccumulated", scalar, lambda cell: np.int32(cell.count)
)


def _take(cell, num_required, dtype):
    return cell.take(int(num_required))


_TAKEN = {"dtype": dtypes.float32}
AccumulatorTakeGradient = _define(
    "AccumulatorTakeGradient", lambda *_, **__: None, _take, _TAKEN
)
SparseAccumulatorTakeGradient = _define(
    "SparseAccumulatorTakeGradient", lambda *_, **__: [None] * 3, _take, _TAKEN
)
