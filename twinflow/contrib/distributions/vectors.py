"""Vectors scale @ x + loc of independent exponential, Laplace or bent numbers x."""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.contrib.distributions.bijectors.affine import AffineLinearOperator
from twinflow.contrib.distributions.bijectors.composing import Chain
from twinflow.contrib.distributions.bijectors.cumulative import (
    SinhArcsinh as SinhArcsinhBijector,
)
from twinflow.contrib.distributions.mvn_linear_operator import (
    AffineOfIndependent,
    check_scale,
)
from twinflow.contrib.distributions.scales import (
    is_diagonal_scale,
    make_diag_scale,
    shapes_from_loc_and_scale,
)
from twinflow.contrib.distributions.sinh_arcsinh import unit
from twinflow.distributions.exponential import Exponential
from twinflow.distributions.laplace import Laplace
from twinflow.distributions.normal import Normal
from twinflow.distributions.transformed_distribution import TransformedDistribution
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import sqrt


class VectorExponentialLinearOperator(AffineOfIndependent):
    """The distribution of vectors scale @ x + loc, x of exponential numbers of rate 1.

    Args:
        loc: float[..., k], 0 if None. scale: a LinearOperator of k rows.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: there is no scale. TypeError: its dtype is no float.
    """

    def __init__(
        self, loc: Any = None, scale: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "VectorExponentialLinearOperator",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        check_scale(scale)
        with name_scope(name, values=[loc, *scale.graph_parents]) as name:
            if loc is not None:
                loc = convert_to_tensor(loc, name="loc")
            base = Exponential(
                rate=ones([], dtype=scale.dtype), allow_nan_stats=allow_nan_stats
            )
            super().__init__(base, loc, scale, parameters, validate_args, name)

    def _mean(self):
        return self._shifted(self.scale.matvec(self._ones()))

    def _ones(self):
        return ones([self._event_shape_tensor()[0]], self.dtype)

    def _covariance(self):
        return self._product()

    def _variance(self):
        return self._squares()

    def _stddev(self):
        if is_diagonal_scale(self.scale):
            return absolute(self.scale.diag_part())
        return sqrt(self._squares())

    def _mode(self):
        return self._shifted(None)


class VectorExponentialDiag(VectorExponentialLinearOperator):
    """A VectorExponentialLinearOperator whose scale is diag(d + c).

    Args:
        loc: float[..., k], 0 if None. scale_diag: float[..., k], d.
        scale_identity_multiplier: float[...], c; 1 if both are None.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, loc: Any = None, scale_diag: Any = None,
        scale_identity_multiplier: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "VectorExponentialDiag",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        given = [loc, scale_diag, scale_identity_multiplier]
        with name_scope(name) as name:
            with name_scope("init", values=given):
                scale = make_diag_scale(*given, validate_args=validate_args)
            super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class VectorLaplaceLinearOperator(AffineOfIndependent):
    """The distribution of vectors scale @ x + loc, x of Laplace numbers of scale 1.

    Args:
        loc: float[..., k], 0 if None. scale: a LinearOperator of k rows.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: there is no scale. TypeError: its dtype is no float.
    """

    def __init__(
        self, loc: Any = None, scale: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "VectorLaplaceLinearOperator",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        check_scale(scale)
        with name_scope(name, values=[loc, *scale.graph_parents]) as name:
            if loc is not None:
                loc = convert_to_tensor(loc, name="loc")
            base = Laplace(zeros([], dtype=scale.dtype), ones([], dtype=scale.dtype))
            super().__init__(base, loc, scale, parameters, validate_args, name)

    def _mean(self):
        return self._shifted(None)

    def _covariance(self):
        return 2.0 * self._product()

    def _variance(self):
        return 2.0 * self._squares()

    def _stddev(self):
        if is_diagonal_scale(self.scale):
            return np.sqrt(2) * absolute(self.scale.diag_part())
        return sqrt(2.0 * self._squares())

    def _mode(self):
        return self._mean()


class VectorLaplaceDiag(VectorLaplaceLinearOperator):
    """A VectorLaplaceLinearOperator whose scale is diag(d + c).

    Args:
        loc: float[..., k], 0 if None. scale_diag: float[..., k], d.
        scale_identity_multiplier: float[...], c; 1 if both are None.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, loc: Any = None, scale_diag: Any = None,
        scale_identity_multiplier: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "VectorLaplaceDiag",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        given = [loc, scale_diag, scale_identity_multiplier]
        with name_scope(name) as name:
            with name_scope("init", values=given):
                scale = make_diag_scale(*given, validate_args=validate_args)
            super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class VectorSinhArcsinhDiag(TransformedDistribution):
    """Vectors of independent numbers loc + scale F(z) 2 / F0(2); see SinhArcsinh.

    Args:
        loc: float[..., k], 0 if None. scale_diag: float[..., k].
        scale_identity_multiplier: float[...]; 1 if both are None.
        skewness: float[..., k], 0 if None. tailweight: float[..., k], 1 if None.
        distribution: that of z, a Normal if None.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, loc: Any = None, scale_diag: Any = None,
        scale_identity_multiplier: Any = None, skewness: Any = None,
        tailweight: Any = None, distribution: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "MultivariateNormalLinearOperator",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        given = [loc, scale_diag, scale_identity_multiplier, skewness, tailweight]
        with name_scope(name, values=given) as name:
            loc = None if loc is None else convert_to_tensor(loc, name="loc")
            tailweight = 1.0 if tailweight is None else tailweight
            skewness = 0.0 if skewness is None else skewness
            scale = make_diag_scale(
                loc, scale_diag, scale_identity_multiplier, validate_args=False
            )
            dtype = scale.dtype
            tailweight = convert_to_tensor(tailweight, dtype=dtype, name="tailweight")
            skewness = convert_to_tensor(skewness, dtype=dtype, name="skewness")
            diag = scale.diag_part() * unit(dtype, tailweight)
            whole = make_diag_scale(loc, diag, None, validate_args=False)
            batch, event = shapes_from_loc_and_scale(loc, whole)
            if distribution is None:
                distribution = Normal(
                    loc=zeros([], dtype=dtype), scale=ones([], dtype=dtype),
                    allow_nan_stats=allow_nan_stats,
                )  # fmt: skip
            bend = SinhArcsinhBijector(skewness=skewness, tailweight=tailweight)
            affine = AffineLinearOperator(
                shift=loc, scale=whole, validate_args=validate_args
            )
            super().__init__(
                distribution, Chain([affine, bend]), batch_shape=batch,
                event_shape=event, validate_args=validate_args, name=name,
            )  # fmt: skip
        self._parameters = parameters
        self._loc, self._scale = loc, scale
        self._tailweight, self._skewness = tailweight, skewness

    loc = property(attrgetter("_loc"), doc="The location, or None.")
    scale = property(attrgetter("_scale"), doc="The scale, a LinearOperator.")
    tailweight = property(attrgetter("_tailweight"), doc="The weight of the tails.")
    skewness = property(attrgetter("_skewness"), doc="The skewness.")
