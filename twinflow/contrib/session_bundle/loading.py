"""Exported models, and SavedModels, loaded into sessions."""

import os
from typing import Any

from twinflow.base import files
from twinflow.base.text import as_text
from twinflow.contrib.session_bundle import constants
from twinflow.contrib.session_bundle.upgrading import add_signature_defs
from twinflow.execute.session import Session
from twinflow.export import loading, tag_constants
from twinflow.formats import protos
from twinflow.graph.defaults import reset_default_graph
from twinflow.train.meta_graph import import_meta_graph


def maybe_session_bundle_dir(export_dir: Any) -> bool:
    """Whether a folder may hold an export."""
    name = os.path.join(as_text(export_dir), constants.META_GRAPH_DEF_FILENAME)
    return files.Exists(name)


def load_session_bundle_from_path(
    export_dir: Any, target: str = "", config: Any = None, meta_graph_def: Any = None
) -> tuple[Any, ...]:
    """A session with an exported model, in a default graph of its own.

    Args:
        export_dir: its folder. target, config: of the session.
        meta_graph_def: in place of the one in the folder.
    Returns:
        The session and the MetaGraphDef.
    Raises:
        RuntimeError: a file is missing, or its collections are not those of an export.
    """
    folder = as_text(export_dir)
    meta = meta_graph_def or _meta_graph(folder)
    prefix = os.path.join(folder, constants.VARIABLES_FILENAME)
    there = [
        constants.VARIABLES_FILENAME, constants.VARIABLES_INDEX_FILENAME_V2,
        constants.VARIABLES_FILENAME_PATTERN, constants.VARIABLES_FILENAME_PATTERN_V2,
    ]  # fmt: skip
    if not any(files.Glob(os.path.join(folder, name)) for name in there):
        raise RuntimeError(f"No variable checkpoint files in {folder}.")
    collections = meta.collection_def
    if constants.GRAPH_KEY in collections:
        held = collections[constants.GRAPH_KEY].any_list.value
        if len(held) != 1:
            raise RuntimeError(
                "Expected exactly one serving GraphDef in : "
                f"{constants.GRAPH_KEY}, but found {len(held)}."
            )
        graph_def = protos.GraphDef()
        held[0].Unpack(graph_def)
        meta.graph_def.CopyFrom(graph_def)
    reset_default_graph()
    session = Session(target, graph=None, config=config)
    saver = import_meta_graph(meta)
    saver.restore(session, prefix)
    _initialize(session, meta, folder)
    return session, meta


def _meta_graph(folder: str) -> Any:
    name = os.path.join(folder, constants.META_GRAPH_DEF_FILENAME)
    if not files.Exists(name):
        raise RuntimeError(f"Expected meta graph file missing {name}")
    return protos.MetaGraphDef.FromString(files.FastGFile(name, "rb").read())


def _initialize(session: Any, meta: Any, folder: str) -> None:
    """Run the init_op, with the names of the assets in the folder."""
    collections, feeds = meta.collection_def, {}
    if constants.ASSETS_KEY in collections:
        for held in collections[constants.ASSETS_KEY].any_list.value:
            asset = constants.AssetFile()
            held.Unpack(asset)
            place = os.path.join(folder, constants.ASSETS_DIRECTORY, asset.filename)
            feeds[asset.tensor_binding.tensor_name] = place
    if constants.INIT_OP_KEY in collections:
        names = collections[constants.INIT_OP_KEY].node_list.value
        if len(names) != 1:
            raise RuntimeError(
                f"Expected exactly one serving init op in : {constants.INIT_OP_KEY}, "
                f"but found {len(names)}."
            )
        op = session.graph.get_operation_by_name(as_text(names[0]).partition(":")[0])
        session.run([op], feeds)


# ------------------------------------------------------------------------ SavedModels
def load_session_bundle_or_saved_model_bundle_from_path(
    export_dir: Any, tags: Any = None, target: str = "", config: Any = None
) -> tuple[Any, ...]:
    """A session with a model of either kind, in the default graph.

    Args:
        export_dir: its folder. tags: which MetaGraph of a SavedModel; that for serving
            by default. target, config: of the session.
    Returns:
        The session and the MetaGraphDef; that of an export has SignatureDefs, too.
    Raises:
        RuntimeError: the folder holds neither.
    """
    if loading.maybe_saved_model_directory(export_dir):
        session = Session(target, graph=None, config=config)
        wanted = tags if tags is not None else [tag_constants.SERVING]
        return session, loading.load(session, wanted, export_dir)
    if not maybe_session_bundle_dir(export_dir):
        raise RuntimeError(
            "SessionBundle or SavedModelBundle not found at specified export location: "
            f"{as_text(export_dir)}"
        )
    session, meta = load_session_bundle_from_path(export_dir, target, config)
    add_signature_defs(meta)
    return session, meta
