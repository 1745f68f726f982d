# Made by `make stubs` from the table of the index.
from twinflow.contrib.optimizer_v2.optimizer_v2 import OptimizerV2 as OptimizerV2
from twinflow.contrib.optimizer_v2.ready_made import AdadeltaOptimizer as AdadeltaOptimizer
from twinflow.contrib.optimizer_v2.ready_made import AdagradOptimizer as AdagradOptimizer
from twinflow.contrib.optimizer_v2.ready_made import AdamOptimizer as AdamOptimizer
from twinflow.contrib.optimizer_v2.ready_made import GradientDescentOptimizer as GradientDescentOptimizer
from twinflow.contrib.optimizer_v2.ready_made import MomentumOptimizer as MomentumOptimizer
from twinflow.contrib.optimizer_v2.ready_made import RMSPropOptimizer as RMSPropOptimizer

__all__ = [
"OptimizerV2", "AdadeltaOptimizer", "AdagradOptimizer", "AdamOptimizer",
"GradientDescentOptimizer", "MomentumOptimizer", "RMSPropOptimizer"
]
