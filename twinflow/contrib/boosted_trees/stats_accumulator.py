"""What adds up gradients and hessians, in graphs and checkpoints."""

from typing import Any

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.shapes import TensorShape
from twinflow.checkpoint.saveable import SaveableObject, SaveSpec
from twinflow.contrib.boosted_trees.ensemble_variable import save
from twinflow.contrib.boosted_trees.scheduling import (
    ScheduledStampedResourceOp,
    plain_name,
)
from twinflow.ops.trees.contrib.stats_ops import scalar_ops, tensor_ops
from twinflow.ops.variables.resources import register_resource

# The last one has no underscore in the checkpoints of TensorFlow 1.12.
_KEYS = (
    "_stamp", "_num_updates", "_partition_ids", "_feature_ids", "_gradients",
    "hessians",
)  # fmt: skip


class StatsAccumulator(SaveableObject):
    """Sums of gradients and hessians, by leaf and feature.

    Args:
        stamp_token: int64 scalar, the first stamp.
        gradient_shape, hessian_shape: TensorShapes of one example's; of no axes for
            single numbers. name: of the handle. container: unused.
    """

    def __init__(
        self, stamp_token: Any, gradient_shape: Any, hessian_shape: Any,
        name: str | None = None, container: str | None = None,
    ) -> None:  # fmt: skip
        shapes = TensorShape(gradient_shape), TensorShape(hessian_shape)
        self._is_scalar = all(shape.ndims == 0 for shape in shapes)
        self._ops: dict = scalar_ops if self._is_scalar else tensor_ops
        self._add = _add_scalars if self._is_scalar else _add_tensors
        more = () if self._is_scalar else tuple(s.as_list() for s in shapes)
        mode = dispatch.current_mode()
        with mode.name_scope(plain_name(name) or "StatsAccumulator") as scope:
            attrs = {"shared_name": scope}
            handle = apply(self._ops["ResourceHandleOp"], (), attrs, scope)
            create = apply(self._ops["Create"], (handle, stamp_token, *more))
            ready = apply(self._ops["IsInitialized"], (handle,))
        self._handle, self._create = handle, create
        register_resource(handle, create, ready)
        specs = [
            SaveSpec(part, "", handle.name + key)
            for part, key in zip(self.serialize(), _KEYS)
        ]
        super().__init__(handle, specs, handle.name)
        save(self)

    @property
    def resource(self) -> Any:
        """The handle."""
        return self._handle

    def _make_summary(self, partition_ids, feature_ids, gradients, hessians):
        inputs = partition_ids, feature_ids, gradients, hessians
        return apply(self._ops["MakeSummary"], inputs)

    def add(
        self, stamp_token: Any, partition_ids: Any, feature_ids: Any, gradients: Any,
        hessians: Any,
    ) -> Any:  # fmt: skip
        """An op that adds statistics, if the stamp is the current one.

        Args:
            stamp_token: int64 scalar. partition_ids: int32[n], the leaves.
            feature_ids: int64[n, 2], numbers and dimensions.
            gradients, hessians: float32[n, ...].
        """
        found = self._make_summary(partition_ids, feature_ids, gradients, hessians)
        return self._add([self._handle], stamp_token, *([part] for part in found))

    def schedule_add(
        self, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any
    ) -> ScheduledStampedResourceOp:
        """`add`, to be made with others: see run_handler_scheduled_ops."""
        names = "partition_ids", "feature_ids", "gradients", "hessians"
        found = self._make_summary(partition_ids, feature_ids, gradients, hessians)
        lists = dict(zip(names, found))
        return ScheduledStampedResourceOp(self._handle, self._add, **lists)

    def flush(self, stamp_token: Any, next_stamp_token: Any) -> tuple:
        """(how many updates, leaves, features, gradients, hessians); then it is empty.

        Args:
            stamp_token, next_stamp_token: int64 scalars.
        """
        inputs = self._handle, stamp_token, next_stamp_token
        return tuple(apply(self._ops["Flush"], inputs))

    def serialize(self) -> tuple:
        """(stamp, how many updates, leaves, features, gradients, hessians)"""
        return tuple(apply(self._ops["Serialize"], (self._handle,)))

    def deserialize(
        self, stamp_token: Any, num_updates: Any, partition_ids: Any, feature_ids: Any,
        gradients: Any, hessians: Any,
    ) -> Any:  # fmt: skip
        """An op that puts statistics in the place of those there are."""
        values = stamp_token, num_updates, partition_ids, feature_ids, gradients
        return apply(self._ops["Deserialize"], (self._handle, *values, hessians))

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """An op that puts back what was saved."""
        with dispatch.current_mode().control_dependencies([self._create]):
            return self.deserialize(*restored_tensors)


def _add_scalars(handles, stamp, partition_ids, feature_ids, gradients, hessians):
    inputs = handles, stamp, partition_ids, feature_ids, gradients, hessians
    return apply(scalar_ops["Add"], inputs)


def _add_tensors(handles, stamp, partition_ids, feature_ids, gradients, hessians):
    inputs = handles, stamp, partition_ids, feature_ids, gradients, hessians
    return apply(tensor_ops["Add"], inputs)
