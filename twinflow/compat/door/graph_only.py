"""tensorflow.python.eager.graph_only_ops: nodes of the default graph in either mode."""

from twinflow.base import dispatch
from twinflow.graph.defaults import get_default_graph
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.creation import zeros_like


def graph_zeros_like(tensor):
    """A node with zeros in the shape and dtype of a value."""
    with dispatch.entered(get_default_graph()):
        return zeros_like(tensor)


def graph_placeholder(dtype, shape, name=None):
    """A placeholder node."""
    with dispatch.entered(get_default_graph()):
        return placeholder(dtype, shape, name)
