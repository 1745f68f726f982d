"""What puts numbers into buckets by their quantiles, in graphs and checkpoints."""

from typing import Any

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.checkpoint.saveable import SaveableObject, SaveSpec
from twinflow.contrib.boosted_trees.ensemble_variable import save
from twinflow.contrib.boosted_trees.scheduling import (
    ScheduledStampedResourceOp,
    plain_name,
)
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.trees.contrib import quantile_ops as ops
from twinflow.ops.variables.resources import register_resource

_MOST = 1 << 40
_KEYS = "_stamp", "_state", "_are_buckets_ready", "buckets"


class QuantileAccumulator(SaveableObject):
    """A stream of numbers, and boundaries of buckets made of them.

    Args:
        init_stamp_token: int64 scalar, the first stamp. epsilon: float, the error of
            ranks. num_quantiles: int, how many buckets. max_elements: how many numbers
            may come. name: of the handle. container: unused.
        generate_quantiles: whether there are just as many, of equal ranks.
    """

    def __init__(
        self, init_stamp_token: Any, epsilon: float, num_quantiles: int,
        max_elements: int | None = None, name: str | None = None,
        container: str | None = None, generate_quantiles: bool = False,
    ) -> None:  # fmt: skip
        self._eps = epsilon
        mode = dispatch.current_mode()
        with mode.name_scope(plain_name(name) or "QuantileAccumulator") as scope:
            attrs = {"shared_name": scope}
            handle = apply(ops.QuantileStreamResourceHandleOp, (), attrs, scope)
            chosen = {
                "epsilon": epsilon, "num_quantiles": num_quantiles,
                "max_elements": _MOST if max_elements is None else max_elements,
                "generate_quantiles": generate_quantiles,
            }  # fmt: skip
            create = apply(
                ops.CreateQuantileAccumulator, (handle, init_stamp_token), chosen
            )
            ready = apply(ops.QuantileAccumulatorIsInitialized, (handle,))
        self._handle, self._create = handle, create
        register_resource(handle, create, ready)
        parts = apply(ops.QuantileAccumulatorSerialize, (handle,))
        specs = [SaveSpec(part, "", scope + key) for part, key in zip(parts, _KEYS)]
        super().__init__(handle, specs, scope)
        save(self)

    @property
    def resource(self) -> Any:
        """The handle."""
        return self._handle

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """An op that puts back what was saved."""
        with dispatch.current_mode().control_dependencies([self._create]):
            inputs = (self._handle, *restored_tensors)
            return apply(ops.QuantileAccumulatorDeserialize, inputs)

    def get_buckets(self, stamp_token: Any) -> tuple:
        """(bool scalar, whether there are any; float32[n], the boundaries).

        Args:
            stamp_token: int64 scalar.
        """
        return tuple(_buckets([self._handle], stamp_token))

    def schedule_get_buckets(self) -> ScheduledStampedResourceOp:
        """`get_buckets`, to be made with others: see run_handler_scheduled_ops."""
        return ScheduledStampedResourceOp(self._handle, _buckets_of_each)

    def _make_summary(self, column, example_weights):
        """Half the error goes to the batch, and half to the stream."""
        attrs = {"epsilon": self._eps / 2}
        if isinstance(column, SparseTensor):
            parts = [column.indices], [column.values], [column.dense_shape]
            inputs = ([], *parts, example_weights)
        else:
            inputs = ([column], [], [], [], example_weights)
        return apply(ops.MakeQuantileSummaries, inputs, attrs)[0]

    def add_summary(self, stamp_token: Any, column: Any, example_weights: Any) -> Any:
        """An op that adds numbers, if the stamp is the current one.

        Args:
            stamp_token: int64 scalar. column: float32[batch, 1], or a SparseTensor.
            example_weights: float32[batch, 1].
        """
        summary = self._make_summary(column, example_weights)
        return self.add_prebuilt_summary(stamp_token, summary)

    def add_prebuilt_summary(self, stamp_token: Any, summary: Any) -> Any:
        """An op that adds a serialized QuantileSummaryState."""
        return _add_summaries([self._handle], stamp_token, [summary])

    def schedule_add_summary(
        self, stamp_token: Any, column: Any, example_weights: Any
    ) -> ScheduledStampedResourceOp:
        """`add_summary`, to be made with others."""
        summary = self._make_summary(column, example_weights)
        return ScheduledStampedResourceOp(
            self._handle, _add_summaries, summaries=summary
        )

    def flush(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """An op that makes the boundaries, after which there are no numbers."""
        inputs = self._handle, stamp_token, next_stamp_token
        return apply(ops.QuantileAccumulatorFlush, inputs)

    def flush_summary(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """string scalar: the summary of the numbers, after which there are none."""
        inputs = self._handle, stamp_token, next_stamp_token
        return apply(ops.QuantileAccumulatorFlushSummary, inputs)


def _buckets(handles, stamp):
    return apply(ops.QuantileAccumulatorGetBuckets, (handles, stamp))


def _buckets_of_each(handles, stamp):
    found = _buckets(handles, stamp)
    return found[: len(handles)], found[len(handles) :]


def _add_summaries(handles, stamp, summaries):
    return apply(ops.QuantileAccumulatorAddSummaries, (handles, stamp, summaries))
