"""Queues, readers and accumulators: threads and files, which no row can express."""

from tests.support.op_cases.table import covered
from twinflow.ops.queues import (  # noqa: F401 - define the ops
    accumulator_ops,
    barrier_ops,
    ops,
    reader_ops,
)
from twinflow.ops.variables import session_values  # noqa: F401 - the same

_QUEUES = (
    "FIFOQueue PaddingFIFOQueue PriorityQueue RandomShuffleQueue QueueEnqueue "
    "QueueEnqueueMany QueueClose QueueDequeue QueueDequeueMany QueueDequeueUpTo "
    "QueueSize QueueIsClosed"
)
_READERS = (
    "WholeFileReader IdentityReader TextLineReader FixedLengthRecordReader "
    "TFRecordReader ReaderRead ReaderReadUpTo ReaderNumRecordsProduced "
    "ReaderNumWorkUnitsCompleted ReaderSerializeState ReaderRestoreState ReaderReset"
)
_ACCUMULATORS = (
    "ConditionalAccumulator SparseConditionalAccumulator AccumulatorApplyGradient "
    "SparseAccumulatorApplyGradient AccumulatorSetGlobalStep AccumulatorNumAccumulated "
    "AccumulatorTakeGradient SparseAccumulatorTakeGradient"
)
for _version in ("", "V2"):
    for _op in _QUEUES.split():
        covered(f"{_op}{_version}", by="tests/train/test_queues.py")
    for _op in _READERS.split():
        covered(f"{_op}{_version}", by="tests/train/test_readers.py")
for _op in _ACCUMULATORS.split():
    covered(_op, by="tests/train/test_accumulators.py")
for _op in ("", "Close", "IncompleteSize", "InsertMany", "ReadySize", "TakeMany"):
    covered(f"Barrier{_op}", by="tests/train/test_barriers.py")
for _op in ("MutexV2", "MutexLock", "ConsumeMutexLock"):
    covered(_op, by="tests/contrib/test_critical_section.py")
covered("RecordInput", by="tests/contrib/test_critical_section.py")
for _op in ("Stage", "Unstage", "StagePeek", "StageSize", "StageClear"):
    covered(_op, by="tests/train/test_staging.py")
_OF_MAPS = "Stage Unstage UnstageNoKey Peek Size IncompleteSize Clear"
for _op in _OF_MAPS.split():
    for _kind in ("Map", "OrderedMap"):
        covered(f"{_kind}{_op}", by="tests/train/test_staging.py")
for _op in ("GetSessionHandle", "GetSessionTensor", "DeleteSessionTensor"):
    covered(_op, by="tests/execute/test_session_surface.py")
covered("TwinQueueSelect", by="tests/train/test_queues.py")
for _op in ("SerializeIterator", "DeserializeIterator"):
    covered(_op, by="tests/data/test_saving.py")
covered("TwinShareGetNext", by="tests/data/test_multi_device.py")
