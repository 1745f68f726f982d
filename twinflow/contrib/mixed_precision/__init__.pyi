# Made by `make stubs` from the table of the index.
from twinflow.train.loss_scale import LossScaleManager as LossScaleManager
from twinflow.train.loss_scale import FixedLossScaleManager as FixedLossScaleManager
from twinflow.train.loss_scale import ExponentialUpdateLossScaleManager as ExponentialUpdateLossScaleManager
from twinflow.train.loss_scale_optimizer import LossScaleOptimizer as LossScaleOptimizer

__all__ = [
"LossScaleManager", "FixedLossScaleManager", "ExponentialUpdateLossScaleManager",
"LossScaleOptimizer"
]
