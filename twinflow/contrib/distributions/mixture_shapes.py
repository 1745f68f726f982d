"""Mixtures: their standard deviations, and the axes of classes beside events."""

from typing import Any

import numpy as np

from twinflow.base.tensor import Tensor
from twinflow.distributions.known import (
    constant_value,
    maybe_get_static_value,
    pick_vector,
    prefer_static_rank,
)
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import sqrt, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.core.transposing import transpose
from twinflow.ops.debugging.checks import assert_equal


def mixture_stddev(
    mixture_weight_vector: Tensor, mean_vector: Tensor, stddev_vector: Tensor
) -> Tensor:
    """The standard deviations of mixtures of numbers.

    Args:
        mixture_weight_vector: float[batch, classes], probabilities.
        mean_vector, stddev_vector: float[batch, classes].
    Returns:
        float[batch]
    Raises:
        ValueError: the shapes differ.
    """
    weights = mixture_weight_vector
    weights.shape.assert_has_rank(2)
    for t, word in (mean_vector, "means"), (stddev_vector, "stddevs"):
        if not t.shape.is_compatible_with(weights.shape):
            raise ValueError(f"Expecting {word} to have same shape as mixture weights.")
    mean = reduce_sum(weights * mean_vector, axis=1, keepdims=True)
    spread = reduce_sum(weights * square(mean_vector - mean), axis=1)
    return sqrt(reduce_sum(weights * square(stddev_vector), axis=1) + spread)


def pad_mixture_dimensions(
    x: Tensor, mixture_distribution: Any, categorical_distribution: Any,
    event_ndims: Any,
) -> Tensor:  # fmt: skip
    """x: float[batch] with axes of size 1 behind, one an axis of events."""

    def ndims(d: Any) -> Any:
        known = d.batch_shape.ndims
        return size(d.batch_shape_tensor()) if known is None else known

    added = ndims(mixture_distribution) - ndims(categorical_distribution)
    s = shape(x)
    is_scalar = categorical_distribution.is_scalar_batch()
    front = [added] if isinstance(added, int) else added[None]
    front = ones(pick_vector(is_scalar, front, np.array([0], np.int32)), dtype="int32")
    back = ones([event_ndims], dtype="int32")
    return reshape(x, concat([s[:-1], front, s[-1:], back], axis=0))


def move_dimension(x: Tensor, source_idx: Any, dest_idx: Any) -> Tensor:
    """x with one axis moved to another place; the others keep their order.

    Example:
        from tensorflow.contrib.distributions.python.ops import distribution_util
        distribution_util.move_dimension(tf.zeros([2, 3, 4]), 0, 2).shape  # (3, 4, 2)
    """
    n = prefer_static_rank(x)
    source, dest = (maybe_get_static_value(i) for i in (source_idx, dest_idx))
    known = maybe_get_static_value(n)
    if None not in (source, dest, known):
        axes = list(range(int(known)))
        axes.insert(int(dest) % int(known), axes.pop(int(source) % int(known)))
        return transpose(x, perm=axes)
    n = convert_to_tensor(n)
    source, dest = (
        where(convert_to_tensor(i) < 0, n + i, i) for i in (source_idx, dest_idx)
    )
    rest = range_of(0, n - 1)
    rest = where(rest < source, rest, rest + 1)
    return transpose(x, perm=concat([rest[:dest], [source], rest[dest:]], axis=0))


def maybe_check_scalar_distribution(
    distribution: Any, expected_base_dtype: Any, validate_args: bool
) -> list:
    """What fails where a distribution is not a single one of numbers.

    Raises:
        TypeError: the dtype is another one. ValueError: it is known not to be one.
    """
    if distribution.dtype != expected_base_dtype:
        raise TypeError(
            f'dtype mismatch; distribution.dtype="{distribution.dtype.name}" is not '
            f'"{expected_base_dtype.name}"'
        )
    checks = []
    for word in ("is_scalar_event", "is_scalar_batch"):
        found = getattr(distribution, word)()
        known = constant_value(found)
        text = f"distribution must be scalar; distribution.{word}=False is not True"
        if known is not None and not known:
            raise ValueError(text)
        if known is None and validate_args:
            checks.append(assert_equal(found, True, message=text))
    return checks
