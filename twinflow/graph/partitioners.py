"""Partitioners: functions from a variable's shape to how often to cut each axis."""

import math
from typing import Any

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.graph.variable_scope import variable_scope
from twinflow.graph.variable_store import store


def create_partitioned_variables(
    shape: Any, slicing: Any, initializer: Any, dtype: Any = dtypes.float32,
    trainable: bool = True, collections: Any = None, name: str | None = None,
    reuse: Any = None,
) -> list[Any]:  # fmt: skip
    """The parts of a variable that is cut along one axis.

    Args:
        shape: of the whole. slicing: the number of parts along each axis.
        initializer: a tensor of that shape, or an initializer. dtype: the DType.
        trainable, collections: see tf.get_variable.
        name: of the whole; `PartitionedVariable` if not given. reuse: as in a scope.
    Returns:
        A list of variables.
    Raises:
        ValueError: the slicing does not fit the shape.
    """
    if len(shape) != len(slicing):
        raise ValueError(
            "The 'shape' and 'slicing' of a partitioned Variable must have the length: "
            f"shape: {shape}, slicing: {slicing}"
        )
    if len(shape) < 1:
        raise ValueError(
            f"A partitioned Variable must have rank at least 1: shape: {shape}"
        )
    if hasattr(initializer, "dtype") and not callable(initializer):
        dtype = initializer.dtype
    with variable_scope(name, "PartitionedVariable", reuse=reuse) as scope:
        found = scope._get_partitioned_variable(
            store(), None, TensorShape(shape), dtype, initializer,
            trainable=trainable, collections=collections,
            partitioner=lambda **unused: slicing,
        )  # fmt: skip
    return list(found)


def fixed_size_partitioner(num_shards: Any, axis: Any = 0) -> Any:
    """`num_shards` parts along an axis.

    Args:
        num_shards: how many parts. axis: the axis to cut.
    Returns:
        A function from (shape=, dtype=) to a list of ints, one per axis.
    Example:
        tf.fixed_size_partitioner(2)(shape=tf.TensorShape([10, 3]))  # [2, 1]
    """

    def partitioner(shape: Any, **unused: Any) -> Any:
        cuts = [1] * len(shape)
        cuts[axis] = min(num_shards, shape[axis].value)
        return cuts

    return partitioner


def _positive(**values: Any) -> None:
    if any(v < 1 for v in values.values()):
        names = " and ".join(values)
        raise ValueError(f"Both {names} must be positive.")


def variable_axis_size_partitioner(
    max_shard_bytes: Any, axis: Any = 0, bytes_per_string_element: Any = 16,
    max_shards: Any = None,
) -> Any:  # fmt: skip
    """As many parts along an axis as keep each below a number of bytes.

    Args:
        max_shard_bytes: bytes of the largest part. axis: the axis to cut.
        bytes_per_string_element: what a string counts.
        max_shards: the largest number of parts, or None.
    Returns:
        A function from (shape=, dtype=) to a list of ints, one per axis.
    Raises:
        ValueError: a number is not positive, or (in the function) the shape is not
            known.
    """
    _positive(
        max_shard_bytes=max_shard_bytes,
        bytes_per_string_element=bytes_per_string_element,
    )
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape: Any, dtype: Any) -> Any:
        if not isinstance(shape, TensorShape):
            raise ValueError(f"shape is not a TensorShape: {shape}")
        if not shape.is_fully_defined():
            raise ValueError(f"shape is not fully defined: {shape}")
        cuts, dims = [1] * len(shape), shape.as_list()
        size = _bytes(dtype, bytes_per_string_element)
        slice_bytes = math.prod(dims) // dims[axis] * size
        rows = max(1, max_shard_bytes // slice_bytes)
        cuts[axis] = math.ceil(dims[axis] / rows)
        if max_shards:
            cuts[axis] = min(max_shards, cuts[axis])
        return cuts

    return partitioner


def min_max_variable_partitioner(
    max_partitions: Any = 1, axis: Any = 0, min_slice_size: Any = 256 << 10,
    bytes_per_string_element: Any = 16,
) -> Any:  # fmt: skip
    """As many parts along an axis as keep each above a number of bytes.

    Args:
        max_partitions: the largest number of parts. axis: the axis to cut.
        min_slice_size: bytes of the smallest part.
        bytes_per_string_element: what a string counts.
    Returns:
        A function from (shape=, dtype=) to a list of ints, one per axis.
    Raises:
        ValueError: (in the function) the shape is not known or has no such axis.
    """

    def partitioner(shape: Any, dtype: Any) -> Any:
        if axis >= len(shape):
            raise ValueError(
                f"Can not partition variable along axis {axis} when shape is only "
                f"{shape}"
            )
        if not shape.is_fully_defined():
            raise ValueError(f"shape is not fully defined: {shape}")
        size = _bytes(dtype, bytes_per_string_element)
        total = shape.num_elements() * size
        wanted = math.ceil(total / min_slice_size)
        cuts = [1] * len(shape)
        cuts[axis] = max(1, min(shape[axis].value, max_partitions, wanted))
        return cuts

    return partitioner


def _bytes(dtype: Any, of_string: Any) -> Any:
    dtype = dtypes.as_dtype(dtype)
    return of_string if dtype is dtypes.string else dtype.size
