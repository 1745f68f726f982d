"""Accumulators: gradients from several threads, averaged once there are enough."""

from operator import attrgetter
from typing import Any, NamedTuple

from twinflow.base import dispatch, dtypes, shapes
from twinflow.base.advice import advised
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.queues import accumulator_ops as ops
from twinflow.ops.queues import resource_names
from twinflow.ops.queues.accumulator_cells import AccumulatorCell, SparseAccumulatorCell


class SparseGradient(NamedTuple):
    """A gradient of rows: int64[n] their numbers, the rows, the shape of the whole."""

    indices: Any
    values: Any
    shape: Any


class ConditionalAccumulatorBase:
    """What collects gradients in a graph; each session has its own contents.

    A gradient says for which step it was computed, and is dropped if the accumulator is
    further.

    Args:
        dtype: the DType of the gradients. shape: their shape; may be unknown.
        accumulator_ref: the handle, a tensor.
    """

    def __init__(self, dtype: DTypeValue, shape: Any, accumulator_ref: Any) -> None:
        self._dtype = dtypes.as_dtype(dtype)
        self._shape = shapes.TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.split("/")[-1]

    accumulator_ref = property(
        attrgetter("_accumulator_ref"), doc="The handle: a tensor."
    )
    name = property(attrgetter("_name"), doc="The last part of the name of its node.")
    dtype = property(attrgetter("_dtype"), doc="The DType of the gradients.")

    def num_accumulated(self, name: str | None = None) -> Tensor:
        """int32[], how many gradients are in."""
        name = name or f"{self._name}_NumAccumulated"
        return apply(
            ops.AccumulatorNumAccumulated, (self._accumulator_ref,), None, name
        )

    def set_global_step(self, new_global_step: Any, name: str | None = None) -> Any:
        """An op that says which step the gradients are for.

        Args:
            new_global_step: int64[]. name: the name of the node.
        """
        inputs = (self._accumulator_ref, _step(new_global_step))
        return apply(ops.AccumulatorSetGlobalStep, inputs, None, name)


def _step(value):
    return value if isinstance(value, int) else _as_int64(convert_to_tensor(value))


