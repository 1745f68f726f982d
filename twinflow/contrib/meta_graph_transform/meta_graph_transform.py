"""meta_graph_transform: the transforms of a GraphDef, and what refers to its nodes."""

from collections.abc import Iterable
from typing import Any

from twinflow.base import logging
from twinflow.checkpoint.saver import Saver
from twinflow.execute.session import Session
from twinflow.export import constants
from twinflow.formats import protos
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.graph.graph_def.surgery import convert_variables_to_constants
from twinflow.transforms.tool import TransformGraph
from twinflow.transforms.wiring import by_name, name_of

_FREEZE = "freeze_graph"
_STARTS = (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY, "init_op")
_TABLES = "table_initializer"


def meta_graph_transform(
    base_meta_graph_def: Any, input_names: list[str], output_names: list[str],
    transforms: list[str], tags: Iterable[str], checkpoint_path: str | None = None,
) -> Any:  # fmt: skip
    """A MetaGraphDef whose graph went through the transforms of 1.12's tool.

    What starts a session (main_op, table initializers) stays. Collections, signatures
    and the saver keep what the nodes that are left have of them.

    Args:
        base_meta_graph_def: a MetaGraphDef.
        input_names, output_names: names of its nodes (or of tensors).
        transforms: texts such as "fold_constants", and "freeze_graph", which makes
            constants of the variables. tags: of the result.
        checkpoint_path: str, where frozen variables have their values; their
            initializers by default.
    Returns:
        A new MetaGraphDef.
    Raises:
        InvalidArgumentError: a text is none of a transform.
        UnimplementedError: it is one that only TensorFlow's own tool has.
    """
    meta = protos.MetaGraphDef()
    meta.CopyFrom(base_meta_graph_def)
    inputs, outputs = ([name_of(n) for n in x] for x in (input_names, output_names))
    starts = _starts(meta)
    kept = [*outputs, *starts]
    saver = meta.saver_def if meta.HasField("saver_def") else None
    graph_def = meta.graph_def
    for names in _runs(transforms):
        if names == [_FREEZE]:
            graph_def = _frozen(graph_def, kept, starts, saver, checkpoint_path)
            saver = None
            continue
        more = _of_saver(saver)
        graph_def = TransformGraph(graph_def, inputs, [*kept, *more], names)
    meta.graph_def.CopyFrom(graph_def)
    if saver is None or not set(_of_saver(saver)) <= by_name(graph_def).keys():
        meta.ClearField("saver_def")
    _prune(meta, set(by_name(graph_def)))
    meta.meta_info_def.ClearField("tags")
    meta.meta_info_def.tags.extend(tags)
    return meta


def _runs(transforms: list[str]) -> list[list[str]]:
    """The transforms, one after the other, in lists between those that freeze."""
    found: list[list[str]] = []
    for text in transforms:
        if text == _FREEZE or not found or found[-1] == [_FREEZE]:
            found.append([text])
        else:
            found[-1].append(text)
    return found


def _starts(meta: Any) -> list[str]:
    """The names of the nodes that start a session."""
    keys = [key for key in (*_STARTS, _TABLES) if key in meta.collection_def]
    lists = [meta.collection_def[key].node_list.value for key in keys]
    return list(dict.fromkeys(name_of(text) for names in lists for text in names))


def _of_saver(saver: Any) -> list[str]:
    if saver is None:
        return []
    names = saver.filename_tensor_name, saver.save_tensor_name, saver.restore_op_name
    return [name_of(n) for n in names if n]


def _frozen(
    graph_def: Any, outputs: list[str], starts: list[str], saver: Any, path: Any
) -> Any:
    """The GraphDef with the values of its variables."""
    with Graph().as_default() as graph:
        import_graph_def(graph_def, name="")
        with Session(graph=graph) as session:
            if saver is not None and path:
                session.run(saver.restore_op_name, {saver.filename_tensor_name: path})
            elif path:
                Saver().restore(session, path)
            else:
                session.run(starts)
            return convert_variables_to_constants(session, graph_def, outputs)


# ---------------------------------------------------------------------- what refers
def _prune(meta: Any, there: set[str]) -> None:
    """Leave out what refers to nodes that are gone."""
    for key in list(meta.collection_def):
        found = meta.collection_def[key]
        kind = found.WhichOneof("kind")
        if kind == "node_list":
            kept = [n for n in found.node_list.value if name_of(n) in there]
            found.node_list.value[:] = kept
        elif kind == "bytes_list":
            kept = [b for b in found.bytes_list.value if _mentions(b, there)]
            found.bytes_list.value[:] = kept
        else:
            continue
        if not kept:
            del meta.collection_def[key]
    for key in list(meta.signature_def):
        signature = meta.signature_def[key]
        tensors = [*signature.inputs.values(), *signature.outputs.values()]
        if any(t.name and name_of(t.name) not in there for t in tensors):
            logging.warning("The signature %s lost nodes, and is left out.", key)
            del meta.signature_def[key]


def _mentions(data: bytes, there: set[str]) -> bool:
    """Whether the nodes of a variable are there; other messages are kept."""
    try:
        found = protos.VariableDef.FromString(data)
    except Exception:  # DecodeError: of google.protobuf's own kind
        return True
    name = name_of(found.variable_name)
    return not name or name in there
