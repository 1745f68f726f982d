"""SavedModels: graphs with signatures, beside the values of their variables."""

import contextlib
import os
from typing import Any

from google.protobuf import text_format

from twinflow.base import files, logging
from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.base.errors import UsageError
from twinflow.base.text import as_bytes, as_str_any, path_to_str
from twinflow.checkpoint.saver import Saver
from twinflow.export import constants, signature_constants, tag_constants
from twinflow.export.additions import (
    add_main_op,
    add_train_op,
    check_signatures,
    copy_assets,
)
from twinflow.export.folders import get_or_create_variables_dir, get_variables_path
from twinflow.export.signatures import predict_signature_def
from twinflow.formats.protos import SavedModel
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.scopes import group
from twinflow.ops.tables.initialized import tables_initializer
from twinflow.ops.variables.collections import (
    global_variables_initializer,
    local_variables_initializer,
)


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
            raise advised(
                UsageError,
                "Export directory already exists. Please specify a different export "
                f"directory: {export_dir}",
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
        saver = self._prepared(
            assets_collection, legacy_init_op, main_op, saver, signature_def_map
        )
        get_or_create_variables_dir(self._export_dir)
        saver.save(
            sess, get_variables_path(self._export_dir),
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
        saver = self._prepared(
            assets_collection, legacy_init_op, main_op, saver, signature_def_map
        )
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)

    def _prepared(self, assets, legacy_init_op, main_op, saver, signatures):
        check_signatures(signatures or {})
        copy_assets(assets, self._export_dir)
        if main_op is not None:
            add_main_op(constants.MAIN_OP_KEY, main_op)
        elif legacy_init_op is not None:
            add_main_op(constants.LEGACY_INIT_OP_KEY, legacy_init_op)
        return saver or Saver(sharded=True, allow_empty=True)

    def _add_train_op(self, train_op):
        add_train_op(train_op)

    def _add(self, saver, tags, signatures, clear_devices, strip_default_attrs):
        meta = saver.export_meta_graph(
            clear_devices=clear_devices, strip_default_attrs=strip_default_attrs
        )
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
