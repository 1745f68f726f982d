"""Errors of nodes while they run: what failed, on what, and the user's line."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import devices, dtypes, errors, frames
from twinflow.base.annotations import Array
from twinflow.base.op import InferError
from twinflow.base.state import Uninitialized
from twinflow.graph import fit
from twinflow.graph.graph_def import texts
from twinflow.graph.node import Node

if TYPE_CHECKING:
    from twinflow.execute.interpreter import Step

_OF_KERNELS = ValueError | TypeError | ArithmeticError | IndexError | InferError


def located(error: Any, step: Any, values: list) -> errors.OpError:
    """`error` as the error of a node: its op, its name and the user's line.

    Args:
        error: what was raised. step: the Step that raised it. values: all values.
    """
    node = step.node
    if getattr(error, "located", False):
        return _called(error, node)
    if isinstance(error, MemoryError):
        error = errors.out_of_memory(error)
    if not isinstance(error, errors.OpError | _OF_KERNELS):
        return error
    if isinstance(error, Uninitialized):
        error = _without_value(error, node)
    if not isinstance(error, errors.OpError):
        text = _reworded(error, step, values)
        error = errors.InvalidArgumentError(None, None, text)
    return at_node(error, node, [_given(values, i) for i in _flat(step.ins)])


def _without_value(error: Uninitialized, node: Node) -> errors.OpError:
    """The error in TensorFlow's words: handles are looked up, references are not."""
    name = error.cell.name
    lost = f"Resource localhost/{name}/N10tensorflow3VarE does not exist."
    if node.opdef.refs or not any(t.dtype is dtypes.resource for t in node.inputs):
        return errors.FailedPreconditionError(None, None, error.message)
    if node.opdef.writes_cell:
        return errors.NotFoundError(None, None, lost)
    return errors.FailedPreconditionError(
        None, None,
        f"Error while reading resource variable {name} from Container: localhost. This "
        f"could mean that the variable was uninitialized. Not found: {lost}",
    )  # fmt: skip


def at_node(error: errors.OpError, node: Any, given: Sequence = ()) -> errors.OpError:
    """An OpError as that of a node, or of what stands for one: see `described`."""
    plain = type(error) is errors.OpError  # it takes a code as well
    kind: Callable[..., errors.OpError] = errors.UnknownError if plain else type(error)
    if isinstance(node, Node):
        found = kind(None, node, f"{error.message}\n\t {described(node, given)}")
    else:
        found = kind(None, None, f"{error.message}\n\t [[{{{{node {node.name}}}}}]]")
    found.located = True
    return errors.with_notes_of(error, found)


def described(node: Node, given: Sequence = (), device: str | None = None) -> str:
    """`[[node mul (defined at a.py:12)  = Mul[T=DT_FLOAT, ...](x float32[2,3], ...)]]`

    Args:
        node: the Node. given: its inputs as texts, such as `float32[2,3]`; those that
            are not there are left out. device: by default the one that runs it.
    """
    where = frames.format_frame(node.frames[0]) if node.frames else "unknown"
    attrs = [f"{k}={v}" for k, v in _attributes(node)]
    attrs.append(f'_device="{device or devices.full(node.device)}"')
    inputs = [
        f"{t.op.name}:{t.value_index}" if t.value_index else t.op.name
        for t in node.inputs
    ]
    if len(given) == len(inputs):
        inputs = [f"{name} {g}" if g else name for name, g in zip(inputs, given)]
    return (
        f"[[node {node.name} (defined at {where})  = {node.type}"
        f"[{', '.join(attrs)}]({', '.join(inputs)})]]"
    )


def _attributes(node: Node) -> list[tuple]:
    """The attributes of the op as texts, sorted by name."""
    try:
        found = sorted(node.node_def.attr.items())
    except (KeyError, TypeError, ValueError):  # what no GraphDef can hold
        return []
    return [(k, texts.attr(v)) for k, v in found if not k.startswith("_")]


def _given(values: list, slot: int) -> str:
    """The dtype and shape of an input as a text; "" for what is no array."""
    value = values[slot]
    if not isinstance(value, np.ndarray | np.generic):
        return ""
    name = "string" if value.dtype.kind in "OSU" else value.dtype.name
    return f"{name}[{','.join(map(str, np.shape(value)))}]"


def _flat(ins: list[int]) -> Iterator[int]:
    for i in ins:
        if type(i) is list:
            yield from i
        else:
            yield i


def _called(error: errors.OpError, node: Node) -> errors.OpError:
    """Note the node that called the function in which an error arose."""
    inner = [*getattr(error, "callers", ()), getattr(error, "op", None)]
    graph = getattr(inner[-2] if len(inner) > 1 else inner[-1], "graph", None)
    if graph is not None and node.attrs.get("f") is graph:
        error.callers.append(node)
        error._message = f"{error.message}\n\t {described(node)}"
    return error


def _reworded(error: InferError, step: "Step", values: list[Array | None]) -> str:
    """What `infer` says of inputs a kernel refused, else the kernel's own words."""
    op = step.node.opdef
    try:
        args = [
            [values[j] for j in i] if type(i) is list else values[i] for i in step.ins
        ]
        fit.check(op, args, step.node.attrs)
    except InferError as found:
        return str(found)
    except Exception:
        pass
    return f"{type(error).__name__}: {error}"
