"""One dump: of which tensor it is, and when it was written."""

import os
import re
from typing import Any

from twinflow.tfdbg.dumps import names
from twinflow.tfdbg.dumps.event_values import load_tensor_from_event_file

_FILE = re.compile(
    r"(?P<node>.+)_(?P<slot>\d+)_(?P<op>[A-Za-z0-9]+)_(?P<time>\d+)(?P<again>-\d+)?$"
)


class DebugTensorDatum:
    """A dump in a file.

    Args:
        dump_root: the folder of all dumps. debug_dump_rel_path: the file below it.
    Raises:
        ValueError: the file is not named as dumps are.
    """

    def __init__(self, dump_root: str, debug_dump_rel_path: str) -> None:
        path = os.path.normpath(debug_dump_rel_path)
        device, _, inner = path.partition(os.sep)
        match = _FILE.fullmatch(os.path.basename(inner))
        if match is None:
            raise ValueError(
                "Dump file path does not conform to the naming pattern: "
                f"{os.path.basename(path)}"
            )
        self._device_name = names.device_path_to_device_name(device)
        self._node_name = os.path.join(os.path.dirname(inner), match["node"])
        self._output_slot = int(match["slot"])
        self._debug_op = match["op"]
        self._timestamp = int(match["time"])
        self._again = match["again"] or ""
        self._file_path = os.path.join(dump_root, debug_dump_rel_path)
        self._dump_size_bytes = (
            os.path.getsize(self._file_path)
            if os.path.isfile(self._file_path)
            else None
        )

    def __str__(self) -> str:
        return (
            f"{{DebugTensorDatum ({self.device_name}) {self.tensor_name} @ "
            f"{self.debug_op} @ {self.timestamp}}}"
        )

    __repr__ = __str__

    def get_tensor(self) -> Any:
        """The value: ndarray, or an InconvertibleTensorProto."""
        return load_tensor_from_event_file(self._file_path)

    @property
    def timestamp(self) -> int:
        """Microseconds since 1970."""
        return self._timestamp

    @property
    def extended_timestamp(self) -> str:
        """The time, with -1 and so on where a tensor was dumped again within it."""
        return f"{self._timestamp}{self._again}"

    @property
    def debug_op(self) -> str:
        return self._debug_op

    @property
    def device_name(self) -> str:
        return self._device_name

    @property
    def node_name(self) -> str:
        return self._node_name

    @property
    def output_slot(self) -> int:
        return self._output_slot

    @property
    def tensor_name(self) -> str:
        return names.tensor_name(self.node_name, self.output_slot)

    @property
    def watch_key(self) -> str:
        return names.watch_key(self.node_name, self.output_slot, self.debug_op)

    @property
    def file_path(self) -> str:
        return self._file_path

    @property
    def dump_size_bytes(self) -> int | None:
        return self._dump_size_bytes

    @property
    def order(self) -> tuple[int, int]:
        """What dumps are sorted by: their times."""
        return self._timestamp, int(self._again[1:] or 0)
