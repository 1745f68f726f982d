"""Graphs with their collections as MetaGraphDefs."""

import re
from typing import Any

from google.protobuf import any_pb2

from twinflow.base import dispatch, logging, stores
from twinflow.base.op_defs import NO_DEFAULT
from twinflow.base.op_lookup import known_op
from twinflow.base.text import as_bytes
from twinflow.base.versions import GIT_VERSION, VERSION
from twinflow.formats import protos
from twinflow.formats.attr_values import op_def_proto, to_proto
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.files import write_message
from twinflow.graph.graph_def.own import op_def
from twinflow.graph.graph_def.proto_functions import (
    get_collection_proto_type,
    get_from_proto_function,
    get_to_proto_function,
)
from twinflow.graph.graph_def.scoped_names import strip_name_scope
from twinflow.ops.variables.collections import GraphKeys

UNBOUND = "$unbound_inputs_"


def export_scoped_meta_graph(
    filename: str | None = None, graph_def: Any = None, graph: Graph | None = None,
    export_scope: str | None = None, as_text: bool = False,
    unbound_inputs_col_name: str = "unbound_inputs", clear_devices: bool = False,
    saver_def: Any = None, clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False, **kwargs: Any,
) -> tuple:  # fmt: skip
    """A graph, or what is in one of its name scopes, as a MetaGraphDef.

    Args:
        filename: where to write it; None = nowhere. as_text: as text.
        graph_def: a GraphDef to take in place of that of `graph` (the default one).
        export_scope: the name scope, which is left out of the names.
        unbound_inputs_col_name: the collection for inputs from outside the scope.
        clear_devices: leave out the devices. saver_def: the SaverDef to add.
        clear_extraneous_savers: leave out the nodes of other savers.
        strip_default_attrs: leave out attributes that have their default.
        kwargs: see `create_meta_graph_def`.
    Returns:
        (the MetaGraphDef, {name in the scope: variable})
    Raises:
        ValueError: eager execution is enabled.
    """
    if dispatch.current_mode().eager:
        raise ValueError(
            "Exporting/importing meta graphs is not supported when Eager Execution is "
            "enabled."
        )
    graph = graph or get_default_graph()
    skip: set = set()
    if clear_extraneous_savers:
        skip = _extraneous(graph_def or graph.as_graph_def(), saver_def)
    if export_scope or clear_extraneous_savers or clear_devices:
        whole = graph_def or graph.as_graph_def(add_shapes=True)
        graph_def, unbound = _cut(whole, export_scope, skip, clear_devices)
        if unbound_inputs_col_name:
            graph.clear_collection(unbound_inputs_col_name)
            for name in unbound:
                graph.add_to_collection(unbound_inputs_col_name, name)
    variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=export_scope)
    var_list = {
        strip_name_scope(v.name, export_scope): v
        for v in variables
        if _included(v, export_scope, skip)
    }
    found = create_meta_graph_def(
        graph_def=graph_def, graph=graph, export_scope=export_scope,
        exclude_nodes=skip, saver_def=saver_def,
        clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs, **kwargs,
    )  # fmt: skip
    if filename:
        _write(found, filename, as_text)
    return found, var_list


def _write(proto: Any, filename: str, as_text: bool) -> None:
    folder = stores.dirname(filename)
    if folder:
        stores.makedirs(folder)
    write_message(proto, filename, as_text)


def _cut(whole: Any, scope: Any, skip: set, clear_devices: bool) -> tuple:
    """(the nodes of a scope, the inputs that they take from outside)"""
    out = protos.GraphDef()
    unbound: list = []
    out.versions.CopyFrom(whole.versions)
    out.library.CopyFrom(whole.library)
    for node in whole.node:
        if _included(node.name, scope, skip):
            new = out.node.add()
            new.CopyFrom(node)
            _strip(new, scope, unbound)
            if clear_devices:
                new.device = ""
    return out, unbound


