"""The sinh-arcsinh distribution: skewed, with heavier or lighter tails."""

from operator import attrgetter
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.contrib.distributions.bijectors.affine import AffineScalar
from twinflow.contrib.distributions.bijectors.composing import Chain
from twinflow.contrib.distributions.bijectors.cumulative import (
    SinhArcsinh as SinhArcsinhBijector,
)
from twinflow.distributions.normal import Normal
from twinflow.distributions.transformed_distribution import TransformedDistribution
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.shape import shape
from twinflow.ops.core.shape_arithmetic import broadcast_dynamic_shape


def unit(dtype: Any, tailweight: Any) -> Any:
    """2 / F0(2), F0 the bijector of the tails alone."""
    none = dtype.as_numpy_dtype(0)
    tails = SinhArcsinhBijector(skewness=none, tailweight=tailweight)
    two = convert_to_tensor(2, dtype=dtype)
    return two / tails.forward(two)


class SinhArcsinh(TransformedDistribution):
    """The distribution of loc + scale F(Z) 2 / F0(2), Z standard normal.

    F(z) = sinh((asinh(z) + skewness) tailweight), F0 that of skewness 0

    Args:
        loc: float[batch]. scale: float[batch], > 0. skewness: float[batch], 0 if None.
        tailweight: float[batch], > 0, 1 if None.
        distribution: that of Z, a Normal if None.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Reference: Jones, Pewsey: Sinh-arcsinh distributions (2009).
    """

    def __init__(
        self, loc: TensorValue, scale: TensorValue, skewness: Any = None,
        tailweight: Any = None, distribution: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "SinhArcsinh",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale, skewness, tailweight]) as name:
            loc = convert_to_tensor(loc, name="loc")
            dtype = loc.dtype
            scale = convert_to_tensor(scale, name="scale", dtype=dtype)
            tailweight = 1.0 if tailweight is None else tailweight
            skewness = 0.0 if skewness is None else skewness
            skewness = convert_to_tensor(skewness, name="skewness", dtype=dtype)
            tailweight = convert_to_tensor(tailweight, name="tailweight", dtype=dtype)
            batch = shape(loc)
            for t in (scale, skewness, tailweight):
                batch = broadcast_dynamic_shape(batch, shape(t))
            if distribution is None:
                distribution = Normal(
                    loc=zeros([], dtype=dtype), scale=ones([], dtype=dtype),
                    allow_nan_stats=allow_nan_stats,
                )  # fmt: skip
            bend = SinhArcsinhBijector(
                skewness=skewness, tailweight=tailweight, validate_args=validate_args
            )
            c = scale * unit(dtype, tailweight)
            affine = AffineScalar(shift=loc, scale=c, validate_args=validate_args)
            super().__init__(
                distribution, Chain([affine, bend]), batch_shape=batch,
                validate_args=validate_args, name=name,
            )  # fmt: skip
        self._parameters = parameters
        self._loc, self._scale = loc, scale
        self._tailweight, self._skewness = tailweight, skewness

    loc = property(attrgetter("_loc"), doc="The location.")
    scale = property(attrgetter("_scale"), doc="The scale.")
    tailweight = property(attrgetter("_tailweight"), doc="The weight of the tails.")
    skewness = property(attrgetter("_skewness"), doc="The skewness.")
