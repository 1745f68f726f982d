"""Initializers that do not look at the shape, and the base of all."""

import math
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue, ShapeValue, overridable
from twinflow.base.convert import is_tensor_like
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import constant, has_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.random.draws import random_normal, random_uniform, truncated_normal


class Initializer:
    """Gives the values that a variable starts with.

    A subclass lists the names of its arguments in ``config``; they are its attributes.
    """

    config: tuple[str, ...] = ()

    @overridable
    def __call__(
        self, shape: ShapeValue, dtype: DTypeValue | None = None,
        partition_info: Any = None,
    ) -> Tensor:  # fmt: skip
        """The initial values.

        Args:
            shape: a list of ints or a TensorShape.
            dtype: the DType of the result; that of the initializer if not given.
            partition_info: of a part of a variable: `full_shape` and `var_offset`.
        Returns:
            dtype[shape]
        """
        dtype = self.dtype if dtype is None else dtypes.as_dtype(dtype)
        return self._values(dims(shape), dtype, partition_info)

    def get_config(self) -> dict[str, Any]:
        """The arguments as a dict of plain values; see `from_config`."""
        return {name: _plain(getattr(self, name)) for name in self.config}

    @classmethod
    def from_config(cls, config: Any) -> Any:
        """An initializer from what `get_config` gave."""
        return cls(**config)

    def __repr__(self):
        arguments = (f"{k}={v!r}" for k, v in self.get_config().items())
        return f"{type(self).__name__}({', '.join(arguments)})"


def _plain(value):
    return value.name if isinstance(value, dtypes.DType) else value


def dims(shape):
    """`shape` as a list of ints; a tensor stays one."""
    if is_tensor_like(shape) or has_tensor(shape):
        return shape
    return TensorShape(shape).as_list()


def floating(dtype):
    """A floating DType; ValueError for others."""
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


class Zeros(Initializer):
    """All 0."""

    config = ("dtype",)

    def __init__(self, dtype: DTypeValue = dtypes.float32) -> None:
        self.dtype = dtypes.as_dtype(dtype)

    def _values(self, shape, dtype, part):
        return zeros(shape, dtype)


class Ones(Initializer):
    """All 1."""

    config = ("dtype",)

    def __init__(self, dtype: DTypeValue = dtypes.float32) -> None:
        self.dtype = dtypes.as_dtype(dtype)

    def _values(self, shape, dtype, part):
        return ones(shape, dtype)


class Constant(Initializer):
    """All `value`, or the elements of `value` in their order.

    Args:
        value: a number, or a list or array; the last element is repeated if there are
            too few.
        verify_shape: refuse a value that does not have the shape of the variable.
    Raises:
        TypeError: `value` is something else, or does not have the shape (see above).
        ValueError: there are too many elements.
    Example:
        tf.initializers.constant([1, 2, 3])([2, 3])  # [[1, 2, 3], [3, 3, 3]]
    """

    config = ("value", "dtype")

    def __init__(
        self, value: Any = 0, dtype: DTypeValue = dtypes.float32,
        verify_shape: bool = False,
    ) -> None:  # fmt: skip
        if not (np.isscalar(value) or isinstance(value, list | tuple | np.ndarray)):
            raise TypeError(
                f"Invalid type for initial value: {type(value)}. Pass a Python number "
                "or string, a list or tuple of them, or an ndarray."
            )
        self.value, self.dtype = value, dtypes.as_dtype(dtype)
        self.verify_shape = verify_shape

    def __call__(
        self, shape: ShapeValue, dtype: DTypeValue | None = None,
        partition_info: Any = None, verify_shape: Any = None,
    ) -> Tensor:  # fmt: skip
        """As `Initializer`; `verify_shape` overrides that of the initializer."""
        verify = self.verify_shape if verify_shape is None else verify_shape
        value, shape = np.asarray(self.value), dims(shape)
        dtype = self.dtype if dtype is None else dtypes.as_dtype(dtype)
        if not verify and 1 < value.size < math.prod(shape):
            rest = math.prod(shape) - value.size
            value = np.append(value.ravel(), np.repeat(value.ravel()[-1:], rest))
        value = value.tolist() if value.dtype.kind in "ifb" else value
        return constant(value, dtype, shape, verify_shape=verify)


class RandomUniform(Initializer):
    """Uniform in [minval, maxval); `maxval` is 1 by default for floats."""

    config = ("minval", "maxval", "seed", "dtype")

    def __init__(
        self, minval: TensorValue = 0, maxval: TensorValue | None = None,
        seed: int | None = None, dtype: DTypeValue = dtypes.float32,
    ) -> None:  # fmt: skip
        self.minval, self.maxval = minval, maxval
        self.seed, self.dtype = seed, dtypes.as_dtype(dtype)

    def _values(self, shape, dtype, part):
        return random_uniform(shape, self.minval, self.maxval, dtype, self.seed)


class RandomNormal(Initializer):
    """Normal with `mean` and `stddev`."""

    config = ("mean", "stddev", "seed", "dtype")
    draw = staticmethod(random_normal)

    def __init__(
        self, mean: TensorValue = 0.0, stddev: TensorValue = 1.0,
        seed: int | None = None, dtype: DTypeValue = dtypes.float32,
    ) -> None:  # fmt: skip
        self.mean, self.stddev = mean, stddev
        self.seed, self.dtype = seed, floating(dtype)

    def _values(self, shape, dtype, part):
        return self.draw(shape, self.mean, self.stddev, dtype, self.seed)


class TruncatedNormal(RandomNormal):
    """Normal with `mean` and `stddev`, given that it is within two `stddev`."""

    draw = staticmethod(truncated_normal)
