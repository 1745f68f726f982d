"""Maps of points whose inner products are kernels."""

import abc
import math
from typing import Any

import numpy as np

from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.product import matmul
from twinflow.ops.math.trigonometry import cos


class InvalidShapeError(Exception):
    """Points of another shape than a map takes."""


class DenseKernelMapper(abc.ABC):
    """From points to points whose inner products are a kernel of the first ones."""

    @abc.abstractmethod
    def map(self, input_tensor: Any) -> Tensor:
        """float32[n, output_dim], the images of float32[n, input_dim]."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name."""

    @property
    @abc.abstractmethod
    def output_dim(self) -> int:
        """How many numbers an image has."""


class RandomFourierFeatureMapper(DenseKernelMapper):
    """Points as waves of chance: z(x) z(y) is near exp(-|x - y|^2 / (2 stddev^2)).

    z(x) = sqrt(2 / m) cos(x W / stddev + b), W normal and b uniform in [0, 2 pi)

    Args:
        input_dim, output_dim: the sizes of points and images, m.
        stddev: the width of the kernel. seed: of W and b, which stay the same.
        name: of the map.
    Reference: Rahimi, Recht: Random features for large-scale kernel machines (2007).
    Example:
        mapper = tf.contrib.kernel_methods.RandomFourierFeatureMapper(2, 100)
        mapper.map(tf.constant([[0., 1.], [2., 3.]])).shape  # (2, 100)
    """

    def __init__(
        self, input_dim: int, output_dim: int, stddev: float = 1.0, seed: int = 1,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._input_dim, self._output_dim = input_dim, output_dim
        self._stddev, self._seed, self._name = stddev, seed, name

    @property
    def name(self) -> str:
        return self._name or ""

    @property
    def input_dim(self) -> int:
        """How many numbers a point has."""
        return self._input_dim

    @property
    def output_dim(self) -> int:
        return self._output_dim

    def map(self, input_tensor: Any) -> Tensor:
        """The images of points.

        Args:
            input_tensor: float32[n, input_dim].
        Returns:
            float32[n, output_dim]
        Raises:
            InvalidShapeError: the points have another shape.
        """
        with name_scope(self._name, "RandomFourierFeatureMapper"):
            x = convert_to_tensor(input_tensor)
            rank = x.shape.ndims
            if rank != 2:
                raise InvalidShapeError(
                    f"The shape of the tensor should be 2. Got {rank} instead."
                )
            if x.shape[1].value != self._input_dim:
                raise InvalidShapeError(
                    f"Invalid dimension: expected {self._input_dim} input features, "
                    f"got {x.shape[1]} instead."
                )
            waves, shifts = self._waves()
            scale = constant(math.sqrt(2.0 / self._output_dim))
            return scale * cos(matmul(x, waves) + shifts)

    def _waves(self) -> tuple:
        """W / stddev and b, of the seed alone."""
        draws = np.random.RandomState(self._seed)
        size = self._input_dim, self._output_dim
        waves = draws.normal(scale=1.0 / self._stddev, size=size)
        shifts = draws.uniform(high=2 * math.pi, size=self._output_dim)
        return constant(np.float32(waves)), constant(np.float32(shifts))
