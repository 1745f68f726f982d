"""Variants of batch normalization: renormalization, virtual batches, adjustment.

Functions of a BatchNormalization layer whose settings ask for one of them.
"""

from twinflow.base.dispatch import current_mode
from twinflow.graph.scopes import control_dependencies
from twinflow.keras.layers.arguments import chosen
from twinflow.ops.core.constant import (
    cast,
    constant,
    convert_to_tensor,
    identity,
    stop_gradient,
)
from twinflow.ops.core.creation import ones_like, zeros_like
from twinflow.ops.core.elementwise import maximum, minimum, sqrt, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.moments import batch_normalization, moments
from twinflow.ops.random.initializers import Zeros
from twinflow.ops.variables.state import assign_sub

_LIMITS = ("rmax", "rmin", "dmax")


def check(layer):
    """Raise ValueError where the settings of a layer do not go together."""
    if layer.renorm:
        others = set(layer.renorm_clipping) - set(_LIMITS)
        if others:
            raise ValueError(
                f"renorm_clipping {layer.renorm_clipping} contains keys not in "
                f"{list(_LIMITS)}"
            )
    size = layer.virtual_batch_size
    if size is None:
        return
    if size <= 0:
        raise ValueError(
            "virtual_batch_size must be a positive integer that divides the true batch "
            "size of the input Tensor"
        )
    if layer.adjustment is not None:
        raise ValueError(
            "When using virtual_batch_size, adjustment cannot be specified"
        )


def check_axis(layer):
    """Raise ValueError where virtual batches are normalized along the batch."""
    if layer.virtual_batch_size is not None and 0 in layer.axis:
        raise ValueError(
            "When using virtual_batch_size, the batch dimension must be 0 and thus "
            "axis cannot include 0"
        )


def add_variables(layer, sizes):
    """The averages of renormalization, and how much they hold yet."""
    for name, size in (("mean", sizes), ("stddev", sizes)):
        for suffix, wanted in (("", size), ("_weight", ())):
            full = f"renorm_{name}{suffix}"
            variable = layer.add_weight(
                full, wanted, layer._parameter_dtype(), Zeros(), trainable=False
            )
            setattr(layer, full, variable)


def call(layer, inputs, training):
    """The output of the layer."""
    whole = inputs
    if layer.virtual_batch_size is not None:
        rest = list(inputs._shape[1:])
        now = shape(inputs)
        rest = [now[i + 1] if d is None else d for i, d in enumerate(rest)]
        inputs = reshape(inputs, [layer.virtual_batch_size, -1, *rest])
        inputs.set_shape((layer.virtual_batch_size, None, *whole._shape[1:]))
    scale, offset = (beside(layer, p, inputs) for p in (layer.gamma, layer.beta))
    if training is False:
        mean, variance = layer.moving_mean, layer.moving_variance
    else:
        mean, variance, scale, offset = _training(
            layer, inputs, training, scale, offset
        )
    parts = (beside(layer, mean, inputs), beside(layer, variance, inputs))
    y = batch_normalization(inputs, *parts, offset, scale, layer.epsilon)
    if layer.virtual_batch_size is not None:
        y = reshape(y, concat([[-1], shape(whole)[1:]], 0))
    if y.symbolic:
        y.set_shape(whole._shape)
    return y


def _training(layer, x, training, scale, offset):
    """(mean, variance, scale, offset) while training; moves the averages."""
    if layer.adjustment is not None:
        factor, shift = layer.adjustment(shape(x))
        factor = chosen(training, lambda: factor, lambda: ones_like(factor))
        shift = chosen(training, lambda: shift, lambda: zeros_like(shift))
        scale, offset = _composed(factor, shift, scale, offset)
    mean, variance = _moments(layer, x, training)
    new_mean, new_variance = mean, variance
    if layer.virtual_batch_size is not None:
        new_mean = reduce_mean(mean, 1, keepdims=True)
        new_variance = reduce_mean(variance, 1, keepdims=True)
    if layer.renorm:
        r, d, new_mean, new_variance = _renormed(
            layer, new_mean, new_variance, training
        )
        r, d = (beside(layer, stop_gradient(t), x) for t in (r, d))
        scale, offset = _composed(r, d, scale, offset)
    moving = (layer.moving_mean, layer.moving_variance)
    new = chosen(
        training,
        lambda: [new_mean, new_variance],
        lambda: [convert_to_tensor(m) for m in moving],
    )
    layer._move(x, *new, 1 - layer.momentum)
    return mean, variance, scale, offset


