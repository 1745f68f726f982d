"""A decision tree in a graph, and in its checkpoints."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.checkpoint.saveable import SaveableObject, SaveSpec
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.trees.forest import model_ops as ops
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.resources import register_resource

__all__ = [
    "TreeVariableSavable", "feature_usage_counts", "traverse_tree_v4",
    "tree_predictions_v4", "tree_size", "tree_variable", "update_model_v4",
]  # fmt: skip
_DATA = dtypes.float32, dtypes.int64, dtypes.float32, dtypes.int64


def converted(values: Any, types: Any) -> list:
    """Tensors of types."""
    return [convert_to_tensor(value, dtype) for value, dtype in zip(values, types)]


def examples(*data: Any) -> list:
    """The four inputs of a batch, as tensors."""
    return converted(data, _DATA)


def saved_resource(handle: Any, create: Any, ready: Any, saveable: Any) -> Any:
    """The handle of a resource that a graph initializes and saves.

    Args:
        handle, create, ready: of register_resource. saveable: makes a SaveableObject
            of the name of the handle.
    """
    owner = dispatch.current_mode().variable_owner()
    if not owner.eager:
        owner.add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saveable(handle.name))
    register_resource(handle, create, ready)
    return handle


class TreeVariableSavable(SaveableObject):
    """The serialized tree, in checkpoints.

    Args:
        params: a ForestHParams with its `serialized_params_proto`.
        tree_handle, stats_handle: the handles. create_op: the op that makes the tree.
        name: in checkpoints.
    """

    def __init__(
        self, params: Any, tree_handle: Any, stats_handle: Any, create_op: Any,
        name: str,
    ) -> None:  # fmt: skip
        tree = apply(ops.TreeSerialize, (tree_handle,))
        super().__init__(tree_handle, [SaveSpec(tree, "", name)], name)
        self.params = params
        self._handle, self._create = tree_handle, create_op

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """An op that puts the tree back."""
        with dispatch.current_mode().control_dependencies([self._create]):
            return apply(
                ops.TreeDeserialize, (self._handle, restored_tensors[0]),
                {"params": self.params.serialized_params_proto},
            )  # fmt: skip


def tree_variable(
    params: Any, tree_config: TensorValue, stats_handle: Any, name: str,
    container: str | None = None,
) -> Any:  # fmt: skip
    """The handle of a tree that is initialized with the graph, and saved.

    Args:
        params: a ForestHParams with its `serialized_params_proto`.
        tree_config: string scalar, a serialized tree, or "" for one of one leaf.
        stats_handle: that of the tree's statistics, or None.
        name: of the handle. container: as in an op's attributes.
    Returns:
        A resource tensor.
    """
    with dispatch.current_mode().name_scope(name) as scope:
        handle = apply(
            ops.DecisionTreeResourceHandleOp, (),
            {"shared_name": scope, "container": container or ""}, scope or name,
        )  # fmt: skip
        create = apply(
            ops.CreateTreeVariable,
            (handle, convert_to_tensor(tree_config, dtypes.string)),
            {"params": params.serialized_params_proto},
        )
        return saved_resource(
            handle, create, apply(ops.TreeIsInitializedOp, (handle,)),
            lambda key: TreeVariableSavable(params, handle, stats_handle, create, key),
        )  # fmt: skip


def tree_size(tree_handle: Any, name: str | None = None) -> Tensor:
    """int32 scalar, how many nodes a tree has.

    Args:
        tree_handle: of `tree_variable`. name: the name of the node in a graph.
    """
    return apply(ops.TreeSize, (tree_handle,), {}, name)


def feature_usage_counts(tree_handle: Any, params: Any, name: str | None = None) -> Any:
    """int32[features], how many nodes of a tree ask for each feature.

    Args:
        tree_handle: of `tree_variable`. params: a serialized TensorForestParams.
        name: the name of the node in a graph.
    """
    return apply(ops.FeatureUsageCounts, (tree_handle,), {"params": params}, name)


def _walked(op, tree_handle, data, input_spec, params, name):
    attrs = {"input_spec": input_spec, "params": params}
    return apply(op, (tree_handle, *examples(*data)), attrs, name)


def traverse_tree_v4(
    tree_handle: Any, input_data: TensorValue, sparse_input_indices: TensorValue,
    sparse_input_values: TensorValue, sparse_input_shape: TensorValue, input_spec: Any,
    params: Any, name: str | None = None,
) -> Tensor:  # fmt: skip
    """int32[n], the leaves that examples come to.

    Args:
        tree_handle: of `tree_variable`. input_data: float32[n, features], or [].
        sparse_input_indices, sparse_input_values, sparse_input_shape: int64[m, 2],
            float32[m] and int64[2], a sparse matrix, or [].
        input_spec: the text of a data_ops.TensorForestDataSpec.
        params: a serialized TensorForestParams. name: of the node in a graph.
    Raises:
        InvalidArgumentError: the tree asks for a feature that there is not.
    """
    data = input_data, sparse_input_indices, sparse_input_values, sparse_input_shape
    return _walked(ops.TraverseTreeV4, tree_handle, data, input_spec, params, name)


def tree_predictions_v4(
    tree_handle: Any, input_data: TensorValue, sparse_input_indices: TensorValue,
    sparse_input_values: TensorValue, sparse_input_shape: TensorValue, input_spec: Any,
    params: Any, name: str | None = None,
) -> Any:  # fmt: skip
    """What a tree says of examples.

    Args: see `traverse_tree_v4`.
    Returns:
        predictions: float32[n, outputs], shares of classes, or numbers.
        tree_paths: string[n], a serialized TreePath each if `inference_tree_paths` is
            set, else string[0].
    Raises:
        InvalidArgumentError: the tree asks for a feature that there is not.
    """
    data = input_data, sparse_input_indices, sparse_input_values, sparse_input_shape
    return _walked(ops.TreePredictionsV4, tree_handle, data, input_spec, params, name)


def update_model_v4(
    tree_handle: Any, leaf_ids: TensorValue, input_labels: TensorValue,
    input_weights: TensorValue, params: Any, name: str | None = None,
) -> Any:  # fmt: skip
    """An op that counts examples in their leaves.

    Args:
        tree_handle: of `tree_variable`. leaf_ids: int32[n], of `traverse_tree_v4`.
        input_labels: float32[n] or [n, outputs]. input_weights: float32[n], or [].
        params: a serialized TensorForestParams. name: of the node in a graph.
    Raises:
        InvalidArgumentError: a label is no class.
    """
    data = converted(
        (leaf_ids, input_labels, input_weights),
        (dtypes.int32, dtypes.float32, dtypes.float32),
    )
    return apply(ops.UpdateModelV4, (tree_handle, *data), {"params": params}, name)
