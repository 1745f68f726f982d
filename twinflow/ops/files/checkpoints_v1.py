"""The ops of checkpoints of version 1 (formats.checkpoint_v1): save and restore."""

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.formats import checkpoint_v1
from twinflow.ops.files.checkpoints import extents_of, names_of, tensor_of
from twinflow.ops.strings.arrays import as_text, one


def _save(filename, tensor_names, data, shapes_and_slices=None):
    if shapes_and_slices is None:
        shapes_and_slices = [b""] * len(data)
    names, parts = names_of(tensor_names, shapes_and_slices, len(data))
    triples = zip(names, data, parts, strict=True)
    checkpoint_v1.write_slices(
        as_text(one(filename)),
        [(name, np.asarray(t), extents_of(part, name)) for name, t, part in triples],
    )
    return ()


Save = define("Save", infer=lambda *_, **__: [], host=_save, stateful=True)

SaveSlices = define(
    "SaveSlices",
    infer=lambda *_, **__: [],
    host=lambda filename, names, parts, data: _save(filename, names, data, parts),
    stateful=True,
)


def save_slices(filename, tensor_names, shapes_and_slices, data, name=None):
    """Write tensors, or parts of tensors, to a checkpoint of version 1.

    Args:
        filename: string scalar. tensor_names: string[n].
        shapes_and_slices: string[n]: "" or, for a part, "4 2 0,1:-". data: n tensors.
        name: the name of the node in a graph.
    """
    inputs = (filename, tensor_names, shapes_and_slices, list(data))
    return apply(SaveSlices, inputs, None, name)


def _restore(file_pattern, tensor_name, dt, preferred_shard, shape_and_slice=b""):
    opened = checkpoint_v1.opened(as_text(one(file_pattern)))
    name = as_text(one(tensor_name))
    return tensor_of(opened, name, as_text(one(shape_and_slice)), dt)


Restore = define("Restore", infer=lambda *_, **__: None, host=_restore, stateful=True)

RestoreSlice = define(
    "RestoreSlice",
    infer=lambda *_, **__: None,
    host=lambda pattern, name, part, dt, preferred_shard: _restore(
        pattern, name, dt, preferred_shard, part
    ),
    stateful=True,
)
