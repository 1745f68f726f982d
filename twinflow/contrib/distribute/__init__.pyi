# Made by `make stubs` from the table of the index.
from twinflow.contrib.distribute.config import DistributeConfig as DistributeConfig
from twinflow.contrib.distribute.contexts import TowerContext as TowerContext
from twinflow.contrib.distribute.contexts import UpdateContext as UpdateContext
from twinflow.contrib.distribute.contexts import get_cross_tower_context as get_cross_tower_context
from twinflow.contrib.distribute.contexts import get_loss_reduction as get_loss_reduction
from twinflow.contrib.distribute.contexts import has_distribution_strategy as has_distribution_strategy
from twinflow.contrib.distribute.contexts import require_tower_context as require_tower_context
from twinflow.contrib.distribute.steps import Monitor as Monitor
from twinflow.contrib.distribute.steps import StandardInputStep as StandardInputStep
from twinflow.contrib.distribute.steps import StandardSingleLossStep as StandardSingleLossStep
from twinflow.contrib.distribute.steps import DistributedStep as Step
from twinflow.contrib.distribute.strategy import DistributionStrategy as DistributionStrategy
from twinflow.contrib.distribute.strategy import MirroredStrategy as MirroredStrategy
from twinflow.contrib.distribute.strategy import OneDeviceStrategy as OneDeviceStrategy
from twinflow.contrib.distribute.strategy import get_distribution_strategy as get_distribution_strategy
from twinflow.contrib.distribute.strategy import get_tower_context as get_tower_context

__all__ = [
"DistributeConfig", "TowerContext", "UpdateContext", "get_cross_tower_context",
"get_loss_reduction", "has_distribution_strategy", "require_tower_context", "Monitor",
"StandardInputStep", "StandardSingleLossStep", "Step", "DistributionStrategy",
"MirroredStrategy", "OneDeviceStrategy", "get_distribution_strategy",
"get_tower_context"
]
