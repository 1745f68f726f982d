"""A session's model, written into a numbered folder with what says how to ask it."""

import os
from collections.abc import Callable
from typing import Any

from google.protobuf import any_pb2

from twinflow.base import files
from twinflow.base.text import as_text
from twinflow.contrib.session_bundle import constants
from twinflow.estimator.old_exports import Path, paths_of
from twinflow.execute.default_sessions import get_default_session
from twinflow.formats import protos
from twinflow.graph.defaults import get_default_graph
from twinflow.train.meta_graph import export_meta_graph


def gfile_copy_callback(files_to_copy: dict[Any, Any], export_dir_path: str) -> None:
    """Copy files into the folder of an export.

    Args:
        files_to_copy: dict from files to their names in the folder.
    """
    folder = os.path.join(export_dir_path, constants.ASSETS_DIRECTORY)
    files.MakeDirs(folder)
    for source, name in files_to_copy.items():
        files.Copy(source, os.path.join(folder, name), overwrite=True)


def _binding(t: Any) -> Any:
    return constants.TensorBinding(tensor_name=t.name)


def regression_signature(input_tensor: Any, output_tensor: Any) -> Any:
    """The Signature of a model that gives numbers."""
    found = constants.Signature()
    found.regression_signature.input.CopyFrom(_binding(input_tensor))
    found.regression_signature.output.CopyFrom(_binding(output_tensor))
    return found


def classification_signature(
    input_tensor: Any, classes_tensor: Any = None, scores_tensor: Any = None
) -> Any:
    """The Signature of a model that gives classes, scores or both."""
    found = constants.Signature()
    own = found.classification_signature
    own.input.CopyFrom(_binding(input_tensor))
    if classes_tensor is not None:
        own.classes.CopyFrom(_binding(classes_tensor))
    if scores_tensor is not None:
        own.scores.CopyFrom(_binding(scores_tensor))
    return found


def generic_signature(name_tensor_map: dict[Any, Any]) -> Any:
    """The Signature of tensors by names."""
    found = constants.Signature()
    for name, t in name_tensor_map.items():
        found.generic_signature.map[name].CopyFrom(_binding(t))
    return found


class Exporter:
    """Writes exports of a model: `init` once, then `export` as often as wanted.

    Args:
        saver: a tf.train.Saver of its variables, with `sharded=True`.
    """

    def __init__(self, saver: Any) -> None:
        self._saver, self._ready = saver, False
        self._assets: dict[Any, Any] = {}

    def init(
        self, graph_def: Any = None, init_op: Any = None, clear_devices: bool = False,
        default_graph_signature: Any = None, named_graph_signatures: Any = None,
        assets_collection: Any = None,
        assets_callback: Callable[..., Any] = gfile_copy_callback,
    ) -> None:  # fmt: skip
        """Put what says how to ask the model into its graph.

        Args:
            graph_def: of the model; that of the graph by default.
            init_op: an operation that runs after a restore.
            clear_devices: write no devices.
            default_graph_signature, named_graph_signatures: how it is asked.
            assets_collection: tensors with the names of files that it needs.
            assets_callback: copies these; None leaves them.
        Raises:
            RuntimeError: it was called before.
        """
        if self._ready:
            raise RuntimeError("init should be called only once")
        self._ready, self._clear, self._copy = True, clear_devices, assets_callback
        graph = get_default_graph()
        if graph_def is not None:
            kept = protos.GraphDef.FromString(graph_def.SerializeToString())
            for node in kept.node if clear_devices else ():
                node.device = ""
            _put(graph, constants.GRAPH_KEY, kept)
        if init_op is not None:
            graph.add_to_collection(constants.INIT_OP_KEY, init_op)
        self._sign(graph, default_graph_signature, named_graph_signatures or {})
        for t in assets_collection or ():
            name = as_text(t.op.attrs["value"].item())
            self._assets[name] = os.path.basename(name)
            asset = constants.AssetFile(
                tensor_binding=_binding(t), filename=os.path.basename(name)
            )
            _put(graph, constants.ASSETS_KEY, asset)

    def _sign(self, graph: Any, default: Any, named: dict) -> None:
        signatures = constants.Signatures()
        if default is not None:
            signatures.default_signature.CopyFrom(default)
        for name, signature in named.items():
            signatures.named_signatures[name].CopyFrom(signature)
        _put(graph, constants.SIGNATURES_KEY, signatures)

    def export(
        self, export_dir_base: Any, global_step_tensor: Any, sess: Any = None,
        exports_to_keep: Any = None,
    ) -> str:  # fmt: skip
        """Write an export.

        Args:
            export_dir_base: the folder of the exports. global_step_tensor: its number.
            sess: the session; the default one if it is not given.
            exports_to_keep: a filter of Paths; the others are removed.
        Returns:
            The folder.
        Raises:
            RuntimeError: `init` was not called, or there is an export of this number.
        """
        if not self._ready:
            raise RuntimeError("init must be called first")
        session = sess or _session()
        step = int(session.run(global_step_tensor))
        base = as_text(export_dir_base)
        folder = os.path.join(base, constants.VERSION_FORMAT_SPECIFIER % step)
        if files.Exists(folder):
            raise RuntimeError(
                "Overwriting exports can cause corruption and are not allowed. "
                f"Duplicate export dir: {folder}"
            )
        partial = folder + "-tmp"
        files.MakeDirs(partial)
        self._write(session, partial)
        files.Rename(partial, folder)
        if exports_to_keep is not None:
            known = paths_of(base, _numbered)
            for path in sorted(set(known) - set(exports_to_keep(known))):
                files.DeleteRecursively(path.path)
        return folder

    def _write(self, session: Any, folder: str) -> None:
        prefix = os.path.join(folder, constants.EXPORT_BASE_NAME)
        self._saver.save(session, prefix, write_meta_graph=False)
        if self._copy is not None and self._assets:
            self._copy(self._assets, folder)
        with session.graph.as_default():
            export_meta_graph(
                f"{prefix}.{constants.EXPORT_SUFFIX_NAME}",
                saver_def=self._saver.as_saver_def(), clear_devices=self._clear,
            )  # fmt: skip


def _session() -> Any:
    """The default session.

    Raises:
        ValueError: there is none.
    """
    found = get_default_session()
    if found is None:
        raise ValueError(
            "No default session: pass `sess`, or call this under "
            "`with session.as_default()`."
        )
    return found


def _numbered(path: Path) -> Path | None:
    name = os.path.basename(path.path)
    return path._replace(export_version=int(name)) if name.isdigit() else None


def _put(graph: Any, key: str, message: Any) -> None:
    """A message into a collection, as an Any."""
    held = any_pb2.Any()
    held.Pack(message)
    graph.add_to_collection(key, held)
