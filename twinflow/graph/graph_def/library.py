"""Traced functions as FunctionDefs, and calls of them as NodeDefs.

In a FunctionDef an input is the name of an argument, or `node:output:index`.
"""

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import dtypes, op_defs
from twinflow.base.op_lookup import known_op
from twinflow.base.tensor import Tensor
from twinflow.formats import protos
from twinflow.graph.graph_def.library_function import LibraryFunction
from twinflow.graph.graph_def.own import op_def
from twinflow.graph.graph_def.parts import Parts
from twinflow.graph.v1.write import Writer

if TYPE_CHECKING:
    from twinflow.graph.node import Node

_numbers = itertools.count()


def functions_of(node: "Node") -> Any:
    """(FuncGraph, outputs) of what a node calls, or None."""
    if node.opdef.engine != "PartitionedCall":
        return None
    return node.extra.called(node)


def definition_of(node: "Node") -> Any:
    """The function of a library that a node calls as it is, or None.

    It has a `name`, a `definition` and a `grad_func`.
    """
    called = functions_of(node)
    found = called and _defined(*called)
    return found if found and found.name == node.type else None


def _defined(graph: Any, outputs: tuple[Tensor, ...]) -> Any:
    found = graph.defined
    return found if found is not None and list(outputs) == graph.outputs else None


def is_call_with_effects(node: Any) -> Any:
    """Whether a node calls a function that may not be dropped."""
    called = functions_of(node)
    return (
        called is not None and node.type == "PartitionedCall" and is_stateful(called[0])
    )


def name_of(graph: Any, outputs: tuple[Tensor, ...]) -> str:
    """The name in the library of a function with some outputs."""
    defined = _defined(graph, outputs)
    if defined is not None:
        return defined.name
    names = graph.state.setdefault("library names", {})
    if outputs not in names:
        names[outputs] = f"__inference_{_lower(graph.name)}_{next(_numbers)}"
    return names[outputs]


def is_stateful(graph: Any) -> bool:
    """Whether a call may not be dropped or merged with another."""
    return any(
        is_stateful(called[0]) if (called := functions_of(n)) else n.opdef.stateful
        for n in graph.nodes
    )


def fill(library: Any, nodes: Any, node_defs: Any) -> None:
    """Add the functions that nodes call, and those that they call.

    Args:
        library: a FunctionDefLibrary. node_defs: (node) -> its NodeDefs.
    """
    known = {f.signature.name for f in library.function}
    for needed in _named(nodes):
        new = [f for f in needed.function if f.signature.name not in known]
        library.function.extend(new)
        known.update(f.signature.name for f in new)
        missing = [pair for pair in needed.gradient if pair not in library.gradient]
        library.gradient.extend(missing)
    for found in filter(None, map(functions_of, nodes)):
        name = name_of(*found)
        if name not in known:
            known.add(name)
            graph, outputs = found
            defined = _defined(graph, outputs)
            if defined is not None:
                add(library, defined)
            else:
                proto = function_def(name, graph, outputs, node_defs)
                library.function.append(proto)
            fill(library, graph.nodes, node_defs)
            known.update(f.signature.name for f in library.function)


def _named(nodes: Any) -> Iterator[Any]:
    """The FunctionDefLibraries that imported nodes need."""
    for node in nodes:
        called = functions_of(node)
        for value in (*node.attrs.values(), called and called[0].defined):
            if isinstance(value, LibraryFunction):
                yield value.needed()
                continue
            library = getattr(value, "_library", None)  # of a dataset that was written
            if isinstance(library, protos.FunctionDefLibrary):
                yield library


def add(library: Any, defined: Any) -> None:
    """Put a function and its gradient function into a library that has it not."""
    if any(f.signature.name == defined.name for f in library.function):
        return
    library.function.append(defined.definition)
    gradient = defined.grad_func
    if gradient is not None:
        library.gradient.add(function_name=defined.name, gradient_func=gradient.name)
        add(library, gradient)


