"""Reading SavedModels: all at once, or graph, values and first ops apart."""

import os
from typing import Any

from google.protobuf import message, text_format

from twinflow.base import files, logging, stores
from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.base.damage import UnreadableFile, cause, reported
from twinflow.base.dispatch import current_mode
from twinflow.base.text import as_str_any, path_to_str
from twinflow.checkpoint.state import checkpoint_exists
from twinflow.export import constants
from twinflow.export.folders import get_assets_dir, get_variables_path
from twinflow.formats.protos import AssetFileDef, MetaGraphDef, SavedModel
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.train.meta_graph import import_meta_graph_with_return_elements

_SAVED = GraphKeys.GLOBAL_VARIABLES, GraphKeys.SAVEABLE_OBJECTS


class SavedModelLoader:
    """Reads a SavedModel, in one step or in three: graph, values, first ops.

    Args:
        export_dir: the folder.
    Raises:
        IOError: there is none in it.
    """

    def __init__(self, export_dir: Path) -> None:
        self._export_dir = export_dir
        self._saved_model = read_saved_model(export_dir)

    @property
    def export_dir(self) -> Any:
        """The folder."""
        return self._export_dir

    @property
    def variables_path(self) -> str:
        """The prefix of the checkpoint in it."""
        return get_variables_path(self._export_dir)

    @property
    def saved_model(self) -> Any:
        """The SavedModel message."""
        return self._saved_model

    def get_meta_graph_def_from_tags(self, tags: Any) -> Any:
        """A copy of the MetaGraphDef that has just these tags.

        Raises:
            NoSuchTags (a RuntimeError): there is none.
        """
        return of_tags(self._saved_model, tags, self._path())

    def _path(self):
        return next(filter(files.Exists, _paths(self._export_dir)))

    def load_graph(
        self, graph: Any, tags: Any, import_scope: Any = None, **saver_kwargs: Any
    ) -> tuple:
        """Add a graph of the SavedModel to another.

        Args:
            graph: the Graph it is added to. tags: all tags of it.
            import_scope: a prefix of the names. saver_kwargs: of import_meta_graph;
                `return_elements` too.
        Returns:
            (a Saver of its variables or None, the elements or None)
        """
        meta = self.get_meta_graph_def_from_tags(tags)
        with reported(self._path()), graph.as_default():
            return import_meta_graph_with_return_elements(
                meta, import_scope=import_scope, **saver_kwargs
            )

    def restore_variables(
        self, sess: Any, saver: Any, import_scope: Any = None
    ) -> None:
        """Give the variables of a session's graph the values of the SavedModel.

        Args:
            sess: the Session. saver: that of `load_graph`; None if there is nothing.
            import_scope: that of `load_graph`.
        Raises:
            ValueError: there are variables, but no saver.
        """
        with sess.graph.as_default():
            saved = [v for key in _SAVED for v in get_collection(key, import_scope)]
            newer = saver is not None and not _names_variables(self._saved_model)
            there = checkpoint_exists(self.variables_path)
            if not (saved or newer) or not there:
                logging.info("The specified SavedModel has no variables; no "
                             "checkpoints were restored.")  # fmt: skip
            elif saver is None:
                raise ValueError(
                    "No tf.train.Saver object was passed to the function "
                    "SavedModelLoader.restore_variables. Since there are variables in "
                    "the graph, a saver is required."
                )
            else:
                saver.restore(sess, self.variables_path)

    def run_init_ops(self, sess: Any, tags: Any, import_scope: Any = None) -> None:
        """Run what the SavedModel runs first, such as the filling of tables."""
        meta = self.get_meta_graph_def_from_tags(tags)
        with sess.graph.as_default():
            for op in _main_ops(meta, import_scope):
                sess.run(op, asset_feeds(self._export_dir, meta, import_scope))

    def load(
        self, sess: Any, tags: Any, import_scope: Any = None, **saver_kwargs: Any
    ) -> Any:
        """All three; see tf.saved_model.loader.load."""
        saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
        with reported(self._path()):
            self.restore_variables(sess, saver, import_scope)
            self.run_init_ops(sess, tags, import_scope)
        return self.get_meta_graph_def_from_tags(tags)


def _names_variables(saved_model):
    """Whether collections say what is a variable; those of TensorFlow 2 do not."""
    return any(
        key in meta.collection_def for meta in saved_model.meta_graphs for key in _SAVED
    )


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
    raise advised(
        OSError,
        f"SavedModel file does not exist at: {export_dir}/"
        f"{{{constants.SAVED_MODEL_FILENAME_PBTXT}|"
        f"{constants.SAVED_MODEL_FILENAME_PB}}}",
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
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)


class NoSuchTags(RuntimeError, ValueError):
    """A SavedModel has no graph of the tags; TensorFlow raises a RuntimeError."""


def of_tags(saved, tags, path):
    for meta in saved.meta_graphs:
        if set(meta.meta_info_def.tags) == set(tags):
            found = MetaGraphDef()
            found.CopyFrom(meta)
            return found
    texts = ", ".join(repr(tag) for tag in tags)
    known = [sorted(meta.meta_info_def.tags) for meta in saved.meta_graphs]
    error = advised(
        NoSuchTags,
        f"MetaGraphDef associated with tags {texts} could not be found in SavedModel. "
        "To inspect available tag-sets in the SavedModel, please use the SavedModel "
        f"CLI: `saved_model_cli`. There are: {known}",
    )
    error.add_note(f"The SavedModel is {path}.")
    raise error


def main_op_of(meta: Any, key: str = constants.MAIN_OP_KEY) -> Any:
    """The op that is run first, where the collection `key` of a MetaGraphDef has one.

    Raises:
        RuntimeError: it has several.
    """
    if key not in meta.collection_def:
        return None
    ops = get_collection(key)
    if len(ops) != 1:
        raise RuntimeError("Expected exactly one SavedModel main op.")
    return ops[0]


def _main_ops(meta, scope):
    for key in constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY:
        if key in meta.collection_def:
            return get_collection(key, scope)
    return []


def asset_path(folder, name):
    """The path of a file that came along.

    Raises:
        ValueError: the name leads elsewhere.
    """
    top = get_assets_dir(folder)
    normal = (lambda path: path) if stores.is_remote(top) else os.path.normpath
    path = normal(os.path.join(top, name))
    if os.path.dirname(path) != normal(top) or path.endswith("/.."):
        raise ValueError(f"The asset {name!r} is not in the folder {top}")
    return path


def asset_feeds(export_dir: Path, meta: Any, import_scope: Any = None) -> dict:
    """The paths of the files that came along, by the tensors that name them."""
    folder, scope = as_str_any(path_to_str(export_dir)), import_scope
    feeds = {}
    for info in meta.asset_file_def:  # there alone TensorFlow 2 names them
        name = info.tensor_info.name
        path = asset_path(folder, info.filename)
        feeds[f"{scope}/{name}" if scope else name] = path
    if constants.ASSETS_KEY in meta.collection_def:
        for item in meta.collection_def[constants.ASSETS_KEY].any_list.value:
            info = AssetFileDef()
            info.ParseFromString(item.value)
            name = info.tensor_info.name
            path = asset_path(folder, info.filename)
            feeds[f"{scope}/{name}" if scope else name] = path
    return feeds
