"""batch_norm of tf.contrib.layers."""

from typing import Any

from twinflow.base.dispatch import current_mode
from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.outputs import finished, layer_scope, note
from twinflow.graph.scopes import add_to_collections, control_dependencies
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.graph.variable_store import in_one_part
from twinflow.keras.layers.arguments import chosen, static_training
from twinflow.layers.normalization import BatchNormalization
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.moments import (
    batch_normalization,
    fused_batch_norm,
    moments,
    weighted_moments,
)
from twinflow.ops.random.initializers import Ones, Zeros
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.state import assign_add, assign_sub


@add_arg_scope
def batch_norm(
    inputs: Any, decay: Any = 0.999, center: bool = True, scale: bool = False,
    epsilon: Any = 0.001, activation_fn: Any = None, param_initializers: Any = None,
    param_regularizers: Any = None, updates_collections: Any = GraphKeys.UPDATE_OPS,
    is_training: Any = True, reuse: Any = None, variables_collections: Any = None,
    outputs_collections: Any = None, trainable: bool = True, batch_weights: Any = None,
    fused: Any = None, data_format: Any = "NHWC", zero_debias_moving_mean: bool = False,
    scope: Any = None, renorm: bool = False, renorm_clipping: Any = None,
    renorm_decay: Any = 0.99, adjustment: Any = None,
) -> Any:  # fmt: skip
    """gamma * (x - mean) / sqrt(variance + epsilon) + beta, per channel.

    While training, mean and variance are those of the batch, and their moving averages
    follow by `decay`; else the moving averages are used.

    Args:
        inputs: float[batch, ..., channels] (channels second for "NCHW").
        decay: see above. center, scale: whether there are beta and gamma.
        epsilon: a small number. activation_fn: a function of a tensor, or None.
        param_initializers, param_regularizers: dicts by the names "beta", "gamma",
            "moving_mean", "moving_variance".
        updates_collections: collections for the ops that move the averages, to be run
            with the training step; None = they run whenever the output is computed.
        is_training: a bool, or a bool tensor.
        batch_weights: float[batch]: how much each entry counts.
        fused: False = never use the one op, whose variance is that of a sample.
        zero_debias_moving_mean: whether the moving mean makes up for its start at 0.
        renorm, renorm_clipping, renorm_decay, adjustment: see tf.layers.
        The rest: see fully_connected; the scope is "BatchNorm" by default.
    Raises:
        ValueError: data_format is unknown, or the channels have no known size.
    Reference: Ioffe and Szegedy, Batch normalization (ICML 2015).
    """
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with layer_scope(scope, "BatchNorm", inputs, reuse) as sc:
        x = convert_to_tensor(inputs)
        rank = x.shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {x.name} has undefined rank")
        plain = batch_weights is None and not zero_debias_moving_mean
        by_layer = plain and updates_collections == GraphKeys.UPDATE_OPS
        special = {
            "renorm": renorm, "renorm_clipping": renorm_clipping,
            "renorm_momentum": renorm_decay, "adjustment": adjustment,
        }  # fmt: skip
        for name, value in (("renorm", renorm), ("adjustment", adjustment)):
            if value and not by_layer:
                raise ValueError(
                    f"{name} is not supported with batch_weights, updates_collections "
                    "or zero_debias_moving_mean"
                )
        options = _Options(
            decay, center, scale, epsilon, param_initializers or {},
            param_regularizers or {}, trainable, variables_collections, data_format,
        )  # fmt: skip
        flat = rank == 2 and fused is not False and not (renorm or adjustment)
        if by_layer and not flat:
            y = _by_layer(x, options, is_training, fused, sc, reuse, special)
        else:
            one_op = fused is not False and batch_weights is None and rank in (2, 4)
            y = _Parts(options, x, zero_debias_moving_mean).normalized(
                x, is_training, one_op, batch_weights, updates_collections
            )
        return finished(y, sc, None, None, activation_fn, outputs_collections)


class _Options:
    """The arguments that say what the variables and the equation are."""

    def __init__(
        self, decay, center, scale, epsilon, initializers, regularizers, trainable,
        collections, data_format,
    ):  # fmt: skip
        self.decay, self.center, self.scale = decay, center, scale
        self.epsilon, self.trainable = epsilon, trainable
        self.initializers, self.regularizers = initializers, regularizers
        self.collections, self.data_format = collections, data_format

    def start(self, name):
        """The initializer of a parameter."""
        zero = name in ("beta", "moving_mean")
        return self.initializers.get(name, Zeros() if zero else Ones())


