"""What an Event of a dump holds: a tensor, a graph, or facts about the run."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from twinflow.formats import tensor_proto
from twinflow.formats.protos import Event, GraphDef
from twinflow.tfdbg.dumps.values import InconvertibleTensorProto

_NO_ARRAYS = ("DT_RESOURCE", "DT_VARIANT")


class CoreMetadata(NamedTuple):
    """Facts about a run: its counters, and the names that it was fed and gave back."""

    global_step: int
    session_run_index: int
    executor_step_index: int
    input_names: list[str]
    output_names: list[str]
    target_nodes: list[str]


def read_event(path: str) -> Any:
    """The one Event of a file, which has no records."""
    event = Event()
    event.ParseFromString(Path(path).read_bytes())
    return event


def load_tensor_from_event_file(event_file_path: str) -> Any:
    """The value of a dump: see `load_tensor_from_event`."""
    return load_tensor_from_event(read_event(event_file_path))


def load_tensor_from_event(event: Any) -> Any:
    """The value in an Event.

    Returns:
        ndarray; InconvertibleTensorProto where the tensor has none.
    """
    proto = event.summary.value[0].tensor
    content = proto.tensor_content or any(
        field.name.endswith("_val") for field, _ in proto.ListFields()
    )
    kind = proto.DESCRIPTOR.fields_by_name["dtype"].enum_type
    name = kind.values_by_number[proto.dtype].name
    if name in _NO_ARRAYS:
        return InconvertibleTensorProto(proto)
    empty = any(dim.size == 0 for dim in proto.tensor_shape.dim)
    if not content and not empty:
        return InconvertibleTensorProto(proto, False)
    return tensor_proto.make_ndarray(proto)


def load_graph_def_from_event_file(event_file_path: str) -> Any:
    graph = GraphDef()
    graph.ParseFromString(read_event(event_file_path).graph_def)
    return graph


def load_log_message_from_event_file(event_file_path: str) -> str:
    return read_event(event_file_path).log_message.message


def grpc_path_of(event: Any) -> str:
    """The folder that the address of a server named, in the facts about a run."""
    return json.loads(event.log_message.message).get("grpc_path", "")


def extract_core_metadata_from_event_proto(event: Any) -> CoreMetadata:
    """The CoreMetadata in an Event, which are JSON there."""
    facts = json.loads(event.log_message.message)
    return CoreMetadata(*(facts[name] for name in CoreMetadata._fields))
