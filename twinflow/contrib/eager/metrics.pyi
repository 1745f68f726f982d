# Made by `make stubs` from the table of the index.
from twinflow.metrics.objects import Metric as Metric
from twinflow.metrics.objects import Mean as Mean
from twinflow.metrics.objects import Accuracy as Accuracy
from twinflow.metrics.objects import CategoricalAccuracy as CategoricalAccuracy
from twinflow.metrics.objects import BinaryAccuracy as BinaryAccuracy
from twinflow.metrics.objects import SparseAccuracy as SparseAccuracy

__all__ = [
"Metric", "Mean", "Accuracy", "CategoricalAccuracy", "BinaryAccuracy", "SparseAccuracy"
]
