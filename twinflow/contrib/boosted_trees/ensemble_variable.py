"""An ensemble of decision trees in a graph, and in its checkpoints."""

from typing import Any

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.checkpoint.saveable import SaveableObject, SaveSpec
from twinflow.ops.trees.contrib import model_ops as ops
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.resources import register_resource


def save(saveable: SaveableObject) -> None:
    """Let the savers of the graph know of something to save."""
    owner = dispatch.current_mode().variable_owner()
    if not owner.eager:
        owner.add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saveable)


class TreeEnsembleVariableSavable(SaveableObject):
    """The stamp and the serialized ensemble.

    Args:
        tree_ensemble_handle: the handle. create_op: the op that makes the ensemble.
        name: in checkpoints.
    """

    def __init__(self, tree_ensemble_handle: Any, create_op: Any, name: str) -> None:
        parts = apply(ops.TreeEnsembleSerialize, (tree_ensemble_handle,))
        specs = [
            SaveSpec(part, "", name + suffix)
            for part, suffix in zip(parts, ("_stamp", "_config"))
        ]
        super().__init__(tree_ensemble_handle, specs, name)
        self._handle, self._create = tree_ensemble_handle, create_op

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """An op that puts the ensemble back."""
        with dispatch.current_mode().control_dependencies([self._create]):
            return apply(ops.TreeEnsembleDeserialize, (self._handle, *restored_tensors))


def tree_ensemble_variable(
    stamp_token: Any, tree_ensemble_config: Any, name: str, container: str | None = None
) -> Any:
    """The handle of an ensemble that is initialized with the graph, and saved.

    Args:
        stamp_token: int64 scalar, its first stamp.
        tree_ensemble_config: string scalar, a serialized DecisionTreeEnsembleConfig.
        name: of the handle. container: unused.
    Returns:
        A resource tensor.
    """
    with dispatch.current_mode().name_scope(name) as scope:
        attrs = {"shared_name": scope}
        handle = apply(
            ops.DecisionTreeEnsembleResourceHandleOp, (), attrs, scope or name
        )
        create = apply(
            ops.CreateTreeEnsembleVariable, (handle, stamp_token, tree_ensemble_config)
        )
        ready = apply(ops.TreeEnsembleIsInitializedOp, (handle,))
        register_resource(handle, create, ready)
        save(TreeEnsembleVariableSavable(handle, create, handle.name))
    return handle
