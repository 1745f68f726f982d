"""LossScaleOptimizer as the programs of tf.keras make it."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.train.loss_scale import (
    ExponentialUpdateLossScaleManager,
    FixedLossScaleManager,
)
from twinflow.train.loss_scale_optimizer import (
    LossScaleOptimizer as TrainLossScaleOptimizer,
)
from twinflow.train.optimizer import Optimizer


class LossScaleOptimizer(TrainLossScaleOptimizer):
    """Another optimizer for losses in half precision; see tf.contrib.mixed_precision.

    Args:
        optimizer: a tf.train.Optimizer.
        loss_scale: the factor, or "dynamic": 2**15 at first, doubled after 2,000 steps
            with finite gradients, halved after one with others.
    Raises:
        TypeError: `optimizer` is no tf.train.Optimizer.
        ValueError: `loss_scale` is neither.
    Example:
        optimizer = tf.keras.mixed_precision.experimental.LossScaleOptimizer(
            tf.train.AdamOptimizer(0.01), loss_scale="dynamic")
        float(optimizer.loss_scale)  # 32768.0
    """

    def __init__(self, optimizer: Any, loss_scale: Any = "dynamic") -> None:
        if not isinstance(optimizer, Optimizer):
            raise advised(
                TypeError,
                "optimizer must be a tf.train.Optimizer, such as "
                f"tf.train.AdamOptimizer(); got {optimizer!r}. Optimizers of tf.keras "
                "have no step that can be left out.",
            )
        super().__init__(optimizer, _manager(loss_scale))

    @property
    def loss_scale(self) -> Any:
        """The factor now, a float32 scalar."""
        return self._loss_scale_manager.get_loss_scale()


def _manager(loss_scale: Any) -> Any:
    if loss_scale == "dynamic":
        return ExponentialUpdateLossScaleManager(2.0**15, 2000, 1, 2.0, 0.5)
    if isinstance(loss_scale, int | float) and loss_scale >= 1:
        return FixedLossScaleManager(float(loss_scale))
    raise advised(
        ValueError,
        f"loss_scale must be a number of at least 1, or 'dynamic', got {loss_scale!r}.",
    )
