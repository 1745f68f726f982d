"""Batch normalization, inverted, as a bijector."""

from typing import Any

from twinflow.distributions.bijector import Bijector
from twinflow.layers.normalization import BatchNormalization as Layer
from twinflow.ops.core.constant import constant
from twinflow.ops.core.elementwise import log, sqrt
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import reshape
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.moments import moments

_UNKNOWN = "Input must have shape known at graph construction."


class BatchNormalization(Bijector):
    """y whose normalization is x; `inverse` normalizes.

    Args:
        batchnorm_layer: a tf.layers.BatchNormalization; a new one if None.
        training: whether `inverse` normalizes by the batch, not by moving averages.
        validate_args: whether to check values. name: the scope of its ops.
    Raises:
        ValueError: the layer is another one, or it renormalizes or splits batches.
    """

    def __init__(
        self, batchnorm_layer: Any = None, training: bool = True,
        validate_args: bool = False, name: str = "batch_normalization",
    ) -> None:  # fmt: skip
        self.batchnorm = batchnorm_layer or Layer(
            trainable=True, gamma_constraint=lambda x: relu(x) + 1e-6
        )
        _check_layer(self.batchnorm)
        self._training = training
        axis = self.batchnorm.axis
        super().__init__(
            forward_min_event_ndims=1 if isinstance(axis, int) else len(axis),
            validate_args=validate_args, name=name,
        )  # fmt: skip

    def _axes(self, x):
        """(the axes of an event, the others)."""
        if not x.shape.is_fully_defined():
            raise ValueError(_UNKNOWN)
        if not self.batchnorm.built:
            self.batchnorm.build(x.shape)
        axis, ndims = self.batchnorm.axis, x.shape.ndims
        axis = [axis] if isinstance(axis, int) else axis
        event = [a % ndims for a in axis]
        return event, [i for i in range(ndims) if i not in event]

    def _forward(self, x):
        event, _ = self._axes(x)
        sizes = [d if i in event else 1 for i, d in enumerate(x.shape.as_list())]
        layer = self.batchnorm

        def wide(v: Any) -> Any:
            return None if v is None else reshape(v, sizes)

        scale = sqrt(wide(layer.moving_variance) + layer.epsilon)
        if layer.gamma is not None:
            scale /= wide(layer.gamma)
        mean = wide(layer.moving_mean)
        return x * scale + (
            mean if layer.beta is None else mean - wide(layer.beta) * scale
        )

    def _inverse(self, y):
        return self.batchnorm.apply(y, training=self._training)

    def _forward_log_det_jacobian(self, x):
        return -self._log_det(x, saved=True)

    def _inverse_log_det_jacobian(self, y):
        return self._log_det(y, saved=not self._training)

    def _log_det(self, y, saved):
        _, others = self._axes(y)
        if saved:
            variance = self.batchnorm.moving_variance
        else:
            _, variance = moments(y, axes=others, keep_dims=True)
        gamma = self.batchnorm.gamma
        total = constant(0.0) if gamma is None else reduce_sum(log(gamma))
        return total - 0.5 * reduce_sum(log(variance + self.batchnorm.epsilon))


def _check_layer(layer):
    if not isinstance(layer, Layer):
        raise ValueError(
            "batchnorm_layer must be an instance of BatchNormalization layer."
        )
    if getattr(layer, "renorm", False):
        raise ValueError("BatchNorm Bijector does not support renormalization.")
    if getattr(layer, "virtual_batch_size", None):
        raise ValueError("BatchNorm Bijector does not support virtual batch sizes.")
