"""Points that stand for a distribution, with their weights."""

import math
from typing import Any

import numpy as np

from twinflow.base.tensor import Tensor
from twinflow.contrib.distributions.bijectors.vectors import SoftmaxCentered
from twinflow.distributions.normal import Normal
from twinflow.distributions.parameters import process_quadrature_grid_and_probs
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import fill, linspace, ones_like, zeros_like
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.elementwise import exp
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import rank, reshape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn.softmax import softmax


def quadrature_scheme_lognormal_gauss_hermite(
    loc: Any, scale: Any, quadrature_size: int, validate_args: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The nodes of Gauss and Hermite for normal logarithms.

    Args:
        loc, scale: float[batch], of the logarithms. quadrature_size: how many points.
        validate_args: whether to check sizes. name: a name scope.
    Returns:
        (float[batch, points], float[points]): logarithms and their weights.
    """
    with name_scope(name, "quadrature_scheme_lognormal_gauss_hermite", [loc, scale]):
        return _hermite(loc, scale, quadrature_size, validate_args)


def _hermite(loc, scale, count, validate_args):
    loc = convert_to_tensor(loc, name="loc")
    scale = convert_to_tensor(scale, name="scale")
    nodes, weights = np.polynomial.hermite.hermgauss(deg=count)
    weights /= np.linalg.norm(weights, ord=1, keepdims=True)
    nodes, weights = (a.astype(loc.dtype.as_numpy_dtype) for a in (nodes, weights))
    grid = loc[..., None] + math.sqrt(2.0) * scale[..., None] * nodes
    kind = loc.dtype.base_dtype
    return process_quadrature_grid_and_probs((grid, weights), kind, validate_args)


def quadrature_scheme_lognormal_quantiles(
    loc: Any, scale: Any, quadrature_size: int, validate_args: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The middles between quantiles of exp(x), x normal.

    Args: see quadrature_scheme_lognormal_gauss_hermite.
    """
    with name_scope(name, "quadrature_scheme_lognormal_quantiles", [loc, scale]):
        edges = exp(_quantiles(loc, scale, quadrature_size))
        return _between(_last(edges), quadrature_size)


def _quantiles(loc, scale, count):
    """float[count + 1, batch]: quantiles of normal numbers."""
    d = Normal(loc=loc, scale=scale)
    one = convert_to_tensor(1.0, d.dtype)
    levels = linspace(0 * one, one, count + 3)[1:-1]
    ones = ones_like(d.batch_shape_tensor())  # the rank may be known to runs alone
    return d.quantile(reshape(levels, concat([[count + 1], ones], 0)))


def _last(t):
    """A tensor with its first axis last."""
    if t.shape.ndims is not None:
        return transpose(t, [*range(1, t.shape.ndims), 0])
    return transpose(t, concat([range_of(1, rank(t)), [0]], 0))


def _between(edges, count):
    grid = (edges[..., :-1] + edges[..., 1:]) / 2.0
    return grid, fill([count], convert_to_tensor(1.0 / count, grid.dtype))


def quadrature_scheme_softmaxnormal_gauss_hermite(
    normal_loc: Any, normal_scale: Any, quadrature_size: int,
    validate_args: bool = False, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The nodes of Gauss and Hermite for softmax([x, 0]), x normal.

    Args:
        normal_loc, normal_scale: float[batch, 1], of x.
        quadrature_size: how many points. validate_args: whether to check sizes.
        name: a name scope.
    Returns:
        (float[batch, 2, points], float[points]): shares and their weights.
    Raises:
        NotImplementedError: x has more than one number. ValueError: it has no axis.
    """
    values = [normal_loc, normal_scale]
    with name_scope(name, "quadrature_scheme_softmaxnormal_gauss_hermite", values):
        loc, scale = _checked(normal_loc, normal_scale)
        grid, weights = _hermite(loc, scale, quadrature_size, validate_args)
        grid = concat([grid, zeros_like(grid[..., -1:, :])], axis=-2)
        return softmax(grid, axis=-2), weights


def quadrature_scheme_softmaxnormal_quantiles(
    normal_loc: Any, normal_scale: Any, quadrature_size: int,
    validate_args: bool = False, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The middles between quantiles of softmax([x, 0]), x normal.

    Args: see quadrature_scheme_softmaxnormal_gauss_hermite.
    """
    values = [normal_loc, normal_scale]
    with name_scope(name, "softmax_normal_grid_and_probs", values):
        loc, scale = _checked(normal_loc, normal_scale)
        edges = SoftmaxCentered().forward(_quantiles(loc, scale, quadrature_size))
        return _between(_last(edges), quadrature_size)


def _checked(normal_loc, normal_scale):
    loc = convert_to_tensor(normal_loc, name="normal_loc")
    scale = convert_to_tensor(normal_scale, loc.dtype.base_dtype, name="normal_scale")
    if scale.shape.ndims == 0:
        raise ValueError(
            "Mixing params must be a (batch of) vector; normal_scale.rank=0 is not at "
            "least one."
        )
    count = scale.shape[-1].value if scale.shape.ndims else None
    if count not in (1, None):
        raise NotImplementedError(
            "Currently only bimixtures are supported; "
            f"normal_scale.shape[-1]={count} is not 1."
        )
    return loc, scale
