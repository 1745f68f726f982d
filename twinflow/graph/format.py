"""The printer: graphs and programs as stable text, one line per node."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from twinflow.graph.program import regions

if TYPE_CHECKING:
    from twinflow.graph.func_graph import FuncGraph
    from twinflow.graph.node import GraphTensor, Node
    from twinflow.graph.program import Program


def format_graph(graph: "FuncGraph") -> str:
    """The nodes of a graph with names, shapes and dtypes."""
    lines = [_line(n, n.inputs, _indent(n.region)) for n in graph.nodes]
    return "\n".join(lines)


def _indent(region: Any) -> str:
    depth = 0
    while region is not None:
        region, depth = region.parent, depth + 1
    return "  " * depth


def format_program(program: "Program", depth: int = 0) -> str:
    """The nodes of a program as they will run."""
    pad = "  " * depth
    lines = []
    for node in program.nodes:
        if node.type == "Const" or _all_known(node, program):
            continue
        inputs = [program.resolve(t) for t in node.inputs]
        lines.append(_line(node, inputs, pad, program))
        for r in regions(node):
            lines.append(f"{pad}  {r.label}({_names(program.bodies[r].feeds)}):")
            lines.append(format_program(program.bodies[r], depth + 2))
    fetches = [program.resolve(t) for t in program.fetches if t is not None]
    lines.append(f"{pad}return {', '.join(_name(t, program) for t in fetches)}")
    return "\n".join(lines)


def _all_known(node: "Node", program: "Program") -> bool:
    return bool(node.outputs) and all(
        program.const(t) is not None for t in node.outputs
    )


def _line(
    node: "Node", inputs: Sequence, pad: str, program: "Program | None" = None
) -> str:
    outputs = ", ".join(f"{t.name}: {_kind(t)}" for t in node.outputs)
    args = [_name(t, program) for t in inputs]
    args += [f"{k}={_short(v)}" for k, v in sorted(node.attrs.items())]
    return f"{pad}{outputs or node.name} = {node.type}({', '.join(args)})"


def _name(t: "GraphTensor", program: "Program | None") -> str:
    if program is not None:
        value = program.const(t)
    else:
        value = t.op.attrs["value"] if t.op.type == "Const" else None
    return t.name if value is None or value.size > 8 else str(value.tolist())


def _names(tensors: Any) -> str:
    return ", ".join(f"{t.name}: {_kind(t)}" for t in tensors)


def _kind(t: "GraphTensor") -> str:
    if t._shape is None:
        return f"{t.dtype.name}[...]"
    dims = ", ".join("?" if d is None else str(d) for d in t._shape)
    return f"{t.dtype.name}[{dims}]"


def _short(value: Any) -> str:
    if hasattr(value, "shape") and hasattr(value, "tolist"):
        return str(value.tolist()) if value.size <= 8 else f"array{value.shape}"
    if isinstance(value, list):
        return f"[{len(value)} items]"
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else str(value)
