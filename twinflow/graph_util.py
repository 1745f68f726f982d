"""tf.graph_util: GraphDefs cut out, frozen and cleaned."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.graph.graph_def.import_def: import_graph_def
twinflow.graph.graph_def.surgery: convert_variables_to_constants extract_sub_graph
twinflow.graph.graph_def.surgery: must_run_on_cpu remove_training_nodes
twinflow.graph.graph_def.surgery: tensor_shape_from_node_def_name
""",
)
