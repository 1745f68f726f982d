"""The exponential distribution."""

from operator import attrgetter

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.distributions.gamma import Gamma
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones
from twinflow.ops.core.elementwise import log
from twinflow.ops.core.joining import concat
from twinflow.ops.core.rounding import softplus
from twinflow.ops.core.shape import shape
from twinflow.ops.random.draws import random_uniform


class Exponential(Gamma):
    """The exponential distribution.

    p(x) = rate exp(-rate x)

    Args:
        rate: float[batch], > 0. validate_args: whether to check rates and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Example:
        tf.distributions.Exponential(rate=[1.0, 4.0]).mean()  # [1.0, 0.25]
    """

    def __init__(
        self, rate: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Exponential",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as name:
            self._rate = convert_to_tensor(rate, name="rate")
            one = ones([], dtype=self._rate.dtype)
            super().__init__(one, self._rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters

    @classmethod
    def _param_shapes(cls, sample_shape):
        return {"rate": convert_to_tensor(sample_shape, dtype=dtypes.int32)}

    rate = property(attrgetter("_rate"), doc="The rate, float[batch].")

    def _log_survival_function(self, value):
        return self._log_prob(value) - log(self._rate)

    def _sample_n(self, n, seed=None):
        to = concat([[n], shape(self._rate)], 0)
        # 0 itself would give an infinite sample.
        low = np.finfo(self.dtype.as_numpy_dtype).tiny
        u = random_uniform(to, minval=low, maxval=1.0, seed=seed, dtype=self.dtype)
        return -log(u) / self._rate


class ExponentialWithSoftplusRate(Exponential):
    """An Exponential whose rate is softplus of what is given; see Exponential."""

    def __init__(
        self, rate: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "ExponentialWithSoftplusRate",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as name:
            rate = softplus(rate, name="softplus_rate")
            super().__init__(rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters
