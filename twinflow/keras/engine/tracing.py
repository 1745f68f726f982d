"""Calling a function on symbolic inputs, for its variables and shapes."""

from twinflow.base import dispatch
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.graph.func_graph import FuncGraph


def holds_shapes(given):
    """Whether a list holds shapes, not the sizes of one."""
    return any(isinstance(s, TensorShape | tuple | list) for s in given)


def trace(function, inputs, whole=False):
    """Call `function` on symbolic inputs that are thrown away, for the variables.

    Args:
        function: of one tensor each for `inputs`.
        inputs: pairs of (DType, shape).
        whole: whether to give the result as it is.
    Returns:
        (DType, shape) of the result, or None if it is not a single tensor.
    """
    graph = FuncGraph("build", current_mode())
    with dispatch.entered(graph):
        shapes = [(d, TensorShape(s)) for d, s in inputs]
        args = [
            graph.add_input(d, None if s.dims is None else tuple(s.as_list()), "input")
            for d, s in shapes
        ]
        y = function(*args)
    if whole:
        return y
    return (y.dtype, y._shape) if hasattr(y, "_shape") else None
