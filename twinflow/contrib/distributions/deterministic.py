"""Distributions whose samples are always the same."""

from operator import attrgetter
from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.broadcast import broadcast_to
from twinflow.ops.core.compare import greater_equal, less_equal
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.core.shape import shape
from twinflow.ops.debugging.checks import assert_equal, assert_non_negative
from twinflow.ops.debugging.static import assert_rank_at_least, with_dependencies


class _BaseDeterministic(Distribution):
    """What distributions of one number or vector share."""

    def __init__(
        self, loc: TensorValue, atol: Any = None, rtol: Any = None,
        is_vector: bool = False, validate_args: bool = False,
        allow_nan_stats: bool = True, parameters: Any = None,
        name: str = "_BaseDeterministic",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[loc, atol, rtol]) as name:
            loc = convert_to_tensor(loc, name="loc")
            if is_vector and validate_args:
                text = "Argument loc must be at least rank 1."
                if loc.shape.ndims is not None:
                    if loc.shape.ndims < 1:
                        raise ValueError(text)
                else:
                    check = assert_rank_at_least(loc, 1, message=text)
                    loc = with_dependencies([check], loc)
            self._loc = loc
            super().__init__(
                self._loc.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
                parameters, [self._loc], name,
            )  # fmt: skip
            self._atol, self._rtol = self._tolerance(atol), self._tolerance(rtol)
            # A tolerance of none: exact equality.
            if rtol is None:
                self._slack = self._atol
            else:
                self._slack = self._atol + self._rtol * absolute(self._loc)

    def _tolerance(self, value):
        if value is None:
            return constant(0, self.dtype)
        t = convert_to_tensor(value, dtype=self.dtype)
        if not self.validate_args:
            return t
        text = "Argument 'tol' must be non-negative"
        return with_dependencies([assert_non_negative(t, message=text)], t)

    loc = property(attrgetter("_loc"), doc="The value.")
    atol = property(attrgetter("_atol"), doc="How far from it counts as it.")
    rtol = property(attrgetter("_rtol"), doc="The same, times its size.")

    def _entropy(self):
        return zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _mean(self):
        return identity(self.loc)

    def _variance(self):
        return zeros_like(self.loc)

    def _mode(self):
        return self.mean()

    def _sample_n(self, n, seed=None):
        parts = [[n], self.batch_shape_tensor(), self.event_shape_tensor()]
        return broadcast_to(self.loc, concat(parts, 0))


class Deterministic(_BaseDeterministic):
    """The distribution of one number.

    Args:
        loc: [batch], the number. atol, rtol: values within atol + rtol |loc| count as
            loc; 0 if None. validate_args: whether to check them.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Example:
        tf.contrib.distributions.Deterministic(2.0).prob([2.0, 3.0])  # [1.0, 0.0]
    """

    def __init__(
        self, loc: TensorValue, atol: Any = None, rtol: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "Deterministic",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        super().__init__(
            loc, atol, rtol, False, validate_args, allow_nan_stats, parameters, name
        )

    @staticmethod
    def _param_shapes(sample_shape):
        return {"loc": convert_to_tensor(sample_shape, dtype=dtypes.int32)}

    def _batch_shape_tensor(self):
        return shape(self.loc)

    def _batch_shape(self):
        return self.loc.shape

    def _event_shape_tensor(self):
        return constant([], dtype=dtypes.int32)

    def _event_shape(self):
        return TensorShape([])

    def _prob(self, x):
        return cast(less_equal(absolute(x - self.loc), self._slack), self.dtype)

    def _cdf(self, x):
        return cast(greater_equal(x, self.loc - self._slack), self.dtype)


class VectorDeterministic(_BaseDeterministic):
    """The distribution of one vector.

    Args:
        loc: [batch..., k], the vector. atol, rtol: values within atol + rtol |loc|
            count as loc; 0 if None. validate_args: whether to check them.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, loc: TensorValue, atol: Any = None, rtol: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "VectorDeterministic",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        super().__init__(
            loc, atol, rtol, True, validate_args, allow_nan_stats, parameters, name
        )

    @staticmethod
    def _param_shapes(sample_shape):
        return {"loc": convert_to_tensor(sample_shape, dtype=dtypes.int32)}

    def _batch_shape_tensor(self):
        return shape(self.loc)[:-1]

    def _batch_shape(self):
        return self.loc.shape[:-1]

    def _event_shape_tensor(self):
        return shape(self.loc)[-1:]

    def _event_shape(self):
        return self.loc.shape[-1:]

    def _prob(self, x):
        if self.validate_args:
            text = "Argument 'x' not defined in the same space R^k as this distribution"
            checks = [
                assert_rank_at_least(x, 1),
                assert_equal(shape(x)[-1], shape(self.loc)[-1], message=text),
            ]
            with control_dependencies(checks):
                x = identity(x)
        near = less_equal(absolute(x - self.loc), self._slack)
        return cast(reduce_all(near, axis=-1), self.dtype)
