"""Distributions of numbers whose parameters are broadcast against each other."""

import functools
from operator import attrgetter
from typing import Any

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import constant, convert_to_tensor, identity
from twinflow.ops.core.shape import shape
from twinflow.ops.core.shape_arithmetic import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
)
from twinflow.ops.debugging.checks import assert_positive
from twinflow.ops.debugging.static import assert_same_float_dtype


class ScalarDistribution(Distribution):
    """A distribution of numbers: events are scalars, the batch that of parameters.

    `_broadcast` names the attributes that have a batch shape.
    """

    _broadcast: tuple[str, ...] = ("loc", "scale")

    @classmethod
    def _param_shapes(cls, sample_shape):
        found = [convert_to_tensor(sample_shape, dtype=dtypes.int32)] * len(
            cls._broadcast
        )
        return dict(zip(cls._broadcast, found, strict=True))

    def _batch_shape_tensor(self):
        shapes = [shape(getattr(self, name)) for name in self._broadcast]
        return functools.reduce(broadcast_dynamic_shape, shapes)

    def _batch_shape(self):
        shapes = [getattr(self, name).shape for name in self._broadcast]
        return functools.reduce(broadcast_static_shape, shapes)

    def _event_shape_tensor(self):
        return constant([], dtype=dtypes.int32)

    def _event_shape(self):
        return TensorShape([])


class LocationScale(ScalarDistribution):
    """A distribution that is moved by `loc` and stretched by `scale`."""

    _loc: Any
    _scale: Any
    loc = property(attrgetter("_loc"), doc="The location, float[batch].")
    scale = property(attrgetter("_scale"), doc="The scale, float[batch].")

    def _begin(self, given):
        """Construct it from the arguments of __init__, {name: value}."""
        loc, scale, validate = (given[k] for k in ("loc", "scale", "validate_args"))
        with name_scope(given["name"], values=[loc, scale]) as name:
            checks = [assert_positive(scale)] if validate else []
            with control_dependencies(checks):
                self._loc = identity(loc, name="loc")
                self._scale = identity(scale, name="scale")
                assert_same_float_dtype([self._loc, self._scale])
        ScalarDistribution.__init__(
            self, self._scale.dtype, FULLY_REPARAMETERIZED, validate,
            given["allow_nan_stats"], given, [self._loc, self._scale], name,
        )  # fmt: skip

    def _log_prob(self, x):
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _z(self, x):
        """From the scale of the distribution to that of loc 0 and scale 1."""
        with name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale
