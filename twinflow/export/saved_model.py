"""SavedModels: graphs with signatures, beside the values of their variables."""

import contextlib
import os
from typing import Any

from google.protobuf import any_pb2, message, text_format

from twinflow.base import files, logging
from twinflow.base.annotations import Path
from twinflow.base.damage import UnreadableFile, cause, reported
from twinflow.base.dispatch import current_mode
from twinflow.base.errors import UsageError
from twinflow.base.text import as_bytes, as_str_any, path_to_str
from twinflow.checkpoint.saver import Saver
from twinflow.checkpoint.state import checkpoint_exists
from twinflow.export import constants, signature_constants, tag_constants
from twinflow.export.signatures import predict_signature_def
from twinflow.formats.protos import AssetFileDef, MetaGraphDef, SavedModel
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph_def.meta_export import create_meta_graph_def
from twinflow.graph.scopes import add_to_collection, group
from twinflow.ops.tables.initialized import tables_initializer
from twinflow.ops.variables.collections import (
    get_collection,
    global_variables_initializer,
    local_variables_initializer,
)
from twinflow.train.meta_graph import import_meta_graph


def main_op():
    """An op that initialises variables and tables, as the main op of a SavedModel."""
    return group(
        global_variables_initializer(), local_variables_initializer(),
        tables_initializer(),
    )  # fmt: skip


def main_op_with_restore(restore_op_name: Any) -> Any:
    """As `main_op`, after the op of this name."""
    graph = get_default_graph()
    with graph.control_dependencies([main_op()]):
        restore = graph.get_operation_by_name(restore_op_name)
        return group(restore)


class SavedModelBuilder:
    """Writes a SavedModel.

    Args:
        export_dir: a folder that is not there yet, or empty.
    Raises:
        AssertionError: something is in it.
    Example:
        x = tf.placeholder(tf.float32, [None])
        sig = tf.saved_model.signature_def_utils.predict_signature_def(
            {"x": x}, {"y": x * 2.})
        builder = tf.saved_model.builder.SavedModelBuilder("./export")
        with tf.Session() as sess:
            builder.add_meta_graph_and_variables(
                sess, ["serve"], {"serving_default": sig})
        builder.save()
    """

    def __init__(self, export_dir: Path) -> None:
        self._export_dir = as_str_any(path_to_str(export_dir))
        if files.Exists(self._export_dir) and files.ListDirectory(self._export_dir):
            raise UsageError(
                "Export directory already exists. Please specify a different export "
                f"directory: {export_dir}"
            )
        files.MakeDirs(self._export_dir)
        self._saved_model = SavedModel(
            saved_model_schema_version=constants.SAVED_MODEL_SCHEMA_VERSION
        )
        self._has_saved_variables = False

    def add_meta_graph_and_variables(
        self, sess: Any, tags: Any, signature_def_map: Any = None,
        assets_collection: Any = None, legacy_init_op: Any = None,
        clear_devices: bool = False, main_op: Any = None,
        strip_default_attrs: bool = False, saver: Any = None,
    ) -> None:  # fmt: skip
        """Add the current graph, and write the values of its variables.

        Args:
            sess: the Session with the values. tags: what the graph is for.
            signature_def_map: dict from names to SignatureDefs.
            assets_collection: tensors of paths, whose files are copied.
            legacy_init_op, main_op: one of them, run when it is loaded.
            clear_devices: forget the devices. strip_default_attrs: leave defaults out.
            saver: the Saver; one of all variables by default.
        Raises:
            AssertionError: there are values already; for further graphs there is
                `add_meta_graph`.
        """
        if self._has_saved_variables:
            raise UsageError(
                "Graph state including variables and assets has already been saved. "
                "Please invoke `add_meta_graph()` instead."
            )
        saver = self._prepared(assets_collection, legacy_init_op, main_op, saver)
        folder = os.path.join(self._export_dir, constants.VARIABLES_DIRECTORY)
        files.MakeDirs(folder)
        saver.save(
            sess, os.path.join(folder, constants.VARIABLES_FILENAME),
            write_meta_graph=False, write_state=False,
        )  # fmt: skip
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)
        self._has_saved_variables = True

    def add_meta_graph(
        self, tags: Any, signature_def_map: Any = None, assets_collection: Any = None,
        legacy_init_op: Any = None, clear_devices: Any = False, main_op: Any = None,
        strip_default_attrs: Any = False, saver: Any = None,
    ) -> None:  # fmt: skip
        """Add the current graph, for the same values; arguments as above.

        Raises:
            AssertionError: there are no values yet.
        """
        if not self._has_saved_variables:
            raise UsageError(
                "Graph state including variables and assets has not been saved yet. "
                "Please invoke `add_meta_graph_and_variables()` first."
            )
        saver = self._prepared(assets_collection, legacy_init_op, main_op, saver)
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)

    def _prepared(self, assets, legacy_init_op, main_op, saver):
        if legacy_init_op is not None and main_op is not None:
            raise ValueError("Only one of legacy_init_op and main_op may be given")
        self._copy_assets(assets)
        for key, op in (
            (constants.MAIN_OP_KEY, main_op),
            (constants.LEGACY_INIT_OP_KEY, legacy_init_op),
        ):
            if op is not None:
                add_to_collection(key, op)
        return saver or Saver(sharded=True, allow_empty=True)

    def _copy_assets(self, tensors):
        """Copy the files that constants name, and note them in the graph."""
        for tensor in tensors or []:
            value = tensor.op.attrs.get("value") if tensor.op.type == "Const" else None
            if value is None:
                raise ValueError(f"Invalid asset tensor {tensor}: expected a constant")
            source = as_str_any(value.item() if hasattr(value, "item") else value)
            name = os.path.basename(source)
            folder = os.path.join(self._export_dir, constants.ASSETS_DIRECTORY)
            files.MakeDirs(folder)
            target = os.path.join(folder, name)
            if not files.Exists(target):
                files.Copy(source, target)
            info = AssetFileDef(filename=name)
            info.tensor_info.name = tensor.name
            packed = any_pb2.Any()
            packed.Pack(info)
            add_to_collection(constants.ASSETS_KEY, packed)

    def _add(self, saver, tags, signatures, clear_devices, strip_default_attrs):
        meta = create_meta_graph_def(
            graph_def=get_default_graph().as_graph_def(add_shapes=True),
            saver_def=saver.saver_def, strip_default_attrs=strip_default_attrs,
        )  # fmt: skip
        if clear_devices:
            for node in meta.graph_def.node:
                node.device = ""
        meta.meta_info_def.tags.extend(tags)
        for key, signature in (signatures or {}).items():
            meta.signature_def[key].CopyFrom(signature)
        self._saved_model.meta_graphs.add().CopyFrom(meta)

    def save(self, as_text: bool = False) -> bytes:
        """Write what was added; returns the path of the file, bytes."""
        if as_text:
            name = constants.SAVED_MODEL_FILENAME_PBTXT
            data = text_format.MessageToString(self._saved_model)
        else:
            name = constants.SAVED_MODEL_FILENAME_PB
            data = self._saved_model.SerializeToString()
        path = os.path.join(self._export_dir, name)
        files.atomic_write_string_to_file(path, data)
        logging.info("SavedModel written to: %s", path)
        return as_bytes(path)


