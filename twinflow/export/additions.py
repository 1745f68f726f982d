"""What a graph brings into a SavedModel: checked signatures, ops to run, files."""

import os

from google.protobuf import any_pb2

from twinflow.base import files
from twinflow.base.errors import UsageError
from twinflow.base.tensor import Tensor
from twinflow.base.text import as_str_any
from twinflow.export import constants
from twinflow.formats.protos import AssetFileDef
from twinflow.graph.node import Node
from twinflow.graph.scopes import add_to_collection, get_collection


def check_signatures(signatures):
    """Raises AssertionError where a tensor of a SignatureDef has no name or dtype."""
    for signature in signatures.values():
        for info in (*signature.inputs.values(), *signature.outputs.values()):
            if info.WhichOneof("encoding") is None:
                raise UsageError(
                    "All TensorInfo protos used in the SignatureDefs must have one of "
                    f"the 'encoding' fields (e.g., name or coo_sparse) set: {info}"
                )
            if not info.dtype:
                raise UsageError(
                    "All TensorInfo protos used in the SignatureDefs must have the "
                    f"dtype field set: {info}"
                )


def add_main_op(key, op):
    """Note an op that is run when the graph is loaded.

    Raises:
        TypeError: it is none. ValueError: there is one.
    """
    if not isinstance(op, Node):
        raise TypeError(f"main_op needs to be an Operation: {op!r}")
    for known in (constants.LEGACY_INIT_OP_KEY, constants.MAIN_OP_KEY):
        if get_collection(known):
            raise ValueError(
                "Graph already contains one or more main ops under the collection "
                f"{known}."
            )
    add_to_collection(key, op)


def add_train_op(op):
    """Note the op of a training step."""
    if op is not None:
        if not isinstance(op, Node | Tensor):
            raise TypeError(f"train_op needs to be a Tensor or Op: {op!r}")
        add_to_collection(constants.TRAIN_OP_KEY, op)


def copy_assets(tensors, export_dir):
    """Copy the files that constants name, and note them in the graph.

    Files of one name and other contents get another name: `x.txt_1`. What another graph
    has brought in under a name stays.
    """
    folder = os.path.join(export_dir, constants.ASSETS_DIRECTORY)
    sources: dict[str, str] = {}
    for tensor in tensors or []:
        value = tensor.op.attrs.get("value") if tensor.op.type == "Const" else None
        if value is None:
            raise ValueError(f"Invalid asset tensor {tensor}: expected a constant")
        source = as_str_any(value.item() if hasattr(value, "item") else value)
        info = AssetFileDef(filename=_name_of(source, sources))
        info.tensor_info.name = tensor.name
        packed = any_pb2.Any()
        packed.Pack(info)
        add_to_collection(constants.ASSETS_KEY, packed)
    for name, source in sources.items():
        files.MakeDirs(folder)
        target = os.path.join(folder, name)
        if not files.Exists(target):
            files.Copy(source, target)


def _name_of(source, sources):
    """The name that a file gets among those of a graph, {name: path}."""
    first = name = os.path.basename(source)
    number = 0
    while not _same(sources.setdefault(name, source), source):
        number += 1
        name = f"{first}_{number}"
    return name


def _same(path, other):
    read = files.read_file_to_string
    return path == other or read(path, True) == read(other, True)
