"""Distributions of numbers whose parameters are broadcast against each other."""

import functools

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.distributions.distribution import Distribution
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.shape import shape
from twinflow.ops.core.shape_arithmetic import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
)


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
