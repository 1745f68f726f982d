"""Ops on cells and from outside: what a row cannot express, and who tests it."""

from tests.support.op_cases.table import covered
from twinflow.autodiff import recompute
from twinflow.data import reduce
from twinflow.data.iterators import ops as data_ops
from twinflow.data.kernels import map_defun, nodes, resources
from twinflow.execute import call, defined, py_func, remote_graphs
from twinflow.graph import cond, custom, while_loop
from twinflow.interchange import jax_functions

MODULES = (
    call,
    cond,
    custom,
    defined,
    jax_functions,
    data_ops,
    map_defun,
    nodes,
    resources,
    recompute,
    py_func,
    reduce,
    remote_graphs,
    while_loop,
)  # where their ops are defined

for _op in ("VarHandleOp", "ReadVariableOp", "VarIsInitializedOp", "AssignVariableOp"):
    covered(_op, by="tests/ops/test_variable.py")
for _op in ("VariableV2", "Variable", "RefIdentity", "IsVariableInitialized"):
    covered(_op, by="tests/ops/test_references.py")
for _op in ("Assign", "AssignAdd", "AssignSub", "DestroyResourceOp"):
    covered(_op, by="tests/ops/test_references.py")
for _op in ("TemporaryVariable", "DestroyTemporaryVariable"):
    covered(_op, by="tests/ops/test_references.py")
for _op in ("AssignAddVariableOp", "AssignSubVariableOp", "NoOp"):
    covered(_op, by="tests/ops/test_variable.py")
for _op in ("CollectiveReduce", "CollectiveBcastSend", "CollectiveBcastRecv"):
    covered(_op, by="tests/execute/test_collectives.py")
for _op in ("Placeholder", "PlaceholderWithDefault"):
    covered(_op, by="tests/execute/test_session.py")
for _op in (
    "TwinParam",
    "If",
    "While",
    "TwinStackRead",
    "TwinStackEntry",
    "TwinStackRows",
    "TwinRowsBack",
):
    covered(_op, by="tests/graph/test_control_flow.py")
covered("TwinCustomGradient", by="tests/autodiff")
covered("PartitionedCall", by="tests/execute")
covered("SymbolicGradient", by="tests/execute/test_imported_calls.py")
covered("RemoteFusedGraphExecute", by="tests/execute/test_remote_graphs.py")
for _part in (
    "PrefixKey",
    "RangeKey",
    "SampleKeys",
    "SampleKeyPairs",
    "Scan",
    "Lookup",
):
    covered(f"Bigtable{_part}Dataset", by="tests/contrib/test_bigtable.py")
for _op in ("BigtableClient", "BigtableTable", "DatasetToBigtable"):
    covered(_op, by="tests/contrib/test_bigtable.py")
for _op in (
    "BigQueryReader", "GenerateBigQueryReaderPartitions", "GcsConfigureCredentials",
    "GcsConfigureBlockCache",
):  # fmt: skip
    covered(_op, by="tests/contrib/test_cloud.py")
covered("TwinJaxCall", by="tests/interchange/test_from_jax.py")
for _op in ("Reduce", "Gather", "Share", "Broadcast", "BroadcastGrad"):
    covered(f"TwinProcess{_op}", by="tests/distribute/test_processes.py")
for _op in ("EagerPyFunc", "PyFunc", "PyFuncStateless"):
    covered(_op, by="tests/execute/test_py_func.py")
for _op in ("GradientDescent", "Momentum", "Adam"):
    covered(f"ResourceApply{_op}", by="tests/train/test_optimizers.py")
    covered(f"Apply{_op}", by="tests/train/test_optimizer_steps.py")
for _op in ("TwinTie", "TwinStreamState", "TwinSetStream"):
    covered(_op, by="tests/autodiff/test_recompute.py")
for _op in (
    "Adagrad", "AdagradDA", "Adadelta", "RMSProp", "CenteredRMSProp", "Momentum",
    "Ftrl", "FtrlV2", "ProximalGradientDescent", "ProximalAdagrad",
):  # fmt: skip
    for _kind in ("Apply", "SparseApply"):
        if f"{_kind}{_op}" != "ApplyMomentum":
            covered(f"{_kind}{_op}", by="tests/ops/test_training_ops.py")
            covered(f"Resource{_kind}{_op}", by="tests/ops/test_training_ops.py")
for _op in ("AdaMax", "AddSign", "PowerSign"):
    covered(f"Apply{_op}", by="tests/ops/test_training_ops.py")
    covered(f"ResourceApply{_op}", by="tests/ops/test_training_ops.py")
for _op in ("IteratorV2", "OneShotIterator", "MakeIterator", "IteratorGetNext"):
    covered(_op, by="tests/data")
for _op in nodes.TABLES:
    covered(_op, by="tests/data/test_kernels.py")
for _op in (
    "Iterator", "AnonymousIterator", "IteratorGetNextSync", "IteratorFromStringHandle",
    "MultiDeviceIterator", "MultiDeviceIteratorInit", "MapDefun",
    "MultiDeviceIteratorGetNextFromShard", "MultiDeviceIteratorToStringHandle",
    "MultiDeviceIteratorFromStringHandle", "ExperimentalFunctionBufferingResource",
    "ExperimentalFunctionBufferingResourceGetNext", "ExperimentalThreadPoolHandle",
    "ExperimentalFunctionBufferingResourceReset", "ExperimentalIteratorGetDevice",
    "ExperimentalIdentityIndexedDataset", "ExperimentalIndexedDatasetGet",
    "ExperimentalIndexedDatasetMaterialize",
    "ExperimentalMaterializedIndexDatasetHandle",
):  # fmt: skip
    covered(_op, by="tests/data/test_kernels.py")
for _op in ("EnqueueInQueueDataset", "DatasetToGraph"):
    covered(_op, by="tests/data/test_kernels.py")
covered("ImmutableConst", by="tests/ops/test_files.py")
covered("LMDBReader", by="tests/data/test_lmdb.py")
covered("CreateSummaryDbWriter", by="tests/contrib/test_summary_databases.py")
for _op in ("StatsAggregatorHandle", "StatsAggregatorSummary"):
    covered(_op, by="tests/data/test_stats.py")
covered("DatasetToTFRecord", by="tests/data/test_features.py")
for _op in ("Save", "SaveSlices", "Restore", "RestoreSlice"):
    covered(_op, by="tests/checkpoint/test_slices.py")
for _op in ("GenerateVocabRemapping", "LoadAndRemapMatrix"):
    covered(_op, by="tests/checkpoint/test_vocabularies.py")
for _op in ("IteratorToStringHandle", "IteratorFromStringHandleV2", "ReduceDataset"):
    covered(_op, by="tests/data")
for _op in ("TwinStartElements", "TwinNextElement"):
    covered(_op, by="tests/autograph")
for _op in ("TwinIteratorState", "TwinResumeIterator"):
    covered(_op, by="tests/data/test_saving.py")
for _op in ("GetNextAsOptional", "FromValue", "None", "HasValue", "GetValue"):
    _kind = "Iterator" if _op == "GetNextAsOptional" else "Optional"
    covered(f"{_kind}{_op}", by="tests/data/test_optional.py")
