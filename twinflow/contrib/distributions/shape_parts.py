"""The parts of a shape: samples, batches, events."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.distributions.arrays import rotate_transpose
from twinflow.distributions.known import constant_value, pick_vector
from twinflow.graph.scopes import name_scope, with_dependencies
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import range
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import rank, reshape, shape
from twinflow.ops.core.slicing import slice
from twinflow.ops.debugging.checks import assert_non_negative

_PARTS = ("sample", "batch", "event")


class _DistributionShape:
    """Cuts the shapes of a distribution's values into samples, batches and events.

    Args:
        batch_ndims, event_ndims: int32 scalars, how many axes these have.
        validate_args: whether to check numbers that are known in runs alone.
        name: the scope of its ops.
    Raises:
        ValueError: a number is missing, no scalar, or below 0.
        TypeError: a number is no int32.
    """

    def __init__(
        self, batch_ndims: Any = None, event_ndims: Any = None,
        validate_args: bool = False, name: str = "DistributionShape",
    ) -> None:  # fmt: skip
        self.name, self.validate_args = name, validate_args
        given = {"batch_ndims": batch_ndims, "event_ndims": event_ndims}
        for key, value in given.items():
            if value is None:
                raise ValueError(f"{key} cannot be None")
        with name_scope(name, values=list(given.values())):
            made = [
                self._count(convert_to_tensor(v, dtype=dtypes.int32, name=k))
                for k, v in given.items()
            ]
        self.batch_ndims, self.event_ndims = made

    def _count(self, x):
        if x.dtype != dtypes.int32:
            raise TypeError(f"{x.name}.dtype={x.dtype} is not {dtypes.int32}")
        known, ndims = constant_value(x), x.shape.ndims
        if ndims not in (None, 0):
            raise ValueError(f"{x.name}.ndims={ndims} is not 0 (scalar)")
        if known is not None and known < 0:
            raise ValueError(f"{x.name}.value={known} cannot be negative")
        if known is None and self.validate_args:
            return with_dependencies([assert_non_negative(x)], x)
        return x

    def get_ndims(self, x: TensorValue, name: str = "get_ndims") -> Tensor:
        """int32[]: how many axes a tensor has."""
        with name_scope(self.name), name_scope(name, values=[x]):
            x = convert_to_tensor(x, name="x")
            known = x.shape.ndims
            if known is None:
                return rank(x, name="ndims")
            return convert_to_tensor(known, dtype=dtypes.int32, name="ndims")

    def get_sample_ndims(
        self, x: TensorValue, name: str = "get_sample_ndims"
    ) -> Tensor:
        """int32[]: how many axes are of samples.

        Raises:
            ValueError: a tensor has fewer axes than batches and events.
        """
        counts = [self.get_ndims(x, name), self.batch_ndims, self.event_ndims]
        known = [constant_value(n) for n in counts]
        if any(n is None for n in known):
            total, batch, event = counts
            found = total - batch - event
            if self.validate_args:
                return with_dependencies([assert_non_negative(found)], found)
            return found
        total, batch, event = (int(n) for n in known)
        if total < batch + event:
            raise ValueError(
                f"expected batch_ndims({batch}) + event_ndims({event}) <= "
                f"ndims({total})"
            )
        return convert_to_tensor(total - batch - event, name="sample_ndims")

    def _bounds(self, x, name):
        """Where each part starts and its length: ints where known, or tensors."""
        counts = [self.get_sample_ndims(x, name), self.batch_ndims, self.event_ndims]
        known = [constant_value(n) for n in counts]
        if all(n is not None for n in known):
            counts = [int(n) for n in known]
        sample, batch, event = counts
        return [(0, sample), (sample, batch), (sample + batch, event)]

    def get_dims(self, x: TensorValue, name: str = "get_dims") -> tuple:
        """The axes of samples, batches and events: three int32 vectors."""
        with name_scope(self.name), name_scope(name, values=[x]):
            return tuple(
                range(a, a + n, dtype=dtypes.int32, name=f"{part}_dims")
                for part, (a, n) in zip(_PARTS, self._bounds(x, name))
            )

    def get_shape(self, x: TensorValue, name: str = "get_shape") -> tuple:
        """The sizes of samples, batches and events: three int32 vectors."""
        with name_scope(self.name), name_scope(name, values=[x]):
            x = convert_to_tensor(x, name="x")
            return tuple(
                self._sizes(x, a, n, f"{part}_shape")
                for part, (a, n) in zip(_PARTS, self._bounds(x, name))
            )

    def _sizes(self, x, start, count, name):
        if x.shape.ndims is not None and isinstance(count, int):
            sizes = x.shape.as_list()[start : start + count]
            if None not in sizes:
                return convert_to_tensor(sizes, dtypes.int32, name=name)
        return slice(shape(x), [start], [count], name=name)

    def make_batch_of_event_sample_matrices(
        self, x: TensorValue, expand_batch_dim: bool = True,
        name: str = "make_batch_of_event_sample_matrices",
    ) -> tuple:  # fmt: skip
        """A tensor[samples..., batch..., event...] with all samples in its last axis.

        Args:
            x: the tensor. expand_batch_dim: give a batch of no axes one of size 1.
            name: the scope of the ops.
        Returns:
            A tensor[batch..., event..., samples], and int32[], the shape of samples.
        """
        with name_scope(self.name), name_scope(name, values=[x]):
            x = convert_to_tensor(x, name="x")
            samples, batch, event = self.get_shape(x)
            event = pick_vector(equal(self.event_ndims, 0), [1], event)
            if expand_batch_dim:
                batch = pick_vector(equal(self.batch_ndims, 0), [1], batch)
            flat = reshape(x, concat([[-1], batch, event], 0))
            return rotate_transpose(flat, shift=-1), samples

    def undo_make_batch_of_event_sample_matrices(
        self, x: TensorValue, sample_shape: TensorValue, expand_batch_dim: bool = True,
        name: str = "undo_make_batch_of_event_sample_matrices",
    ) -> Tensor:  # fmt: skip
        """What `make_batch_of_event_sample_matrices` was given.

        Args:
            x: a tensor[batch..., event..., samples]. sample_shape: int32 vector.
            expand_batch_dim: as there. name: the scope of the ops.
        """
        with name_scope(self.name), name_scope(name, values=[x, sample_shape]):
            x = convert_to_tensor(x, name="x")
            samples = convert_to_tensor(sample_shape, dtypes.int32, "sample_shape")
            x = rotate_transpose(x, shift=1)
            sizes, batch = shape(x), self.batch_ndims
            start = 1 + maximum(batch, 1 if expand_batch_dim else 0)
            event = sizes[start : start + self.event_ndims]
            return reshape(x, concat([samples, sizes[1 : 1 + batch], event], 0))
