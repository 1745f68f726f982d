"""MetaGraphDefs become parts of a graph, with their collections."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from google.protobuf import text_format
from google.protobuf.message import DecodeError

from twinflow.base import dispatch, files, logging
from twinflow.base.advice import advised
from twinflow.base.damage import UnreadableFile, cause
from twinflow.formats import protos
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.graph.graph_def.meta_export import export_scoped_meta_graph
from twinflow.graph.graph_def.proto_functions import (
    VARIABLE_COLLECTIONS,
    get_collection_proto_type,
    get_from_proto_function,
)
from twinflow.graph.graph_def.scoped_names import prepend_name_scope, strip_name_scope
from twinflow.ops.variables.collections import GraphKeys

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph


def read_meta_graph_file(filename: str) -> Any:
    """The MetaGraphDef in a file, binary or text.

    Raises:
        IOError: there is no such file, or it holds something else.
    """
    if not files.Exists(filename):
        raise advised(OSError, f"File {filename} does not exist.")
    content = files.read_file_to_string(filename, binary_mode=True)
    try:
        return protos.MetaGraphDef.FromString(content)
    except DecodeError:
        pass
    try:
        return text_format.Parse(content.decode("utf-8"), protos.MetaGraphDef())
    except (text_format.ParseError, UnicodeDecodeError, RecursionError) as error:
        text = f"Cannot parse file {filename}: {cause(error)}."
        raise UnreadableFile(text) from None


def import_scoped_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, graph: "Graph | None" = None,
    import_scope: str | None = None, input_map: Any = None,
    unbound_inputs_col_name: str = "unbound_inputs",
    restore_collections_predicate: Callable = lambda key: True,
) -> Any:  # fmt: skip
    """Add the nodes and collections of a MetaGraphDef; {name in it: variable}."""
    return import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file, clear_devices, graph, import_scope, input_map,
        unbound_inputs_col_name, restore_collections_predicate,
    )[0]  # fmt: skip


def copy_scoped_meta_graph(
    from_scope: str, to_scope: str, from_graph: Any = None, to_graph: Any = None
) -> dict:
    """Copy what is in one name scope to another; {name in it: new variable}.

    Args:
        from_scope, to_scope: the name scopes.
        from_graph, to_graph: their Graphs, by default the current one.
    Raises:
        ValueError: it is the same place.
    """
    from_graph = from_graph or get_default_graph()
    to_graph = to_graph or get_default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError(
            "'from_scope' and 'to_scope' need to be different when performing copy in "
            "the same graph."
        )
    meta, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return import_scoped_meta_graph(meta, graph=to_graph, import_scope=to_scope)


def import_scoped_meta_graph_with_return_elements(
    meta_graph_or_file: Any, clear_devices: bool = False, graph: "Graph | None" = None,
    import_scope: str | None = None, input_map: Any = None,
    unbound_inputs_col_name: str = "unbound_inputs",
    restore_collections_predicate: Callable = lambda key: True,
    return_elements: Any = None,
) -> tuple:  # fmt: skip
    """Add the nodes and collections of a MetaGraphDef to a graph.

    Args:
        meta_graph_or_file: the MetaGraphDef, or the name of a file that holds it.
        clear_devices: forget the devices. graph: the Graph, by default the current one.
        import_scope: a prefix of the names. input_map: see tf.import_graph_def.
        unbound_inputs_col_name: the collection of inputs that must be in `input_map`.
        restore_collections_predicate: from the name of a collection to whether to take
            it. return_elements: see tf.import_graph_def.
    Returns:
        ({name in the MetaGraphDef: variable}, the elements)
    Raises:
        ValueError: eager execution is enabled, or inputs are missing.
    """
    if dispatch.current_mode().eager:
        raise ValueError(
            "Exporting/importing meta graphs is not supported when eager execution is "
            "enabled."
        )
    meta = meta_graph_or_file
    if not isinstance(meta, protos.MetaGraphDef):
        meta = read_meta_graph_file(meta)
    _check_unbound(meta, unbound_inputs_col_name, input_map)
    graph = graph or get_default_graph()
    with graph.as_default():
        scope = graph.unique_name(import_scope or "", mark_as_used=False)
        elements = import_graph_def(
            _graph_def(meta, clear_devices), name=import_scope or scope,
            input_map=input_map, return_elements=return_elements,
            producer_op_list=_producer(meta),
        )  # fmt: skip
        made: dict = {}
        for key in _ordered(meta.collection_def):
            if key != unbound_inputs_col_name and restore_collections_predicate(key):
                _restore(graph, key, meta, scope, made)
    variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)
    return {strip_name_scope(v.name, scope): v for v in variables}, elements


def _producer(meta: Any) -> Any:
    info = meta.meta_info_def
    return info.stripped_op_list if info.HasField("stripped_op_list") else None


def _graph_def(meta: Any, clear_devices: bool) -> Any:
    if clear_devices:
        for node in meta.graph_def.node:
            node.device = ""
    return meta.graph_def


def _check_unbound(meta: Any, name: str, input_map: Any) -> None:
    if not name or name not in meta.collection_def:
        return
    col_def = meta.collection_def[name]
    values = getattr(col_def, col_def.WhichOneof("kind")).value
    names = [v.decode() if isinstance(v, bytes) else v for v in values]
    if names and (not input_map or sorted(names) != sorted(input_map)):
        missing = [n for n in names if not input_map or n not in input_map]
        raise ValueError(
            f"Graph contains unbound inputs: {','.join(missing)}. Must provide these "
            "inputs through input_map."
        )


def _ordered(collections: Any) -> list[str]:
    """Trainable variables come first: others of the same variables follow them."""
    first = GraphKeys.TRAINABLE_VARIABLES
    return sorted(collections, key=lambda key: (key != first, key))


def _restore(graph: Any, key: str, meta: Any, scope: Any, made: dict) -> None:
    """Add the members of a collection; `made` has the variables made so far."""
    col_def = meta.collection_def[key]
    kind = col_def.WhichOneof("kind")
    if kind is None:
        logging.error("Cannot identify data type for collection %s. Skipping.", key)
        return
    values = getattr(col_def, kind).value
    from_proto = get_from_proto_function(key)
    if from_proto and kind == "bytes_list":
        for value in values:
            member = made.get(value)
            if member is None:
                member = from_proto(_message(key, value, meta), import_scope=scope)
            if key in VARIABLE_COLLECTIONS:
                made[value] = member
            graph.add_to_collection(key, member)
        return
    for value in values:
        if kind == "node_list":
            value = graph.as_graph_element(prepend_name_scope(value, scope))
        elif kind == "bytes_list":
            value = prepend_name_scope(value, scope)
        graph.add_to_collection(key, value)


def _message(key: Any, value: Any, meta: Any) -> Any:
    proto = get_collection_proto_type(key).FromString(value)
    version = meta.meta_info_def.tensorflow_version.split(".")[:2]
    numbers = [int(n) for n in version if n.isdigit()]
    if key in VARIABLE_COLLECTIONS and numbers and numbers < [1, 9]:
        proto.trainable = key == GraphKeys.TRAINABLE_VARIABLES  # not written then
    return proto
