"""remote_fused_graph_execute: a graph as one op."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.base.text import as_bytes
from twinflow.execute.remote_graphs import RemoteFusedGraphExecute
from twinflow.formats.attr_values import shape_proto
from twinflow.formats.protos import RemoteFusedGraphExecuteInfo
from twinflow.ops.core.constant import convert_to_tensor


def remote_fused_graph_execute(
    inputs: Any, output_types: Any, graph_def: Any, graph_input_node_names: list[str],
    graph_output_node_names: list[str], executor_name: str,
    serialized_executor_parameters: Any,
    default_graph_input_tensor_type_shapes: Any = None,
    default_graph_output_tensor_type_shapes: Any = None,
) -> list[Tensor]:  # fmt: skip
    """What a graph gives, as one op; here it runs on the CPU.

    TensorFlow 1.12 has executors for other processors in plugins, and without one gives
    numbers without a meaning. Here every executor is the interpreter. There is no
    gradient, as in 1.12.

    Args:
        inputs: a list of tensors. output_types: the dtypes of the results.
        graph_def: a GraphDef. graph_input_node_names, graph_output_node_names: which
            nodes of it stand for the inputs and the results.
        executor_name: str. serialized_executor_parameters: bytes; both are noted.
        default_graph_input_tensor_type_shapes, default_graph_output_tensor_type_shapes:
            lists of pairs of a dtype and a shape, which are noted.
    Returns:
        A list of tensors of unknown shapes.
    Example:
        with tf.Graph().as_default() as graph:
            tf.square(tf.placeholder(tf.float32, [], name="x"), name="y")
        run = tf.contrib.remote_fused_graph.remote_fused_graph_execute
        made, x = graph.as_graph_def(), tf.constant(3.0)
        y, = run([x], [tf.float32], made, ["x"], ["y"], "", b"")
        tf.Session().run(y)  # 9.0
    """
    info = RemoteFusedGraphExecuteInfo(
        graph_input_node_name=graph_input_node_names,
        graph_output_node_name=graph_output_node_names, executor_name=executor_name,
        serialized_executor_parameters=as_bytes(serialized_executor_parameters),
    )  # fmt: skip
    info.remote_graph.CopyFrom(graph_def)
    for key, pairs in (
        ("input", default_graph_input_tensor_type_shapes),
        ("output", default_graph_output_tensor_type_shapes),
    ):
        noted = getattr(info, f"default_graph_{key}_tensor_shape")
        for dtype, shape in pairs or ():
            one = noted.add(dtype=dtypes.as_dtype(dtype).as_datatype_enum)
            one.shape.CopyFrom(shape_proto(TensorShape(shape)))
    attrs = {
        "Toutputs": tuple(dtypes.as_dtype(t) for t in output_types),
        "serialized_remote_fused_graph_execute_info": info.SerializeToString(),
    }
    given = [convert_to_tensor(x) for x in inputs]
    found = apply(RemoteFusedGraphExecute, (given,), attrs)
    return list(found) if isinstance(found, list | tuple) else [found]
