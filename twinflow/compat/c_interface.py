"""What programs take from tf.pywrap_tensorflow, TensorFlow's C interface.

There is no C library behind twinflow: readers and writers of files, statuses and facts
about the build are there; the calls that make graphs and sessions are refused.
"""

import os
from typing import Any

from twinflow.base import errors
from twinflow.base.statuses import TF_SetStatus, TF_Status
from twinflow.base.versions import VERSION
from twinflow.compat.door.machine import list_local_devices
from twinflow.formats import protos
from twinflow.formats.tf_record import (
    TFRecordOptions,
    TFRecordWriter,
    opened,
    records_in,
)
from twinflow.graph.graph_def.registered import get_registered_ops


# ---------------------------------------------------------------------- calls
def _noted(status: TF_Status | None, call: Any, *args: Any) -> Any:
    """A call whose error goes to the status, if there is one."""
    if status is None:
        return call(*args)
    try:
        return call(*args)
    except errors.OpError as error:
        TF_SetStatus(status, error.error_code, error.message)
        return None


# ---------------------------------------------------------------------- the build
def IsGoogleCudaEnabled() -> bool:
    """Whether there is a GPU that graphs may use."""
    return any(d.device_type == "GPU" for d in list_local_devices())


def CudaSupportsHalfMatMulAndConv() -> bool:
    """Whether that GPU multiplies half precision."""
    return IsGoogleCudaEnabled()


def IsMklEnabled() -> bool:
    """False: MKL is no part of this house."""
    return False


def TF_Version() -> str:
    """The version of TensorFlow whose interface this is."""
    return VERSION


def list_devices(session_config: Any = None) -> list[Any]:
    """The devices of this machine as serialized DeviceAttributes."""
    return [
        protos.DeviceAttributes(**d._asdict()).SerializeToString()
        for d in list_local_devices(session_config)
    ]


def TF_GetAllOpList() -> bytes:
    """A serialized OpList with the ops of TensorFlow 1.12."""
    found = protos.OpList(op=get_registered_ops().values())
    return found.SerializeToString()


# ---------------------------------------------------------------------- records
_FRAME = 16  # bytes around a record: its length and two checks


class PyRecordReader:
    """Reads the records of a file one by one; see PyRecordReader_New."""

    def __init__(self, path: str, offset: int, compression: str) -> None:
        self._file = opened(path, compression)
        self._records = records_in(self._file, offset)
        self._record, self._next = b"", offset

    def GetNext(self, status: TF_Status | None = None) -> None:
        """Go to the next record.

        Raises:
            OutOfRangeError: there is none (without a status).
        """
        found = _noted(status, next, self._records, None)
        if found is None and (status is None or status.code == errors.OK):
            end = errors.OutOfRangeError(None, None, "eof")
            if status is None:
                raise end
            TF_SetStatus(status, end.error_code, end.message)
        self._record = found[1] if found else b""
        if found:
            self._next = found[0] + len(found[1]) + _FRAME

    def record(self) -> bytes:
        """The record."""
        return self._record

    def offset(self) -> int:
        """Where the next one begins."""
        return self._next

    def Close(self) -> None:
        """Close the file."""
        self._file.close()


def PyRecordReader_New(
    filename: Any, start_offset: int = 0, compression_type_string: Any = "",
    status: TF_Status | None = None,
) -> PyRecordReader | None:  # fmt: skip
    """A reader of a TFRecord file from a place on; None if the status has an error."""
    names = (os.fsdecode(n) for n in (filename, compression_type_string))
    path, compression = names
    return _noted(status, PyRecordReader, path, start_offset, compression)


class PyRecordWriter:
    """Writes records to a file; see PyRecordWriter_New."""

    def __init__(self, path: str, options: Any) -> None:
        self._writer = TFRecordWriter(path, options)

    def WriteRecord(self, record: bytes, status: TF_Status | None = None) -> None:
        """Append a record."""
        _noted(status, self._writer.write, record)

    def Flush(self, status: TF_Status | None = None) -> None:
        """Hand what was written to the system."""
        _noted(status, self._writer.flush)

    def Close(self, status: TF_Status | None = None) -> None:
        """Finish the file."""
        _noted(status, self._writer.close)


def PyRecordWriter_New(
    filename: Any, options: Any = None, status: TF_Status | None = None
) -> PyRecordWriter | None:
    """A writer of a TFRecord file; None if the status has an error."""
    return _noted(status, PyRecordWriter, os.fsdecode(filename), options)


def RecordWriterOptions_CreateRecordWriterOptions(compression_type_string: Any) -> Any:
    """Options of a PyRecordWriter: "", "ZLIB" or "GZIP"."""
    kinds_of = {v: k for k, v in TFRecordOptions.compression_type_map.items()}
    return TFRecordOptions(kinds_of[os.fsdecode(compression_type_string)])
