"""The Cauchy distribution."""

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions.scalars import LocationScale
from twinflow.ops.core.creation import fill, ones_like
from twinflow.ops.core.elementwise import log, log1p, square
from twinflow.ops.core.joining import concat
from twinflow.ops.math.trigonometry import atan, tan
from twinflow.ops.random.draws import random_uniform


class Cauchy(LocationScale):
    """The Cauchy distribution.

    p(x) = 1 / (pi scale (1 + ((x - loc) / scale)^2))

    Args:
        loc: float[batch]. scale: float[batch], > 0.
        validate_args: whether to check that scale > 0.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: the dtypes of loc and scale differ.
    """

    def __init__(
        self, loc: TensorValue, scale: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Cauchy",
    ) -> None:  # fmt: skip
        self._begin(dict(locals()))

    def _sample_n(self, n, seed=None):
        to = concat([[n], self.batch_shape_tensor()], 0)
        u = random_uniform(to, minval=0.0, maxval=1.0, dtype=self.dtype, seed=seed)
        return self._quantile(u)

    def _cdf(self, x):
        return atan(self._z(x)) / np.pi + 0.5

    def _log_cdf(self, x):
        return log1p(2 / np.pi * atan(self._z(x))) - np.log(2)

    def _log_unnormalized_prob(self, x):
        return -log1p(square(self._z(x)))

    def _log_normalization(self):
        return np.log(np.pi) + log(self.scale)

    def _entropy(self):
        found = np.log(4 * np.pi) + log(self.scale)
        return found * ones_like(self.loc)

    def _quantile(self, p):
        return self.loc + self.scale * tan(np.pi * (p - 0.5))

    def _mode(self):
        return self.loc * ones_like(self.scale)

    def _mean(self):
        """Not defined."""
        return self._undefined("mean")

    def _stddev(self):
        """Not defined."""
        return self._undefined("stddev")

    def _undefined(self, word):
        if not self.allow_nan_stats:
            raise ValueError(f"`{word}` is undefined for Cauchy distribution.")
        nan = self.dtype.as_numpy_dtype(np.nan)
        return fill(self.batch_shape_tensor(), nan)
