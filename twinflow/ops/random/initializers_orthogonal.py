"""Initializers of convolutions that keep the length of signals.

Reference: Xiao et al., Dynamical isometry and a mean field theory of CNNs (ICML 2018).
"""

import itertools
import math
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.compare import greater
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import multiply, subtract
from twinflow.ops.core.joining import stack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.matrix.diagonal import eye
from twinflow.ops.random.draws import random_normal
from twinflow.ops.random.initializers import Orthonormal
from twinflow.ops.random.initializers_plain import Initializer, floating

_RANKS = {3: "three", 4: "four", 5: "five"}


class _Orthogonal(Initializer):
    """What the initializers share: random orthogonal matrices from numbered seeds."""

    config = ("gain", "seed", "dtype")

    def __init__(
        self, gain: Any = 1.0, seed: int | None = None,
        dtype: DTypeValue = dtypes.float32,
    ) -> None:  # fmt: skip
        self.gain, self.seed, self.dtype = gain, seed, floating(dtype)

    def _normal(self, shape, dtype):
        return random_normal(shape, dtype=dtype, seed=self.seed)

    def _matrix(self, n, dtype):
        """A random orthogonal matrix."""
        return apply(Orthonormal, (self._normal([n, n], dtype),))

    def _scaled(self, kernel, dtype):
        return multiply(kernel, constant(math.sqrt(self.gain), dtype), "mul")


def _check_filters(shape):
    if shape[-2] > shape[-1]:
        raise ValueError("In_filters cannot be greater than out_filters.")


class ConvolutionDeltaOrthogonal(_Orthogonal):
    """A convolution's kernel with an orthogonal matrix in its middle, and else zeros.

    Args:
        gain: the result is multiplied by its square root. seed: an int; see
            tf.set_random_seed. dtype: a floating DType.
    Raises (when called):
        ValueError: the shape has not three to five dimensions, or more inputs than
            outputs.
    """

    def _values(self, shape, dtype, part):
        if not 3 <= len(shape) <= 5:
            raise ValueError(
                "The tensor to initialize must be at least three-dimensional and at "
                "most five-dimensional"
            )
        _check_filters(shape)
        *sizes, rows, columns = shape
        middle = self._scaled(self._matrix(columns, dtype)[:rows], dtype)
        parts = [zeros([rows, columns], dtype)] * math.prod(sizes)
        place = 0
        for size in sizes:
            place = place * size + (size - 1) // 2
        parts[place] = middle
        return reshape(stack(parts), shape)


class ConvolutionOrthogonal(_Orthogonal):
    """A convolution's kernel that keeps the length of what it is applied to.

    Args: see ConvolutionDeltaOrthogonal.
    Raises (when called):
        ValueError: the shape has another number of dimensions, kernel sizes that
            differ, or more inputs than outputs.
    """

    axes = 2

    def _normal(self, shape, dtype):
        found = super()._normal(shape, dtype)
        if self.seed:
            self.seed += 1  # each draw is another one
        return found

    def _values(self, shape, dtype, part):
        if len(shape) != self.axes + 2:
            rank = _RANKS[self.axes + 2]
            raise ValueError(f"The tensor to initialize must be {rank}-dimensional")
        _check_filters(shape)
        if len(set(shape[:-2])) > 1:
            raise ValueError("Kernel sizes must be equal.")
        return self._scaled(self._kernel(*shape[-3:], dtype), dtype)

    def _kernel(self, size, rows, columns, dtype):
        first = self._matrix(columns, dtype)[:rows]
        if size == 1:
            return reshape(first, [1] * self.axes + [rows, columns])
        blocks = self._blocks(columns, dtype)
        for _ in range(size - 2):
            blocks = _convolved(blocks, self._blocks(columns, dtype))
        parts = [matmul(first, blocks[place]) for place in sorted(blocks)]
        return reshape(stack(parts), [size] * self.axes + [rows, columns])

    def _blocks(self, n, dtype):
        """An orthogonal kernel of size 2 along each axis: {place: matrix[n, n]}."""
        projections = [self._projection(n, dtype) for _ in range(self.axes)]
        one = eye(n, dtype=dtype)
        pairs = [(p, subtract(one, p)) for p in projections]
        out = {}
        for place in itertools.product((0, 1), repeat=self.axes):
            factors = [pair[i] for pair, i in zip(pairs, place, strict=True)]
            found, *rest = factors
            for factor in rest:
                found = matmul(found, factor)
            out[place] = found
        return out

    def _projection(self, n, dtype):
        """The projection on a random subspace: a symmetric matrix[n, n]."""
        q = self._matrix(n, dtype)
        kept = cast(greater(self._normal([n], dtype), 0), dtype)
        columns = multiply(q, kept)
        return matmul(columns, columns, transpose_b=True)


def _convolved(a, b):
    """The convolution of two kernels whose entries are matrices."""
    sums: dict = {}
    for (p, x), (q, y) in itertools.product(a.items(), b.items()):
        place = tuple(i + j for i, j in zip(p, q, strict=True))
        sums.setdefault(place, []).append(matmul(x, y))
    return {place: add_n(parts) for place, parts in sums.items()}


class ConvolutionOrthogonal1D(ConvolutionOrthogonal):
    """ConvolutionOrthogonal of shapes [size, in, out]."""

    axes = 1


class ConvolutionOrthogonal2D(ConvolutionOrthogonal):
    """ConvolutionOrthogonal of shapes [size, size, in, out]."""


class ConvolutionOrthogonal3D(ConvolutionOrthogonal):
    """ConvolutionOrthogonal of shapes [size, size, size, in, out]."""

    axes = 3
