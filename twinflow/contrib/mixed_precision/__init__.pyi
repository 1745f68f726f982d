# Made by `make stubs` from the table of the index.
from twinflow.contrib.mixed_precision.managers import LossScaleManager as LossScaleManager
from twinflow.contrib.mixed_precision.managers import FixedLossScaleManager as FixedLossScaleManager
from twinflow.contrib.mixed_precision.managers import ExponentialUpdateLossScaleManager as ExponentialUpdateLossScaleManager
from twinflow.contrib.mixed_precision.optimizer import LossScaleOptimizer as LossScaleOptimizer

__all__ = [
"LossScaleManager", "FixedLossScaleManager", "ExponentialUpdateLossScaleManager",
"LossScaleOptimizer"
]
