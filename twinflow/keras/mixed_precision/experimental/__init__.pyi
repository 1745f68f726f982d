# Made by `make stubs` from the table of the index.
from twinflow.keras.engine.policy import Policy as Policy
from twinflow.keras.engine.policy import global_policy as global_policy
from twinflow.keras.engine.policy import set_policy as set_policy
from twinflow.keras.mixed_precision.loss_scale import LossScaleOptimizer as LossScaleOptimizer

__all__ = [
"Policy", "global_policy", "set_policy", "LossScaleOptimizer"
]
