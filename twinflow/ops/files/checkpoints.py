"""The ops that save and restore: tensors to files (formats.checkpoint_v2) and back."""

import contextlib
import os

import numpy as np

from twinflow.base import stores, unfinished
from twinflow.base.dispatch import apply
from twinflow.base.dtypes import cpp_name
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.text import as_str_any
from twinflow.formats import checkpoint_v2
from twinflow.formats.checkpoint_v1 import opened as open_checkpoint
from twinflow.ops.core.infer import rank_of
from twinflow.ops.strings.arrays import as_text, filled, flat, one


def extents_of(text, name):
    """What a "4 2 0,1:-" of shape_and_slices says: (shape, [(start, length), ...]).

    Returns:
        None for "", the whole tensor.
    """
    if not text:
        return None
    *shape, spec = text.split(" ")
    try:
        shape = tuple(map(int, shape))
        parts = zip(spec.split(":"), shape, strict=True)
        extents = [
            (0, n) if part == "-" else tuple(map(int, part.split(",", 1)))
            for part, n in parts
        ]
    except ValueError:
        raise invalid(
            f"Expected sizes and slices such as '4 2 0,1:-' for {name}, got {text!r}"
        ) from None
    return shape, extents


def names_of(tensor_names, shape_and_slices, count=None):
    names = [as_text(n) for n in flat(tensor_names)]
    slices = [as_text(s) for s in flat(shape_and_slices)]
    count = len(names) if count is None else count
    for what, found in ("tensor_names", names), ("shape_and_slices", slices):
        if len(found) != count:
            raise invalid(
                f"Got {len(found)} {what} for {count} tensors; expected one for each"
            )
    return names, slices


# ---------------------------------------------------------------------- saving
def _save(prefix, tensor_names, shape_and_slices, tensors):
    names, slices = names_of(tensor_names, shape_and_slices, len(tensors))
    checkpoint_v2.write_bundle(
        as_text(one(prefix)),
        [
            (name, np.asarray(tensor), extents_of(part, name))
            for name, tensor, part in zip(names, tensors, slices, strict=True)
        ],
    )
    return ()


def _infer_save(prefix, tensor_names, shape_and_slices, tensors=()):
    rank_of(prefix, 0, "prefix")
    rank_of(tensor_names, 1, "tensor_names")
    rank_of(shape_and_slices, 1, "shape_and_slices")
    return []


SaveV2 = define("SaveV2", infer=_infer_save, host=_save, stateful=True)


def save_v2(prefix, tensor_names, shape_and_slices, tensors, name=None):
    """Write tensors to a checkpoint.

    Args:
        prefix: string scalar, the path without the ends. tensor_names: string[n].
        shape_and_slices: string[n], "" for whole tensors. tensors: a list of n.
        name: the name of the node in a graph.
    """
    inputs = (prefix, tensor_names, shape_and_slices, list(tensors))
    return apply(SaveV2, inputs, None, name)


# ---------------------------------------------------------------------- restoring
def _restore(prefix, tensor_names, shape_and_slices, dtypes):
    names, slices = names_of(tensor_names, shape_and_slices)
    opened = open_checkpoint(as_text(one(prefix)))
    return [
        tensor_of(opened, name, part, dtype)
        for name, part, dtype in zip(names, slices, dtypes, strict=True)
    ]


def tensor_of(opened, name, part, dtype):
    if name in opened and opened.dtype(name) != dtype:
        raise invalid(
            f"tensor_name = {name}; expected dtype {cpp_name(dtype)} does not equal "
            f"original dtype {cpp_name(opened.dtype(name))} in {opened.prefix}"
        )
    found = opened.read(name)
    extents = extents_of(part, name)
    if extents is None:
        return found
    if extents[0] != found.shape:
        raise invalid(
            f"Tensor {name} has shape {list(found.shape)} in the checkpoint, but "
            f"{list(extents[0])} in its slice spec {part!r}"
        )
    return found[tuple(slice(start, start + n) for start, n in extents[1])]


def _infer_restore(prefix, tensor_names, shape_and_slices, dtypes):
    _infer_save(prefix, tensor_names, shape_and_slices)
    return [None] * len(dtypes)


RestoreV2 = define("RestoreV2", infer=_infer_restore, host=_restore, stateful=True)


def restore_v2(prefix, tensor_names, shape_and_slices, dtypes, name=None):
    """Read tensors from a checkpoint.

    Args:
        prefix: string scalar. tensor_names, shape_and_slices: string[n].
        dtypes: the DTypes of the tensors. name: the name of the node in a graph.
    Returns:
        A list of n tensors.
    Raises:
        NotFoundError: there is no such checkpoint, or no such name in it.
        DataLossError: it is damaged. InvalidArgumentError: a dtype is another one.
    """
    inputs = (prefix, tensor_names, shape_and_slices)
    return apply(RestoreV2, inputs, {"dtypes": tuple(dtypes)}, name)


# ---------------------------------------------------------------------- shards
def _merge(checkpoint_prefixes, destination_prefix, delete_old_dirs):
    prefixes = [as_text(p) for p in flat(checkpoint_prefixes)]
    target = as_text(one(destination_prefix))
    checkpoint_v2.merge_bundles(prefixes, target)
    if delete_old_dirs:
        for folder in {stores.dirname(p) for p in prefixes}:
            unfinished.release(folder)
            if folder != stores.dirname(target) and os.path.isdir(folder):
                with contextlib.suppress(OSError):  # it is not empty
                    os.rmdir(folder)
    return ()


MergeV2Checkpoints = define(
    "MergeV2Checkpoints", infer=lambda *_, **__: [], host=_merge, stateful=True
)


def _sharded(basename, shard, num_shards):
    text = f"{as_str_any(one(basename))}-{int(shard):05d}-of-{int(num_shards):05d}"
    return filled([text.encode()], ())


def _spec(basename, num_shards):
    return filled([f"{as_str_any(one(basename))}-?????-of-{int(num_shards):05d}"
                   .encode()], ())  # fmt: skip


ShardedFilename = define("ShardedFilename", infer=lambda *_: (), host=_sharded)
ShardedFilespec = define("ShardedFilespec", infer=lambda *_: (), host=_spec)
