"""Writing the SavedModel of an Estimator."""

import os
import time

from twinflow.base import files, unfinished
from twinflow.base.text import path_to_str
from twinflow.checkpoint.saver import Saver
from twinflow.estimator import export as outputs
from twinflow.estimator.model_fn import ModeKeys
from twinflow.execute.session import Session
from twinflow.export import tag_constants
from twinflow.export.saved_model import SavedModelBuilder
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.train.scaffold import Scaffold


def export(
    estimator, base, receiver_fn, assets_extra, as_text, path, strip_default_attrs
):
    """See Estimator.export_savedmodel."""
    if not (path or estimator.latest_checkpoint()):
        raise ValueError(f"Couldn't find trained model at {estimator.model_dir}.")
    folder = _timestamped(base)
    part = f"{folder}.tmp"
    files.MakeDirs(base)
    unfinished.sweep(path_to_str(base))
    unfinished.claim(part)
    try:
        fill = lambda found: _fill(
            part, estimator, receiver_fn, found, as_text, strip_default_attrs
        )
        estimator._from_checkpoint(path, "export", fill)
        for name, source in assets_extra.items():
            target = os.path.join(part, "assets.extra", name)
            files.MakeDirs(os.path.dirname(target))
            files.Copy(source, target)
        files.Rename(part, folder)  # a reader of folders sees whole models only
    finally:
        unfinished.release(part)
    return folder.encode()


def _fill(part, estimator, receiver_fn, path, as_text, strip_default_attrs):
    """Write the model to a folder."""
    config = estimator._session_config
    with estimator._graph() as graph, Session(graph=graph, config=config) as session:
        receiver = receiver_fn()
        spec = estimator._call_model_fn(
            receiver.features, None, ModeKeys.PREDICT, estimator.config
        )
        signatures = outputs.signatures_of(spec, receiver)
        saver = spec.scaffold.saver or Saver(sharded=True)
        saver.restore(session, path)
        local = spec.scaffold.local_init_op
        local = Scaffold.default_local_init_op() if local is None else local
        builder = SavedModelBuilder(part)
        builder.add_meta_graph_and_variables(
            session, [tag_constants.SERVING], signatures, main_op=local,
            assets_collection=get_collection(GraphKeys.ASSET_FILEPATHS),
            strip_default_attrs=strip_default_attrs,
        )  # fmt: skip
    builder.save(as_text)


def _timestamped(folder):
    """A folder in `folder` that is named by the seconds of now, or a later one."""
    second = int(time.time())
    while True:
        path = os.path.join(path_to_str(folder), str(second))
        if not (files.Exists(path) or files.Exists(f"{path}.tmp")):
            return path
        second += 1
