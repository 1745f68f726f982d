"""The graph of a function of a GraphDef's library, made when it is first called."""

from typing import Any

from twinflow.base import dispatch
from twinflow.base.dtypes import as_dtype
from twinflow.eager.mode import MODE
from twinflow.formats import protos
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.graph_def.importer import Importer
from twinflow.graph.v1.recover import recover

_CALL = "call"


def graph_of(function: Any) -> FuncGraph:
    """The FuncGraph of a LibraryFunction, which keeps it."""
    if function.graph is None:
        function.graph = _made(function)
    return function.graph


def _made(function: Any) -> FuncGraph:
    signature = function.definition.signature
    graph = FuncGraph(function.name, MODE)
    call = protos.NodeDef(name=_CALL, op="PartitionedCall")
    call.attr["f"].func.CopyFrom(function.named)
    given: dict = {}
    with dispatch.entered(graph), dispatch.tapes_paused():
        for i, arg in enumerate(signature.input_arg):
            name, kind = f"input_{i}", _type(arg, function.named)
            given[name] = graph.add_input(kind, None, arg.name)
            call.input.append(name)
            call.attr["Tin"].list.type.append(kind.as_datatype_enum)
        for arg in signature.output_arg:
            kind = _type(arg, function.named)
            call.attr["Tout"].list.type.append(kind.as_datatype_enum)
        graph_def = protos.GraphDef(node=[call], library=function.library)
        importer = Importer(graph, graph_def, given, "")
        importer.run(recover([call]))
        graph.outputs.extend(importer.outputs[_CALL])
    return graph


def _type(arg: Any, named: Any) -> Any:
    """The dtype of an argument of a FunctionDef."""
    return as_dtype(arg.type or named.attr[arg.type_attr].type)
