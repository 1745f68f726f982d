"""Batch normalization."""

from typing import Any

import numpy as np

from twinflow.base import dtypes, logging
from twinflow.base.advice import advised
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers import renormalization
from twinflow.keras.layers.arguments import chosen, static_training
from twinflow.ops.core.constant import cast, constant, convert_to_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.division import divide
from twinflow.ops.core.elementwise import multiply, subtract
from twinflow.ops.core.size import size
from twinflow.ops.nn.moments import batch_normalization, fused_batch_norm, moments
from twinflow.ops.variables.creators import (
    VariableAggregation,
    VariableSynchronization,
)
from twinflow.ops.variables.state import assign_sub

# Each tower has moving averages of its own; their mean is saved.
_EACH_TOWER = {
    "synchronization": VariableSynchronization.ON_READ,
    "aggregation": VariableAggregation.MEAN,
}


class BatchNormalization(Layer):
    """y = gamma * (x - mean) / sqrt(variance + epsilon) + beta, per channel.

    While training, mean and variance are those of the batch, and the moving averages
    move: m <- momentum * m + (1 - momentum) * batch. Else the moving averages are used.
    Eagerly and in functions they move at once; in a graph the ops that move them are
    returned by `get_updates_for(inputs)`, to be run with the training step.

    Args:
        axis: the axis of the channels, or a list of axes.
        momentum: see above. epsilon: a small number.
        center, scale: whether there are beta and gamma.
        beta_initializer, gamma_initializer, moving_mean_initializer,
            moving_variance_initializer: names or functions.
        beta_regularizer, gamma_regularizer: functions from a variable to a loss.
        beta_constraint, gamma_constraint: functions from the updated value to the one
            to keep.
        fused: False = never take the one op for images (4 axes, channels 1 or 3), whose
            moving variance is that of a sample, with n - 1.
        trainable: whether beta and gamma are trained.
        renorm, renorm_clipping, renorm_momentum: batch renormalization, and limits for
            it: a dict with "rmin", "rmax", "dmax".
        virtual_batch_size: the size of parts of the batch to be normalized by
            themselves.
        adjustment: a function of the shape of the input to (scale, offset), which are
            used while training.
        name: its name. kwargs: `dtype`, `input_shape`.
    Raises:
        ValueError: an axis is out of range, or has no known size.
    Example:
        tf.keras.layers.BatchNormalization()(tf.ones([2, 3]), training=True)  # zeros
    Reference: Ioffe and Szegedy, Batch normalization (ICML 2015), algorithms 1 and 2.
    """

    config = (
        "axis", "momentum", "epsilon", "center", "scale", "beta_initializer",
        "gamma_initializer", "moving_mean_initializer", "moving_variance_initializer",
        "beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint",
    )  # fmt: skip

    supports_masking = computes_whole = True

    def __init__(
        self, axis: Any = -1, momentum: float = 0.99, epsilon: float = 1e-3,
        center: bool = True, scale: bool = True, beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones", moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones", beta_regularizer: Any = None,
        gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, renorm: bool = False, renorm_clipping: Any = None,
        renorm_momentum: float = 0.99, fused: Any = None, trainable: bool = True,
        virtual_batch_size: Any = None, adjustment: Any = None, name: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, trainable=trainable, **kwargs)
        self.axis = list(axis) if isinstance(axis, list | tuple) else axis
        self.momentum, self.epsilon = momentum, epsilon
        self.center, self.scale, self.fused = center, scale, fused
        self._bessels_correction_test_only = True
        self._keep_of(locals())
        self.renorm, self.renorm_momentum = renorm, renorm_momentum
        self.renorm_clipping = renorm_clipping or {}
        self.virtual_batch_size, self.adjustment = virtual_batch_size, adjustment
        self._plain = not renorm and virtual_batch_size is None and adjustment is None
        renormalization.check(self)

    # ------------------------------------------------------------------ variables
    def build(self, input_shape: Any) -> None:
        dims = TensorShape(input_shape).as_list()
        self.axis = _axes(self.axis, len(dims))
        sizes = [dims[a] for a in self.axis]
        if None in sizes:
            raise advised(
                ValueError,
                f"Input has undefined `axis` dimension. Input shape: {input_shape}",
            )
        self.input_spec = InputSpec(
            ndim=len(dims), axes=dict(zip(self.axis, sizes, strict=True))
        )
        renormalization.check_axis(self)
        image = len(dims) == 4 and self.axis in ([1], [3])
        single = self.dtype != "float64"  # the one op has single statistics
        self.fused = self.fused is not False and image and self._plain and single
        virtual = self.virtual_batch_size is not None
        shape = sizes if len(sizes) == 1 and not virtual else self._spread(dims)
        if virtual:
            shape = [shape[0], 1, *shape[1:]]
        add = self._add_parameter
        self.gamma = add("gamma", shape, True) if self.scale else None
        self.beta = add("beta", shape, True) if self.center else None
        with self._in_one_part():
            self.moving_mean = add("moving_mean", shape, False)
            self.moving_variance = add("moving_variance", shape, False)
            if self.renorm:
                renormalization.add_variables(self, shape)
        self.built = True

    def _add_parameter(self, name, shape, trainable):
        moving = {} if name in ("beta", "gamma") else _EACH_TOWER
        return self.add_weight(
            name, shape, self._parameter_dtype(), getattr(self, f"{name}_initializer"),
            getattr(self, f"{name}_regularizer", None), trainable,
            getattr(self, f"{name}_constraint", None), **moving,
        )  # fmt: skip

    def _parameter_dtype(self):
        half = self.dtype in ("float16", "bfloat16")
        return dtypes.float32 if half else dtypes.as_dtype(self.dtype or "float32")

    def _spread(self, dims):
        """The shape of a parameter beside the input."""
        return [d if i in self.axis else 1 for i, d in enumerate(dims)]

    # ------------------------------------------------------------------ computing
    def call(self, inputs: Any, training: Any = None) -> Tensor:
        training = static_training(training)
        if self.fused:
            return self._call_fused(inputs, training)
        if not self._plain:
            return renormalization.call(self, inputs, training)
        ndim = len(inputs._shape)
        if training is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            mean, variance = self._batch_moments(inputs, ndim, training)
            self._leave_ids(training)
            self._move(inputs, mean, variance, 1 - self.momentum)
        parts = (mean, variance, self.beta, self.gamma)
        parts = [renormalization.beside(self, p, inputs) for p in parts]
        return batch_normalization(inputs, *parts, self.epsilon)

    def _batch_moments(self, x, ndim, training):
        axes = [i for i in range(ndim) if i not in self.axis]
        found = moments(x, axes, keep_dims=len(self.axis) > 1)
        dtype = self._parameter_dtype()
        mean, variance = (cast(m, dtype) for m in found)
        if training is True:
            return mean, variance
        moving = (self.moving_mean, self.moving_variance)
        return chosen(
            training,
            lambda: [mean, variance],
            lambda: [convert_to_tensor(m) for m in moving],
        )

    def _call_fused(self, x, training):
        dims, dtype = self.moving_mean._shape, self._parameter_dtype()
        gamma = ones(dims, dtype) if self.gamma is None else self.gamma
        beta = zeros(dims, dtype) if self.beta is None else self.beta
        layout = (self.epsilon, "NCHW" if self.axis == [1] else "NHWC")
        moving = (self.moving_mean, self.moving_variance)

        def train():
            return list(fused_batch_norm(x, gamma, beta, None, None, *layout, True))

        def infer():
            return list(fused_batch_norm(x, gamma, beta, *moving, *layout, False))

        y, mean, variance = chosen(training, train, infer)
        if not self._bessels_correction_test_only:
            variance = self._without_correction(x, variance)
        if training is False:
            current_mode().leave_ids(1)  # the decay
        else:
            current_mode().leave_ids(4 if self.moving_mean.dtype._is_ref_dtype else 10)
            momentum = np.float32(self.momentum)
            decay = chosen(
                training,
                lambda: constant(1 - momentum),
                lambda: constant(np.float32(0)),
            )
            self._move(x, mean, variance, decay)
        return y

    def _without_correction(self, x, variance):
        """The variance of a batch without the factor n / (n - 1) of the fused op."""
        n = cast(divide(size(x), size(variance)), variance.dtype)
        return multiply(variance, divide(subtract(n, constant(1.0, n.dtype)), n))

    def _leave_ids(self, training):
        """TensorFlow moves each average within a cond: Note [Ids]."""
        if training is not True:
            current_mode().leave_ids(22 if self.moving_mean.dtype._is_ref_dtype else 30)

    def _move(self, inputs, mean, variance, decay):
        """Move the averages towards those of the batch."""
        for variable, value in (
            (self.moving_mean, mean),
            (self.moving_variance, variance),
        ):
            with current_mode().name_scope("AssignMovingAvg") as scope:
                rate = decay
                if not hasattr(rate, "dtype"):
                    rate = constant(rate, variable.dtype, name="decay")
                change = multiply(subtract(variable, value, "sub"), rate, "mul")
                if variable.dtype._is_ref_dtype:
                    update = assign_sub(variable, change, name=scope)
                else:
                    update = variable.assign_sub(change, read_value=False)
            self.add_update(update, inputs=inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return TensorShape(input_shape)

    def get_config(self) -> dict[str, Any]:
        found = super().get_config()
        if self.renorm:
            names = ("renorm", "renorm_clipping", "renorm_momentum")
            found |= {name: getattr(self, name) for name in names}
        if self.virtual_batch_size is not None:
            found["virtual_batch_size"] = self.virtual_batch_size
        if self.adjustment is not None:
            logging.warning(
                "%s: `adjustment` is a function and stays out of the config; give it "
                "again to the layer that is made from it.",
                self.name,
            )
        return found


def _axes(axis, ndim):
    """The axes as a list of positions."""
    found = axis if isinstance(axis, list) else [axis]
    for a in found:
        if not -ndim <= a < ndim:
            raise ValueError(f"Invalid axis: {a}")
    places = [a % ndim for a in found]
    if len(set(places)) < len(places):
        raise ValueError(f"Duplicate axis: {places}")
    return places
