"""Writing the SavedModel of an Estimator."""

import os
import time

from twinflow.base import errors, files, unfinished
from twinflow.base.text import as_bytes, path_to_str
from twinflow.checkpoint.saver import Saver
from twinflow.estimator.export_signatures import (
    build_all_signature_defs,
    export_outputs_for_mode,
)
from twinflow.estimator.model_fn import ModeKeys
from twinflow.execute.session import Session
from twinflow.export import tag_constants
from twinflow.export.saved_model import SavedModelBuilder
from twinflow.export.supervised import EVAL
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.train.scaffold import Scaffold

EXPORT_TAG_MAP = {
    ModeKeys.PREDICT: [tag_constants.SERVING],
    ModeKeys.TRAIN: [tag_constants.TRAINING],
    ModeKeys.EVAL: [EVAL],
}
_ORDER = (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT)
_NOT_THERE = (
    "Could not load all requested variables from checkpoint. Please make sure your "
    "model_fn does not expect variables that were not saved in the checkpoint.\n\n"
    "Encountered error with mode `{}` while restoring checkpoint from: `{}`. Full "
    "Traceback:\n\n{}"
)


def export(
    estimator, base, receiver_fns, assets_extra, as_text, path, strip_default_attrs
):
    """Write a SavedModel with a graph for each mode.

    Args:
        base: the folder of a folder named by the seconds of now.
        receiver_fns: dict from ModeKeys to functions of no arguments.
        assets_extra, as_text, path, strip_default_attrs: see
            Estimator.export_savedmodel.
    Returns:
        The folder, bytes.
    """
    modes = [mode for mode in _ORDER if receiver_fns.get(mode)]
    if not (path or estimator.latest_checkpoint()):
        raise ValueError(f"Couldn't find trained model at {estimator.model_dir}.")
    if not modes:
        raise ValueError(
            f"No valid modes for exporting found. Got {receiver_fns.keys()}."
        )
    folder = _timestamped(base)
    part = f"{folder}.tmp"
    files.MakeDirs(base)
    unfinished.sweep(path_to_str(base))
    unfinished.claim(part)
    try:

        def fill(found):
            builder = SavedModelBuilder(part)
            for mode in modes:
                _add_graph(
                    builder, estimator, mode, receiver_fns[mode], found,
                    strip_default_attrs, is_first=mode == modes[0],
                )  # fmt: skip
            builder.save(as_text)

        estimator._from_checkpoint(path, "export", fill)
        for name, source in assets_extra.items():
            target = os.path.join(part, "assets.extra", name)
            files.MakeDirs(os.path.dirname(target))
            files.Copy(source, target)
        files.Rename(part, folder)  # a reader of folders sees whole models only
    finally:
        unfinished.release(part)
    return folder.encode()


def _add_graph(builder, estimator, mode, receiver_fn, path, strip, is_first):
    """Add the graph of a mode; the first one with the values of the checkpoint."""
    config = estimator._session_config
    with estimator._graph() as graph, Session(graph=graph, config=config) as session:
        receiver = receiver_fn()
        labels = getattr(receiver, "labels", None)
        spec = estimator._call_model_fn(
            receiver.features, labels, mode, estimator.config
        )
        outputs = export_outputs_for_mode(
            mode, spec.export_outputs, spec.predictions, spec.loss, spec.eval_metric_ops
        )
        signatures = build_all_signature_defs(
            receiver.receiver_tensors, outputs,
            getattr(receiver, "receiver_tensors_alternatives", None),
            serving_only=mode == ModeKeys.PREDICT,
        )  # fmt: skip
        saver = spec.scaffold.saver or Saver(sharded=True)
        _restore(saver, session, path, mode)
        local = spec.scaffold.local_init_op
        kwargs = {
            "assets_collection": get_collection(GraphKeys.ASSET_FILEPATHS),
            "strip_default_attrs": strip,
            "main_op": Scaffold.default_local_init_op() if local is None else local,
            "saver": saver,
        }
        builder._add_train_op(spec.train_op)
        tags = EXPORT_TAG_MAP[mode]
        if is_first:
            builder.add_meta_graph_and_variables(session, tags, signatures, **kwargs)
        else:
            builder.add_meta_graph(tags, signatures, **kwargs)


def _restore(saver, session, path, mode):
    try:
        saver.restore(session, path)
    except errors.NotFoundError as error:
        raise ValueError(_NOT_THERE.format(mode, path, error)) from error


def _timestamped(folder):
    """A folder in `folder` that is named by the seconds of now, or a later one."""
    second = int(time.time())
    while True:
        path = os.path.join(path_to_str(folder), str(second))
        if not (files.Exists(path) or files.Exists(f"{path}.tmp")):
            return path
        second += 1


def get_timestamped_export_dir(export_dir_base):
    """A folder that is not there yet, named by the seconds of now, bytes."""
    return as_bytes(_timestamped(as_bytes(export_dir_base).decode()))


def get_temp_export_dir(timestamped_export_dir):
    """The folder beside it where a model is written first, bytes."""
    dirname, basename = os.path.split(as_bytes(timestamped_export_dir))
    return os.path.join(dirname, b"temp-" + basename)
