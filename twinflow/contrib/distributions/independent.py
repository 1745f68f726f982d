"""Axes of a batch of distributions taken for axes of events."""

from operator import attrgetter
from typing import Any

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.distributions.distribution import Distribution
from twinflow.distributions.known import maybe_get_static_value
from twinflow.distributions.kullback_leibler import RegisterKL, kl_divergence
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import assert_equal, assert_less_equal


class Independent(Distribution):
    """A distribution whose last batch axes are axes of events.

    The log density of an event is the sum over them.

    Args:
        distribution: the batch of distributions.
        reinterpreted_batch_ndims: int scalar, how many axes; all but the first if None.
        validate_args: whether to check a number that is not known yet.
        name: the scope of its ops; by default Independent and the name of the other.
    Raises:
        ValueError: there are fewer axes.
    Example:
        d = tf.contrib.distributions.Independent(
            tf.distributions.Normal([0.0, 1.0], 1.0), reinterpreted_batch_ndims=1)
        d.event_shape  # (2,)
    """

    def __init__(
        self, distribution: Any, reinterpreted_batch_ndims: Any = None,
        validate_args: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        name = name or "Independent" + distribution.name
        self._distribution = distribution
        with name_scope(name) as name:
            n = reinterpreted_batch_ndims
            n = self._default_axes(distribution) if n is None else n
            n = convert_to_tensor(
                n, dtype=dtypes.int32, name="reinterpreted_batch_ndims"
            )
            self._reinterpreted_batch_ndims = n
            known = maybe_get_static_value(n)
            self._static = None if known is None else int(known)
            self._runtime_assertions = self._checks(validate_args)
        super().__init__(
            distribution.dtype, distribution.reparameterization_type, validate_args,
            distribution.allow_nan_stats, parameters, distribution._graph_parents, name,
        )  # fmt: skip

    distribution = property(attrgetter("_distribution"), doc="The batch.")
    reinterpreted_batch_ndims = property(
        attrgetter("_reinterpreted_batch_ndims"), doc="How many axes, int32[]."
    )

    def _default_axes(self, distribution):
        ndims = distribution.batch_shape.ndims
        if ndims is not None:
            return max(0, ndims - 1)
        return maximum(0, size(distribution.batch_shape_tensor()) - 1)

    def _checks(self, validate_args):
        ndims = self.distribution.batch_shape.ndims
        if None not in (self._static, ndims):
            if self._static > ndims:
                raise ValueError(
                    f"reinterpreted_batch_ndims({self._static}) cannot exceed "
                    f"distribution.batch_ndims({ndims})"
                )
        elif validate_args:
            whole = shape(self.distribution.batch_shape_tensor())[0]
            text = "reinterpreted_batch_ndims cannot exceed distribution.batch_ndims"
            own = self.reinterpreted_batch_ndims
            return [assert_less_equal(own, whole, message=text)]
        return []

    def _batch_shape_tensor(self):
        with control_dependencies(self._runtime_assertions):
            batch = self.distribution.batch_shape_tensor()
            return batch[: _length(batch) - self._axes()]

    def _axes(self):
        known = self._static
        return self.reinterpreted_batch_ndims if known is None else known

    def _batch_shape(self):
        batch = self.distribution.batch_shape
        if self._static is None or batch.ndims is None:
            return TensorShape(None)
        return batch[: batch.ndims - self._static]

    def _event_shape_tensor(self):
        with control_dependencies(self._runtime_assertions):
            batch = self.distribution.batch_shape_tensor()
            new = batch[_length(batch) - self._axes() :]
            return concat([new, self.distribution.event_shape_tensor()], axis=0)

    def _event_shape(self):
        batch = self.distribution.batch_shape
        if self._static is None or batch.ndims is None:
            return TensorShape(None)
        new = batch[batch.ndims - self._static :]
        return new.concatenate(self.distribution.event_shape)

    def _sample_n(self, n, seed=None):
        with control_dependencies(self._runtime_assertions):
            return self.distribution.sample(sample_shape=n, seed=seed)

    def _log_prob(self, x):
        with control_dependencies(self._runtime_assertions):
            return self._reduce_sum(self.distribution.log_prob(x))

    def _entropy(self):
        with control_dependencies(self._runtime_assertions):
            return self._reduce_sum(self.distribution.entropy())

    def _mean(self):
        with control_dependencies(self._runtime_assertions):
            return self.distribution.mean()

    def _variance(self):
        with control_dependencies(self._runtime_assertions):
            return self.distribution.variance()

    def _stddev(self):
        with control_dependencies(self._runtime_assertions):
            return self.distribution.stddev()

    def _mode(self):
        with control_dependencies(self._runtime_assertions):
            return self.distribution.mode()

    def _reduce_sum(self, value):
        """The sum over the axes that are those of events now."""
        if self._static is not None:
            return reduce_sum(value, axis=list(range(-self._static, 0)))
        return reduce_sum(value, axis=range_of(-self.reinterpreted_batch_ndims, 0))


def _length(vector):
    known = vector.shape[0].value if vector.shape.ndims else None
    return size(vector) if known is None else known


@RegisterKL(Independent, Independent)
def _kl_independent(a: Any, b: Any, name: str = "kl_independent") -> Any:
    p, q = a.distribution, b.distribution
    text = "KL between Independents with different event shapes not supported."
    if a.event_shape.is_fully_defined() and b.event_shape.is_fully_defined():
        if a.event_shape != b.event_shape:
            raise ValueError("Event shapes do not match.")
        if p.event_shape != q.event_shape:
            raise NotImplementedError(text)
        axes = a.event_shape.ndims - p.event_shape.ndims
        return reduce_sum(kl_divergence(p, q, name=name), axis=list(range(-axes, 0)))
    checks = [
        assert_equal(a.event_shape_tensor(), b.event_shape_tensor()),
        assert_equal(p.event_shape_tensor(), q.event_shape_tensor()),
    ]
    with control_dependencies(checks):
        axes = shape(a.event_shape_tensor())[0] - shape(p.event_shape_tensor())[0]
        return reduce_sum(kl_divergence(p, q, name=name), axis=range_of(-axes, 0))
