"""The order in which the nodes of a GraphDef are computed, and the sizes of images."""

import math
from typing import Any, NamedTuple

from twinflow.contrib.receptive_field.layer_parameters import get_layer_params


class NodeInfo(NamedTuple):
    """When a node is computed, and how large (height, width) its images are."""

    order: int
    node: Any
    input_size: Any
    output_size: Any


def parse_graph_nodes(graph_def: Any) -> dict:
    """{name: NodeDef} of a GraphDef."""
    return {node.name: node for node in graph_def.node}


def _compute_output_resolution(resolution, kernel_size, stride, total_padding):
    """The size after a layer; None where it is not known."""
    if resolution is None or total_padding is None:
        return None
    return math.ceil((resolution + total_padding - kernel_size + 1) / stride)


def get_compute_order(
    graph_def: Any, input_node_name: str = "", input_node_size: Any = None
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """When each node is computed: after all that it needs.

    Args:
        graph_def: a GraphDef. input_node_name: the node with the images.
        input_node_size: their (height, width), or None.
    Returns:
        ({name: (order, node, input_size, output_size)}, {name: NodeDef})
    """
    name_to_node = parse_graph_nodes(graph_def)
    found: dict = {}
    for start in name_to_node:
        waiting = [start]
        while waiting:
            name = waiting[-1]
            needed = [_name(i) for i in name_to_node[name].input]
            missing = [n for n in needed if n not in found and n not in waiting]
            if name == input_node_name:
                missing = []
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            if name not in found:
                found[name] = _info(
                    name, needed, found, name_to_node, input_node_name, input_node_size
                )
    return found, name_to_node


def _name(text):
    """The node that an input names."""
    return text.removeprefix("^").partition(":")[0]


def _info(name, needed, found, name_to_node, input_name, input_size):
    node = name_to_node[name]
    if name == input_name:
        return NodeInfo(0, node, None, input_size)
    before = [found[n] for n in needed if n in found]
    order = max((b.order + 1 for b in before), default=0)
    size = next((b.output_size for b in before if b.output_size is not None), None)
    if size is None:
        return NodeInfo(order, node, None, None)
    known = get_layer_params(node, name_to_node, size, force=True)
    after = [
        _compute_output_resolution(*values)
        for values in (
            (size[0], known.kernel_size_y, known.stride_y, known.total_padding_y),
            (size[1], known.kernel_size_x, known.stride_x, known.total_padding_x),
        )
    ]
    return NodeInfo(order, node, size, after)
