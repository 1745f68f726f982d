# Made by `make stubs` from the table of the index.
from twinflow.contrib.cluster_resolver.given import ClusterResolver as ClusterResolver
from twinflow.contrib.cluster_resolver.given import SimpleClusterResolver as SimpleClusterResolver
from twinflow.contrib.cluster_resolver.given import UnionClusterResolver as UnionClusterResolver
from twinflow.contrib.cluster_resolver.google import GceClusterResolver as GceClusterResolver
from twinflow.contrib.cluster_resolver.google import TPUClusterResolver as TPUClusterResolver

__all__ = [
"ClusterResolver", "SimpleClusterResolver", "UnionClusterResolver",
"GceClusterResolver", "TPUClusterResolver"
]
