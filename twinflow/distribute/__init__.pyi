# Made by `make stubs` from the table of the index.
from twinflow.distribute.contexts import TowerContext as ReplicaContext
from twinflow.distribute.contexts import has_distribution_strategy as has_strategy
from twinflow.distribute.contexts import in_cross_replica_context as in_cross_replica_context
from twinflow.distribute.cross_tower_ops import CrossTowerOps as CrossDeviceOps
from twinflow.distribute.cross_tower_ops import HierarchicalCopyAllReduce as HierarchicalCopyAllReduce
from twinflow.distribute.cross_tower_ops import NcclAllReduce as NcclAllReduce
from twinflow.distribute.cross_tower_ops import ReductionToOneDeviceCrossTowerOps as ReductionToOneDevice
from twinflow.distribute.mirrored import MirroredStrategy as MirroredStrategy
from twinflow.distribute.replicas import ReduceOp as ReduceOp
from twinflow.distribute.replicas import last_loss_reduction as get_loss_reduction
from twinflow.distribute.strategy import OneDeviceStrategy as OneDeviceStrategy
from twinflow.distribute.strategy import DistributionStrategy as Strategy
from twinflow.distribute.strategy import experimental_set_strategy as experimental_set_strategy
from twinflow.distribute.strategy import get_tower_context as get_replica_context
from twinflow.distribute.strategy import get_distribution_strategy as get_strategy

__all__ = [
"ReplicaContext", "has_strategy", "in_cross_replica_context", "CrossDeviceOps",
"HierarchicalCopyAllReduce", "NcclAllReduce", "ReductionToOneDevice",
"MirroredStrategy", "ReduceOp", "get_loss_reduction", "OneDeviceStrategy", "Strategy",
"experimental_set_strategy", "get_replica_context", "get_strategy"
]
