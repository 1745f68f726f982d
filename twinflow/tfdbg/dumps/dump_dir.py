"""The dumps of a run, or of several, below one folder."""

import glob
import os
import platform
import re
from collections.abc import Callable
from typing import Any

from twinflow.base import logging
from twinflow.tfdbg.dumps import event_values, names
from twinflow.tfdbg.dumps.datum import DebugTensorDatum
from twinflow.tfdbg.dumps.debug_graph import DebugGraph
from twinflow.tfdbg.dumps.graph_questions import GraphQuestions


class WatchKeyDoesNotExistInDebugDumpDirError(ValueError):
    """What is asked for was not dumped."""


def glob_files(pattern: str) -> list[str]:
    """The files of a pattern, in order; brackets of Windows' paths mean themselves."""
    if platform.system() == "Windows":
        pattern = pattern.replace("[", "[[]")
    return sorted(glob.glob(pattern))


def _one_or_all(found: list) -> Any:
    return found[0] if len(found) == 1 else found


class DebugDumpDir(GraphQuestions):
    """The dumps below a folder, and the graph of the run.

    Args:
        dump_root: the folder. partition_graphs: GraphDefs, of RunMetadata, for a run
            whose graph is not in the folder.
        validate: whether the dumps are compared with the graph.
    Raises:
        IOError: there is no such folder.
        ValueError: dumps and graph do not fit.
    """

    def __init__(
        self, dump_root: str, partition_graphs: Any = None, validate: bool = True
    ) -> None:
        if not os.path.isdir(dump_root):
            raise OSError(f"Dump root directory {dump_root} does not exist")
        self._dump_root = dump_root
        self._core_metadata: list = []
        self._run_fetches_info: list[str] = []
        self._run_feed_keys_info: list[str] = []
        self._python_graph: Any = None
        self._node_traceback: dict[str, Any] = {}
        self._device_names: list[str] = []
        self._data: dict[str, list[DebugTensorDatum]] = {}  # by device, in time
        self._graph_files: dict[str, list[str]] = {}
        self._debug_graphs: dict[str, DebugGraph] = {}
        self._partition_graphs: list[Any] = []
        self._load(partition_graphs, validate)

    # ------------------------------------------------------------------ loading
    def _load(self, partition_graphs: Any, validate: bool) -> None:
        start = names.METADATA_FILE_PREFIX
        folders = glob_files(
            os.path.join(self._dump_root, start + names.DEVICE_TAG + "*")
        )
        for folder in filter(os.path.isdir, folders):
            device = names.device_path_to_device_name(os.path.basename(folder))
            self._device_names.append(device)
            self._load_device(device, folder)
        self._t0 = min((d[0].timestamp for d in self._data.values() if d), default=None)
        self._load_facts()
        self._load_partition_graphs(partition_graphs, validate)
        self._watch_key_to_data: dict[str, dict[str, list[DebugTensorDatum]]] = {}
        for device, data in self._data.items():
            by_key: dict[str, list] = {}
            for datum in data:
                by_key.setdefault(datum.watch_key, []).append(datum)
            self._watch_key_to_data[device] = by_key

    def _load_device(self, device: str, folder: str) -> None:
        found, graphs = [], []
        for inner, _, file_names in os.walk(folder):
            for name in file_names:
                path = os.path.join(inner, name)
                if names.is_graph_file(name):
                    graphs.append(path)
                elif not name.startswith(names.METADATA_FILE_PREFIX):
                    relative = os.path.relpath(path, self._dump_root)
                    found.append(DebugTensorDatum(self._dump_root, relative))
        self._data[device] = sorted(found, key=lambda d: d.order)
        self._graph_files[device] = sorted(graphs)

    def _load_facts(self) -> None:
        """What the folder says of its runs, each sorted by time."""
        start = os.path.join(self._dump_root, names.METADATA_FILE_PREFIX)
        files = glob_files(start + names.CORE_METADATA_TAG + "*")
        events = map(event_values.read_event, files)
        extract = event_values.extract_core_metadata_from_event_proto
        self._core_metadata = list(map(extract, events))
        for tag, found in (
            (names.FETCHES_INFO_FILE_TAG, self._run_fetches_info),
            (names.FEED_KEYS_INFO_FILE_TAG, self._run_feed_keys_info),
        ):
            for path in glob_files(start + tag + "*"):
                found.append(event_values.load_log_message_from_event_file(path))

    def _load_partition_graphs(self, client_graphs: Any, validate: bool) -> None:
        """Take the graphs of the folder, or else those given."""
        by_device: list[tuple[str | None, Any]] = []
        for folder, files in self._graph_files.items():
            if files:
                load = event_values.load_graph_def_from_event_file
                by_device.append((folder, load(files[0])))
            elif client_graphs:
                logging.warn(
                    "Failed to load partition graphs for device %s from disk. As a "
                    "fallback, the client graphs will be used. This may cause "
                    "mismatches in device names.", folder,
                )  # fmt: skip
        if not by_device and client_graphs:
            by_device = [(None, graph) for graph in client_graphs]
        for device, graph in by_device:
            if device is None and len(self._device_names) == 1:
                device = self._device_names[0]
            one = DebugGraph(graph, device_name=device)
            self._debug_graphs[one.device_name] = one
            self._partition_graphs.append(graph)
        if validate:
            for name in self._debug_graphs:
                self._validate(name)

    def _validate(self, device: str) -> None:
        """Compare dumps with the graph: their nodes, and what came before what.

        Raises:
            ValueError: a node is not in the graph, or was dumped before its inputs.
        """
        graph, data = self._debug_graphs[device], self._data.get(device, [])
        watched: dict[tuple[str, int], int] = {}  # {tensor: its first time}
        for datum in data:
            if datum.node_name not in graph.node_inputs:
                raise ValueError(
                    f"Node name '{datum.node_name}' is not found in partition graphs "
                    f"of device {device}."
                )
            key = datum.node_name, datum.output_slot
            watched.setdefault(key, datum.timestamp)
        for datum in data:
            inputs = [
                (names.get_node_name(n), names.get_output_slot(n))
                for n in graph.node_inputs[datum.node_name]
            ]
            known = [key for key in inputs if key in watched]
            late = [key for key in known if watched[key] > datum.timestamp]
            merge = graph.node_op_types[datum.node_name] == "Merge"
            if late and (not merge or len(late) == len(known)):
                raise ValueError(
                    "Causality violated in timing relations of debug dumps: "
                    f"{datum.node_name} ({datum.timestamp}): these input(s) are not "
                    f"satisfied: {late}"
                )

    # ------------------------------------------------------------------ facts
    def set_python_graph(self, python_graph: Any) -> None:
        """Give the tf.Graph, which knows the lines that made its nodes."""
        self._python_graph = python_graph
        self._node_traceback = {}
        if python_graph is not None:
            operations = python_graph.get_operations()
            self._node_traceback = {op.name: op for op in operations}

    @property
    def python_graph(self) -> Any:
        return self._python_graph

    @property
    def core_metadata(self) -> Any:
        """The CoreMetadata of the run; a list of them for several, None for none."""
        return _one_or_all(self._core_metadata) if self._core_metadata else None

    @property
    def run_fetches_info(self) -> Any:
        """What the run fetched, as text; a list for several runs."""
        return _one_or_all(self._run_fetches_info)

    @property
    def run_feed_keys_info(self) -> Any:
        """What the run was fed, as text; a list for several runs."""
        return _one_or_all(self._run_feed_keys_info)

    @property
    def dumped_tensor_data(self) -> list[DebugTensorDatum]:
        """All dumps, in time."""
        if len(self._data) == 1:
            return next(iter(self._data.values()))
        return sorted((d for data in self._data.values() for d in data),
                      key=lambda d: d.order)  # fmt: skip

    @property
    def t0(self) -> int | None:
        """When the first dump was written, microseconds since 1970."""
        return self._t0

    @property
    def size(self) -> int:
        """The number of dumps."""
        return sum(map(len, self._data.values()))

    def node_traceback(self, element_name: str) -> list:
        """The lines that made a node, as traceback.extract_stack gives them.

        Raises:
            LookupError: no tf.Graph is known. KeyError: it has no such node.
        """
        if self._python_graph is None:
            raise LookupError("Python graph is not available for traceback lookup")
        name = names.get_node_name(element_name)
        if name not in self._node_traceback:
            raise KeyError(f'Cannot find node "{name}" in Python graph')
        return self._node_traceback[name].traceback

    # ------------------------------------------------------------------ dumps
    def debug_watch_keys(self, node_name: str, device_name: str | None = None) -> list:
        """The watch keys of a node.

        Raises:
            LookupError: no graph is known.
        """
        try:
            device = self._infer_device_name(device_name, node_name)
        except ValueError:
            return []
        keys = {
            d.watch_key: (d.output_slot, d.debug_op)
            for d in self._data.get(device, ())
            if d.node_name == node_name
        }
        graph = self._debug_graphs.get(device)
        for watched, slot, op in graph.watches if graph else ():
            if watched == node_name:
                keys[names.watch_key(watched, slot, op)] = slot, op
        return sorted(keys, key=lambda key: keys[key])

    def watch_key_to_data(
        self, debug_watch_key: str, device_name: str | None = None
    ) -> list[DebugTensorDatum]:
        """The dumps of a watch key, in time; [] for none.

        Raises:
            ValueError: several devices have it, and none was said.
        """
        having = [d for d, keys in self._watch_key_to_data.items()
                  if debug_watch_key in keys]  # fmt: skip
        if device_name is None:
            if len(having) > 1:
                raise ValueError(
                    f"The debug watch key '{debug_watch_key}' exists on multiple "
                    f"({len(having)}) devices, but device name is not specified."
                )
            device_name = having[0] if having else None
        elif device_name not in self._watch_key_to_data:
            raise ValueError(
                f"There is no device named '{device_name}' consisting of debug watch "
                "keys."
            )
        return self._watch_key_to_data.get(device_name or "", {}).get(
            debug_watch_key, []
        )

    def find(
        self,
        predicate: Callable,
        first_n: int = 0,
        device_name: str | None = None,
        exclude_node_names: str | None = None,
    ) -> list[DebugTensorDatum]:
        """The dumps that pass a filter, in time.

        Args:
            predicate: a function (datum, value) that returns bool.
            first_n: how many at most; 0 for all. device_name: None for all devices.
            exclude_node_names: a regular expression of nodes to pass over.
        """
        excluded = re.compile(exclude_node_names) if exclude_node_names else None
        devices = [device_name] if device_name else list(self._data)
        found: list[DebugTensorDatum] = []
        for device in devices:
            for datum in self._data[device]:
                if excluded and excluded.match(datum.node_name):
                    continue
                if predicate(datum, datum.get_tensor()):
                    found.append(datum)
                    if len(found) == first_n > 0:
                        return found
        return found

    def _dumps(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None
    ) -> list[DebugTensorDatum]:
        device = self._infer_device_name(device_name, node_name)
        key = names.watch_key(node_name, output_slot, debug_op)
        known = self._watch_key_to_data.get(device, {})
        if key not in known:
            raise WatchKeyDoesNotExistInDebugDumpDirError(
                f'Watch key "{key}" does not exist in the debug dump of device {device}'
            )
        return known[key]

    def get_tensor_file_paths(
        self, node_name: str, output_slot: int, debug_op: str,
        device_name: str | None = None,
    ) -> list[str]:  # fmt: skip
        """The files of the dumps of a tensor.

        Raises:
            WatchKeyDoesNotExistInDebugDumpDirError: there are none.
        """
        dumps = self._dumps(node_name, output_slot, debug_op, device_name)
        return [datum.file_path for datum in dumps]

    def get_tensors(
        self, node_name: str, output_slot: int, debug_op: str,
        device_name: str | None = None,
    ) -> list[Any]:  # fmt: skip
        """The values that were dumped of a tensor.

        Raises:
            WatchKeyDoesNotExistInDebugDumpDirError: there are none.
        """
        dumps = self._dumps(node_name, output_slot, debug_op, device_name)
        return [datum.get_tensor() for datum in dumps]

    def get_rel_timestamps(
        self, node_name: str, output_slot: int, debug_op: str,
        device_name: str | None = None,
    ) -> list[int]:  # fmt: skip
        """When a tensor was dumped, microseconds since `t0`.

        Raises:
            WatchKeyDoesNotExistInDebugDumpDirError: it was not.
        """
        dumps = self._dumps(node_name, output_slot, debug_op, device_name)
        return [datum.timestamp - (self._t0 or 0) for datum in dumps]

    def get_dump_sizes_bytes(
        self, node_name: str, output_slot: int, debug_op: str,
        device_name: str | None = None,
    ) -> list[int | None]:  # fmt: skip
        """The sizes of the files of a tensor's dumps.

        Raises:
            WatchKeyDoesNotExistInDebugDumpDirError: there are none.
        """
        dumps = self._dumps(node_name, output_slot, debug_op, device_name)
        return [datum.dump_size_bytes for datum in dumps]
