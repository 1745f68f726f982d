"""Normalizations of single examples, of tf.contrib.layers."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.outputs import finished, layer_scope, note
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import (
    maximum,
    minimum,
    multiply,
    rsqrt,
    sqrt,
    square,
)
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.moments import batch_normalization, moments
from twinflow.ops.random.initializers import Ones, Zeros


def _parameter(name, wanted, sizes, dtype, initializers, trainable, collections):
    """beta or gamma, or None where it is not wanted."""
    if not wanted:
        return None
    start = Zeros() if name == "beta" else Ones()
    start = (initializers or {}).get(name, start)
    found = get_variable(name, sizes, dtype, start, trainable=trainable)
    note(found, collections, name)
    return found


@add_arg_scope
def layer_norm(
    inputs: Any, center: bool = True, scale: bool = True, activation_fn: Any = None,
    reuse: Any = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, begin_norm_axis: Any = 1,
    begin_params_axis: Any = -1, scope: Any = None,
) -> Any:  # fmt: skip
    """gamma * (x - mean) / sqrt(variance) + beta, for each example by itself.

    Args:
        inputs: a float tensor. center, scale: whether there are beta and gamma.
        begin_norm_axis: mean and variance are over the axes from here on.
        begin_params_axis: beta and gamma have the sizes of the axes from here on.
        The rest: see fully_connected; the scope is "LayerNorm" by default.
    Raises:
        ValueError: an axis is out of range, or has no known size.
    Reference: Ba, Kiros and Hinton, Layer normalization (2016).
    """
    with layer_scope(scope, "LayerNorm", inputs, reuse) as sc:
        x = convert_to_tensor(inputs)
        rank = x.shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {x.name} has undefined rank.")
        begin = begin_norm_axis % rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= rank or begin >= rank:
            raise ValueError(
                f"begin_params_axis ({begin_params_axis}) and begin_norm_axis "
                f"({begin_norm_axis}) must be < rank(inputs) ({rank})"
            )
        sizes = x.shape[begin_params_axis:]
        if not sizes.is_fully_defined():
            raise ValueError(
                f"Inputs {x.name}: shape(inputs)[{begin_params_axis}:] is not fully "
                f"defined: {x.shape}"
            )
        options = (sizes, x.dtype.base_dtype, None, trainable, variables_collections)
        beta = _parameter("beta", center, *options)
        gamma = _parameter("gamma", scale, *options)
        mean, variance = moments(x, list(range(begin, rank)), keep_dims=True)
        epsilon = 1e-3 if x.dtype.base_dtype.name == "float16" else 1e-12
        y = batch_normalization(x, mean, variance, beta, gamma, epsilon)
        return finished(y, sc, None, None, activation_fn, outputs_collections)


@add_arg_scope
def instance_norm(
    inputs: Any, center: bool = True, scale: bool = True, epsilon: Any = 1e-6,
    activation_fn: Any = None, param_initializers: Any = None, reuse: Any = None,
    variables_collections: Any = None, outputs_collections: Any = None,
    trainable: bool = True, data_format: Any = "NHWC", scope: Any = None,
) -> Any:  # fmt: skip
    """gamma * (x - mean) / sqrt(variance + epsilon) + beta, per example and channel.

    Args:
        inputs: float[batch, ..., channels] (channels second for "NCHW").
        The rest: see layer_norm and batch_norm; the scope is "InstanceNorm" by default.
    Raises:
        ValueError: data_format is unknown, or the channels have no known size.
    Reference: Ulyanov et al., Instance normalization (2016).
    """
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with layer_scope(scope, "InstanceNorm", inputs, reuse) as sc:
        x = convert_to_tensor(inputs)
        rank = x.shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {x.name} has undefined rank.")
        axis = 1 if data_format == "NCHW" else rank - 1
        size = x.shape[axis].value
        if size is None:
            raise ValueError(
                f"Inputs {x.name} has undefined channels dimension ({x.shape[axis]},)."
            )
        axes = [i for i in range(1, rank) if i != axis]
        dtype = x.dtype.base_dtype
        options = ([size], dtype, param_initializers, trainable, variables_collections)
        parts = [
            _parameter("beta", center, *options),
            _parameter("gamma", scale, *options),
        ]
        if axis == 1:
            beside = [1, size] + [1] * (rank - 2)
            parts = [None if p is None else reshape(p, beside) for p in parts]
        mean, variance = moments(x, axes, keep_dims=True)
        y = batch_normalization(x, mean, variance, *parts, epsilon, "instancenorm")
        return finished(y, sc, None, None, activation_fn, outputs_collections)


def _normalized(x, mean, variance, beta, gamma, epsilon):
    factor = rsqrt(variance + epsilon)
    if gamma is not None:
        factor = factor * gamma
    shift = -mean * factor
    if beta is not None:
        shift = beta + shift
    return x * factor + shift


@add_arg_scope
def group_norm(
    inputs: Any, groups: Any = 32, channels_axis: Any = -1,
    reduction_axes: Any = (-3, -2), center: bool = True, scale: bool = True,
    epsilon: Any = 1e-6, activation_fn: Any = None, param_initializers: Any = None,
    reuse: Any = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, scope: Any = None,
    mean_close_to_zero: bool = False,
) -> Any:  # fmt: skip
    """gamma * (x - mean) / sqrt(variance + epsilon) + beta, per example and group.

    Args:
        inputs: a float tensor. groups: into how many groups channels are put.
        channels_axis, reduction_axes: the axis of the channels, and those to take the
            mean over too.
        mean_close_to_zero: accepted: how the variance is computed.
        The rest: see batch_norm; the scope is "GroupNorm" by default.
    Raises:
        ValueError: the channels cannot be put into so many groups.
    Reference: Wu and He, Group normalization (ECCV 2018).
    """
    with layer_scope(scope, "GroupNorm", inputs, reuse) as sc:
        x = convert_to_tensor(inputs)
        rank = x.shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {x.name} has undefined rank.")
        if not all(-rank <= a < rank for a in (channels_axis, *reduction_axes)):
            raise ValueError("Axis is out of bounds.")
        axis = channels_axis % rank
        size = x.shape[axis].value
        if size is None:
            raise ValueError(
                f"Inputs {x.name} has undefined channel dimension: {axis}."
            )
        axes = sorted(a % rank for a in reduction_axes)
        if axis in axes:
            raise ValueError(
                "reduction_axis must be mutually exclusive with channels_axis"
            )
        if groups > size:
            raise ValueError(f"Invalid groups {groups} for {size} channels.")
        if size % groups:
            raise ValueError(
                f"{size} channels is not commensurate with {groups} groups."
            )
        dtype = x.dtype.base_dtype
        options = ([size], dtype, param_initializers, trainable, variables_collections)
        beta = _parameter("beta", center, *options)
        gamma = _parameter("gamma", scale, *options)
        y = _grouped(x, axis, axes, groups, beta, gamma, epsilon)
        return finished(y, sc, None, None, activation_fn, outputs_collections)


def _grouped(x, axis, axes, groups, beta, gamma, epsilon):
    """Group normalization, the channels being two axes meanwhile."""
    s = x._shape
    current_mode().leave_ids(-10 if beta is None and gamma is None else -9)
    size, now = s[axis], shape(x)
    split = concat([now[:axis], [groups, size // groups], now[axis + 1 :]], 0)
    places = [a if a < axis else a + 1 for a in axes] + [axis + 1]
    grouped = reshape(x, split)
    mean, variance = moments(grouped, sorted(places), keep_dims=True)
    beside = [1] * (len(s) + 1)
    beside[axis], beside[axis + 1] = groups, size // groups
    parts = [None if p is None else reshape(p, beside) for p in (beta, gamma)]
    y = reshape(_normalized(grouped, mean, variance, *parts, epsilon), now)
    if y.symbolic:
        y.set_shape(s)
    return y


def unit_norm(inputs: Any, dim: Any, epsilon: Any = 1e-7, scope: Any = None) -> Any:
    """Vectors along an axis divided by their lengths.

    Args:
        inputs: a float tensor. dim: the axis. epsilon: a small number. scope: a name.
    Raises:
        ValueError: dim is out of range.
    """
    with current_mode().name_scope(scope or "UnitNorm"):
        x = convert_to_tensor(inputs)
        rank = x.shape.ndims
        if rank is None:
            raise ValueError("The input rank must be known.")
        if dim < 0 or dim >= rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        current_mode().leave_ids(13 if 0 < dim < rank - 1 else 12)
        return div(x, sqrt(reduce_sum(x * x, dim, keepdims=True) + epsilon))


def poincare_normalize(
    x: Any, axis: Any = 1, epsilon: Any = 1e-5, name: str | None = None
) -> Any:
    """Vectors longer than 1 - epsilon cut to that length, into the Poincare ball.

    Args:
        x: a float tensor. axis: the axis of the vectors. epsilon: a small number.
        name: a name.
    """
    with current_mode().name_scope(name or "poincare_normalize"):
        x = convert_to_tensor(x, name="x")
        squared = reduce_sum(square(x), axis, keepdims=True)
        factor = (1.0 - epsilon) * rsqrt(maximum(squared, epsilon**2))
        return multiply(x, minimum(factor, 1.0))
