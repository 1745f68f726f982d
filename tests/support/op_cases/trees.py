"""Boosted trees: resources and their statistics, which no row can express."""

from tests.support.op_cases.table import covered
from twinflow.ops.trees import ops, quantile_ops  # noqa: F401 - define the ops
from twinflow.ops.trees.contrib import (  # noqa: F401 - define the ops
    model_ops,
    prediction_ops,
    split_ops,
    stats_ops,
    training_ops,
)

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

_CONTRIB = (
    "DecisionTreeEnsembleResourceHandleOp CreateTreeEnsembleVariable GrowTreeEnsemble "
    "TreeEnsembleDeserialize TreeEnsembleIsInitializedOp TreeEnsembleSerialize "
    "TreeEnsembleStampToken TreeEnsembleUsedHandlers TreeEnsembleStats "
    "GradientTreesPartitionExamples GradientTreesPrediction "
    "GradientTreesPredictionVerbose CenterTreeEnsembleBias "
    "BuildCategoricalEqualitySplits BuildDenseInequalitySplits "
    "BuildSparseInequalitySplits BucketizeWithInputBoundaries QuantileBuckets "
    "CreateQuantileAccumulator MakeQuantileSummaries QuantileStreamResourceHandleOp "
    "Quantiles"
)
_ACCUMULATED = (
    "AddSummaries Deserialize Flush FlushSummary GetBuckets IsInitialized Serialize"
)
_SUMS = "Add Deserialize Flush IsInitialized MakeSummary ResourceHandleOp Serialize"
for _op in (
    *_CONTRIB.split(),
    *(f"QuantileAccumulator{_op}" for _op in _ACCUMULATED.split()),
    *(
        f"StatsAccumulator{k}{_op}"
        for k in ("Scalar", "Tensor")
        for _op in _SUMS.split()
    ),
    *(f"CreateStatsAccumulator{k}" for k in ("Scalar", "Tensor")),
):
    covered(_op, by="tests/ops/test_contrib_trees.py")
