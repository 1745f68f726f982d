# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.base.statuses import TF_DeleteStatus as TF_DeleteStatus
from twinflow.base.statuses import TF_GetCode as TF_GetCode
from twinflow.base.statuses import TF_Message as TF_Message
from twinflow.base.statuses import TF_NewStatus as TF_NewStatus
from twinflow.base.statuses import TF_SetStatus as TF_SetStatus
from twinflow.base.statuses import TF_Status as TF_Status
from twinflow.checkpoint.reader import CheckpointReader as CheckpointReader
from twinflow.checkpoint.reader import NewCheckpointReader as NewCheckpointReader
from twinflow.base.versions import GRAPH_DEF_VERSION as GRAPH_DEF_VERSION
from twinflow.base.versions import GRAPH_DEF_VERSION_MIN_CONSUMER as GRAPH_DEF_VERSION_MIN_CONSUMER
from twinflow.base.versions import GRAPH_DEF_VERSION_MIN_PRODUCER as GRAPH_DEF_VERSION_MIN_PRODUCER
from twinflow.compat.c_interface import CudaSupportsHalfMatMulAndConv as CudaSupportsHalfMatMulAndConv
from twinflow.compat.c_interface import IsGoogleCudaEnabled as IsGoogleCudaEnabled
from twinflow.compat.c_interface import IsMklEnabled as IsMklEnabled
from twinflow.compat.c_interface import PyRecordReader as PyRecordReader
from twinflow.compat.c_interface import PyRecordReader_New as PyRecordReader_New
from twinflow.compat.c_interface import PyRecordWriter as PyRecordWriter
from twinflow.compat.c_interface import PyRecordWriter_New as PyRecordWriter_New
from twinflow.compat.c_interface import TF_GetAllOpList as TF_GetAllOpList
from twinflow.compat.c_interface import TF_Version as TF_Version
from twinflow.compat.c_interface import list_devices as list_devices
from twinflow.compat.c_interface import RecordWriterOptions_CreateRecordWriterOptions as RecordWriterOptions_CreateRecordWriterOptions
from twinflow.profiler.step_summary import DeleteStatSummarizer as DeleteStatSummarizer
from twinflow.profiler.step_summary import NewStatSummarizer as NewStatSummarizer
from twinflow.profiler.step_summary import StatSummarizer as StatSummarizer
def TF_NewGraph(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (compiled plugins). There is no C library behind twinflow: write the op in Python with tf.py_func or tf.custom_gradient.
    """
def TF_NewSession(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (compiled plugins). There is no C library behind twinflow: write the op in Python with tf.py_func or tf.custom_gradient.
    """
def TF_LoadLibrary(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (compiled plugins). There is no C library behind twinflow: write the op in Python with tf.py_func or tf.custom_gradient.
    """
def TransformGraphWithStringInputs(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (compiled plugins). There is no C library behind twinflow: write the op in Python with tf.py_func or tf.custom_gradient.
    """

__all__ = [
"TF_DeleteStatus", "TF_GetCode", "TF_Message", "TF_NewStatus", "TF_SetStatus",
"TF_Status", "CheckpointReader", "NewCheckpointReader", "GRAPH_DEF_VERSION",
"GRAPH_DEF_VERSION_MIN_CONSUMER", "GRAPH_DEF_VERSION_MIN_PRODUCER",
"CudaSupportsHalfMatMulAndConv", "IsGoogleCudaEnabled", "IsMklEnabled",
"PyRecordReader", "PyRecordReader_New", "PyRecordWriter", "PyRecordWriter_New",
"TF_GetAllOpList", "TF_Version", "list_devices",
"RecordWriterOptions_CreateRecordWriterOptions", "DeleteStatSummarizer",
"NewStatSummarizer", "StatSummarizer", "TF_NewGraph", "TF_NewSession", "TF_LoadLibrary",
"TransformGraphWithStringInputs"
]
