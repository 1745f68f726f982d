"""Multivariate normal distributions by diagonal, triangle, covariance, low rank."""

from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.contrib.distributions.mvn_linear_operator import (
    MultivariateNormalLinearOperator,
)
from twinflow.contrib.distributions.scales import make_diag_scale
from twinflow.distributions.known import dimension_size
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.rounding import softplus
from twinflow.ops.core.transposing import matrix_transpose
from twinflow.ops.debugging.checks import assert_near
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.linear_operator.dense import LinearOperatorLowerTriangular
from twinflow.ops.linear_operator.identity import LinearOperatorIdentity
from twinflow.ops.linear_operator.low_rank import LinearOperatorLowRankUpdate
from twinflow.ops.matrix.cholesky import cholesky


class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """The normal distribution of vectors of independent numbers.

    scale = diag(scale_diag + scale_identity_multiplier)

    Args:
        loc: float[..., k], the mean, 0 if None. scale_diag: float[..., k].
        scale_identity_multiplier: float[...]; 1 if both are None.
        validate_args: whether to check that no scale is 0.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: nothing says k.
    Example:
        distributions = tf.contrib.distributions
        d = distributions.MultivariateNormalDiag([1.0, -1.0], scale_diag=[1.0, 2.0])
        d.variance()  # [1.0, 4.0]
    """

    def __init__(
        self, loc: Any = None, scale_diag: Any = None,
        scale_identity_multiplier: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "MultivariateNormalDiag",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        given = [loc, scale_diag, scale_identity_multiplier]
        with name_scope(name) as name:
            with name_scope("init", values=given):
                scale = make_diag_scale(
                    *given, validate_args=False, assert_positive=False
                )
            super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """A MultivariateNormalDiag whose scale_diag is softplus of what is given."""

    def __init__(
        self, loc: TensorValue, scale_diag: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagWithSoftplusScale",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[scale_diag]) as name:
            positive = softplus(scale_diag)
            super().__init__(loc, positive, None, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """The normal distribution of vectors whose covariance is T T^t, T = scale_tril.

    Args:
        loc: float[..., k], the mean, 0 if None. scale_tril: float[..., k, k], lower
            triangular, the identity if None.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: both are None.
    Example:
        d = tf.contrib.distributions.MultivariateNormalTriL(
            scale_tril=[[1.0, 0.0], [2.0, 1.0]])
        d.covariance()  # [[1.0, 2.0], [2.0, 5.0]]
    """

    def __init__(
        self, loc: Any = None, scale_tril: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "MultivariateNormalTriL",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with name_scope(name) as name:
            with name_scope("init", values=[loc, scale_tril]):
                if loc is not None:
                    loc = convert_to_tensor(loc, name="loc")
                if scale_tril is not None:
                    scale_tril = convert_to_tensor(scale_tril, name="scale_tril")
                    scale = LinearOperatorLowerTriangular(
                        scale_tril, is_non_singular=True, is_self_adjoint=False,
                        is_positive_definite=False,
                    )  # fmt: skip
                else:
                    scale = LinearOperatorIdentity(
                        num_rows=dimension_size(loc, -1), dtype=loc.dtype,
                        is_self_adjoint=True, is_positive_definite=True,
                        assert_proper_shapes=validate_args,
                    )  # fmt: skip
            super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """The normal distribution of vectors of a given covariance.

    Args:
        loc: float[..., k], the mean, 0 if None.
        covariance_matrix: float[..., k, k], symmetric and positive definite, the
            identity if None.
        validate_args: whether to check that it is symmetric.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: both are None.
    Example:
        d = tf.contrib.distributions.MultivariateNormalFullCovariance(
            covariance_matrix=[[4.0, 0.0], [0.0, 9.0]])
        d.stddev()  # [2.0, 3.0]
    """

    def __init__(
        self, loc: Any = None, covariance_matrix: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "MultivariateNormalFullCovariance",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name) as name:
            scale_tril = None
            with name_scope("init", values=[loc, covariance_matrix]):
                if covariance_matrix is not None:
                    matrix = convert_to_tensor(
                        covariance_matrix, name="covariance_matrix"
                    )
                    if validate_args:
                        text = "Matrix was not symmetric"
                        check = assert_near(
                            matrix, matrix_transpose(matrix), message=text
                        )
                        matrix = with_dependencies([check], matrix)
                    scale_tril = cholesky(matrix)
            super().__init__(loc, scale_tril, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """The normal distribution of vectors, of scale c I + diag(d) + U diag(e) U^t.

    Args:
        loc: float[..., k], the mean, 0 if None. scale_diag: float[..., k], d.
        scale_identity_multiplier: float[...], c. scale_perturb_factor:
            float[..., k, r], U. scale_perturb_diag: float[..., r], e, 1 if None.
        validate_args: whether to check that the diagonal is positive.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: nothing says k.
    """

    def __init__(
        self, loc: Any = None, scale_diag: Any = None,
        scale_identity_multiplier: Any = None, scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "MultivariateNormalDiagPlusLowRank",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        given = [loc, scale_diag, scale_identity_multiplier]
        updates = [scale_perturb_factor, scale_perturb_diag]
        with name_scope(name) as name:
            with name_scope("init", values=[*given, *updates]):
                has_low_rank = scale_perturb_factor is not None
                scale = make_diag_scale(
                    *given, validate_args=validate_args, assert_positive=has_low_rank
                )
                factor, update = (
                    None if t is None else convert_to_tensor(t, name=word)
                    for t, word in zip(
                        updates, ("scale_perturb_factor", "scale_perturb_diag"),
                        strict=True,
                    )
                )  # fmt: skip
                if has_low_rank:
                    scale = LinearOperatorLowRankUpdate(
                        scale, u=factor, diag_update=update,
                        is_diag_update_positive=update is None, is_non_singular=True,
                        is_self_adjoint=True, is_positive_definite=True,
                        is_square=True,
                    )  # fmt: skip
            super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters
