"""Graphs of pruned networks without the masks."""

from typing import Any

from twinflow.checkpoint.state import latest_checkpoint
from twinflow.contrib.model_pruning.masks import MASKED_WEIGHT_NAME
from twinflow.execute.session import Session
from twinflow.formats.protos import GraphDef
from twinflow.formats.tensor_proto import make_ndarray, make_tensor_proto
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.surgery import (
    convert_variables_to_constants,
    extract_sub_graph,
)
from twinflow.train.meta_graph import import_meta_graph


def strip_pruning_vars_fn(input_graph_def: Any, output_node_names: Any) -> Any:
    """A frozen GraphDef with the product of weights and mask in place of both.

    Args:
        input_graph_def: a GraphDef without variables. output_node_names: what to keep.
    """
    nodes = {node.name: node for node in input_graph_def.node}
    found = GraphDef()
    for node in input_graph_def.node:
        new = found.node.add()
        new.CopyFrom(node)
        if not node.name.endswith(MASKED_WEIGHT_NAME):
            continue
        left, right = (_constant(nodes, name) for name in node.input[:2])
        product = left * right
        new.Clear()
        new.name, new.op = node.name, "Const"
        new.attr["dtype"].CopyFrom(node.attr["T"])
        new.attr["value"].tensor.CopyFrom(make_tensor_proto(product))
    return extract_sub_graph(found, list(output_node_names))


def _constant(nodes, name):
    """The value of a constant, through what only passes it on."""
    node = nodes[name.partition(":")[0]]
    while node.op == "Identity":
        node = nodes[node.input[0].partition(":")[0]]
    return make_ndarray(node.attr["value"].tensor)


def graph_def_from_checkpoint(checkpoint_dir: Any, output_node_names: Any) -> Any:
    """The frozen GraphDef of the last checkpoint in a folder.

    Args:
        checkpoint_dir: the folder. output_node_names: what to keep.
    Raises:
        ValueError: there is no checkpoint.
    """
    path = latest_checkpoint(checkpoint_dir)
    if path is None:
        raise ValueError(f"Could not find a checkpoint at: {checkpoint_dir}.")
    with Graph().as_default() as graph, Session() as sess:
        import_meta_graph(f"{path}.meta", clear_devices=True).restore(sess, path)
        return convert_variables_to_constants(
            sess, graph.as_graph_def(), list(output_node_names)
        )
