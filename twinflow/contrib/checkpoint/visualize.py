"""tf.contrib.checkpoint: the objects of a checkpoint drawn."""

from twinflow.base.annotations import Path
from twinflow.checkpoint.object_graph import VALUE
from twinflow.checkpoint.reader import NewCheckpointReader
from twinflow.checkpoint.tracking import object_metadata


def dot_graph_from_checkpoint(save_path: Path) -> str:
    """The objects of a checkpoint as a graph in the language DOT.

    Args:
        save_path: what Checkpoint.save returned.
    Returns:
        The text; variables are blue, slot variables dotted edges.
    Raises:
        ValueError: the checkpoint has no objects.
    Example:
        v = tf.Variable(1., use_resource=True)
        saved = tf.train.Checkpoint(v=v).write("./drawn")
        tf.contrib.checkpoint.dot_graph_from_checkpoint(saved)[:9]  # "digraph {"
    """
    graph, reader = object_metadata(save_path), NewCheckpointReader(save_path)
    shapes = reader.get_variable_to_shape_map()
    types = reader.get_variable_to_dtype_map()
    slots = {s.slot_variable_node_id for n in graph.nodes for s in n.slot_variables}
    lines = ["digraph {"]
    for place, node in enumerate(graph.nodes):
        values = [a for a in node.attributes if a.name == VALUE]
        how = ' color=red,tooltip="Optimizer"' if node.slot_variables else ""
        start = f'N_{place} [shape=point label=""'
        if values:
            kind, color = "Variable", "blue"
            if place in slots:
                kind, color = "Slot variable", "orange"
            key = values[0].checkpoint_key
            about = f"{kind} {values[0].full_name} shape={shapes[key]}"
            how = f' tooltip="{about} {types[key].name}"'
            lines.append(f"{start} color={color} width=.25{how}]")
        else:
            lines.append(f"{start} width=.25{how}]")
        lines += _edges(place, node)
    return "\n".join([*lines, "}\n"])


def _edges(place, node):
    """Lines to the parts of an object; dotted ones to its slot variables."""
    for child in node.children:
        yield f'N_{place} -> N_{child.node_id} [label="{child.local_name}"]'
    for slot in node.slot_variables:
        end = slot.slot_variable_node_id
        yield f'N_{place} -> N_{end} [label="{slot.slot_name}" style=dotted]'
        yield f"N_{slot.original_variable_node_id} -> N_{end} [style=dotted]"
