# Made by `make stubs` from the table of the index.
from typing import Any
def TPUStrategy(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
from twinflow.distribute.config import DistributeConfig as DistributeConfig
from twinflow.distribute.contexts import TowerContext as TowerContext
from twinflow.distribute.contexts import UpdateContext as UpdateContext
from twinflow.distribute.contexts import get_cross_tower_context as get_cross_tower_context
from twinflow.distribute.contexts import get_loss_reduction as get_loss_reduction
from twinflow.distribute.contexts import has_distribution_strategy as has_distribution_strategy
from twinflow.distribute.contexts import require_tower_context as require_tower_context
from twinflow.distribute.steps import Monitor as Monitor
from twinflow.distribute.steps import StandardInputStep as StandardInputStep
from twinflow.distribute.steps import StandardSingleLossStep as StandardSingleLossStep
from twinflow.distribute.steps import DistributedStep as Step
from twinflow.distribute.cross_tower_ops import AllReduceCrossTowerOps as AllReduceCrossTowerOps
from twinflow.distribute.cross_tower_ops import CrossTowerOps as CrossTowerOps
from twinflow.distribute.cross_tower_ops import ReductionToOneDeviceCrossTowerOps as ReductionToOneDeviceCrossTowerOps
from twinflow.distribute.collective import CollectiveAllReduceStrategy as CollectiveAllReduceStrategy
from twinflow.distribute.mirrored import MirroredStrategy as MirroredStrategy
from twinflow.distribute.parameter_server import ParameterServerStrategy as ParameterServerStrategy
from twinflow.distribute.strategy import DistributionStrategy as DistributionStrategy
from twinflow.distribute.strategy import OneDeviceStrategy as OneDeviceStrategy
from twinflow.distribute.strategy import get_distribution_strategy as get_distribution_strategy
from twinflow.distribute.strategy import get_tower_context as get_tower_context
from twinflow.train.distribute_coordinator import run_standard_tensorflow_server as run_standard_tensorflow_server

__all__ = [
"TPUStrategy", "DistributeConfig", "TowerContext", "UpdateContext",
"get_cross_tower_context", "get_loss_reduction", "has_distribution_strategy",
"require_tower_context", "Monitor", "StandardInputStep", "StandardSingleLossStep",
"Step", "AllReduceCrossTowerOps", "CrossTowerOps", "ReductionToOneDeviceCrossTowerOps",
"CollectiveAllReduceStrategy", "MirroredStrategy", "ParameterServerStrategy",
"DistributionStrategy", "OneDeviceStrategy", "get_distribution_strategy",
"get_tower_context", "run_standard_tensorflow_server"
]
