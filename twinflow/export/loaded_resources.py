"""Tables and other resources of a SavedModel of TensorFlow 2, made anew and filled.

Note [Resources]: a resource is an object with two functions, one that makes it and one
that fills it. The node that makes it is taken out of the first, so that the handle
belongs to the mode or graph in which the model is read; the second is called as others
are. What a program has put into a mutable table is in the checkpoint.
"""

from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.tensor import Tensor
from twinflow.export.loaded_functions import Library, LoadedConcrete
from twinflow.formats import protos
from twinflow.graph import static
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.ops.tables import ops as table_ops
from twinflow.ops.tables.cells import TableCell
from twinflow.ops.tables.initialized import join_collection
from twinflow.ops.variables.collections import GraphKeys


def made_anew(library: Library, name: str) -> Tensor:
    """The handle of a new resource, in the current mode.

    Args:
        library: the Library. name: of the function that makes it.
    """
    function = library.function(name)
    graph_def = protos.GraphDef(versions=library.graph_def.versions)
    for node in function.node_def:
        made = graph_def.node.add()
        made.CopyFrom(node)
        made.attr.pop("shared_name", None)  # another file may have a table of that name
        made.input[:] = [_place(text) for text in node.input]
    wanted = [_place(text) for text in function.ret.values()]
    if not dispatch.current_mode().eager:
        return _made(import_graph_def(graph_def, {}, wanted, name="resource")[0])
    with Graph().as_default():
        node = _made(import_graph_def(graph_def, {}, wanted, name="")[0]).op
        inputs = [static.constant_value(t) for t in node.inputs]
    return dispatch.apply(node.opdef, tuple(inputs), node.attrs)


def _place(text: str) -> str:
    """An output as graphs write it: a function says `node:name of the output:0`."""
    parts = text.split(":")
    return f"{parts[0]}:{parts[-1]}" if len(parts) == 3 else text


def _made(t: Any) -> Any:
    """The node's output that made a resource, behind what hands it on."""
    while t.op.type == "Identity":
        t = t.op.inputs[0]
    if "cell" not in t.op.attrs:
        raise ValueError(f"'{t.op.type}' makes no resource that is known here")
    return t


def filled(concrete: LoadedConcrete) -> None:
    """Run what fills a resource: now, or with tf.tables_initializer() in a graph."""
    found = concrete.flat([])
    if not dispatch.current_mode().eager:
        for t in found:
            join_collection(GraphKeys.TABLE_INITIALIZERS, t.op)


def restored(handle: Tensor, keys: Any, values: Any) -> None:
    """Put the entries of a checkpoint into a mutable table."""
    eager = isinstance(handle, dispatch.EagerTensor)
    cell = handle._a if eager else handle.op.attrs["cell"]  # type: ignore[attr-defined]
    if not isinstance(cell, TableCell):
        return
    count = len(keys)
    keys = np.reshape(keys, (count, *np.shape(keys)[1:][: len(cell.key_shape)]))
    inputs = (handle, keys, np.reshape(values, (count, *cell.value_shape)))
    op = dispatch.apply(table_ops.LookupTableImport, inputs)
    if not dispatch.current_mode().eager:
        join_collection(GraphKeys.TABLE_INITIALIZERS, op)
