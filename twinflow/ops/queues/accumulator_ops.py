"""The ops on accumulators; all run on the host.

Variant: TensorFlow's handles are references to strings; here they are resources.
"""

import numpy as np

from twinflow.base.op import NUMBER, define
from twinflow.ops.core.infer import scalar
from twinflow.ops.queues.ops import nothing

_HOST = {"stateful": True, "host": True}


def _handle(kind):
    return define(
        f"{kind}() -> (handle: resource); cell=None, dtype=float32, shape=None"
        ", container='', shared_name='', reduction_type='MEAN'",
        infer=scalar,
        kernel=lambda xp: lambda cell, **_: cell,
        cell="cell",
        types={"dtype": NUMBER},
        **_HOST,
    )


ConditionalAccumulator = _handle("ConditionalAccumulator")
SparseConditionalAccumulator = _handle("SparseConditionalAccumulator")


def _apply(cell, local_step, gradient):
    cell.accept(int(local_step), gradient)
    return ()


AccumulatorApplyGradient = define(
    "AccumulatorApplyGradient(handle: resource, local_step: int64, gradient: dtype)"
    " -> ()",
    infer=nothing,
    kernel=lambda xp: _apply,
    types={"dtype": NUMBER},
    **_HOST,
)


def _apply_sparse(cell, local_step, indices, values, shape, has_known_shape):
    shape = np.ravel(shape).tolist()
    cell.accept(int(local_step), indices, values, shape, has_known_shape)
    return ()


SparseAccumulatorApplyGradient = define(
    "SparseAccumulatorApplyGradient(handle: resource, local_step: int64"
    ", gradient_indices: int64, gradient_values: dtype, gradient_shape: int64) -> ()"
    "; has_known_shape=False",
    infer=nothing,
    kernel=lambda xp: _apply_sparse,
    types={"dtype": NUMBER},
    **_HOST,
)


def _set_step(cell, step):
    cell.set_step(int(step))
    return ()


AccumulatorSetGlobalStep = define(
    "AccumulatorSetGlobalStep(handle: resource, new_global_step: int64) -> ()",
    infer=nothing,
    kernel=lambda xp: _set_step,
    **_HOST,
)

AccumulatorNumAccumulated = define(
    "AccumulatorNumAccumulated(handle: resource) -> (num_accumulated: int32)",
    infer=scalar,
    kernel=lambda xp: lambda cell: np.int32(cell.count),
    **_HOST,
)

AccumulatorTakeGradient = define(
    "AccumulatorTakeGradient(handle: resource, num_required: int32)"
    " -> (average: dtype); dtype=float32",
    infer=lambda *_, **__: None,
    kernel=lambda xp: lambda cell, num_required, dtype: cell.take(int(num_required)),
    types={"dtype": NUMBER},
    **_HOST,
)

SparseAccumulatorTakeGradient = define(
    "SparseAccumulatorTakeGradient(handle: resource, num_required: int32)"
    " -> (indices: int64, values: dtype, shape: int64); dtype=float32",
    infer=lambda *_, **__: [None, None, None],
    kernel=lambda xp: lambda cell, num_required, dtype: cell.take(int(num_required)),
    types={"dtype": NUMBER},
    **_HOST,
)
