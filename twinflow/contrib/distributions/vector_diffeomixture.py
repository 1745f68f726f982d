"""Vectors that are moved by an affine map between two, drawn for each of them."""

from operator import attrgetter
from typing import Any

from twinflow.contrib.distributions.bijectors.affine import AffineLinearOperator
from twinflow.contrib.distributions.quadratures import (
    quadrature_scheme_softmaxnormal_quantiles,
)
from twinflow.distributions.categorical import Categorical
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from twinflow.distributions.parameters import gen_new_seed
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import ones
from twinflow.ops.core.elementwise import add_n, log, sqrt
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.core.shape_arithmetic import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
)
from twinflow.ops.core.transposing import matrix_transpose
from twinflow.ops.linear_operator.dense import (
    LinearOperatorDiag,
    LinearOperatorFullMatrix,
)
from twinflow.ops.linear_operator.identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from twinflow.ops.matrix.diagonal import matrix_diag_part

_DIAGONAL = (LinearOperatorDiag, LinearOperatorIdentity, LinearOperatorScaledIdentity)


class VectorDiffeomixture(Distribution):
    """Vectors scale @ x + loc, x of independent numbers, the map between two maps.

    Each vector has a map of its own, w * first + (1 - w) * second, where w is the
    sigmoid of a normal number; the points of a quadrature stand for that number.

    Args:
        mix_loc: float[batch, 1], the mean of the normal number, before the temperature.
        temperature: float[batch, 1], what mix_loc and the deviation 1 are divided by.
        distribution: that of the numbers of x, a scalar one.
        loc: a list of two vectors float[..., k] or None.
        scale: a list of two LinearOperators of k rows that are positive definite.
        quadrature_size: how many points. quadrature_fn: gives points and weights.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: an argument is missing or does not fit.
        NotImplementedError: there are more than two maps.
    Example:
        ds, scaled = tf.contrib.distributions, tf.linalg.LinearOperatorScaledIdentity
        d = ds.VectorDiffeomixture(
            mix_loc=[[0.0]], temperature=[1.0], distribution=ds.Normal(0.0, 1.0),
            scale=[scaled(2, multiplier=m, is_positive_definite=True)
                   for m in (np.float32(1.0), np.float32(3.0))])
        d.mean()  # [[0.0, 0.0]]
    """

    def __init__(
        self, mix_loc: Any, temperature: Any, distribution: Any, loc: Any = None,
        scale: Any = None, quadrature_size: int = 8,
        quadrature_fn: Any = quadrature_scheme_softmaxnormal_quantiles,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "VectorDiffeomixture",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[mix_loc, temperature]) as name:
            loc = _checked_maps(loc, scale)
            dtype = scale[0].dtype.base_dtype
            loc = [
                None if v is None else convert_to_tensor(v, dtype, name=f"loc{i}")
                for i, v in enumerate(loc)
            ]
            _check_positive(scale)
            self._endpoint_affine = [
                AffineLinearOperator(v, s, validate_args=validate_args)
                for v, s in zip(loc, scale, strict=True)
            ]
            mix_loc = convert_to_tensor(mix_loc, dtype, name="mix_loc")
            temperature = convert_to_tensor(temperature, dtype, name="temperature")
            grid, probs = quadrature_fn(
                mix_loc / temperature, 1.0 / temperature, quadrature_size, validate_args
            )
            self._grid = grid
            self._mixture_distribution = Categorical(
                logits=log(probs), validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
            )  # fmt: skip
            self._interpolated_affine = [
                AffineLinearOperator(*_between(grid[..., q], loc, scale))
                for q in range(grid.shape[-1].value)
            ]
            for kind in ("batch", "event"):
                if getattr(distribution, f"{kind}_shape").ndims:
                    raise ValueError(
                        f"distribution must be scalar; distribution.is_scalar_{kind}="
                        "False is not True"
                    )
            self._distribution, self._scales = distribution, scale
        super().__init__(
            dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [v for v in loc if v is not None], name,
        )  # fmt: skip

    mixture_distribution = property(
        attrgetter("_mixture_distribution"), doc="The distribution over points."
    )
    distribution = property(attrgetter("_distribution"), doc="That of the numbers.")
    grid = property(attrgetter("_grid"), doc="The shares of the maps at each point.")
    endpoint_affine = property(attrgetter("_endpoint_affine"), doc="The two maps.")
    interpolated_affine = property(
        attrgetter("_interpolated_affine"), doc="The map of each point."
    )

    # ------------------------------------------------------------------ shapes
    def _batch_shape(self):
        found = self._grid.shape[:-2]
        for affine, s in zip(self._endpoint_affine, self._scales, strict=True):
            found = broadcast_static_shape(found, s.batch_shape)
            if affine.shift is not None:
                found = broadcast_static_shape(found, affine.shift.shape[:-1])
        return found

    def _batch_shape_tensor(self):
        found = shape(self._grid)[:-2]
        for affine, s in zip(self._endpoint_affine, self._scales, strict=True):
            found = broadcast_dynamic_shape(found, s.batch_shape_tensor())
            if affine.shift is not None:
                found = broadcast_dynamic_shape(found, shape(affine.shift)[:-1])
        return found

    def _event_shape(self):
        return self._scales[0].shape[-1:]

    def _event_shape_tensor(self):
        return self._scales[0].range_dimension_tensor()[None]

    # ------------------------------------------------------------------ samples
    def _sample_n(self, n, seed=None):
        lead = concat([[n], self.batch_shape_tensor()], 0)
        size = concat([lead, self.event_shape_tensor()], 0)
        x = self._distribution.sample(
            size, seed=gen_new_seed(seed, "vector_diffeomixture")
        )
        chosen = self._mixture_distribution.sample(
            lead, seed=gen_new_seed(seed, "vector_diffeomixture")
        )
        mask = one_hot(chosen, self._grid.shape[-1].value, dtype=self.dtype)
        return add_n([
            reduce_sum(self._grid[..., k, :] * mask, -1)[..., None] * affine.forward(x)
            for k, affine in enumerate(self._endpoint_affine)
        ])  # fmt: skip

    def _log_prob(self, x):
        logs = []
        for affine in self._interpolated_affine:
            y = affine.inverse(x)
            inside = reduce_sum(self._distribution.log_prob(y), -1)
            logs.append(inside + affine.inverse_log_det_jacobian(x, event_ndims=1))
        return reduce_logsumexp(
            self._mixture_distribution.logits + stack(logs, axis=-1), axis=-1
        )

    # ------------------------------------------------------------------ moments
    def _weighted(self, values):
        """The mean of values over the points."""
        probs = self._mixture_distribution.probs
        return add_n([probs[..., q] * value for q, value in enumerate(values)])

    def _means(self):
        """The mean at each point, for all of the batch."""
        size = concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        x = self._distribution.mean() * ones(size, self.dtype)
        return [affine.forward(x) for affine in self._interpolated_affine]

    def _mean(self):
        return self._weighted(self._means())

    def _covariance(self):
        means = self._means()
        mean = self._weighted(means)
        spread = self._distribution.variance()
        parts = []
        for affine, m in zip(self._interpolated_affine, means, strict=True):
            scale, far = affine.scale.to_dense(), m - mean
            product = matmul(scale, matrix_transpose(scale))
            parts.append(spread * product + far[..., :, None] * far[..., None, :])
        return self._weighted(parts)

    def _variance(self):
        return matrix_diag_part(self._covariance())

    def _stddev(self):
        return sqrt(self._variance())


