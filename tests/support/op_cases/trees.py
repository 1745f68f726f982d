"""Boosted trees: resources and their statistics, which no row can express."""

from tests.support.op_cases.table import covered
from twinflow.ops.trees import ops, quantile_ops  # noqa: F401 - define the ops

_ENSEMBLES = (
    "EnsembleResourceHandleOp CreateEnsemble DeserializeEnsemble SerializeEnsemble "
    "GetEnsembleStates MakeStatsSummary CalculateBestGainsPerFeature UpdateEnsemble "
    "CenterBias Predict TrainingPredict ExampleDebugOutputs"
)
_QUANTILES = (
    "QuantileStreamResourceHandleOp CreateQuantileStreamResource "
    "MakeQuantileSummaries QuantileStreamResourceAddSummaries "
    "QuantileStreamResourceFlush QuantileStreamResourceGetBucketBoundaries Bucketize"
)
for _op in _ENSEMBLES.split():
    covered(f"BoostedTrees{_op}", by="tests/ops/test_trees.py")
for _op in _QUANTILES.split():
    covered(f"BoostedTrees{_op}", by="tests/ops/test_trees.py")
covered("IsBoostedTreesEnsembleInitialized", by="tests/ops/test_trees.py")
covered(
    "IsBoostedTreesQuantileStreamResourceInitialized",
    by="tests/ops/test_trees.py",
)