def _by_layer(x, options, is_training, fused, sc, reuse, special):
    axis = 1 if options.data_format == "NCHW" else -1
    layer = BatchNormalization(
        axis=axis, momentum=options.decay, epsilon=options.epsilon,
        center=options.center, scale=options.scale,
        beta_initializer=options.start("beta"),
        gamma_initializer=options.start("gamma"),
        moving_mean_initializer=options.start("moving_mean"),
        moving_variance_initializer=options.start("moving_variance"),
        beta_regularizer=options.regularizers.get("beta"),
        gamma_regularizer=options.regularizers.get("gamma"),
        trainable=options.trainable, name=sc.name, _scope=sc, _reuse=reuse, fused=fused,
        **special,
    )  # fmt: skip
    y = layer.apply(x, training=is_training)
    for name in ("beta", "gamma", "moving_mean", "moving_variance"):
        note(getattr(layer, name), options.collections, name)
    return y


class _Parts:
    """The variables, and the equation written with them."""

    def __init__(self, options, x, debias):
        self.options, self.debias = options, debias
        self.axis = 1 if options.data_format == "NCHW" else x.shape.ndims - 1
        size = x.shape[self.axis].value
        if size is None:
            raise ValueError(f"Inputs {x.name} has undefined channels dimension "
                             f"{x.shape}.")  # fmt: skip
        half = x.dtype.base_dtype.name in ("float16", "bfloat16")
        self.size, self.dtype = size, "float32" if half else x.dtype.base_dtype
        self.beta = (
            self._variable("beta", options.trainable) if options.center else None
        )
        self.gamma = (
            self._variable("gamma", options.trainable) if options.scale else None
        )
        with in_one_part(get_variable_scope()):
            self.mean = self._variable("moving_mean", False)
            self.variance = self._variable("moving_variance", False)

    def _variable(self, name, trainable):
        options = self.options
        found = get_variable(
            name, [self.size], self.dtype, options.start(name),
            options.regularizers.get(name), trainable,
        )  # fmt: skip
        note(found, options.collections, name)
        return found

    def normalized(self, x, is_training, one_op, weights, collections):
        """The output; the averages move as `collections` says."""
        training = static_training(is_training)
        step = self._one_op if one_op else self._equation
        flat = one_op and len(x._shape) == 2
        rows = reshape(x, [-1, 1, 1, self.size]) if flat else x
        self._form = "NHWC" if flat else self.options.data_format
        y, mean, variance = chosen(
            training,
            lambda: list(step(rows, weights, True)),
            lambda: list(step(rows, weights, False)),
        )
        y = reshape(y, shape(x)) if flat else y
        if y.symbolic:
            y.set_shape(x.shape)
        if training is False:
            return y
        updates = chosen(
            training,
            lambda: [self._moved(self.mean, mean, self.debias),
                     self._moved(self.variance, variance, False)],
            lambda: [identity(self.mean), identity(self.variance)],
        )  # fmt: skip
        if current_mode().eager:
            return y
        if collections is None:
            with control_dependencies(updates):
                return identity(y)
        names = [collections] if isinstance(collections, str) else collections
        for update in updates:
            add_to_collections(names, update)
        return y

    def _one_op(self, x, weights, training):
        gamma = ones([self.size], self.dtype) if self.gamma is None else self.gamma
        beta = zeros([self.size], self.dtype) if self.beta is None else self.beta
        moving = (None, None) if training else (self.mean, self.variance)
        return fused_batch_norm(
            x, gamma, beta, *moving, self.options.epsilon, self._form, training
        )

    def _equation(self, x, weights, training):
        rank = len(x._shape)
        axes = [i for i in range(rank) if i != self.axis]
        if not training:
            mean, variance = identity(self.mean), identity(self.variance)
        elif weights is None:
            mean, variance = moments(x, axes)
        else:
            weights = reshape(convert_to_tensor(weights), [-1] + [1] * (rank - 1))
            mean, variance = weighted_moments(x, axes, weights)
        parts = [mean, variance, self.beta, self.gamma]
        if self.axis != rank - 1:
            beside = [1] * rank
            beside[self.axis] = -1
            parts = [None if p is None else reshape(p, beside) for p in parts]
        y = batch_normalization(x, *parts, self.options.epsilon)
        return y, mean, variance

    def _moved(self, variable, value, debias):
        if debias:
            return _debiased(variable, value, 1 - self.options.decay)
        with current_mode().name_scope("AssignMovingAvg") as at:
            change = (variable - value) * (1 - self.options.decay)
            return _value(assign_sub(variable, change, name=at))


def _debiased(variable, value, rate):
    """Move an average that began at 0, and correct it for that."""
    start = variable.op.name.rpartition("/")[2] if hasattr(variable, "op") else "mean"
    with variable_scope(start):
        biased = get_variable(
            "biased", variable.shape, value.dtype, Zeros(), trainable=False
        )
        count = get_variable("local_step", [], value.dtype, Zeros(), trainable=False)
    moved = _value(assign_sub(biased, (biased - value) * rate))
    steps = _value(assign_add(count, ones([], value.dtype)))
    factor = 1 - (1 - rate) ** steps
    return _value(assign_sub(variable, variable - moved / factor))


def _value(updated):
    """What an assignment gives, as a tensor."""
    return convert_to_tensor(updated)