def _checked_maps(loc, scale):
    """`loc` as a list."""
    if not scale or len(scale) < 2:
        raise ValueError(
            "Must specify list (or list-like object) of scale LinearOperators, one for "
            "each component with num_component >= 2."
        )
    loc = [None] * len(scale) if loc is None else loc
    if len(loc) != len(scale):
        raise ValueError(
            "loc/scale must be same-length lists (or same-length list-like objects)."
        )
    if len(scale) != 2:
        raise NotImplementedError(
            f"Currently only bimixtures are supported; len(scale)={len(scale)} is not "
            "2."
        )
    return loc


def _check_positive(scale):
    dtype = scale[0].dtype.base_dtype
    for i, s in enumerate(scale):
        if s.dtype.base_dtype != dtype:
            raise TypeError(
                f'dtype mismatch; scale[{i}].base_dtype="{s.dtype.name}" != '
                f'"{dtype.name}"'
            )
        if not s.is_positive_definite:
            raise ValueError(
                f"scale[{i}].is_positive_definite = {s.is_positive_definite} != True"
            )


def _between(shares, loc, scale):
    """(loc, scale) of the map that has these shares, float[batch, 2], of two."""
    shares = [shares[..., k] for k in range(len(scale))]
    parts = [
        w[..., None] * v for w, v in zip(shares, loc, strict=True) if v is not None
    ]
    shift = sum(parts[1:], parts[0]) if parts else None
    if all(isinstance(s, _DIAGONAL) for s in scale):
        a, b = (
            w[..., None] * s.diag_part() for w, s in zip(shares, scale, strict=True)
        )
        return shift, LinearOperatorDiag(a + b, is_positive_definite=True)
    whole = [s.to_dense() for s in scale]
    a, b = (w[..., None, None] * m for w, m in zip(shares, whole, strict=True))
    return shift, LinearOperatorFullMatrix(a + b, is_positive_definite=True)
