"""TransformGraph: transforms one after the other, by their names."""

from typing import Any

from twinflow.base import errors
from twinflow.base.errors import invalid
from twinflow.formats import protos
from twinflow.transforms import cutting, renaming, weights
from twinflow.transforms.parsing import transforms_of

TABLE = {**renaming.TABLE, **cutting.TABLE, **weights.TABLE}
_ABSENT = frozenset((  # of TensorFlow's tool: for its mobile kernels and quantized ops
    "backport_tensor_array_v3", "flatten_atrous_conv", "freeze_requantization_ranges",
    "fuse_convolutions", "fuse_pad_and_conv", "fuse_remote_graph",
    "fuse_resize_and_conv", "fuse_resize_pad_and_conv", "hexagon",
    "place_remote_graph_arguments", "quantize_nodes", "sparsify_gather",
))  # fmt: skip


def TransformGraph(
    input_graph_def: Any, inputs: list[str], outputs: list[str], transforms: list[str]
) -> Any:
    """A GraphDef after some transforms.

    Args:
        input_graph_def: a GraphDef. inputs, outputs: names of its nodes.
        transforms: texts such as "fold_constants(ignore_errors=true)". There are those
            of `twinflow.transforms.tool.TABLE`.
    Returns:
        A new GraphDef.
    Raises:
        InvalidArgumentError: a text is none of a transform.
        UnimplementedError: it is one that only TensorFlow's own tool has.
    Example:
        with tf.Graph().as_default() as graph:
            x = tf.placeholder(tf.float32, [], name="x")
            tf.add(tf.identity(x), tf.constant(1.0) + 2.0, name="y")
        from tensorflow.tools.graph_transforms import TransformGraph
        steps = ["remove_nodes(op=Identity)", "fold_constants"]
        len(TransformGraph(graph.as_graph_def(), ["x"], ["y"], steps).node)  # 3
    """
    found = protos.GraphDef()
    found.CopyFrom(input_graph_def)
    for name, options in transforms_of(" ".join(transforms)):
        if name in _ABSENT:
            raise errors.UnimplementedError(
                None, None, f"Transform '{name}' is only in TensorFlow's own tool. "
                f"There are {', '.join(sorted(TABLE))}",
            )  # fmt: skip
        if name not in TABLE:
            raise invalid(f"Transform '{name}' not recognized.")
        found = TABLE[name](found, inputs, outputs, options)
    return found