def _strip(node: Any, scope: str, unbound: list) -> None:
    """Take the scope out of the names in a NodeDef."""
    node.name = strip_name_scope(node.name, scope)
    for i, text in enumerate(node.input):
        if scope and not text.lstrip("^").startswith(scope):
            node.input[i] = re.sub(r"([\^]|^)(.*)", rf"\1{UNBOUND}\2", text, count=1)
            unbound.append(node.input[i])
        else:
            node.input[i] = strip_name_scope(text, scope)
    if "_class" in node.attr:
        groups = [s.decode() for s in node.attr["_class"].list.s]
        inside = [
            strip_name_scope(s, scope)
            for s in groups
            if not scope or s.partition("@")[2].startswith(scope)
        ]
        node.attr["_class"].CopyFrom(to_proto(inside, "list(string)"))
    if node.op in ("Enter", "RefEnter"):
        frame = node.attr["frame_name"]
        frame.s = as_bytes(strip_name_scope(frame.s.decode(), scope))


def _included(item: Any, scope: Any, skip: Any) -> bool:
    """Whether a node, or a member of a collection, is exported."""
    name = item if isinstance(item, str | bytes) else getattr(item, "name", None)
    if not isinstance(name, str):
        return True
    if name in skip:
        return False
    return name.startswith(UNBOUND) or not scope or name.startswith(scope)


def _extraneous(graph_def: Any, saver_def: Any) -> set:
    """The names of nodes that only other savers than `saver_def` need."""
    nodes = {n.name: n for n in graph_def.node}
    users: dict = {}
    for n in graph_def.node:
        for text in n.input:
            users.setdefault(_node(text), []).append(n.name)
    save_ops = ("SaveV2", "Save", "SaveSlices", "RestoreV2", "Restore", "RestoreSlice")
    savers = {n.name for n in graph_def.node if n.op in save_ops}
    scopes = {name.rpartition("/")[0] for name in savers} - {""}
    own = saver_def.save_tensor_name.partition("/")[0] if saver_def else None
    return {
        name
        for name in nodes
        if any(name.startswith(s + "/") for s in scopes)
        and (own is None or not name.startswith(own + "/"))
    }


def _node(text: str) -> Any:
    return text.removeprefix("^").partition(":")[0]


def create_meta_graph_def(
    meta_info_def: Any = None, graph_def: Any = None, saver_def: Any = None,
    collection_list: Any = None, graph: Graph | None = None, export_scope: Any = None,
    exclude_nodes: set | None = None, clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
) -> Any:  # fmt: skip
    """A MetaGraphDef from its parts; collections are those of `graph`.

    Raises:
        TypeError: `graph` is no Graph, or `graph_def` no GraphDef.
    """
    if graph and not isinstance(graph, Graph):
        raise TypeError("graph must be of type Graph, not %s", type(graph))
    if graph_def and not isinstance(graph_def, protos.GraphDef):
        raise TypeError("graph_def must be of type GraphDef, not %s", type(graph_def))
    graph = graph or get_default_graph()
    out = protos.MetaGraphDef()
    if meta_info_def:
        out.meta_info_def.CopyFrom(meta_info_def)
    info = out.meta_info_def
    info.tensorflow_version, info.tensorflow_git_version = VERSION, GIT_VERSION
    out.graph_def.CopyFrom(graph_def or graph.as_graph_def(add_shapes=True))
    if not info.stripped_op_list.op:
        info.stripped_op_list.CopyFrom(stripped_op_list_for_graph(out.graph_def))
    if strip_default_attrs:
        _strip_defaults(out)
    if saver_def:
        out.saver_def.CopyFrom(saver_def)
    keys = collection_list
    for key in graph.get_all_collection_keys() if keys is None else keys:
        members = None
        if clear_extraneous_savers and key == GraphKeys.SAVERS:
            members = [get_from_proto_function(key)(saver_def)]
        _add_collection(out, key, graph, export_scope, exclude_nodes or (), members)
    return out


def ops_used_by_graph_def(graph_def: Any) -> set[str]:
    """The types of the ops of a GraphDef and its functions.

    Args:
        graph_def: the GraphDef.
    Example:
        with tf.Graph().as_default() as graph:
            tf.constant(1.0) + 2.0
        sorted(tf.contrib.util.ops_used_by_graph_def(graph.as_graph_def()))
        # ["Add", "Const"]
    """
    functions = {f.signature.name for f in graph_def.library.function}
    used = {n.op for n in graph_def.node}
    for f in graph_def.library.function:
        used.update(n.op for n in f.node_def)
    return used - functions


