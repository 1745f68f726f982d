"""tf.train.export_meta_graph and import_meta_graph."""

from typing import Any

from twinflow.base import dispatch, logging
from twinflow.base.annotations import Path
from twinflow.base.damage import reported
from twinflow.base.text import as_str_any, path_to_str
from twinflow.checkpoint.saver import Saver
from twinflow.formats import protos
from twinflow.graph.graph_def import meta_export, meta_import
from twinflow.ops.variables import kinds  # noqa: F401 - the classes of variables
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.train import queue_runner  # noqa: F401 - reads its collection


def export_meta_graph(
    filename: Path | None = None, meta_info_def: Any = None, graph_def: Any = None,
    saver_def: Any = None, collection_list: Any = None, as_text: bool = False,
    graph: Any = None, export_scope: Any = None, clear_devices: bool = False,
    clear_extraneous_savers: bool = False, strip_default_attrs: bool = False,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """A graph with its collections as a MetaGraphDef.

    Args:
        filename: where to write it; None = nowhere. as_text: as text.
        meta_info_def: a MetaInfoDef to add. saver_def: the SaverDef of a Saver.
        graph_def: a GraphDef to take in place of that of `graph` (the default one).
        collection_list: the names of the collections; all by default.
        export_scope: only what is in this name scope, which is left out of the names.
        clear_devices: leave out the devices.
        clear_extraneous_savers: leave out the nodes of other savers.
        strip_default_attrs: leave out attributes that have their default.
    Returns:
        The MetaGraphDef.
    Raises:
        RuntimeError: eager execution is enabled.
    Example:
        x = tf.placeholder(tf.float32, name="x")
        meta = tf.train.export_meta_graph("model.meta", clear_devices=True)
        meta.graph_def.node[0].name  # "x"
    """
    _refuse_eagerly()
    return meta_export.export_scoped_meta_graph(
        filename=filename, meta_info_def=meta_info_def, graph_def=graph_def,
        saver_def=saver_def, collection_list=collection_list, as_text=as_text,
        graph=graph, export_scope=export_scope, clear_devices=clear_devices,
        clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs, **kwargs,
    )[0]  # fmt: skip


def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: Any = None,
    **kwargs: Any,
) -> Saver:  # fmt: skip
    """Make the graph of a MetaGraphDef anew in the current one.

    Args:
        meta_graph_or_file: the MetaGraphDef, or the file that holds it.
        clear_devices: forget the devices. import_scope: a prefix of the names.
        kwargs: `input_map` and others of tf.import_graph_def.
    Returns:
        A Saver for its variables; None if there is nothing to save.
    Raises:
        RuntimeError: eager execution is enabled. IOError: the file cannot be read.
    Example:
        w = tf.get_variable("w", initializer=3.0)
        sess = tf.Session()
        sess.run(w.initializer)
        path = tf.train.Saver().save(sess, "./model")
        sess = tf.Session(graph=tf.Graph())
        with sess.graph.as_default():
            tf.train.import_meta_graph("model.meta").restore(sess, path)
        sess.run("w:0")  # 3.0
    """
    return import_meta_graph_with_return_elements(
        meta_graph_or_file, clear_devices, import_scope, None, **kwargs
    )[0]


def import_meta_graph_with_return_elements(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: Any = None,
    return_elements: Any = None, **kwargs: Any,
) -> tuple:  # fmt: skip
    """As import_meta_graph: (the Saver or None, the return_elements)"""
    _refuse_eagerly()
    meta, elements = meta_graph_or_file, return_elements
    if not isinstance(meta, protos.MetaGraphDef):
        path, meta = meta, meta_import.read_meta_graph_file(meta)
        with reported(as_str_any(path_to_str(path))):
            return _imported(meta, clear_devices, import_scope, elements, **kwargs)
    return _imported(meta, clear_devices, import_scope, elements, **kwargs)


def _imported(meta, clear_devices, import_scope, elements, **kwargs):
    found, elements = meta_import.import_scoped_meta_graph_with_return_elements(
        meta, clear_devices, import_scope=import_scope, return_elements=elements,
        **kwargs,
    )  # fmt: skip
    return _saver(meta, import_scope, found), elements


def _saver(meta, scope, variables):
    if meta.HasField("saver_def"):
        for key, variable in variables.items():
            scope = variable.name[: -len(key)]  # what was put before the names
            break
        return Saver(saver_def=meta.saver_def, name=scope and scope.rstrip("/"))
    keys = GraphKeys.GLOBAL_VARIABLES, GraphKeys.SAVEABLE_OBJECTS
    if any(get_collection(key, scope) for key in keys):
        return Saver()
    logging.info(
        "Saver not created because there are no variables in the graph to restore"
    )
    return None


def _refuse_eagerly():
    if dispatch.current_mode().eager:
        raise RuntimeError(
            "Exporting/importing meta graphs is not supported when eager execution is "
            "enabled. No graph exists when eager execution is enabled."
        )
