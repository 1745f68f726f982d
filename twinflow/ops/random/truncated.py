"""Normal random numbers between bounds that are given."""

import numpy as np
from scipy import special

from twinflow.base import dtypes
from twinflow.base.op import InferError, bind_first
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.infer import ints, text
from twinflow.ops.random import philox
from twinflow.ops.random.draws import draw_shape, infer_draw, scoped
from twinflow.ops.random.streams import define_draw, draw

_NAMES = ("means", "stdevs", "minvals", "maxvals")


def _infer_parameterized(shape, *parameters, **_):
    found = infer_draw(shape)
    if found == ():
        raise InferError("Shape tensor must not be empty, got []")
    for name, x in zip(_NAMES, parameters):
        s = x._shape
        if s is None or s == ():
            continue
        if len(s) > 1:
            raise InferError(
                f"Input {name} should be a scalar or vector, got shape: {text(s)}",
                f"Shape must be at most rank 1 but is rank {len(s)}",
            )
        rows = found[0] if found else None
        if None not in (s[0], rows) and s[0] not in (1, rows):
            raise InferError(
                f"Input {name} should have length 1 or shape[0], got shape: {text(s)}"
            )
    return found


def quantiles(xp, ndtr, ndtri, u, mean, stddev, low, high):
    """The numbers between low and high that uniform numbers u stand for.

    The half of the bell where low is becomes the left one, in which the distribution
    function is exact.

    Args:
        ndtr, ndtri: the normal distribution function and its inverse.
        u, mean, stddev, low, high: float64 arrays that are broadcast.
    """
    a, b = (low - mean) / stddev, (high - mean) / stddev
    right = a > 0
    a, b = xp.where(right, -b, a), xp.where(right, -a, b)
    start, stop = ndtr(a), ndtr(b)
    z = xp.clip(ndtri(start + u * (stop - start)), a, b)
    return xp.clip(mean + stddev * xp.where(right, -z, z), low, high)


def by_row(xp, ndim, parameters):
    """The parameters as float64, along the first axis of an array."""
    shape = (-1,) + (1,) * (ndim - 1)
    return [xp.reshape(xp.asarray(p).astype(np.float64), shape) for p in parameters]


def middles(xp, key, position, dims):
    """Uniform numbers in (0, 1)."""
    return philox.uniform(xp, key, position, dims, np.float64) + 2.0**-53


def _between(special):
    def draw(xp, key, position, shape, *parameters):
        dims = ints(shape)
        u, rows = middles(xp, key, position, dims), by_row(xp, len(dims), parameters)
        numbers = quantiles(xp, special.ndtr, special.ndtri, u, *rows)
        return numbers.astype(parameters[0].dtype)

    return draw


@bind_first
def _good(xp, shape, means, stdevs, minvals, maxvals, **_):
    bounded = xp.isfinite(minvals) | xp.isfinite(maxvals)
    return xp.all(stdevs > 0) & xp.all((minvals < maxvals) & bounded)


ParameterizedTruncatedNormal = define_draw(
    "ParameterizedTruncatedNormal",
    on_host="shape",
    infer=_infer_parameterized,
    draw=_between(special),
    draw_in_xla=lambda jax: _between(jax.scipy.special),
    guard=_good,
    check=lambda *inputs, **attrs: (
        None if _good(np)(*inputs, **attrs) else "Invalid parameters"
    ),
)


def parameterized_truncated_normal(
    shape, means=0.0, stddevs=1.0, minvals=-2.0, maxvals=2.0, dtype=dtypes.float32,
    seed=None, name=None,
):  # fmt: skip
    """Normal random numbers given that they are between bounds.

    Args:
        shape: int[rank], of at least one axis.
        means, stddevs, minvals, maxvals: dtype[] or dtype[shape[0]], one for each row;
            stddevs > 0 and minvals < maxvals, one of which is finite.
        dtype: float16, bfloat16, float32 or float64.
        seed: an int; see tf.set_random_seed. name: the name scope in a graph.
    Returns:
        dtype[shape]; modes may differ in the last places.
    Raises:
        InvalidArgumentError: a parameter is out of its range.
    Example:
        parameterized_truncated_normal([3], minvals=1.0, maxvals=5.0)
    """
    values = (means, stddevs, minvals, maxvals)
    names = ("means", "stddevs", "minvals", "maxvals")
    with scoped(name, "parameterized_truncated_normal"):
        dims = draw_shape(shape)
        tensors = [convert_to_tensor(v, dtype, n) for v, n in zip(values, names)]
        return draw(ParameterizedTruncatedNormal, (dims, *tensors), {}, seed)
