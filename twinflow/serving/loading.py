"""A folder as a Servable: the one place that knows how models are written."""

import contextlib
from typing import Any

from twinflow.base import dtypes, errors, files, stores
from twinflow.base.shapes import TensorShape
from twinflow.execute.session import Session
from twinflow.export.loading import SavedModelLoader
from twinflow.export.signatures import get_tensor_from_tensor_info
from twinflow.formats.protos import DataType
from twinflow.graph.graph import Graph
from twinflow.ops.variables import kinds  # noqa: F401 - the classes of variables
from twinflow.serving.servable import Servable, Signature, Slot

_TAG = "serve"
_PYTHON = frozenset(("PyFunc", "PyFuncStateless", "EagerPyFunc"))
_INTERNAL = frozenset(("__saved_model_init_op", "__saved_model_train_op"))


def load(folder: str) -> Servable:
    """Load a SavedModel.

    Raises:
        OSError, ValueError: there is none, or it is damaged.
        FailedPreconditionError: it calls Python functions, or has nothing to serve.
    """
    loader = SavedModelLoader(folder)
    tags = _tags(loader.saved_model, folder)
    meta = loader.get_meta_graph_def_from_tags(tags)
    _refuse_python(meta.graph_def, folder)
    graph = Graph()
    session = Session(graph=graph)
    try:
        with graph.as_default():
            loader.load(session, tags)
        signatures, messages = _signatures(graph, meta, folder)
        servable = Servable(session, signatures, messages)
        servable.prepare()
    except BaseException:
        session.close()
        raise
    return servable


def files_of(folder: str) -> tuple:
    """Names, sizes and times of the files of a SavedModel: they tell of changes."""
    found = []
    with contextlib.suppress(errors.NotFoundError):  # taken away meanwhile
        for at, _, names in files.Walk(folder):
            for name in names:
                with contextlib.suppress(OSError):
                    size, changed, _ = stores.stat(stores.joined(at, name))
                    found.append((at, name, size, changed))
    return tuple(sorted(found))


def _tags(saved: Any, folder: str) -> list[str]:
    """The tags of the graph to be served: `serve`, or those of the only graph."""
    known = [sorted(meta.meta_info_def.tags) for meta in saved.meta_graphs]
    if [_TAG] in known:
        return [_TAG]
    some = [tags for tags in known if _TAG in tags] or known
    if len(some) != 1:
        raise errors.FailedPreconditionError(
            None, None,
            f"The SavedModel {folder} has no graph with the tag {_TAG!r}. There are: "
            f"{known}. Export it with tf.saved_model.simple_save, or with these tags.",
        )  # fmt: skip
    return some[0]


def _refuse_python(graph_def: Any, folder: str) -> None:
    """Raise an error for a graph that calls Python functions."""
    nodes = list(graph_def.node)
    for function in graph_def.library.function:
        nodes += function.node_def
    for node in nodes:
        if node.op in _PYTHON:
            raise errors.FailedPreconditionError(
                None, None,
                f"The SavedModel {folder} calls a Python function ({node.op} "
                f"{node.name!r}), which is not in the file: only the process that made "
                "it has it. Export a graph without tf.py_func.",
            )  # fmt: skip


def _signatures(graph: Any, meta: Any, folder: str) -> tuple[dict, dict]:
    """(the Signatures, their SignatureDefs), by name."""
    messages = {
        name: message
        for name, message in sorted(meta.signature_def.items())
        if name not in _INTERNAL
    }
    if not messages:
        raise errors.FailedPreconditionError(
            None, None,
            f"The SavedModel {folder} has no signatures: there is nothing to ask for.",
        )  # fmt: skip
    found = {
        name: Signature(
            name, message.method_name,
            _slots(graph, name, message.inputs), _slots(graph, name, message.outputs),
        )
        for name, message in messages.items()
    }  # fmt: skip
    return found, messages


def _slots(graph: Any, signature: str, infos: Any) -> dict[str, Slot]:
    slots = {}
    for key, info in sorted(infos.items()):
        if info.WhichOneof("encoding") != "name":
            raise errors.UnimplementedError(
                None, None,
                f"{key!r} of the signature {signature!r} is a sparse tensor, which no "
                "request can hold. Export its indices, values and shape.",
            )  # fmt: skip
        try:
            tensor = get_tensor_from_tensor_info(info, graph)
        except (KeyError, ValueError) as error:
            raise errors.FailedPreconditionError(
                None, None,
                f"{key!r} of the signature {signature!r} is no tensor of the graph: "
                f"{error}",
            ) from None  # fmt: skip
        dtype = dtypes.as_dtype(info.dtype).base_dtype
        if dtype != tensor.dtype.base_dtype:
            raise errors.FailedPreconditionError(
                None, None,
                f"{key!r} of the signature {signature!r} is said to be of "
                f"{DataType.Name(info.dtype)}, but {tensor.name} is {tensor.dtype}.",
            )  # fmt: skip
        shape = TensorShape(info.tensor_shape)
        dims = None if shape.ndims is None else shape.as_list()
        slots[key] = Slot(tensor, dtype, shape, dims)
    return slots
