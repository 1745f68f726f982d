"""The nodes of a Saver, named as TensorFlow names them."""

import uuid
from collections import defaultdict
from contextlib import nullcontext

from twinflow.base import devices
from twinflow.base.dispatch import apply, current_mode
from twinflow.formats.protos import SaverDef
from twinflow.graph.scopes import control_dependencies, device, group, name_scope
from twinflow.ops.core.constant import constant, identity
from twinflow.ops.core.joining import stack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.files.checkpoints import (
    MergeV2Checkpoints,
    ShardedFilename,
    ShardedFilespec,
    restore_v2,
    save_v2,
)
from twinflow.ops.files.checkpoints_v1 import save_slices
from twinflow.ops.strings.basic import string_join


def build(
    saveables, name, filename, sharded, reshape, sequentially, max_to_keep, hours,
    version,
):  # fmt: skip
    """Add the nodes that save and restore to the current graph.

    Args:
        saveables: SaveableObjects. name: of the scope. filename: until it is fed.
        sharded: write a file for each device. reshape: to the shapes of the variables.
        sequentially: restore one after the other. max_to_keep, hours: for the SaverDef.
        version: of the files: SaverDef.V2, V1 or LEGACY, which is V1.
    Returns:
        A SaverDef.
    """
    with name_scope(name, "save", [s.op for s in saveables]):
        path = constant(filename or "model", name="Const")
        saved = (save_shards if sharded else save)(path, saveables, version)
        if sharded:
            restored = restore_shards(path, saveables, reshape, sequentially)
        else:
            restored = restore(path, saveables, reshape, sequentially, "restore_all")
    return SaverDef(
        filename_tensor_name=path.name, save_tensor_name=saved.name,
        restore_op_name=restored.name, max_to_keep=max_to_keep, sharded=sharded,
        keep_checkpoint_every_n_hours=hours, version=version,
    )  # fmt: skip


def save(path, saveables, version=SaverDef.V2):
    """Write them now (eagerly), or the node that does.

    Returns:
        The path, once they are written.
    """
    saved = _save(path, saveables, version)
    with control_dependencies([saved] if saved is not None else []):
        return identity(path, name="control_dependency")


def _save(path, saveables, version):
    specs = [spec for s in saveables for spec in s.specs]
    names, parts = [s.name for s in specs], [s.slice_spec for s in specs]
    tensors = [s.tensor for s in specs]
    if version != SaverDef.V2:
        return save_slices(path, names, parts, tensors, name="SaveSlices")
    return save_v2(path, names, parts, tensors, name="SaveV2")


def save_shards(path, saveables, version=SaverDef.V2):
    """As `save`, with a file for each device, merged at the end."""
    groups = defaultdict(list)
    for saveable in saveables:
        groups[str(saveable.device)].append(saveable)
    whole = version == SaverDef.V2
    part = string_join([path, f"_temp_{uuid.uuid4().hex}/part"]) if whole else path
    count = constant(len(groups), name="num_shards")
    prefixes, saved, at = [], [], ""
    for shard, where in enumerate(sorted(groups)):
        at = _cpu(where)
        with device(at):
            name = apply(ShardedFilename, (part, shard, count), None, "ShardedFilename")
            prefixes.append(name)
            saved.append(save(name, groups[where], version))
    with control_dependencies([t.op for t in saved if t.symbolic]), device(at):
        if not whole:
            return apply(ShardedFilespec, (path, count))
        names = stack(prefixes, name="MergeV2Checkpoints/checkpoint_prefixes")
        merged = apply(MergeV2Checkpoints, (names, path))
        with control_dependencies([merged] if merged is not None else []):
            return identity(path)


def _cpu(name):
    """The first CPU of the machine that a device is in."""
    return devices.merged(devices.canonical(name), "/device:CPU:0")


def restore_shards(path, saveables, reshape, sequentially):
    """As `restore`, device by device."""
    groups = defaultdict(list)
    for saveable in saveables:
        groups[str(saveable.device)].append(saveable)
    ops = []
    for where in sorted(groups):
        with device(where or None):
            some = groups[where]
            ops.append(restore(path, some, reshape, sequentially, "restore_shard"))
    return group(*ops, name="restore_all")


def restore(path, saveables, reshape, sequentially, name):
    """Restore now (eagerly), or the node that does."""
    specs = [[(spec.name, spec.slice_spec, spec.dtype) for spec in s.specs]
             for s in saveables]  # fmt: skip
    flat = [spec for group_of in specs for spec in group_of]
    keys, parts, dtypes = map(list, zip(*flat, strict=True)) if flat else ([], [], [])
    with nullcontext() if current_mode().eager else device("/device:CPU:0"):
        tensors = iter(restore_v2(path, keys, parts, dtypes, name="RestoreV2"))
    ops: list = []
    for saveable in saveables:
        shapes = [s.tensor.shape for s in saveable.specs] if reshape else None
        with control_dependencies(ops[-1:] if sequentially else []):
            ops.append(
                saveable.restore([next(tensors) for _ in saveable.specs], shapes)
            )
    if current_mode().eager:
        return None
    ops = [op for op in ops if op is not None]
    return group(*ops, name=name) if ops else no_op(name)