def simple_save(
    session: Any, export_dir: Path, inputs: Any, outputs: Any,
    legacy_init_op: Any = None,
) -> None:  # fmt: skip
    """Write the current graph for serving.

    Args:
        session: the Session with the values. export_dir: a folder to be made.
        inputs, outputs: dicts from names to tensors.
        legacy_init_op: run when it is loaded.
    Example:
        x = tf.placeholder(tf.float32, [None])
        with tf.Session() as sess:
            tf.saved_model.simple_save(sess, "./export", {"x": x}, {"y": x * 2.})
    """
    key = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    signatures = {key: predict_signature_def(inputs, outputs)}
    builder = SavedModelBuilder(export_dir)
    with removed_on_error(as_str_any(path_to_str(export_dir))):
        builder.add_meta_graph_and_variables(
            session, [tag_constants.SERVING], signatures,
            legacy_init_op=legacy_init_op, clear_devices=True,
        )  # fmt: skip
        builder.save()


@contextlib.contextmanager
def removed_on_error(folder):
    """A block that fills a folder; where it fails, the folder goes."""
    try:
        yield
    except BaseException:
        files.DeleteRecursively(folder)
        raise


# ---------------------------------------------------------------------- loading
def maybe_saved_model_directory(export_dir: Path) -> bool:
    """Whether a folder holds a SavedModel."""
    return any(files.Exists(path) for path in _paths(export_dir))


def _paths(export_dir):
    return [
        os.path.join(as_str_any(path_to_str(export_dir)), name)
        for name in (
            constants.SAVED_MODEL_FILENAME_PB, constants.SAVED_MODEL_FILENAME_PBTXT
        )
    ]  # fmt: skip


