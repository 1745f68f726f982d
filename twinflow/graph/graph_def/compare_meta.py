"""What tells two MetaGraphDefs apart, for tests."""

from typing import Any

from twinflow.formats import protos
from twinflow.graph.graph_def.compare import assert_equal_graph_def
from twinflow.graph.graph_def.proto_functions import get_collection_proto_type


def assert_meta_graph_protos_equal(tester: Any, a: Any, b: Any) -> None:
    """Two MetaGraphDefs say the same, whatever the order of their nodes and maps.

    Args:
        tester: a TestCase. a, b: MetaGraphDefs.
    Raises:
        AssertionError: they differ.
    """
    tester.assertEqual(set(a.collection_def), set(b.collection_def))
    for key in a.collection_def:
        found = [_members(m.collection_def[key], key) for m in (a, b)]
        tester.assertEqual(*found)
    assert_equal_graph_def(a.graph_def, b.graph_def, checkpoint_v2=True)
    tester.assertEqual(_rest(a), _rest(b))


def _members(collection: Any, key: str) -> Any:
    """What a collection holds: messages where they are of a known class."""
    kind, listed = get_collection_proto_type(key), collection.bytes_list.value
    return [kind.FromString(v) for v in listed] if kind and listed else collection


def _rest(meta_graph: Any) -> Any:
    """A MetaGraphDef without its collections and nodes."""
    found = protos.MetaGraphDef()
    found.CopyFrom(meta_graph)
    found.ClearField("collection_def")
    found.ClearField("graph_def")
    found.graph_def.versions.CopyFrom(meta_graph.graph_def.versions)
    return found
