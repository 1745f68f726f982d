"""Checks of tensors and looks at graphs, for tf.contrib.framework."""

from typing import Any

from twinflow.base.shapes import TensorShape
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.elementwise import add_n
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import shape
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.debugging.static import assert_scalar


def assert_scalar_int(tensor: Any, name: str | None = None) -> Any:
    """The tensor, which must be an integer scalar.

    Raises:
        ValueError: it is not.
    """
    tensor = convert_to_tensor(tensor, name=name)
    if not tensor.dtype.is_integer:
        raise ValueError(
            f"Expected integer type for {tensor.name}, received type: {tensor.dtype}."
        )
    return assert_scalar(tensor)


def with_shape(expected_shape: Any, tensor: Any) -> Any:
    """The tensor, once its shape is found to be as expected.

    Args:
        expected_shape: a list of ints, a TensorShape, or an int tensor.
    Raises:
        ValueError: the shape is known, and another one.
        InvalidArgumentError: it turns out to be another one.
    """
    tensor = convert_to_tensor(tensor)
    known = expected_shape
    if not isinstance(known, TensorShape | list | tuple):
        known = TensorShape(None)
        expected = expected_shape
    else:
        known = expected = TensorShape(known)
        if known.is_fully_defined():
            expected = known.as_list()
    if not tensor.shape.is_compatible_with(known):
        raise ValueError(
            f"Invalid shape for tensor {tensor.name}, expected {expected_shape}, got "
            f"{tensor.shape}."
        )
    if isinstance(expected, TensorShape) or tensor.shape.is_fully_defined():
        tensor.set_shape(known)
        return tensor
    with control_dependencies([assert_equal(shape(tensor), expected)]):
        found = identity(tensor)
    found.set_shape(known)
    return found


def with_same_shape(expected_tensor: Any, tensor: Any) -> Any:
    """The tensor, once it is found to have the shape of another one."""
    known = expected_tensor.shape
    return with_shape(
        known if known.is_fully_defined() else shape(expected_tensor), tensor
    )


def reduce_sum_n(tensors: Any, name: str | None = None) -> Any:
    """The sum of all elements of several tensors.

    Raises:
        ValueError: there are none.
    """
    if not tensors:
        raise ValueError("No tensors provided.")
    with name_scope(name, "reduce_sum_n", tensors):
        return add_n([reduce_sum(t, name=f"{t.op.name}_sum") for t in tensors])


def get_placeholders(graph: Any = None) -> Any:
    """The placeholders of a graph, the default one if not given."""
    graph = graph or get_default_graph()
    return [n.outputs[0] for n in graph.get_operations() if n.type == "Placeholder"]
