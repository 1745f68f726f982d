"""The graph of a function of a GraphDef's library, made when it is first called."""

from typing import Any

from twinflow.base import dispatch
from twinflow.base.dtypes import as_dtype
from twinflow.eager.mode import MODE
from twinflow.formats import protos
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.graph_def.importer import Importer
from twinflow.graph.v1.functions import WHOLE_CALL
from twinflow.graph.v1.recover import recover

_CALL = "call"
_UNFINISHED = object()


def graph_of(function: Any) -> FuncGraph:
    """The FuncGraph of a LibraryFunction, which keeps it.

    Raises:
        ValueError: it calls itself.
    """
    if function.graph is _UNFINISHED:
        raise ValueError(f"The function {function.name!r} calls itself")
    if function.graph is None:
        function.graph = _UNFINISHED
        try:
            function.graph = _made(function)
        finally:
            if function.graph is _UNFINISHED:
                function.graph = None
    return function.graph


def _made(function: Any) -> FuncGraph:
    signature, named = function.definition.signature, function.named
    call = protos.NodeDef(name=_CALL, op=WHOLE_CALL)  # which does not stay
    call.attr["f"].func.CopyFrom(named)
    kinds = [_type(arg, named) for arg in signature.output_arg]
    call.attr["Tout"].list.type.extend(kind.as_datatype_enum for kind in kinds)
    args = [(arg.name, _type(arg, named)) for arg in signature.input_arg]
    call.attr["Tin"].list.type.extend(kind.as_datatype_enum for _, kind in args)
    graph_def = protos.GraphDef(node=[call], library=function.library)
    graph = _imported(graph_def, function.name, args, function.others)
    graph.defined = function
    return graph


def graph_of_op(named: Any, types: list) -> FuncGraph:
    """The FuncGraph of one op.

    Args:
        named: its type and attributes, a NameAttrList. types: the dtypes of its inputs.
    """
    node = protos.NodeDef(name=_CALL, op=named.name, attr=named.attr)
    args = [(f"x_{i}", kind) for i, kind in enumerate(types)]
    return _imported(protos.GraphDef(node=[node]), named.name, args, {})


def _imported(graph_def: Any, name: str, args: list, functions: dict) -> FuncGraph:
    """The FuncGraph of the one node of a GraphDef, which takes its arguments."""
    graph, given = FuncGraph(name, MODE), {}
    (call,) = graph_def.node
    with dispatch.entered(graph), dispatch.tapes_paused():
        for i, (arg, kind) in enumerate(args):
            given[f"input_{i}"] = graph.add_input(kind, None, arg)
        call.input.extend(given)
        importer = Importer(graph, graph_def, given, "")
        importer.functions = functions
        importer.run(recover([call]))
        graph.outputs.extend(importer.outputs[_CALL])
    return graph


def _type(arg: Any, named: Any) -> Any:
    """The dtype of an argument of a FunctionDef."""
    return as_dtype(arg.type or named.attr[arg.type_attr].type)
