"""The statistics of leaves that may still split, in a graph and in its checkpoints."""

from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.checkpoint.saveable import SaveableObject, SaveSpec
from twinflow.contrib.tensor_forest.model_ops import converted, examples, saved_resource
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.trees.forest import stats_ops as ops

__all__ = [
    "FertileStatsVariableSavable", "fertile_stats_variable", "finalize_tree",
    "grow_tree_v4", "process_input_v4",
]  # fmt: skip


class FertileStatsVariableSavable(SaveableObject):
    """The serialized statistics, in checkpoints.

    Args:
        params: a ForestHParams with its `serialized_params_proto`.
        stats_handle: the handle. create_op: the op that makes the statistics.
        name: in checkpoints.
    """

    def __init__(
        self, params: Any, stats_handle: Any, create_op: Any, name: str
    ) -> None:
        self._attrs = {"params": params.serialized_params_proto}
        stats = apply(ops.FertileStatsSerialize, (stats_handle,), self._attrs)
        super().__init__(stats_handle, [SaveSpec(stats, "", name)], name)
        self.params = params
        self._handle, self._create = stats_handle, create_op

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """An op that puts the statistics back."""
        with dispatch.current_mode().control_dependencies([self._create]):
            return apply(
                ops.FertileStatsDeserialize, (self._handle, restored_tensors[0]),
                self._attrs,
            )  # fmt: skip


def fertile_stats_variable(
    params: Any, stats_config: TensorValue, name: str, container: str | None = None
) -> Any:
    """The handle of statistics that are initialized with the graph, and saved.

    Args:
        params: a ForestHParams with its `serialized_params_proto`.
        stats_config: string scalar, a serialized FertileStats, or "" for those of a
            tree of one leaf.
        name: of the handle. container: as in an op's attributes.
    Returns:
        A resource tensor.
    """
    attrs = {"params": params.serialized_params_proto}
    with dispatch.current_mode().name_scope(name) as scope:
        handle = apply(
            ops.FertileStatsResourceHandleOp, (),
            {"shared_name": scope, "container": container or ""}, scope or name,
        )  # fmt: skip
        config = convert_to_tensor(stats_config, dtypes.string)
        create = apply(ops.CreateFertileStatsVariable, (handle, config), attrs)
        return saved_resource(
            handle, create, apply(ops.FertileStatsIsInitializedOp, (handle,)),
            lambda key: FertileStatsVariableSavable(params, handle, create, key),
        )  # fmt: skip


def process_input_v4(
    tree_handle: Any, stats_handle: Any, input_data: TensorValue,
    sparse_input_indices: TensorValue, sparse_input_values: TensorValue,
    sparse_input_shape: TensorValue, input_labels: TensorValue,
    input_weights: TensorValue, leaf_ids: TensorValue, random_seed: int,
    input_spec: Any, params: Any, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Add examples to the statistics of their leaves.

    Args:
        tree_handle, stats_handle: of `tree_variable` and `fertile_stats_variable`.
        input_data, sparse_input_indices, sparse_input_values, sparse_input_shape,
            input_spec, params, name: see `model_ops.traverse_tree_v4`.
        input_labels: float32[n] or [n, outputs]. input_weights: float32[n], or [].
        leaf_ids: int32[n], of `model_ops.traverse_tree_v4`.
        random_seed: which features become candidates; 0: others in each run.
    Returns:
        int32[m], the leaves that are ready to split.
    Raises:
        InvalidArgumentError: a label is no class, or a leaf has no statistics.
    """
    data = examples(
        input_data, sparse_input_indices, sparse_input_values, sparse_input_shape
    )
    found = converted(
        (input_labels, input_weights, leaf_ids),
        (dtypes.float32, dtypes.float32, dtypes.int32),
    )
    attrs = {"random_seed": random_seed, "input_spec": input_spec, "params": params}
    inputs = (tree_handle, stats_handle, *data, *found)
    return apply(ops.ProcessInputV4, inputs, attrs, name)


def grow_tree_v4(
    tree_handle: Any, stats_handle: Any, finished_nodes: TensorValue, params: Any,
    name: str | None = None,
) -> Any:  # fmt: skip
    """An op that splits leaves by their best candidates.

    Args:
        tree_handle, stats_handle: of `tree_variable` and `fertile_stats_variable`.
        finished_nodes: int32[m], of `process_input_v4`.
        params: a serialized TensorForestParams. name: of the node in a graph.
    """
    nodes = convert_to_tensor(finished_nodes, dtypes.int32)
    attrs = {"params": params}
    return apply(ops.GrowTreeV4, (tree_handle, stats_handle, nodes), attrs, name)


def finalize_tree(
    tree_handle: Any, stats_handle: Any, params: Any, name: str | None = None
) -> Any:
    """An op that 1.12 has disabled: it raises UnimplementedError when it runs.

    Args: see `grow_tree_v4`.
    Raises:
        UnimplementedError: always, as TensorFlow 1.12 ends there.
    """
    return apply(
        ops.FinalizeTree, (tree_handle, stats_handle), {"params": params}, name
    )
