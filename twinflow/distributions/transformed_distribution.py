"""The distribution of a function of a distributed value."""

import functools
from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.distributions.arrays import rotate_transpose
from twinflow.distributions.distribution import Distribution
from twinflow.distributions.identity_bijector import Identity
from twinflow.distributions.known import (
    constant_value,
    maybe_get_static_value,
    pick_vector,
)
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import logical_and, logical_not, not_equal, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import ones_like, zeros
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import exp
from twinflow.ops.core.joining import concat, stack, tile
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_prod, reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.shape_arithmetic import broadcast_static_shape
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import Assert, assert_positive
from twinflow.ops.debugging.static import assert_rank, with_dependencies

_OVERRIDDEN = "{} is not implemented when overriding event_shape"
_NOT_INJECTIVE = "{} is not implemented when bijector is not injective."


class TransformedDistribution(Distribution):
    """The distribution of Y = g(X).

    log p(Y = y) = log p(X = g^-1(y)) + log |det dg^-1(y)/dy|

    A distribution of numbers can be made one of arrays of independent numbers (by
    `event_shape`), a single one a batch (by `batch_shape`).

    Args:
        distribution: that of X. bijector: g; by default the identity.
        batch_shape, event_shape: int32[rank]; None leaves those of X.
        validate_args: whether to check shapes that are not known yet.
        name: the scope of its ops.
    Raises:
        ValueError: a shape is given though that of X is not ().
    Example:
        distributions = tf.contrib.distributions
        normal = tf.distributions.Normal(0.0, 1.0)
        d = distributions.TransformedDistribution(normal, distributions.bijectors.Exp())
        d.cdf(1.0)  # 0.5
    """

    def __init__(
        self, distribution: Any, bijector: Any = None, batch_shape: Any = None,
        event_shape: Any = None, validate_args: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        word = "" if bijector is None else bijector.name
        with name_scope(
            name or word + distribution.name, values=[event_shape, batch_shape]
        ) as name:
            self._empty = constant(
                np.array([], np.int32), dtype=dtypes.int32, name="empty"
            )
            self._bijector = Identity(validate_args) if bijector is None else bijector
            self._distribution = distribution
            self._override(batch_shape, event_shape, validate_args)
        super().__init__(
            distribution.dtype, distribution.reparameterization_type, validate_args,
            distribution.allow_nan_stats, parameters,
            [*distribution._graph_parents, *self._bijector.graph_parents], name,
        )  # fmt: skip

    distribution = property(attrgetter("_distribution"), doc="The distribution of X.")
    bijector = property(attrgetter("_bijector"), doc="The map from X to Y.")

    # ------------------------------------------------------------------ shapes given
    def _override(self, batch_shape, event_shape, validate_args):
        """Note the shapes given, and where the axes of events lie in samples of X."""
        base = self.distribution
        scalar_batch, scalar_event = base.is_scalar_batch(), base.is_scalar_event()
        self._override_batch_shape = self._maybe_validate_shape_override(
            batch_shape, scalar_batch, validate_args, "batch_shape"
        )
        self._override_event_shape = self._maybe_validate_shape_override(
            event_shape, scalar_event, validate_args, "event_shape"
        )
        batch_axes = _length(self._override_batch_shape)
        event_axes = _length(self._override_event_shape)
        self._is_event_override = _differs(event_axes, 0)
        self._is_batch_override = _differs(batch_axes, 0)
        self._is_maybe_event_override = not _is_known_zero(event_axes)
        self._is_maybe_batch_override = not _is_known_zero(batch_axes)
        # New axes of events come from samples: they are drawn in front of the batch.
        self._needs_rotation = _all(
            self._is_event_override,
            _not(self._is_batch_override),
            _not(scalar_batch),
        )
        self._rotate_ndims = _either(self._needs_rotation, event_axes, 0)
        start = self._rotate_ndims - event_axes
        self._reduce_event_indices = (
            list(range(start, self._rotate_ndims))
            if isinstance(start, int)
            else range_of(start, self._rotate_ndims)
        )

    def _maybe_validate_shape_override(
        self, override_shape, base_is_scalar, validate_args, name
    ):
        given = np.array([], np.int32) if override_shape is None else override_shape
        t = convert_to_tensor(given, dtype=dtypes.int32, name=name)
        checks, known = [], constant_value(t)
        if t.shape.ndims is not None:
            if t.shape.ndims != 1:
                raise ValueError("shape override must be a vector")
        elif validate_args:
            text = "shape override must be a vector"
            checks.append(assert_rank(t, 1, message=text))
        text = "shape override must have positive elements"
        if known is not None:
            if (known <= 0).any():
                raise ValueError(text)
        elif validate_args:
            checks.append(assert_positive(t, message=text))
        both = _all(_not(base_is_scalar), _differs(_length(t), 0))
        text, wrong = "base distribution not scalar", maybe_get_static_value(both)
        if wrong is not None:
            if wrong:
                raise ValueError(text)
        elif validate_args:
            checks.append(Assert(logical_not(both), [text]))
        return with_dependencies(checks, t) if checks else t

    def _event_shape_tensor(self):
        return self.bijector.forward_event_shape_tensor(
            pick_vector(
                self._is_event_override, self._override_event_shape,
                self.distribution.event_shape_tensor(),
            )
        )  # fmt: skip

    def _event_shape(self):
        found = self.distribution.event_shape
        if self._is_maybe_event_override:
            found = _known_shape(self._override_event_shape)
        return self.bijector.forward_event_shape(found)

    def _batch_shape_tensor(self):
        return pick_vector(
            self._is_batch_override, self._override_batch_shape,
            self.distribution.batch_shape_tensor(),
        )  # fmt: skip

    def _batch_shape(self):
        if self._is_maybe_batch_override:
            return _known_shape(self._override_batch_shape)
        return self.distribution.batch_shape

    # ------------------------------------------------------------------ samples
    def _sample_n(self, n, seed=None, **kwargs):
        lead = pick_vector(self._needs_rotation, self._empty, [n])
        last = pick_vector(self._needs_rotation, [n], self._empty)
        parts = [lead, self._override_batch_shape, self._override_event_shape, last]
        own = self._for_distribution(kwargs)
        x = self.distribution.sample(concat(parts, 0), seed=seed, **own)
        return self._maybe_rotate_dims(x)

    def _call_sample_n(self, sample_shape, seed, name, **kwargs):
        # The bijector comes last: it remembers the x of just this y.
        with self._name_scope(name, values=[sample_shape]):
            sample_shape = convert_to_tensor(
                sample_shape, dtype=dtypes.int32, name="sample_shape"
            )
            sample_shape, n = self._expand_sample_shape_to_vector(
                sample_shape, "sample_shape"
            )
            x = self._sample_n(n, seed, **kwargs)
            x = reshape(x, concat([sample_shape, shape(x)[1:]], 0))
            y = self.bijector.forward(x, **self._for_bijector(kwargs))
            return self._set_sample_static_shape(y, sample_shape)

    def _maybe_rotate_dims(self, x, rotate_right=False):
        """Axes of events behind those of the batch, or back."""
        if maybe_get_static_value(self._needs_rotation) is False:
            return x
        if not isinstance(self._rotate_ndims, int) or self._rotate_ndims:
            by = self._rotate_ndims if rotate_right else -self._rotate_ndims
            return rotate_transpose(x, by)
        return x

    # ------------------------------------------------------------------ densities
    def _log_prob(self, y, **kwargs):
        return self._over_fibers(
            y, self._finish_log_prob_for_one_fiber, kwargs, _log_sum
        )

    def _prob(self, y, **kwargs):
        return self._over_fibers(y, self._finish_prob_for_one_fiber, kwargs, sum)

    def _over_fibers(self, y, finish, kwargs, joined):
        axes = self._maybe_get_static_event_ndims()
        own = self._for_bijector(kwargs)
        x = self.bijector.inverse(y, **own)
        ildj = self.bijector.inverse_log_det_jacobian(y, event_ndims=axes, **own)
        if self.bijector._is_injective:
            return finish(y, x, ildj, axes, **kwargs)
        pairs = zip(x, ildj, strict=True)
        return joined([finish(y, a, b, axes, **kwargs) for a, b in pairs])

    def _finish_log_prob_for_one_fiber(self, y, x, ildj, event_ndims, **kwargs):
        x = self._maybe_rotate_dims(x, rotate_right=True)
        found = self.distribution.log_prob(x, **self._for_distribution(kwargs))
        if self._is_maybe_event_override:
            found = reduce_sum(found, self._reduce_event_indices)
        found += cast(ildj, found.dtype)
        return self._with_known_shape(found, y, event_ndims)

    def _finish_prob_for_one_fiber(self, y, x, ildj, event_ndims, **kwargs):
        x = self._maybe_rotate_dims(x, rotate_right=True)
        found = self.distribution.prob(x, **self._for_distribution(kwargs))
        if self._is_maybe_event_override:
            found = reduce_prod(found, self._reduce_event_indices)
        found *= exp(cast(ildj, found.dtype))
        return self._with_known_shape(found, y, event_ndims)

    def _with_known_shape(self, found, y, event_ndims):
        if self._is_maybe_event_override and isinstance(event_ndims, int):
            lead = y.shape.with_rank_at_least(event_ndims)
            lead = lead[: lead.ndims - event_ndims] if lead.ndims is not None else lead
            found.set_shape(broadcast_static_shape(lead, self.batch_shape))
        return found

    def _of_x(self, method, y, kwargs):
        """What the distribution of X says of the one x."""
        self._refuse(method)
        x = self.bijector.inverse(y, **self._for_bijector(kwargs))
        return getattr(self.distribution, method)(x, **self._for_distribution(kwargs))

    def _refuse(self, method):
        if self._is_maybe_event_override:
            raise NotImplementedError(_OVERRIDDEN.format(method))
        if not self.bijector._is_injective:
            raise NotImplementedError(_NOT_INJECTIVE.format(method))

    def _log_cdf(self, y, **kwargs):
        return self._of_x("log_cdf", y, kwargs)

    def _cdf(self, y, **kwargs):
        return self._of_x("cdf", y, kwargs)

    def _log_survival_function(self, y, **kwargs):
        return self._of_x("log_survival_function", y, kwargs)

    def _survival_function(self, y, **kwargs):
        return self._of_x("survival_function", y, kwargs)

    def _quantile(self, value, **kwargs):
        self._refuse("quantile")
        x = self.distribution.quantile(value, **self._for_distribution(kwargs))
        return self.bijector.forward(x, **self._for_bijector(kwargs))

    def _for_bijector(self, kwargs):
        """Which of the further arguments of a call its bijector takes."""
        return kwargs

    def _for_distribution(self, kwargs):
        """Which of them the distribution of X takes."""
        return kwargs

    def _entropy(self, **kwargs):
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError("entropy is not implemented")
        if not self.bijector._is_injective:
            raise NotImplementedError(_NOT_INJECTIVE.format("entropy"))
        found = self.distribution.entropy(**kwargs)
        if self._is_maybe_event_override:  # of independent numbers: the sum
            found *= cast(
                reduce_prod(self._override_event_shape), found.dtype.base_dtype
            )
        if self._is_maybe_batch_override:
            own = self.distribution.batch_shape_tensor()
            given = self._override_batch_shape
            found = reshape(found, concat([ones_like(given), own], 0))
            found = tile(found, concat([given, ones_like(own)], 0))
        to = concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        axes = self.event_shape.ndims
        axes = size(self.event_shape_tensor()) if axes is None else axes
        found -= cast(
            self.bijector.inverse_log_det_jacobian(
                zeros(shape=to, dtype=self.dtype), event_ndims=axes, **kwargs
            ),
            found.dtype,
        )
        found.set_shape(self.batch_shape)
        return found

    def _maybe_get_static_event_ndims(self):
        if self.event_shape.ndims is not None:
            return self.event_shape.ndims
        axes = size(self.event_shape_tensor())
        known = maybe_get_static_value(axes)
        return axes if known is None else int(known)


# ------------------------------------------------------------------ known or not
def _length(vector):
    """The length of a vector: an int where it is known, else a tensor."""
    known = vector.shape.with_rank_at_least(1)[0].value if vector.shape.ndims else None
    return size(vector) if known is None else known


def _is_known_zero(n):
    return isinstance(n, int) and n == 0


def _differs(a, b):
    return a != b if isinstance(a, int) else not_equal(a, b)


def _not(x):
    known = maybe_get_static_value(x)
    return logical_not(x) if known is None else not known


def _all(*conditions):
    known = [maybe_get_static_value(c) for c in conditions]
    if any(k is not None and not k for k in known):
        return False
    open_ones = [c for c, k in zip(conditions, known, strict=True) if k is None]
    return functools.reduce(logical_and, open_ones) if open_ones else True


def _either(condition, yes, no):
    known = maybe_get_static_value(condition)
    if known is None:
        return where(condition, yes, no)
    return yes if known else no


def _known_shape(t):
    known = constant_value(t)
    if known is not None:
        return TensorShape([int(d) for d in known])
    n = t.shape.ndims and t.shape[0].value
    return TensorShape(None if n is None else [None] * n)


def _log_sum(parts):
    return reduce_logsumexp(stack(parts), axis=0)
