"""Checks for tests: whether samples are as their distribution says."""

import math
from typing import Any

import numpy as np

from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import exp, sqrt
from twinflow.ops.core.reduction import reduce_max, reduce_mean, reduce_min
from twinflow.ops.core.shape import expand_dims, reshape
from twinflow.ops.math.counting import histogram_fixed_width


def _outer(x):
    return expand_dims(x, -1) * expand_dims(x, -2)


class _Run:
    """What the checks share."""

    def _all_close(self, pairs, rtol, atol):
        for actual, wanted in pairs:
            self.assertAllClose(wanted, actual, rtol=rtol, atol=atol)  # type: ignore


class DiscreteScalarDistributionTestHelpers(_Run):
    """Checks of distributions of whole numbers, to mix into a TestCase."""

    def run_test_sample_consistent_log_prob(
        self, sess_run_fn: Any, dist: Any, num_samples: int = 100000,
        num_threshold: int = 1000, seed: Any = 42, batch_size: Any = None,
        rtol: float = 1e-2, atol: float = 0.0,
    ) -> None:  # fmt: skip
        """Hold the frequencies of samples against exp(log_prob).

        Args:
            sess_run_fn: computes tensors. dist: the distribution.
            num_samples: how many. seed: of them.
            num_threshold: numbers that come less often are left out.
            batch_size: how many distributions there are. rtol, atol: tolerances.
        Raises:
            ValueError: the threshold is below 1.
        """
        if num_threshold < 1:
            raise ValueError(f"num_threshold({num_threshold}) must be at least 1.")
        y = reshape(dist.sample(num_samples, seed=seed), [num_samples, -1])
        size = batch_size or y.shape[-1].value
        for b in range(size):
            counts, edges = self.histogram(y[:, b])
            shown = reshape(edges, [-1] + [1] * len(dist.batch_shape))
            probs = reshape(exp(dist.log_prob(shown)), [-1, size])[:, b]
            seen, expected = sess_run_fn([counts, probs])
            often = seen > num_threshold
            self._all_close([(seen[often] / num_samples, expected[often])], rtol, atol)

    def run_test_sample_consistent_mean_variance(
        self, sess_run_fn: Any, dist: Any, num_samples: int = 100000, seed: Any = 24,
        rtol: float = 1e-2, atol: float = 0.0,
    ) -> None:  # fmt: skip
        """Hold mean, variance and standard deviation of samples against dist's."""
        x = cast(dist.sample(num_samples, seed=seed), "float32")
        mean = reduce_mean(x, 0)
        variance = reduce_mean((x - mean) ** 2, 0)
        seen = [mean, variance, sqrt(variance)]
        expected = [dist.mean(), dist.variance(), dist.stddev()]
        seen, expected = sess_run_fn([seen, expected])
        self._all_close(zip(seen, expected), rtol, atol)

    def histogram(
        self, x: Any, value_range: Any = None, nbins: Any = None, name: Any = None
    ) -> tuple[Tensor, Tensor]:
        """How often whole numbers come, and the numbers.

        Args:
            x: a tensor. value_range: the least and the largest + 1.
            nbins: how many; one for each number. name: the scope of the ops.
        """
        with name_scope(name, "histogram", [x]):
            x = convert_to_tensor(x)
            if value_range is None:
                value_range = [reduce_min(x), 1 + reduce_max(x)]
            ends = convert_to_tensor(value_range)
            low, high = ends[0], ends[1]
            nbins = cast(high - low, "int32") if nbins is None else nbins
            step = (high - low) / cast(nbins, ends.dtype)
            edges = low + step * cast(range_of(nbins), ends.dtype)
            return histogram_fixed_width(x, ends, nbins), edges


class VectorDistributionTestHelpers(_Run):
    """Checks of distributions of vectors, to mix into a TestCase."""

    def run_test_sample_consistent_log_prob(
        self, sess_run_fn: Any, dist: Any, num_samples: int = 100000,
        radius: float = 1.0, center: Any = 0.0, seed: Any = 42, rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:  # fmt: skip
        """Measure a ball by samples: the mean of 1 / prob over those in it.

        Args:
            sess_run_fn: computes tensors. dist: the distribution.
            num_samples: how many. seed: of them.
            radius, center: of the ball. rtol, atol: tolerances.
        """
        x = dist.sample(num_samples, seed=seed)
        far = reduce_mean((x - center) ** 2, -1) * cast(dist.event_shape[-1], x.dtype)
        inside = cast(far <= radius**2, x.dtype)
        volume = reduce_mean(exp(-dist.log_prob(x)) * inside, 0)
        seen, sizes, n = sess_run_fn(
            [volume, dist.batch_shape_tensor(), dist.event_shape_tensor()[0]]
        )
        known = math.pi ** (n / 2) / math.gamma(1 + n / 2) * radius ** int(n)
        self._all_close([(seen, np.tile(known, sizes))], rtol, atol)

    def run_test_sample_consistent_mean_covariance(
        self, sess_run_fn: Any, dist: Any, num_samples: int = 100000, seed: Any = 24,
        rtol: float = 1e-2, atol: float = 0.1, cov_rtol: Any = None,
        cov_atol: Any = None,
    ) -> None:  # fmt: skip
        """Hold mean, variances and covariance of samples against dist's."""
        x = dist.sample(num_samples, seed=seed)
        mean = reduce_mean(x, 0)
        covariance = reduce_mean(_outer(x - mean), 0)
        variance = reduce_mean((x - mean) ** 2, 0)
        seen = [covariance, mean, variance, sqrt(variance)]
        expected = [dist.covariance(), dist.mean(), dist.variance(), dist.stddev()]
        seen, expected = sess_run_fn([seen, expected])
        pairs = list(zip(seen, expected))
        self._all_close(pairs[:1], cov_rtol or rtol, cov_atol or atol)
        self._all_close(pairs[1:], rtol, atol)
