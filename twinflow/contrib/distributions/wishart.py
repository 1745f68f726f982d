"""The Wishart distribution over positive definite matrices."""

import math
from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.distributions.checks import assert_symmetric
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from twinflow.distributions.known import constant_value
from twinflow.distributions.parameters import gen_new_seed
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import fill, linspace, ones
from twinflow.ops.core.elementwise import log, sqrt, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, shape
from twinflow.ops.debugging.checks import (
    assert_equal,
    assert_less_equal,
    assert_positive,
)
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.linear_operator.dense import LinearOperatorLowerTriangular
from twinflow.ops.matrix.band import matrix_band_part
from twinflow.ops.matrix.cholesky import cholesky
from twinflow.ops.matrix.diagonal import matrix_diag_part, matrix_set_diag
from twinflow.ops.random.draws import random_normal
from twinflow.ops.random.gamma import random_gamma
from twinflow.ops.special.gamma import digamma, lgamma

_TOO_FEW = (
    "Degrees of freedom (df = {}) cannot be less than dimension of scale matrix "
    "(scale.dimension = {})"
)


class WishartLinearOperator(Distribution):
    """The Wishart distribution, by a LinearOperator L with scale = L L^T.

    p(X) ~ |X|^((df - k - 1) / 2) exp(-tr(scale^-1 X) / 2)

    Args:
        df: float[batch], the degrees of freedom, >= k. scale_operator: L, of k rows.
        cholesky_input_output_matrices: whether values and samples are Cholesky factors.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        TypeError: the dtype of L is no float. ValueError: L is not square, or df is
        known to be too small.
    """

    def __init__(
        self, df: TensorValue, scale_operator: Any,
        cholesky_input_output_matrices: bool = False, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str | None = None,
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        self._cholesky_input_output_matrices = cholesky_input_output_matrices
        with name_scope(name) as name, name_scope("init", values=[df]):
            if not scale_operator.dtype.is_floating:
                raise TypeError(
                    f"scale_operator.dtype={scale_operator.dtype} is not a "
                    "floating-point type"
                )
            if not scale_operator.is_square:
                raise ValueError("scale_operator must be square.")
            self._scale_operator = scale_operator
            self._df = convert_to_tensor(df, dtype=scale_operator.dtype, name="df")
            self._set_dimension(validate_args)
        super().__init__(
            scale_operator.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, [self._df, self._dimension, *scale_operator.graph_parents],
            name,
        )  # fmt: skip

    def _set_dimension(self, validate_args):
        known = self.scale_operator.shape.with_rank_at_least(2)[-1].value
        dtype = self.scale_operator.dtype
        if known is None:
            k = self.scale_operator.domain_dimension_tensor()
            self._dimension = cast(k, dtype, name="dimension")
        else:
            self._dimension = convert_to_tensor(
                float(known), dtype=dtype, name="dimension"
            )
        df = constant_value(self._df)
        if known is not None and df is not None:
            if (df < known).any():
                raise ValueError(_TOO_FEW.format(df, known))
        elif validate_args:
            text = _TOO_FEW.format(self._df, self._dimension)
            check = assert_less_equal(self._dimension, self._df, message=text)
            self._df = with_dependencies([check], self._df)

    df = property(attrgetter("_df"), doc="The degrees of freedom, float[batch].")
    scale_operator = property(attrgetter("_scale_operator"), doc="L.")
    dimension = property(attrgetter("_dimension"), doc="k, as a float.")
    cholesky_input_output_matrices = property(
        attrgetter("_cholesky_input_output_matrices"),
        doc="Whether values and samples are Cholesky factors.",
    )

    def scale(self) -> Tensor:
        """The scale, or its Cholesky factor."""
        if self.cholesky_input_output_matrices:
            return self.scale_operator.to_dense()
        return self._square_scale_operator()

    def _square_scale_operator(self):
        return self.scale_operator.matmul(
            self.scale_operator.to_dense(), adjoint_arg=True
        )

    def _event_shape_tensor(self):
        k = self.scale_operator.domain_dimension_tensor()
        return convert_to_tensor([k, k], dtype=dtypes.int32)

    def _event_shape(self):
        k = self.scale_operator.domain_dimension.value
        return TensorShape([k, k])

    def _batch_shape_tensor(self):
        return self.scale_operator.batch_shape_tensor()

    def _batch_shape(self):
        return self.scale_operator.batch_shape

    # ------------------------------------------------------------------ samples
    def _sample_n(self, n, seed):
        """By Bartlett's decomposition."""
        batch = self.batch_shape_tensor()
        to = concat([[n], batch, self.event_shape_tensor()], 0)
        normal = random_normal(
            shape=to, mean=0.0, stddev=1.0, dtype=self.dtype, seed=seed
        )
        df = self.df * ones(batch, dtype=self.df.dtype)
        gamma = random_gamma(
            shape=[n], alpha=self._multi_gamma_sequence(0.5 * df),
            beta=0.5, dtype=self.dtype, seed=gen_new_seed(seed, "wishart"),
        )  # fmt: skip
        lower = matrix_band_part(normal, -1, 0)
        factor = self.scale_operator.matmul(matrix_set_diag(lower, sqrt(gamma)))
        if self.cholesky_input_output_matrices:
            return factor
        return matmul(factor, factor, adjoint_b=True)

    # ------------------------------------------------------------------ densities
    def _log_prob(self, x):
        root = x if self.cholesky_input_output_matrices else cholesky(x)
        trace = reduce_sum(square(self.scale_operator.solve(root)), axis=[-2, -1])
        half_log_det = reduce_sum(log(matrix_diag_part(root)), axis=[-1])
        power = self.df - self.dimension - 1.0
        found = power * half_log_det - 0.5 * trace - self.log_normalization()
        if x.shape.ndims is not None and found.shape.ndims is None:
            found.set_shape(x.shape[:-2])
        return found

    def log_normalization(self, name: str | None = "log_normalization") -> Tensor:
        """The logarithm of what the density is divided by, float[batch]."""
        with self._name_scope(name):
            half = 0.5 * self.df
            return (
                self.df * self.scale_operator.log_abs_determinant()
                + half * self.dimension * math.log(2.0)
                + self._multi_lgamma(half)
            )

    def mean_log_det(self, name: str | None = "mean_log_det") -> Tensor:
        """E[log |X|], float[batch]."""
        with self._name_scope(name):
            return (
                self._multi_digamma(0.5 * self.df)
                + self.dimension * math.log(2.0)
                + 2 * self.scale_operator.log_abs_determinant()
            )

    def _entropy(self):
        half_k, half_df = 0.5 * self.dimension + 0.5, 0.5 * self.df
        return (
            self.dimension * (half_df + half_k * math.log(2.0))
            + 2 * half_k * self.scale_operator.log_abs_determinant()
            + self._multi_lgamma(half_df)
            + (half_k - half_df) * self._multi_digamma(half_df)
        )

    def _mean(self):
        df = self.df[..., None, None]
        if self.cholesky_input_output_matrices:
            return sqrt(df) * self.scale_operator.to_dense()
        return df * self._square_scale_operator()

    def _variance(self):
        x = sqrt(self.df)[..., None, None] * self._square_scale_operator()
        d = expand_dims(matrix_diag_part(x), -1)
        v = square(x) + matmul(d, d, adjoint_b=True)
        return cholesky(v) if self.cholesky_input_output_matrices else v

    def _stddev(self):
        if self.cholesky_input_output_matrices:
            raise ValueError(
                "Computing std. dev. when is cholesky_input_output_matrices=True does "
                "not make sense."
            )
        return cholesky(self.variance())

    def _mode(self):
        s = self.df - self.dimension - 1.0
        nan = np.array(np.nan, self.dtype.as_numpy_dtype)
        s = where(less(s, 0.0), fill(shape(s), nan), s)[..., None, None]
        if self.cholesky_input_output_matrices:
            return sqrt(s) * self.scale_operator.to_dense()
        return s * self._square_scale_operator()

    # ------------------------------------------------------------------ k dimensions
    def _multi_gamma_sequence(self, a):
        """a, a - 1/2, ... a - (k - 1)/2 along a new axis."""
        k = cast(self.dimension, dtypes.int32)
        zero = convert_to_tensor(0.0, dtype=self.dtype)
        steps = linspace(zero, 0.5 - 0.5 * self.dimension, k)
        return steps + expand_dims(a, -1)

    def _multi_lgamma(self, a):
        k = self.dimension
        sequence = reduce_sum(lgamma(self._multi_gamma_sequence(a)), axis=[-1])
        return 0.25 * k * (k - 1.0) * math.log(math.pi) + sequence

    def _multi_digamma(self, a):
        return reduce_sum(digamma(self._multi_gamma_sequence(a)), axis=[-1])


class WishartCholesky(WishartLinearOperator):
    """The Wishart distribution, by the Cholesky factor of its scale.

    Args:
        df: float[batch], the degrees of freedom, >= k.
        scale: float[batch..., k, k], lower triangular of positive diagonal.
        cholesky_input_output_matrices: whether values and samples are Cholesky factors.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, df: TensorValue, scale: TensorValue,
        cholesky_input_output_matrices: bool = False, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "WishartCholesky",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as name:
            with name_scope("init", values=[scale]):
                root = convert_to_tensor(scale)
                if validate_args:
                    root = _checked(root, square_too=True)
            super().__init__(
                df, _triangle(root), cholesky_input_output_matrices, validate_args,
                allow_nan_stats, name,
            )  # fmt: skip
        self._parameters = parameters


class WishartFull(WishartLinearOperator):
    """The Wishart distribution, by its scale.

    Args:
        df: float[batch], the degrees of freedom, >= k.
        scale: float[batch..., k, k], symmetric and positive definite.
        cholesky_input_output_matrices: whether values and samples are Cholesky factors.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, df: TensorValue, scale: TensorValue,
        cholesky_input_output_matrices: bool = False, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "WishartFull",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name) as name:
            with name_scope("init", values=[scale]):
                scale = convert_to_tensor(scale)
                if validate_args:
                    scale = assert_symmetric(scale)
                root = cholesky(scale)
                if validate_args:
                    root = _checked(root, square_too=False)
            super().__init__(
                df, _triangle(root), cholesky_input_output_matrices, validate_args,
                allow_nan_stats, name,
            )  # fmt: skip
        self._parameters = parameters


def _triangle(root):
    return LinearOperatorLowerTriangular(
        tril=root, is_non_singular=True, is_positive_definite=True, is_square=True
    )


def _checked(root, square_too):
    checks = [
        assert_positive(
            matrix_diag_part(root), message="scale must be positive definite"
        )
    ]
    if square_too:
        sides = shape(root)[-1], shape(root)[-2]
        checks.append(assert_equal(*sides, message="scale must be square"))
    return with_dependencies(checks, root)
