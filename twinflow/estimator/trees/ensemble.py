"""An ensemble of trees in a graph, and in its checkpoints."""

from operator import attrgetter
from typing import Any

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.checkpoint.saveable import SaveableObject, SaveSpec
from twinflow.ops.core.constant import identity
from twinflow.ops.trees import growing, ops
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.resources import register_resource


class PruningMode:
    """Which splits are undone: those that gain nothing, before or after growing."""

    NO_PRUNING = growing.NO_PRUNING
    PRE_PRUNING = growing.PRE_PRUNING
    POST_PRUNING = growing.POST_PRUNING
    _map = {"none": NO_PRUNING, "pre": PRE_PRUNING, "post": POST_PRUNING}

    @classmethod
    def from_str(cls, mode: str) -> int:
        """The mode of "none", "pre" or "post"."""
        if mode not in cls._map:
            raise ValueError(
                f"pruning_mode mode must be one of: {', '.join(sorted(cls._map))}"
            )
        return cls._map[mode]


class TreeEnsembleSaveable(SaveableObject):
    """The stamp and the serialized ensemble."""

    def __init__(self, handle, create, name):
        stamp, serialized = apply(ops.BoostedTreesSerializeEnsemble, (handle,))
        specs = [
            SaveSpec(stamp, "", f"{name}_stamp"),
            SaveSpec(serialized, "", f"{name}_serialized"),
        ]
        super().__init__(handle, specs, name)
        self._handle, self._create = handle, create

    def restore(self, restored_tensors, restored_shapes):
        """The op that puts the ensemble back."""
        mode = dispatch.current_mode()
        with mode.control_dependencies([self._create]):
            return apply(
                ops.BoostedTreesDeserializeEnsemble, (self._handle, *restored_tensors)
            )


class TreeEnsemble:
    """A resource of boosted trees that is initialized with the graph, and saved.

    Args:
        name: of the handle. stamp_token: int, a number that each change raises.
        is_local: of this process alone. serialized_proto: bytes, of a TreeEnsemble.
    """

    def __init__(
        self, name: str, stamp_token: int = 0, is_local: bool = False,
        serialized_proto: bytes | str = "",
    ) -> None:  # fmt: skip
        mode = dispatch.current_mode()
        with mode.name_scope(name) as scope:
            attrs = {"shared_name": scope}
            handle = apply(
                ops.BoostedTreesEnsembleResourceHandleOp, (), attrs, scope or name
            )
            self._resource_handle = handle
            create = apply(
                ops.BoostedTreesCreateEnsemble, (handle, stamp_token, serialized_proto)
            )
            ready = apply(ops.IsBoostedTreesEnsembleInitialized, (handle,))
            register_resource(handle, create, ready, not is_local)
            owner = mode.variable_owner()
            if not owner.eager:
                saved = TreeEnsembleSaveable(handle, create, handle.name)
                owner.add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saved)

    resource_handle = property(
        attrgetter("_resource_handle"), doc="The handle: a tensor."
    )

    def _states(self):
        return apply(ops.BoostedTreesGetEnsembleStates, (self._resource_handle,))

    def get_stamp_token(self) -> Tensor:
        """int64 scalar, the number of the last change."""
        return self._states()[0]

    def get_states(self) -> tuple:
        """(stamp, number of trees, of finished ones, of layers, range of nodes).

        Returns:
            int64[], int32[], int32[], int32[], int32[2]: the nodes are those of the
            last layer, the first and the one after the last.
        """
        names = (
            "stamp_token", "num_trees", "num_finalized_trees", "num_attempted_layers",
            "last_layer_nodes_range",
        )  # fmt: skip
        return tuple(map(identity, self._states(), names))

    def serialize(self) -> tuple:
        """(int64 scalar, the stamp; string scalar, the TreeEnsemble)."""
        return tuple(apply(ops.BoostedTreesSerializeEnsemble, (self._resource_handle,)))

    def deserialize(self, stamp_token: Any, serialized_proto: Any) -> Any:
        """An op that replaces the ensemble.

        Args:
            stamp_token: int64 scalar. serialized_proto: string scalar.
        """
        inputs = (self._resource_handle, stamp_token, serialized_proto)
        return apply(ops.BoostedTreesDeserializeEnsemble, inputs)
