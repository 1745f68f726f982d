"""The names of *_pb2 modules behind the door."""

import pytest

from twinflow.compat.door import resolve
from twinflow.formats import protos


@pytest.mark.parametrize(
    ("path", "name", "found"),
    [
        ("core.framework.graph_pb2", "GraphDef", protos.GraphDef),
        ("core.framework.node_def_pb2", "NodeDef", protos.NodeDef),
        ("core.protobuf.config_pb2", "ConfigProto", protos.ConfigProto),
        ("core.protobuf.meta_graph_pb2", "MetaGraphDef", protos.MetaGraphDef),
        ("core.example.example_pb2", "Example", protos.Example),
        ("core.util.event_pb2", "Event", protos.Event),
        ("core.framework.types_pb2", "DT_FLOAT", 1),
        ("core.lib.core.error_codes_pb2", "NOT_FOUND", 5),
    ],
)
def test_messages_and_values(path, name, found):
    assert resolve.is_module(path)
    assert resolve.attribute(path, name) == found


def test_what_is_not_there():
    assert resolve.attribute("core.framework.graph_pb2", "NoSuchMessage", None) is None
