"""Networks printed: their ops in a line, as a tree, and their numbers of parameters."""

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.specs.nets import create_net
from twinflow.graph.node import Node
from twinflow.ops.arrays.placeholder import placeholder

SHORT_NAMES = {
    "Const": "_", "Placeholder": "_", "Conv2D": "conv", "MatMul": "dot",
    "Sigmoid": "sig", "BiasAdd": "biasadd", "Variable": "var",
}  # fmt: skip
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")


def _node(x: Any) -> Node:
    """The node of a tensor or variable; of a read, the variable."""
    node = _own(x)
    reads = node.type in ("Identity", "ReadVariableOp") and node.inputs
    return _node(node.inputs[0]) if reads and _is_variable(node.inputs[0]) else node


def _own(x: Any) -> Node:
    return x if isinstance(x, Node) else x.op


def _is_variable(t: Any) -> bool:
    return t.op.type in _VARIABLES


def _shape(node: Node) -> list:
    if node.type == "VarHandleOp":
        return list(node.attrs["shape"])
    known = node.outputs[0].shape if node.outputs else None
    return known.as_list() if known is not None and known.ndims is not None else []


def tf_structure(x: Any, include_shapes: bool = False, finished: Any = None) -> str:
    """The ops of a network in the order in which they run, "<>" for repeats."""
    finished = set() if finished is None else finished
    node = _node(x)
    if node in finished:
        return " <>"
    finished.add(node)
    found = "".join(tf_structure(t, include_shapes, finished) for t in node.inputs)
    shape = f" {_shape(node)}" if include_shapes else ""
    name = SHORT_NAMES.get(node.type, node.type.lower())
    return f"{found}{shape} {name}{shape if node is not _own(x) else ''}"


def tf_print(
    x: Any, depth: int = 0, finished: Any = None, printer: Callable[..., Any] = print
) -> None:
    """Print a network as a tree, its output first."""
    finished = set() if finished is None else finished
    node = _node(x)
    known = node in finished
    finished.add(node)
    name = f"<{node.name}>" if known else f"{node.name} {node.type} {_shape(node)}"
    printer("  " * depth + name)
    for t in () if known else node.inputs:
        tf_print(t, depth + 1, finished, printer)


def tf_left_split(op: Any) -> tuple[Any, ...]:
    """The first input of an op, and the others; None and [] where it has none."""
    inputs = list((op if isinstance(op, Node) else op.op).inputs)
    return (inputs[0], inputs[1:]) if inputs else (None, [])


def tf_num_params(x: Any) -> int:
    """The number of parameters of a network."""
    return sum(_sizes(_node(x), set()))


def _sizes(node: Node, seen: set) -> Iterator[int]:
    if node in seen:
        return
    seen.add(node)
    if node.type in _VARIABLES:
        yield math.prod(_shape(node))
    for t in node.inputs:
        yield from _sizes(_node(t), seen)


def tf_parameter_iter(x: Any) -> Iterator[tuple[Any, ...]]:
    """(name, parameters, shape) of each op on the way back along the first inputs."""
    t: Any = x
    while t is not None:
        node = _node(t)
        left, right = tf_left_split(node)
        yield node.name, sum(map(tf_num_params, right)), _shape(node)
        t = left


def _combine_filter(entries: list) -> Iterator[tuple]:
    """Those of one scope together, with the shape of the last."""
    for name, group in itertools.groupby(entries, lambda e: e[0].split("/")[0]):
        each = list(group)
        yield name, sum(e[1] for e in each), each[-1][2]


def tf_parameter_summary(
    x: Any, printer: Callable[..., Any] = print, combine: bool = True
) -> None:
    """Print the parameters of the ops of a network, or of its scopes."""
    entries = list(tf_parameter_iter(x))[::-1]
    for name, count, shape in _combine_filter(entries) if combine else entries:
        printer(f"{count:10d} {name:20s} {shape!r}")


def _of_spec(spec: str, inputs: Any, input_shape: Any, input_type: Any) -> Any:
    if inputs is None:
        inputs = placeholder(input_type, input_shape)
    return create_net(spec, inputs)


def _shown(show: Callable, spec: str, *of: Any) -> Any:
    return show(_of_spec(spec, *of))


def tf_spec_structure(
    spec: str, inputs: Any = None, input_shape: Any = None,
    input_type: Any = dtypes.float32,
) -> str:  # fmt: skip
    """The structure of a spec's network; see `tf_structure`.

    Example:
        with tf.Graph().as_default():
            x = tf.contrib.specs.tf_spec_structure("net = Fs(9)", input_shape=(1, 8))
        x  # '_ variablev2 dot variablev2 biasadd sig'
    """
    return _shown(tf_structure, spec, inputs, input_shape, input_type).strip()


def tf_spec_summary(
    spec: str, inputs: Any = None, input_shape: Any = None,
    input_type: Any = dtypes.float32,
) -> None:  # fmt: skip
    """Print the parameters of a spec's network."""
    _shown(tf_parameter_summary, spec, inputs, input_shape, input_type)


def tf_spec_print(
    spec: str, inputs: Any = None, input_shape: Any = None,
    input_type: Any = dtypes.float32,
) -> None:  # fmt: skip
    """Print a spec's network as a tree."""
    _shown(functools.partial(tf_print), spec, inputs, input_shape, input_type)
