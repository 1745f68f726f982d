"""Histograms of weights, and matrices by blocks."""

from typing import Any

from twinflow.base.dtypes import int32
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.core.index import unsorted_segment_sum
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.rounding import floor
from twinflow.ops.core.scan import cumsum
from twinflow.ops.core.shape import expand_dims, reshape, squeeze
from twinflow.ops.nn.convolution import pool

_NBINS = 256


def _histogram(
    values: Any, value_range: Any, nbins: int = 100, dtype: Any = int32,
    name: str | None = None,
) -> Any:  # fmt: skip
    """How many values lie in each of some equal ranges; the outer ones take the rest.

    Args:
        values: float[...]. value_range: (first, last). nbins: how many.
        dtype: of the numbers. name: accepted.
    """
    low, high = value_range[0], value_range[1]
    flat = reshape(convert_to_tensor(values), [-1])
    places = floor(nbins * ((flat - low) / (high - low)))
    places = cast(minimum(maximum(places, 0.0), float(nbins - 1)), int32)
    counted = cast(0 * places + 1, dtype)
    return unsorted_segment_sum(counted, places, nbins)


def compute_cdf_from_histogram(values: Any, value_range: Any, **kwargs: Any) -> Any:
    """Which part of the values is below the end of each range.

    Args:
        kwargs: `nbins`.
    """
    counts = _histogram(values, value_range, nbins=kwargs.get("nbins", _NBINS))
    sums = cast(cumsum(counts), "float32")
    return sums / cast(reduce_sum(counts), "float32")


def compute_cdf(values: Any, value_range: Any, **kwargs: Any) -> Any:
    """The same as compute_cdf_from_histogram."""
    return compute_cdf_from_histogram(values, value_range, **kwargs)


def kronecker_product(mat1: Any, mat2: Any) -> Any:
    """mat2 in place of each element of mat1, times that."""
    (m, n), (rows, columns) = mat1.shape.as_list(), mat2.shape.as_list()
    wide = reshape(mat1, [m, 1, n, 1]) * reshape(mat2, [1, rows, 1, columns])
    return reshape(wide, [m * rows, n * columns])


def expand_tensor(tensor: Any, block_dims: Any) -> Any:
    """A matrix with a block in place of each element.

    Raises:
        ValueError: it is no matrix, or the block has not two sizes.
    """
    if tensor.shape.ndims != 2:
        raise ValueError("Input tensor must be rank 2")
    if len(block_dims) != 2:
        raise ValueError("block_dims must have 2 elements")
    return kronecker_product(tensor, ones(block_dims, tensor.dtype))


def factorized_pool(
    input_tensor: Any, window_shape: Any, pooling_type: str, strides: Any, padding: str,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The mean or greatest element of windows over a matrix.

    Args:
        input_tensor: float[rows, columns]. window_shape, strides: two sizes.
        pooling_type: "AVG" or "MAX". padding: "SAME" or "VALID". name: the name scope.
    Raises:
        ValueError: it is no matrix.
    """
    if input_tensor.shape.ndims != 2:
        raise ValueError("factorized_pool() accepts tensors of rank 2 only")
    image = expand_dims(expand_dims(input_tensor, 0), 3)
    found = pool(image, window_shape, pooling_type, padding, strides=strides, name=name)
    return squeeze(found, [0, 3])
