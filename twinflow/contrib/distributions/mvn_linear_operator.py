"""The multivariate normal distribution, by a LinearOperator as its scale."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.contrib.distributions.bijectors.affine import AffineLinearOperator
from twinflow.contrib.distributions.scales import (
    is_diagonal_scale,
    shapes_from_loc_and_scale,
)
from twinflow.distributions.kullback_leibler import RegisterKL
from twinflow.distributions.normal import Normal
from twinflow.distributions.transformed_distribution import TransformedDistribution
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.broadcast import broadcast_to
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import sqrt, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims
from twinflow.ops.core.shape_arithmetic import broadcast_static_shape
from twinflow.ops.linear_operator.low_rank import LinearOperatorLowRankUpdate
from twinflow.ops.matrix.diagonal import matrix_diag, matrix_diag_part


class AffineOfIndependent(TransformedDistribution):
    """scale @ X + loc of independent numbers X of one kind.

    Args:
        base: the distribution of each number.
        loc: float[..., k] or None. scale: a LinearOperator of k rows.
    """

    def __init__(
        self, base: Any, loc: Any, scale: Any, parameters: dict[Any, Any],
        validate_args: bool, name: str,
    ) -> None:  # fmt: skip
        batch, event = shapes_from_loc_and_scale(loc, scale)
        super().__init__(
            distribution=base,
            bijector=AffineLinearOperator(
                shift=loc, scale=scale, validate_args=validate_args
            ),
            batch_shape=batch, event_shape=event, validate_args=validate_args,
            name=name,
        )  # fmt: skip
        self._parameters = parameters

    @property
    def loc(self) -> Any:
        """The shift, float[..., k], or None."""
        return self.bijector.shift

    @property
    def scale(self) -> Any:
        """The scale, a LinearOperator."""
        return self.bijector.scale

    def _shifted(self, value):
        """loc + value, in the shape of the whole batch."""
        to = self.batch_shape.concatenate(self.event_shape)
        if to.is_fully_defined():
            to = to.as_list()
        else:
            to = concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        if self.loc is None and value is None:
            return zeros(to, self.dtype)
        found = self.loc if value is None else value
        if self.loc is not None and value is not None:
            found = self.loc + value
        return identity(broadcast_to(found, to))

    def _squares(self):
        """The diagonal of scale scale^T."""
        if is_diagonal_scale(self.scale):
            return square(self.scale.diag_part())
        dense = self.scale.to_dense()
        low_rank = isinstance(self.scale, LinearOperatorLowRankUpdate)
        if low_rank and self.scale.is_self_adjoint:
            return matrix_diag_part(self.scale.matmul(dense))
        return reduce_sum(square(dense), -1)

    def _product(self):
        """scale scale^T."""
        if is_diagonal_scale(self.scale):
            return matrix_diag(square(self.scale.diag_part()))
        return self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)


def check_scale(scale: Any) -> None:
    """Refuse what is no scale of floats."""
    if scale is None:
        raise ValueError("Missing required `scale` parameter.")
    if not scale.dtype.is_floating:
        raise TypeError("`scale` parameter must have floating-point dtype.")


class MultivariateNormalLinearOperator(AffineOfIndependent):
    """The distribution of vectors loc + scale @ z, z of standard normal numbers.

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
        allow_nan_stats: bool = True, name: str = "MultivariateNormalLinearOperator",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        check_scale(scale)
        with name_scope(name, values=[loc, *scale.graph_parents]) as name:
            if loc is not None:
                loc = convert_to_tensor(loc, name="loc", dtype=scale.dtype)
            base = Normal(zeros([], dtype=scale.dtype), ones([], dtype=scale.dtype))
            super().__init__(base, loc, scale, parameters, validate_args, name)

    def _mean(self):
        return self._shifted(None)

    def _covariance(self):
        return self._product()

    def _variance(self):
        return self._squares()

    def _stddev(self):
        if is_diagonal_scale(self.scale):
            return absolute(self.scale.diag_part())
        return sqrt(self._squares())

    def _mode(self):
        return self._mean()


@RegisterKL(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)
def _kl_brute_force(a: Any, b: Any, name: str | None = None) -> Tensor:
    def squared_norm(x: Any, axes: list) -> Tensor:
        return reduce_sum(square(x), axis=axes)

    values = [*a.scale.graph_parents, *b.scale.graph_parents]
    with name_scope(name, "kl_mvn", values=[a.loc, b.loc, *values]):
        if is_diagonal_scale(a.scale) and is_diagonal_scale(b.scale):
            ratio = squared_norm(a.scale.diag_part() / b.scale.diag_part(), [-1])
        else:
            ratio = squared_norm(b.scale.solve(a.scale.to_dense()), [-2, -1])
        far = expand_dims(b.mean() - a.mean(), -1)
        size = cast(a.scale.domain_dimension_tensor(), a.dtype)
        found = b.scale.log_abs_determinant() - a.scale.log_abs_determinant()
        found += 0.5 * (-size + ratio + squared_norm(b.scale.solve(far), [-2, -1]))
        found.set_shape(broadcast_static_shape(a.batch_shape, b.batch_shape))
        return found
