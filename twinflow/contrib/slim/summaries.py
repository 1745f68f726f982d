"""tf.contrib.slim.summaries: summaries of tensors, named as the tensors are."""

from collections.abc import Callable
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import add_to_collection
from twinflow.ops.debugging.print import Print
from twinflow.ops.nn.dropout import zero_fraction
from twinflow.ops.variables.collections import GraphKeys
from twinflow.summary import summaries


def _name(tensor, name, prefix, *postfix):
    """The name given, or that of the tensor's node, with what stands around it."""
    return "/".join(filter(None, [prefix, name or tensor.op.name, *postfix]))


def _made(make, tag, value, shown):
    """A summary of a value; with `shown`, of the value that is printed."""
    op = make(tag, value, collections=[])
    if shown:
        op = Print(op, [value], tag)
    add_to_collection(GraphKeys.SUMMARIES, op)
    return op


def add_scalar_summary(
    tensor: Tensor, name: Any = None, prefix: Any = None, print_summary: bool = False
) -> Tensor:
    """A summary of a number.

    Args:
        tensor: a real scalar. name: its tag; the name of its node by default.
        prefix: what the tag begins with. print_summary: print it as well.
    Returns:
        string scalar
    """
    tag = _name(tensor, name, prefix)
    return _made(summaries.scalar, tag, tensor, print_summary)


def add_image_summary(
    tensor: Tensor, name: Any = None, prefix: Any = None, print_summary: bool = False
) -> Tensor:
    """A summary of the images of a batch; see `add_scalar_summary`."""
    tag = _name(tensor, name, prefix)
    return _made(summaries.image, tag, tensor, print_summary)


def add_histogram_summary(
    tensor: Tensor, name: Any = None, prefix: Any = None
) -> Tensor:
    """A summary of how the numbers of a tensor are spread; see `add_scalar_summary`."""
    return summaries.histogram(_name(tensor, name, prefix), tensor)


def add_zero_fraction_summary(
    tensor: Tensor, name: Any = None, prefix: Any = None, print_summary: bool = False
) -> Tensor:
    """A summary of which part of the entries is zero; see `add_scalar_summary`."""
    name = _name(tensor, name, prefix, "Fraction_of_Zero_Values")
    return add_scalar_summary(zero_fraction(tensor), name, print_summary=print_summary)


def _each(add: Callable, tensors: Any, prefix: Any) -> list:
    """Summaries of tensors in a list, or in a dict by name."""
    if isinstance(tensors, dict):
        return [add(tensor, name, prefix) for name, tensor in tensors.items()]
    return [add(tensor, prefix=prefix) for tensor in tensors]


def add_histogram_summaries(tensors: Any, prefix: Any = None) -> list[Any]:
    """`add_histogram_summary` of each tensor of a list or {name: tensor}."""
    return _each(add_histogram_summary, tensors, prefix)


def add_image_summaries(tensors: Any, prefix: Any = None) -> list[Any]:
    """`add_image_summary` of each tensor of a list or {name: tensor}."""
    return _each(add_image_summary, tensors, prefix)


def add_scalar_summaries(
    tensors: Any, prefix: Any = None, print_summary: bool = False
) -> list[Any]:
    """`add_scalar_summary` of each tensor of a list or {name: tensor}."""

    def add(tensor, name=None, prefix=None):
        return add_scalar_summary(tensor, name, prefix, print_summary)

    return _each(add, tensors, prefix)


def add_zero_fraction_summaries(tensors: Any, prefix: Any = None) -> list[Any]:
    """`add_zero_fraction_summary` of each tensor of a list or {name: tensor}."""
    return _each(add_zero_fraction_summary, tensors, prefix)
