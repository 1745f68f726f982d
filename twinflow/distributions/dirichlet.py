"""The Dirichlet distribution."""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from twinflow.distributions.kullback_leibler import RegisterKL
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater, logical_and, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import fill, ones, ones_like
from twinflow.ops.core.elementwise import exp, log, rsqrt
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_all, reduce_sum
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.debugging.checks import assert_less, assert_near, assert_positive
from twinflow.ops.debugging.static import assert_rank_at_least, with_dependencies
from twinflow.ops.matrix.diagonal import matrix_set_diag
from twinflow.ops.random.gamma import random_gamma
from twinflow.ops.special.gamma import digamma, lbeta


def outer(x: Any, y: Any) -> Any:
    """The products of all pairs of elements of two batches of vectors."""
    return matmul(expand_dims(x, -1), expand_dims(y, -2))


class Dirichlet(Distribution):
    """The Dirichlet distribution over vectors of k positive numbers that sum to 1.

    p(x) ~ prod x_i^(a_i - 1), a the concentration

    Args:
        concentration: float[batch..., k], > 0, k >= 2.
        validate_args: whether to check parameters and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Example:
        tf.distributions.Dirichlet([1.0, 3.0]).mean()  # [0.25, 0.75]
    """

    def __init__(
        self, concentration: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Dirichlet",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[concentration]) as name:
            self._concentration = self._maybe_assert_valid_concentration(
                convert_to_tensor(concentration, name="concentration"), validate_args
            )
            self._total_concentration = reduce_sum(self._concentration, -1)
        super().__init__(
            self._concentration.dtype, FULLY_REPARAMETERIZED, validate_args,
            allow_nan_stats, parameters,
            [self._concentration, self._total_concentration], name,
        )  # fmt: skip

    concentration = property(
        attrgetter("_concentration"), doc="The concentrations, float[batch..., k]."
    )
    total_concentration = property(
        attrgetter("_total_concentration"), doc="Their sums, float[batch...]."
    )

    def _batch_shape_tensor(self):
        return shape(self.total_concentration)

    def _batch_shape(self):
        return self.total_concentration.shape

    def _event_shape_tensor(self):
        return shape(self.concentration)[-1:]

    def _event_shape(self):
        return self.concentration.shape.with_rank_at_least(1)[-1:]

    def _sample_n(self, n, seed=None):
        gamma = random_gamma(
            shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed
        )
        return gamma / reduce_sum(gamma, -1, keepdims=True)

    def _log_prob(self, x):
        """x must be positive and sum to 1 along its last axis."""
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _prob(self, x):
        """x must be positive and sum to 1 along its last axis."""
        return exp(self._log_prob(x))

    def _log_unnormalized_prob(self, x):
        x = self._maybe_assert_valid_sample(x)
        return reduce_sum((self.concentration - 1.0) * log(x), -1)

    def _log_normalization(self):
        return lbeta(self.concentration)

    def _entropy(self):
        k = cast(self.event_shape_tensor()[0], self.dtype)
        c, total = self.concentration, self.total_concentration
        return (
            self._log_normalization()
            + (total - k) * digamma(total)
            - reduce_sum((c - 1.0) * digamma(c), axis=-1)
        )

    def _mean(self):
        return self.concentration / expand_dims(self.total_concentration, -1)

    def _covariance(self):
        x = self._variance_scale_term() * self._mean()
        return matrix_set_diag(-outer(x, x), self._variance())

    def _variance(self):
        scale = self._variance_scale_term()
        x = scale * self._mean()
        return x * (scale - x)

    def _variance_scale_term(self):
        return rsqrt(1.0 + expand_dims(self.total_concentration, -1))

    def _mode(self):
        """nan, or an error, where one of the concentrations is at most 1."""
        k = cast(self.event_shape_tensor()[0], self.dtype)
        total = expand_dims(self.total_concentration, -1)
        mode = (self.concentration - 1.0) / (total - k)
        if self.allow_nan_stats:
            nan = np.array(np.nan, dtype=self.dtype.as_numpy_dtype)
            all_of = reduce_all(
                greater(self.concentration, 1.0), axis=-1, keepdims=True
            )
            all_of = logical_and(all_of, ones_like(mode, dtype="bool"))
            return where(all_of, mode, fill(shape(mode), nan, name="nan"))
        text = "Mode undefined when any concentration <= 1"
        one = ones([], self.dtype)
        check = assert_less(one, self.concentration, message=text)
        return with_dependencies([check], mode)

    def _maybe_assert_valid_concentration(self, concentration, validate_args):
        if not validate_args:
            return concentration
        word = "Concentration parameter must"
        checks = [
            assert_positive(concentration, message=f"{word} be positive."),
            assert_rank_at_least(
                concentration, 1, message=f"{word} have >=1 dimensions."
            ),
            assert_less(
                1, shape(concentration)[-1], message=f"{word} have event_size >= 2."
            ),
        ]
        return with_dependencies(checks, concentration)

    def _maybe_assert_valid_sample(self, x):
        if not self.validate_args:
            return x
        checks = [
            assert_positive(x, message="samples must be positive"),
            assert_near(
                ones([], dtype=self.dtype), reduce_sum(x, -1),
                message="sample last-dimension must sum to `1`",
            ),
        ]  # fmt: skip
        return with_dependencies(checks, x)


@RegisterKL(Dirichlet, Dirichlet)
def _kl_dirichlet_dirichlet(d1: Any, d2: Any, name: str | None = None) -> Any:
    with name_scope(
        name, "kl_dirichlet_dirichlet", [d1.concentration, d2.concentration]
    ):
        total = digamma(reduce_sum(d1.concentration, axis=-1, keepdims=True))
        mean_log = digamma(d1.concentration) - total
        far = reduce_sum((d1.concentration - d2.concentration) * mean_log, axis=-1)
        return far - lbeta(d1.concentration) + lbeta(d2.concentration)