def _moments(layer, x, training):
    """Those of the batch (or of each virtual batch) while training, else the moving."""
    virtual = layer.virtual_batch_size is not None
    own = [a + 1 for a in layer.axis] if virtual else layer.axis
    kept = [1, *own] if virtual else own
    axes = [i for i in range(len(x._shape)) if i not in kept]
    keep = virtual or len(layer.axis) > 1
    dtype = layer._parameter_dtype()
    mean, variance = (cast(m, dtype) for m in moments(x, axes, keep_dims=keep))
    moving = (layer.moving_mean, layer.moving_variance)
    return chosen(
        training,
        lambda: [mean, variance],
        lambda: [ones_like(mean) * m for m in moving],
    )


def beside(layer, parameter, x):
    """A parameter in the dtype of `x`, and in a shape that is broadcast with it."""
    if parameter is None:
        return None
    n = len(x._shape)
    if len(parameter._shape) == 1 and layer.axis != [n - 1]:
        wanted = [1] * n
        wanted[layer.axis[0]] = -1
        parameter = reshape(parameter, wanted)
    return parameter if parameter.dtype is x.dtype else cast(parameter, x.dtype)


def _composed(scale, offset, then_scale, then_offset):
    """The transform by (scale, offset), and after it the other one."""
    if then_scale is not None:
        scale, offset = scale * then_scale, offset * then_scale
    return scale, offset if then_offset is None else offset + then_offset


def _renormed(layer, mean, variance, training):
    """(r, d, new mean, new variance); Ioffe, Batch renormalization (2017)."""
    stddev = sqrt(variance + layer.epsilon)
    mixed_mean = layer.renorm_mean + (1.0 - layer.renorm_mean_weight) * mean
    mixed = layer.renorm_stddev + (1.0 - layer.renorm_stddev_weight) * stddev
    r, d = stddev / mixed, (mean - mixed_mean) / mixed
    with control_dependencies([r, d]):  # the averages change after that
        mean, stddev = identity(mean), identity(stddev)
    rmin, rmax, dmax = (layer.renorm_clipping.get(k) for k in ("rmin", "rmax", "dmax"))
    r = r if rmin is None else maximum(r, rmin)
    r = r if rmax is None else minimum(r, rmax)
    d = d if dmax is None else minimum(maximum(d, -dmax), dmax)
    found = chosen(training, lambda: [r, d], lambda: [ones_like(r), zeros_like(d)])
    new_mean = _updated(layer, "mean", mean, training)
    new_stddev = _updated(layer, "stddev", stddev, training)
    return (*found, new_mean, square(new_stddev) - layer.epsilon)


def _updated(layer, name, value, training):
    """Move an average and its weight; gives the average without its bias to 0."""
    average = getattr(layer, f"renorm_{name}")
    weight = getattr(layer, f"renorm_{name}_weight")
    rate = 1 - layer.renorm_momentum

    def update():
        with control_dependencies([value]):
            one = constant(1.0, weight.dtype.base_dtype)
        new = _moved(average, value, rate)
        return new / _moved(weight, one, rate)

    return chosen(training, update, lambda: convert_to_tensor(average))


def _moved(variable, value, rate):
    with current_mode().name_scope("AssignMovingAvg"):
        return convert_to_tensor(assign_sub(variable, (variable - value) * rate))
