"""The ops that make ensembles, and read and write them."""

import numpy as np

from twinflow.ops.core.infer import ranked, scalar
from twinflow.ops.strings.arrays import filled
from twinflow.ops.trees.contrib.ensembles import EnsembleCell
from twinflow.ops.trees.contrib.stamped import define_handle, define_stateful, locked

DecisionTreeEnsembleResourceHandleOp = define_handle(
    "DecisionTreeEnsembleResourceHandleOp", EnsembleCell
)
TreeEnsembleIsInitializedOp = define_stateful(
    "TreeEnsembleIsInitializedOp", scalar, lambda cell: np.bool_(cell.initialized)
)
TreeEnsembleStampToken = define_stateful(
    "TreeEnsembleStampToken", scalar, lambda cell: np.int64(cell.ready().stamp)
)


def _infer_put(handle, stamp_token, tree_ensemble_config):
    ranked(stamp_token._shape, 0)
    ranked(tree_ensemble_config._shape, 0)
    return []


@locked
def _create(cell, stamp, config):
    if not cell.initialized:
        cell.put(stamp, config)
    return ()


@locked
def _deserialize(cell, stamp, config):
    cell.ready().put(stamp, config)
    return ()


@locked
def _serialize(cell):
    config = cell.ready().config.SerializeToString()
    return np.int64(cell.stamp), filled([config], ())


@locked
def _used_handlers(cell, stamp, num_all_handlers):
    used = np.zeros(num_all_handlers, bool)
    if not cell.is_at(stamp):
        return np.int64(0), used
    ids = list(cell.config.growing_metadata.used_handler_ids)
    used[[i for i in ids if i < num_all_handlers]] = True
    return np.int64(len(ids)), used


@locked
def _stats(cell, stamp):
    return cell.stats() if cell.is_at(stamp) else (np.int64(0),) * 6


CreateTreeEnsembleVariable = define_stateful(
    "CreateTreeEnsembleVariable", _infer_put, _create
)
TreeEnsembleDeserialize = define_stateful(
    "TreeEnsembleDeserialize", _infer_put, _deserialize
)
TreeEnsembleSerialize = define_stateful(
    "TreeEnsembleSerialize", lambda handle: [(), ()], _serialize
)
TreeEnsembleUsedHandlers = define_stateful(
    "TreeEnsembleUsedHandlers",
    lambda handle, stamp, num_all_handlers: [(), (num_all_handlers,)],
    _used_handlers,
    attrs={"num_all_handlers": 0},
)
TreeEnsembleStats = define_stateful(
    "TreeEnsembleStats", lambda handle, stamp: [()] * 6, _stats
)
