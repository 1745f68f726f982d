"""Mixtures of the members of one batch of distributions."""

from operator import attrgetter
from typing import Any

from twinflow.contrib.distributions.mixture_shapes import pad_mixture_dimensions
from twinflow.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from twinflow.distributions.parameters import gen_new_seed
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.elementwise import square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_sum
from twinflow.ops.core.shape import rank, reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.nn.softmax import log_softmax


class MixtureSameFamily(Distribution):
    """A mixture of the distributions along the last axis of a batch.

    Args:
        mixture_distribution: a Categorical over the components, of batch shape () or
            the leading one of the components.
        components_distribution: a distribution of batch shape [..., components].
        validate_args: whether to check shapes that are not known yet.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: dtypes or shapes do not fit.
    Example:
        distributions = tf.contrib.distributions
        d = distributions.MixtureSameFamily(
            distributions.Categorical(probs=[0.25, 0.75]),
            distributions.Normal(loc=[0.0, 4.0], scale=[1.0, 1.0]))
        d.mean()  # 3.0
    """

    def __init__(
        self, mixture_distribution: Any, components_distribution: Any,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "MixtureSameFamily",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        mixture, components = mixture_distribution, components_distribution
        with name_scope(name) as name:
            self._mixture_distribution = mixture
            self._components_distribution = components
            self._runtime_assertions = []
            axes = components.event_shape.ndims
            self._event_ndims = (
                size(components.event_shape_tensor()) if axes is None else axes
            )
            if not mixture.dtype.is_integer:
                raise ValueError(
                    f"`mixture_distribution.dtype` ({mixture.dtype.name}) is not over "
                    "integers"
                )
            if mixture.event_shape.ndims is not None and mixture.event_shape.ndims:
                raise ValueError("`mixture_distribution` must have scalar `event_dim`s")
            self._check_shapes(validate_args)
        super().__init__(
            components.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [*mixture._graph_parents, *components._graph_parents], name,
        )  # fmt: skip

    mixture_distribution = property(
        attrgetter("_mixture_distribution"), doc="The distribution over components."
    )
    components_distribution = property(
        attrgetter("_components_distribution"), doc="The batch of components."
    )

    def _check_shapes(self, validate_args):
        mixture, components = self.mixture_distribution, self.components_distribution
        own, other = (
            mixture.batch_shape,
            components.batch_shape.with_rank_at_least(1)[:-1],
        )
        if own.is_fully_defined() and other.is_fully_defined():
            if own.ndims and own != other:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` (`{own.as_list()}`) is not "
                    "compatible with `components_distribution.batch_shape` "
                    f"(`{other.as_list()}`)"
                )
        elif validate_args:
            found = mixture.batch_shape_tensor()
            text = (
                "`mixture_distribution.batch_shape` is not compatible with "
                "`components_distribution.batch_shape`"
            )
            lead = components.batch_shape_tensor()[:-1]
            self._runtime_assertions.append(assert_equal(found, lead, message=text))
        found = mixture.logits.shape.with_rank_at_least(1)[-1].value
        last = components.batch_shape.with_rank_at_least(1)[-1].value
        if None not in (found, last) and found != last:
            raise ValueError(
                f"`mixture_distribution components` ({found}) does not equal "
                f"`components_distribution.batch_shape[-1]` ({last})"
            )
        if None in (found, last):
            found = shape(mixture.logits)[-1] if found is None else found
            last = components.batch_shape_tensor()[-1] if last is None else last
            if validate_args:
                text = (
                    "`mixture_distribution components` does not equal "
                    "`components_distribution.batch_shape[-1:]`"
                )
                check = assert_equal(found, last, message=text)
                self._runtime_assertions.append(check)
        self._num_components = last

    def _batch_shape_tensor(self):
        with control_dependencies(self._runtime_assertions):
            return self.components_distribution.batch_shape_tensor()[:-1]

    def _batch_shape(self):
        return self.components_distribution.batch_shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self):
        with control_dependencies(self._runtime_assertions):
            return self.components_distribution.event_shape_tensor()

    def _event_shape(self):
        return self.components_distribution.event_shape

    def _weights(self, probs):
        return pad_mixture_dimensions(
            probs, self, self.mixture_distribution, self._event_ndims
        )

    def _sample_n(self, n, seed=None):
        with control_dependencies(self._runtime_assertions):
            x = self.components_distribution.sample(n, seed=seed)
            kind = x.dtype.as_numpy_dtype
            chosen = self.mixture_distribution.sample(
                n, seed=gen_new_seed(seed, "MixtureSameFamily")
            )
            mask = one_hot(
                chosen, self._num_components, on_value=kind(1), off_value=kind(0)
            )
            return reduce_sum(x * self._weights(mask), axis=-1 - self._event_ndims)

    def _log_prob(self, x):
        return self._log_sum("log_prob", x)

    def _log_cdf(self, x):
        return self._log_sum("log_cdf", x)

    def _log_sum(self, method, x):
        with control_dependencies(self._runtime_assertions):
            x = self._pad_sample_dims(x)
            logs = getattr(self.components_distribution, method)(x)
            weights = log_softmax(self.mixture_distribution.logits, axis=-1)
            return reduce_logsumexp(logs + weights, axis=-1)

    def _mean(self):
        with control_dependencies(self._runtime_assertions):
            probs = self._weights(self.mixture_distribution.probs)
            means = self.components_distribution.mean()
            return reduce_sum(probs * means, axis=-1 - self._event_ndims)

    def _variance(self):
        """The mean of variances and the variance of means."""
        with control_dependencies(self._runtime_assertions):
            probs = self._weights(self.mixture_distribution.probs)
            axis = -1 - self._event_ndims
            inside = probs * self.components_distribution.variance()
            far = self.components_distribution.mean() - self._pad_sample_dims(
                self._mean()
            )
            return reduce_sum(inside, axis) + reduce_sum(probs * square(far), axis)

    def _covariance(self):
        if self.event_shape.ndims != 1:
            raise NotImplementedError("covariance is not implemented")
        with control_dependencies(self._runtime_assertions):
            probs = self._weights(self.mixture_distribution.probs)[..., None]
            inside = probs * self.components_distribution.covariance()
            far = self.components_distribution.mean() - self._pad_sample_dims(
                self._mean()
            )
            outside = probs * (far[..., :, None] * far[..., None, :])
            return reduce_sum(inside, axis=-3) + reduce_sum(outside, axis=-3)

    def _pad_sample_dims(self, x):
        """x with an axis of components before its events."""
        ndims = rank(x) if x.shape.ndims is None else x.shape.ndims
        whole, at = shape(x), ndims - self._event_ndims
        return reshape(x, concat([whole[:at], [1], whole[at:]], axis=0))