def function_def(
    name: str, graph: Any, outputs: Any, node_defs: Any, more: Any = None,
    nodes: Any = None,
) -> Any:  # fmt: skip
    """The FunctionDef of a FuncGraph for some of its tensors.

    Args:
        node_defs: (node) -> its NodeDefs.
        more: (how NodeDefs call a tensor, Parts) -> how they call one more result,
            a variant, whose NodeDefs it has put there.
        nodes: those of any graph that are the function, which then has no arguments.
    """
    proto = protos.FunctionDef()
    proto.signature.name = name
    proto.signature.is_stateful = nodes is not None or is_stateful(graph)
    args: dict = {}
    names: set = set()
    for t in graph.all_inputs if nodes is None else ():
        arg = proto.signature.input_arg.add(name=_unused(_lower(t.op.name), names))
        arg.type = t.dtype.as_datatype_enum
        args[t.op.name] = arg.name
    writer = Writer(graph, node_defs)
    for node in graph.nodes if nodes is None else nodes:
        if node.name not in args:
            proto.node_def.extend(writer.parts(node))
    results = [(writer.ref(t, None, ""), t.dtype) for t in outputs]
    if more is not None:
        parts = Parts(protos.NodeDef(name="dataset"))
        results.append((more(lambda t: writer.ref(t, None, ""), parts), dtypes.variant))
        proto.node_def.extend(parts.made)
    by_name = {n.name: n for n in proto.node_def}
    called = filter(None, map(definition_of, graph.nodes))
    known = {d.name: d.definition.signature for d in called}
    for n in proto.node_def:
        n.input[:] = [_input(text, args, by_name, known) for text in n.input]
    for text, dtype in results:
        out = proto.signature.output_arg.add(name=_unused("output", names))
        out.type = dtype.as_datatype_enum
        proto.ret[out.name] = _input(text, args, by_name, known)
    return proto


def needed(tensors: Any) -> list:
    """The nodes that tensors are computed by, each after what it takes."""
    found: dict = {}
    waiting = [t.op for t in tensors]
    while waiting:
        node = waiting.pop()
        found.pop(node, None)
        found[node] = None
        waiting += [t.op for t in node.inputs]
    return list(found)[::-1]


def _lower(name: str) -> str:
    """A name as arguments and functions have it."""
    return re.sub(r"\W+", "_", name).strip("_").lower() or "x"


def _unused(name: str, names: Any) -> Any:
    found = next(
        n for n in itertools.chain([name], (f"{name}_{i}" for i in itertools.count(1)))
        if n not in names
    )  # fmt: skip
    names.add(found)
    return found


def _input(text: str, args: Any, nodes: Any, signatures: dict) -> Any:
    """An input of a NodeDef as a FunctionDef has it."""
    if text.startswith("^"):
        return f"^{args.get(text[1:], text[1:])}"
    name, _, index = text.partition(":")
    if name in args:
        return args[name]
    return name + output_of(nodes[name], int(index or 0), signatures)


def output_of(node: Any, place: int, signatures: dict) -> str:
    """The name, as ":name:index", of an output of a NodeDef in a FunctionDef.

    Args:
        signatures: {op type: OpDef message} of the functions that may be called.
    """
    rest = place
    for arg, count in _outputs(node, signatures):
        if rest < count:
            return f":{arg}:{rest}"
        rest -= count
    raise ValueError(f"There is no output {place} of {node}")


def _outputs(node: Any, signatures: dict) -> Iterator[Any]:
    """(name, number of tensors) of each output of a NodeDef."""
    if node.op in signatures:
        yield from ((arg.name, 1) for arg in signatures[node.op].output_arg)
        return
    found = op_defs.find(node.op) or op_def(known_op(node.op))
    for arg in found.outputs:
        if arg.number_attr:
            yield arg.name, node.attr[arg.number_attr].i
        elif arg.list_attr:
            yield arg.name, len(node.attr[arg.list_attr].list.type)
        else:
            yield arg.name, 1
