"""The Gumbel distribution."""

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions.scalars import LocationScale
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import exp, log
from twinflow.ops.core.joining import concat
from twinflow.ops.random.draws import random_uniform


class _Gumbel(LocationScale):
    """The Gumbel distribution.

    p(x) = exp(-(z + exp(-z))) / scale, z = (x - loc) / scale

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
        allow_nan_stats: bool = True, name: str = "Gumbel",
    ) -> None:  # fmt: skip
        self._begin(dict(locals()))

    def _sample_n(self, n, seed=None):
        # 0 itself would give an infinite sample.
        low = np.finfo(self.dtype.as_numpy_dtype).tiny
        to = concat([[n], self.batch_shape_tensor()], 0)
        u = random_uniform(to, minval=low, maxval=1.0, dtype=self.dtype, seed=seed)
        return -log(-log(u)) * self.scale + self.loc

    def _log_cdf(self, x):
        return -exp(-self._z(x))

    def _cdf(self, x):
        return exp(-exp(-self._z(x)))

    def _log_unnormalized_prob(self, x):
        z = self._z(x)
        return -z - exp(-z)

    def _log_normalization(self):
        return log(self.scale)

    def _entropy(self):
        return 1 + log(self.scale * ones_like(self.loc)) + np.euler_gamma

    def _mean(self):
        return self.loc + self.scale * np.euler_gamma

    def _stddev(self):
        return self.scale * ones_like(self.loc) * np.pi / np.sqrt(6)

    def _mode(self):
        return self.loc * ones_like(self.scale)
