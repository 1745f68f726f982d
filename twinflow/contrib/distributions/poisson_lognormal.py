"""Poisson numbers whose rates are spread, as a mixture of some points."""

from operator import attrgetter
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.contrib.distributions.counts import Poisson
from twinflow.contrib.distributions.quadratures import (
    quadrature_scheme_lognormal_quantiles,
)
from twinflow.distributions.categorical import Categorical
from twinflow.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from twinflow.distributions.parameters import gen_new_seed
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import log, sqrt, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.core.shape_arithmetic import broadcast_static_shape


class PoissonLogNormalQuadratureCompound(Distribution):
    """Poisson numbers whose logarithms of rates are the points of a quadrature.

    Args:
        loc, scale: float[batch], of the normal distribution behind the rates.
        quadrature_size: how many points. quadrature_fn: gives points and weights.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        TypeError: loc and quadrature have different dtypes.
    Example:
        ds = tf.contrib.distributions
        d = ds.PoissonLogNormalQuadratureCompound(loc=[0.0, -0.5], scale=1.0)
        d.mean().shape.as_list()  # [2]
    """

    def __init__(
        self, loc: Any, scale: Any, quadrature_size: int = 8,
        quadrature_fn: Any = quadrature_scheme_lognormal_quantiles,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "PoissonLogNormalQuadratureCompound",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale]) as name:
            loc = None if loc is None else convert_to_tensor(loc, name="loc")
            dtype = None if loc is None else loc.dtype.base_dtype
            if scale is not None:
                scale = convert_to_tensor(scale, dtype, name="scale")
            grid, probs = quadrature_fn(loc, scale, quadrature_size, validate_args)
            self._quadrature_grid, self._quadrature_probs = grid, probs
            self._quadrature_size, self._loc, self._scale = quadrature_size, loc, scale
            self._mixture_distribution = Categorical(
                logits=log(probs), validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
            )  # fmt: skip
            self._distribution = Poisson(
                log_rate=grid, validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
            )  # fmt: skip
        super().__init__(
            grid.dtype.base_dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [loc, scale], name,
        )  # fmt: skip

    mixture_distribution = property(
        attrgetter("_mixture_distribution"), doc="The distribution over points."
    )
    distribution = property(attrgetter("_distribution"), doc="A Poisson a point.")
    loc = property(attrgetter("_loc"), doc="The mean behind the rates.")
    scale = property(attrgetter("_scale"), doc="The deviation behind the rates.")
    quadrature_size = property(attrgetter("_quadrature_size"), doc="How many points.")

    def _batch_shape_tensor(self):
        return self._distribution.batch_shape_tensor()[:-1]

    def _batch_shape(self):
        points = self._distribution.batch_shape.with_rank_at_least(1)[:-1]
        mixture = self._mixture_distribution.batch_shape
        return broadcast_static_shape(mixture, points)

    def _event_shape(self):
        return self._distribution.event_shape

    def _sample_n(self, n, seed=None):
        size = concat([[n], self.batch_shape_tensor()], 0)
        chosen = self._mixture_distribution.sample(
            size, seed=gen_new_seed(seed, "poisson_lognormal_quadrature_compound")
        )
        mask = one_hot(chosen, shape(self._quadrature_grid)[-1], dtype=self.dtype)
        rate = reduce_sum(self._distribution.rate * mask, -1)
        return Poisson(rate=rate).sample(seed=seed)

    def _log_prob(self, x: Tensor) -> Tensor:
        logs = self._distribution.log_prob(x[..., None])
        return reduce_logsumexp(self._mixture_distribution.logits + logs, axis=-1)

    def _weighted(self, values):
        return reduce_sum(self._quadrature_probs * values, axis=-1)

    def _mean(self):
        return self._weighted(self._distribution.mean())

    def _variance(self):
        far = self._distribution.mean() - self._mean()[..., None]
        return self._weighted(self._distribution.variance() + square(far))

    def _stddev(self):
        return sqrt(self._variance())