def stripped_op_list_for_graph(graph_def: Any) -> Any:
    """The OpList of the ops that a GraphDef uses.

    Raises:
        ValueError: one of them is not registered.
    """
    ops = protos.OpList()
    for kind in sorted(ops_used_by_graph_def(graph_def)):
        op = known_op(kind)
        if op is None:
            raise ValueError(f"Op {kind} is used by the graph, but is not registered")
        ops.op.append(op_def_proto(op_def(op)))
    return ops


def _strip_defaults(meta_graph_def: Any) -> None:
    functions = meta_graph_def.graph_def.library.function
    inner = [node for f in functions for node in f.node_def]
    for node in (*meta_graph_def.graph_def.node, *inner):
        op = known_op(node.op)
        for attr in op_def(op).attrs.values() if op else ():
            if attr.name not in node.attr or attr.default is NO_DEFAULT:
                continue
            if node.attr[attr.name] == to_proto(attr.default, attr.type):
                del node.attr[attr.name]
    meta_graph_def.meta_info_def.stripped_default_attrs = True


def add_collection_def(
    meta_graph_def: Any, key: Any, graph: Any = None, export_scope: Any = None,
    exclude_nodes: Any = None, override_contents: Any = None,
) -> None:  # fmt: skip
    """Put a collection into a MetaGraphDef.

    Args:
        meta_graph_def: the MetaGraphDef. key: the collection; others than strings are
            left out. graph: the Graph of it. export_scope, exclude_nodes: see above.
        override_contents: the members, in place of those in the graph.
    """
    if not isinstance(key, str | bytes):
        logging.warning(
            "Only collections with string type keys will be serialized. This key has "
            "%s", type(key),
        )  # fmt: skip
        return
    _add_collection(
        meta_graph_def, key, graph or get_default_graph(), export_scope,
        exclude_nodes or (), override_contents,
    )  # fmt: skip


def _add_collection(
    out: Any, key: Any, graph: Graph, scope: Any, skip: Any, members: Any = None
) -> None:
    """Put a collection into a MetaGraphDef, if its members can be written."""
    if members is None:
        members = graph.get_collection(key)
    members = [m for m in members if _included(m, scope, skip)]
    if not members:
        return
    try:
        _fill(out.collection_def[key], key, members, scope)
    except Exception as error:
        logging.warning(
            "Issue encountered when serializing %s.\nType is unsupported, or the types "
            "of the items don't match field type in CollectionDef. Note this is a "
            "warning and probably safe to ignore.\n%s", key, error,
        )  # fmt: skip
        del out.collection_def[key]


def _check_proto(key: str, proto: Any) -> None:
    """Refuse what a `to_proto` function gave if it is not what was registered."""
    wanted = get_collection_proto_type(key)
    if not isinstance(proto, wanted):
        raise RuntimeError(
            f"The to_proto function of the collection {key!r} gave a {type(proto)}, "
            f"but {wanted} is registered for it"
        )


def _fill(col_def: Any, key: str, members: list, scope: Any) -> None:
    to_proto_function = get_to_proto_function(key)
    if to_proto_function:
        for m in members:
            proto = to_proto_function(m, export_scope=scope)
            if proto:
                _check_proto(key, proto)
                col_def.bytes_list.value.append(proto.SerializeToString())
        return
    kind = _kind(members[0])
    values = getattr(col_def, kind).value
    if kind == "node_list":
        inside = [m.name for m in members if not scope or m.name.startswith(scope)]
        values.extend(strip_name_scope(name, scope) for name in inside)
    elif kind == "bytes_list":
        values.extend(map(as_bytes, members))
    elif kind == "any_list":  # the class of another pool
        for m in members:
            values.add(type_url=m.type_url, value=m.value)
    else:
        values.extend(members)


def _kind(item: Any) -> str:
    if isinstance(item, str | bytes):
        return "bytes_list"
    if isinstance(item, int):
        return "int64_list"
    if isinstance(item, float):
        return "float_list"
    return "any_list" if isinstance(item, any_pb2.Any) else "node_list"
