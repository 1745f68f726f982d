# Made by `make stubs` from the table of the index.
from twinflow.contrib.linear_optimizer.sdca_model import SdcaModel as SdcaModel
from twinflow.contrib.linear_optimizer.sparse_feature_column import SparseFeatureColumn as SparseFeatureColumn
from twinflow.contrib.linear_optimizer.sdca_optimizer import SDCAOptimizer as SDCAOptimizer

__all__ = [
"SdcaModel", "SparseFeatureColumn", "SDCAOptimizer"
]