def read_saved_model(export_dir):
    """The SavedModel of a folder.

    Raises:
        IOError: there is none, or it cannot be read.
    """
    binary, text = _paths(export_dir)
    path = binary if files.Exists(binary) else text
    try:
        if path == binary:
            return SavedModel.FromString(files.read_file_to_string(path, True))
        if files.Exists(text):
            return text_format.Parse(files.read_file_to_string(path), SavedModel())
    except (
        message.DecodeError, text_format.ParseError, UnicodeDecodeError, RecursionError
    ) as error:  # fmt: skip
        raise UnreadableFile(f"Cannot parse file {path}: {cause(error)}.") from error
    raise OSError(
        f"SavedModel file does not exist at: {export_dir}/"
        f"{{{constants.SAVED_MODEL_FILENAME_PBTXT}|"
        f"{constants.SAVED_MODEL_FILENAME_PB}}}"
    )


def load(
    sess: Any, tags: Any, export_dir: Path, import_scope: Any = None,
    **saver_kwargs: Any,
) -> Any:  # fmt: skip
    """Add a graph of a SavedModel to that of a session, and restore its variables.

    Args:
        sess: the Session. tags: all tags of the graph. export_dir: the folder.
        import_scope: a prefix of the names. saver_kwargs: of import_meta_graph.
    Returns:
        The MetaGraphDef; its `signature_def` says what it takes and gives.
    Raises:
        NoSuchTags (a RuntimeError): no graph has these tags. RuntimeError: eager mode.
        IOError: no SavedModel.
    Example:
        x = tf.placeholder(tf.float32, name="x")
        with tf.Session() as sess:
            tf.saved_model.simple_save(sess, "./export", {"x": x}, {"y": x * 2.})
        with tf.Session(graph=tf.Graph()) as sess:
            meta = tf.saved_model.loader.load(sess, ["serve"], "./export")
            meta.signature_def["serving_default"].inputs["x"].name  # "x:0"
    """
    if current_mode().eager:
        raise RuntimeError("tf.saved_model.loader.load needs a graph and its session")
    saved, folder = read_saved_model(export_dir), as_str_any(path_to_str(export_dir))
    path = next(filter(files.Exists, _paths(export_dir)))
    meta = _of_tags(saved, tags, path)
    with reported(path), sess.graph.as_default():
        saver = import_meta_graph(
            meta, import_scope=import_scope, clear_devices=False, **saver_kwargs
        )
        prefix = os.path.join(
            folder, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME
        )
        if saver is not None and checkpoint_exists(prefix):
            saver.restore(sess, prefix)
        else:
            logging.info("The specified SavedModel has no variables; no checkpoints "
                         "were restored.")  # fmt: skip
        for op in _main_ops(meta, import_scope):
            sess.run(op, _asset_feeds(meta, folder, import_scope))
    return meta


class NoSuchTags(RuntimeError, ValueError):
    """A SavedModel has no graph of the tags; TensorFlow raises a RuntimeError."""


def _of_tags(saved, tags, path):
    for meta in saved.meta_graphs:
        if set(meta.meta_info_def.tags) == set(tags):
            found = MetaGraphDef()
            found.CopyFrom(meta)
            return found
    texts = ", ".join(repr(tag) for tag in tags)
    known = [sorted(meta.meta_info_def.tags) for meta in saved.meta_graphs]
    error = NoSuchTags(
        f"MetaGraphDef associated with tags {texts} could not be found in SavedModel. "
        "To inspect available tag-sets in the SavedModel, please use the SavedModel "
        f"CLI: `saved_model_cli`. There are: {known}"
    )
    error.add_note(f"The SavedModel is {path}.")
    raise error


def _main_ops(meta, scope):
    for key in constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY:
        if key in meta.collection_def:
            return get_collection(key, scope)
    return []


def _asset_path(folder, name):
    """The path of a file that came along.

    Raises:
        ValueError: the name leads elsewhere.
    """
    top = os.path.join(folder, constants.ASSETS_DIRECTORY)
    path = os.path.normpath(os.path.join(top, name))
    if os.path.dirname(path) != os.path.normpath(top):
        raise ValueError(f"The asset {name!r} is not in the folder {top}")
    return path


def _asset_feeds(meta, folder, scope):
    """The paths of the files that came along, by the tensors that name them."""
    feeds = {}
    if constants.ASSETS_KEY in meta.collection_def:
        for item in meta.collection_def[constants.ASSETS_KEY].any_list.value:
            info = AssetFileDef()
            info.ParseFromString(item.value)
            name = info.tensor_info.name
            path = _asset_path(folder, info.filename)
            feeds[f"{scope}/{name}" if scope else name] = path
    return feeds
