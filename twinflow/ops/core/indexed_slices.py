"""What is done with IndexedSlices: adding and converting them."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import DTypeValue
from twinflow.base.operators import TensorValue
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import shape


def joined(parts):
    """The sum of gradients of one tensor, some of them IndexedSlices: all rows."""
    parts = [p if isinstance(p, IndexedSlices) else _all_rows(p) for p in parts]
    if len({p.indices.dtype for p in parts}) > 1:
        parts = [p._with((p.values, _wide(p.indices), p._dense_shape)) for p in parts]
    values = concat([p.values for p in parts], 0)
    shapes = [p._dense_shape for p in parts if p._dense_shape is not None]
    indices = concat([p.indices for p in parts], 0)
    return IndexedSlices(values, indices, shapes[0] if shapes else None)


def _all_rows(dense):
    sizes = shape(dense)
    return IndexedSlices(dense, range(sizes[0]), sizes)


def _wide(indices):
    return cast(indices, dtypes.int64)


def convert_to_tensor_or_indexed_slices(
    value: TensorValue, dtype: DTypeValue | None = None, name: str | None = None
) -> Any:
    """`value` itself if it is IndexedSlices, else as a tensor.

    Args:
        value: anything that converts to a tensor, or IndexedSlices.
        dtype: the DType it must have. name: for a graph.
    Raises:
        ValueError: `value` has another dtype.
    """
    if not isinstance(value, IndexedSlices):
        return convert_to_tensor(value, dtype, name)
    if dtype is not None and not value.dtype.is_compatible_with(dtype):
        raise advised(
            ValueError,
            f"Tensor conversion requested dtype {dtype} for IndexedSlices with dtype "
            f"{value.dtype.name}: {value}",
        )
    return value