class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Collects gradients and gives their mean.

    Args:
        dtype: the DType of the gradients. shape: their shape, if it is known.
        shared_name: accumulators of this name in one graph are one.
        name: the name of the node. reduction_type: "MEAN" or "SUM".
    Raises:
        RuntimeError: eager execution is enabled.
    Example:
        a = tf.ConditionalAccumulator(tf.float32)
        puts = [a.apply_grad([1., 2.]), a.apply_grad([3., 4.])]
        with tf.Session() as sess:
            sess.run(puts)
            sess.run(a.take_grad(2))  # [2., 3.]
    """

    def __init__(
        self, dtype: DTypeValue, shape: ShapeValue | None = None,
        shared_name: Any = None, name: str | None = "conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:  # fmt: skip
        op, cell = ops.ConditionalAccumulator, AccumulatorCell
        ref = _made(op, cell, dtype, shape, shared_name, name, reduction_type)
        super().__init__(dtype, shape, ref)

    def apply_grad(
        self, grad: Any, local_step: Any = 0, name: str | None = None
    ) -> Any:
        """An op that adds a gradient, unless it is stale.

        Args:
            grad: a tensor of the accumulator's shape. local_step: int64[], the step
                that it was computed for. name: the name of the node.
        """
        grad = convert_to_tensor(grad, self._dtype)
        grad.shape.assert_is_compatible_with(self._shape)
        inputs = (self._accumulator_ref, _step(local_step), grad)
        return apply(ops.AccumulatorApplyGradient, inputs, None, name)

    def take_grad(self, num_required: Any, name: str | None = None) -> Tensor:
        """The mean of the gradients, once there are enough; then there are none.

        Args:
            num_required: int32[], how many to wait for. name: the name of the node.
        Raises (when run):
            InvalidArgumentError: `num_required` is not above 0.
        """
        inputs, attrs = (self._accumulator_ref, num_required), {"dtype": self._dtype}
        out = apply(ops.AccumulatorTakeGradient, inputs, attrs, name)
        out.set_shape(self._shape)
        return out


class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Collects gradients of rows; the mean of a row is over the gradients that have it.

    Args: see ConditionalAccumulator; `shape` is that of the whole, of any first size.
    """

    def __init__(
        self, dtype: DTypeValue, shape: ShapeValue | None = None,
        shared_name: Any = None, name: str | None = "sparse_conditional_accumulator",
        reduction_type: str = "MEAN",
    ) -> None:  # fmt: skip
        op, cell = ops.SparseConditionalAccumulator, SparseAccumulatorCell
        ref = _made(op, cell, dtype, shape, shared_name, name, reduction_type)
        super().__init__(dtype, shape, ref)

    def apply_indexed_slices_grad(
        self, grad: Any, local_step: TensorValue = 0, name: str | None = None
    ) -> Any:
        """As `apply_grad`, with IndexedSlices."""
        return self.apply_grad(
            grad.indices, grad.values, grad.dense_shape, local_step, name
        )

    def apply_grad(
        self, grad_indices: Any, grad_values: Any, grad_shape: Any = None,
        local_step: TensorValue = 0, name: str | None = None,
    ) -> Any:  # fmt: skip
        """An op that adds a gradient, unless it is stale.

        Args:
            grad_indices: int64[n], the numbers of the rows, in order.
            grad_values: dtype[n, ...], the rows.
            grad_shape: int64[ndim], the shape of the whole, to be checked.
            local_step, name: see ConditionalAccumulator.apply_grad.
        """
        attrs = {"has_known_shape": grad_shape is not None}
        inputs = (
            self._accumulator_ref,
            _step(local_step),
            _as_int64(convert_to_tensor(grad_indices)),
            convert_to_tensor(grad_values, self._dtype),
            _as_int64(convert_to_tensor([] if grad_shape is None else grad_shape)),
        )
        return apply(ops.SparseAccumulatorApplyGradient, inputs, attrs, name)

    def take_grad(self, num_required: Any, name: str | None = None) -> Any:
        """The mean of the gradients, once there are enough; then there are none.

        Returns:
            (indices, values, shape); a size that is not known is -1.
        """
        inputs, attrs = (self._accumulator_ref, num_required), {"dtype": self._dtype}
        out = apply(ops.SparseAccumulatorTakeGradient, inputs, attrs, name)
        return SparseGradient(*out)

    def take_indexed_slices_grad(
        self, num_required: Any, name: str | None = None
    ) -> IndexedSlices:
        """As `take_grad`, as IndexedSlices."""
        found = self.take_grad(num_required, name)
        return IndexedSlices(found.values, found.indices, found.shape)


def _as_int64(t):
    return t if t.dtype is dtypes.int64 else cast(t, dtypes.int64)


def _made(op, kind, dtype, shape, shared_name, name, reduction):
    """The handle of a new accumulator, or of one that other nodes have as well."""
    if dispatch.current_mode().eager:
        raise RuntimeError(
            "Accumulators are not compatible with eager execution; add eager tensors "
            "with tf.add_n."
        )
    if reduction not in ("MEAN", "SUM"):
        raise advised(
            ValueError,
            f"Attr 'reduction_type' of '{op.type}' Op passed string '{reduction}' not "
            'in: "MEAN", "SUM".',
        )
    wanted, name = shapes.as_tuple(shape), name or op.type
    node = resource_names.node_name(name)

    def make():
        return kind(node, wanted, reduction, shared_name or "")

    cell = resource_names.shared(op.type, shared_name, make) if shared_name else make()
    attrs = {
        "cell": cell,
        "dtype": dtypes.as_dtype(dtype),
        "shape": wanted,
        "shared_name": shared_name or "",
        "reduction_type": reduction,
    }
    return apply(op, (), attrs, name)
