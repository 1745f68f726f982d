"""The ops that make decision trees, read and write them, and walk through them."""

import numpy as np

from twinflow.ops.core.infer import ranked, scalar
from twinflow.ops.core.versions import nothing
from twinflow.ops.strings.arrays import filled, one
from twinflow.ops.trees.contrib.stamped import define_handle, define_stateful, locked
from twinflow.ops.trees.forest.examples import Examples, Targets
from twinflow.ops.trees.forest.settings import settings_of
from twinflow.ops.trees.forest.trees import TreeCell

DecisionTreeResourceHandleOp = define_handle("DecisionTreeResourceHandleOp", TreeCell)
TreeIsInitializedOp = define_stateful(
    "TreeIsInitializedOp", scalar, lambda cell: np.bool_(cell.initialized)
)


def infer_put(handle, config, params):
    """The shape rule of what fills a resource from a string."""
    ranked(config._shape, 0)
    return []


@locked
def create(cell, config, params):
    """Fill a resource from a string, if it is not there yet."""
    if not cell.initialized:
        cell.put(settings_of(params), one(config))
    return ()


@locked
def deserialize(cell, config, params):
    """Fill a resource that is there from a string."""
    cell.ready().put(settings_of(params), one(config))
    return ()


@locked
def _serialize(cell):
    return filled([cell.ready().serialized()], ())


CreateTreeVariable = define_stateful("CreateTreeVariable", infer_put, create)
TreeDeserialize = define_stateful("TreeDeserialize", infer_put, deserialize)
TreeSerialize = define_stateful("TreeSerialize", scalar, _serialize)
TreeSize = define_stateful(
    "TreeSize", scalar, locked(lambda cell: np.int32(cell.ready().size))
)
FeatureUsageCounts = define_stateful(
    "FeatureUsageCounts", lambda handle, params: (None,),
    locked(lambda cell, params: cell.ready().usage()),
)  # fmt: skip


def _rows(input_data):
    """The number of examples, if a dense input tells it."""
    shape = input_data._shape
    return shape[0] if shape is not None and len(shape) == 2 else None


@locked
def _predict(cell, *inputs, input_spec, params):
    settings, examples = settings_of(params), Examples(input_spec, *inputs)
    steps = [np.zeros(examples.count, np.int32)]
    leaves = cell.ready().leaves(examples, steps)
    paths = []
    if settings.inference_tree_paths:
        paths = [cell.path_of(dict.fromkeys(p)) for p in np.stack(steps, 1).tolist()]
    return cell.outputs(leaves), filled(paths, (len(paths),))


@locked
def _traverse(cell, *inputs, input_spec, params):
    return cell.ready().leaves(Examples(input_spec, *inputs))


@locked
def _update(cell, leaf_ids, labels, weights, params):
    settings, targets = settings_of(params), Targets(labels, weights)
    if not settings.is_regression:
        classes = targets.classes(settings.num_outputs)
        cell.ready().add(np.ravel(leaf_ids), classes, targets.weights)
    return ()


TreePredictionsV4 = define_stateful(
    "TreePredictionsV4",
    lambda handle, input_data, *rest, **attrs: [(_rows(input_data), None), (None,)],
    _predict,
)
TraverseTreeV4 = define_stateful(
    "TraverseTreeV4",
    lambda handle, input_data, *rest, **attrs: (_rows(input_data),),
    _traverse,
)
UpdateModelV4 = define_stateful("UpdateModelV4", nothing, _update)
