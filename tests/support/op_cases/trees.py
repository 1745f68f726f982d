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
from twinflow.ops.trees.forest import stats_ops as _  # noqa: F401 - define the ops

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
_FOREST = (
    "CreateFertileStatsVariable CreateTreeVariable DecisionTreeResourceHandleOp "
    "FeatureUsageCounts FertileStatsDeserialize FertileStatsIsInitializedOp "
    "FertileStatsResourceHandleOp FertileStatsSerialize FinalizeTree GrowTreeV4 "
    "ProcessInputV4 TraverseTreeV4 TreeDeserialize TreeIsInitializedOp "
    "TreePredictionsV4 TreeSerialize TreeSize UpdateModelV4"
)
for _op in _FOREST.split():
    covered(_op, by="tests/ops/test_forest_ops.py")
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
