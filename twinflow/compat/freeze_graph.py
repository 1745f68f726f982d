"""tensorflow.python.tools.freeze_graph: a graph and a checkpoint as one GraphDef."""

from google.protobuf import text_format

from twinflow.base import dispatch, files
from twinflow.base.damage import reported
from twinflow.checkpoint.reader import NewCheckpointReader
from twinflow.checkpoint.saver import Saver
from twinflow.checkpoint.state import checkpoint_exists
from twinflow.execute.session import Session
from twinflow.formats import protos
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.graph.graph_def.surgery import convert_variables_to_constants
from twinflow.ops.variables.creators import VariableV1
from twinflow.train.meta_graph import import_meta_graph


def freeze_graph_with_def_protos(
    input_graph_def, input_saver_def, input_checkpoint, output_node_names,
    restore_op_name, filename_tensor_name, output_graph, clear_devices,
    initializer_nodes, variable_names_whitelist="", variable_names_blacklist="",
    input_meta_graph_def=None, input_saved_model_dir=None, saved_model_tags=None,
    checkpoint_version=protos.SaverDef.V2,
):  # fmt: skip
    """A GraphDef whose variables are constants with the values of a checkpoint.

    Args:
        input_graph_def: the GraphDef, or None where there is a MetaGraphDef.
        input_saver_def: the SaverDef of nodes in it that restore, or None.
        input_checkpoint: the checkpoint.
        output_node_names: the names of the nodes that are wanted, with commas.
        restore_op_name, filename_tensor_name, checkpoint_version: accepted.
        output_graph: the file to write; "" = none. clear_devices: forget the devices.
        initializer_nodes: the names of nodes to run first, with commas.
        variable_names_whitelist, variable_names_blacklist: names, with commas.
        input_meta_graph_def: a MetaGraphDef in place of the GraphDef.
    Returns:
        The GraphDef, or -1 if there is no checkpoint or no name.
    Raises:
        ValueError: `input_saved_model_dir` is given.
    """
    if input_saved_model_dir:
        raise ValueError("Freeze a SavedModel with tf.saved_model.loader.load and "
                         "tf.graph_util.convert_variables_to_constants.")  # fmt: skip
    if not checkpoint_exists(input_checkpoint):
        print(f"Input checkpoint '{input_checkpoint}' doesn't exist!")
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    graph_def = input_graph_def or input_meta_graph_def.graph_def
    if clear_devices:
        for node in graph_def.node:
            node.device = ""
    graph = Graph()
    with dispatch.entered(graph), Session(graph=graph) as session:
        if input_meta_graph_def:
            saver = import_meta_graph(input_meta_graph_def, clear_devices=True)
        else:
            import_graph_def(graph_def, name="")
            saver = _saver(graph, input_saver_def, input_checkpoint)
        saver.restore(session, input_checkpoint)
        if initializer_nodes:
            session.run(initializer_nodes.replace(" ", "").split(","))
        out = convert_variables_to_constants(
            session, graph_def, output_node_names.replace(" ", "").split(","),
            _names(variable_names_whitelist), _names(variable_names_blacklist),
        )  # fmt: skip
    if output_graph:
        files.write_string_to_file(output_graph, out.SerializeToString())
    return out


def _names(text):
    return text.replace(" ", "").split(",") if text else None


def _saver(graph, saver_def, checkpoint):
    """What restores a graph: its own nodes, or new ones for the names it shares."""
    if saver_def:
        return Saver(saver_def=saver_def)
    keys = NewCheckpointReader(checkpoint).get_variable_to_shape_map()
    found = [key for key in keys if key in graph.by_name]
    return Saver(var_list={key: _variable(graph.by_name[key]) for key in found})


def _variable(node):
    """The variable of its node, by the names that its other nodes always have."""
    is_resource = node.type == "VarHandleOp"
    read = "Read/ReadVariableOp" if is_resource else "read"
    return VariableV1.from_proto(protos.VariableDef(
        variable_name=f"{node.name}:0", initializer_name=f"{node.name}/Assign",
        snapshot_name=f"{node.name}/{read}:0", is_resource=is_resource,
    ))  # fmt: skip


def freeze_graph(
    input_graph, input_saver, input_binary, input_checkpoint, output_node_names,
    restore_op_name, filename_tensor_name, output_graph, clear_devices,
    initializer_nodes, variable_names_whitelist="", variable_names_blacklist="",
    input_meta_graph=None, input_saved_model_dir=None, saved_model_tags="serve",
    checkpoint_version=protos.SaverDef.V2,
):  # fmt: skip
    """As `freeze_graph_with_def_protos`, with the names of files for the messages.

    Args:
        input_graph, input_saver, input_meta_graph: the files, or "".
        input_binary: whether they are binary; else they are text.
    Returns:
        The GraphDef, or -1 if a file is missing.
    Example:
        y = tf.identity(tf.get_variable("v", initializer=2.), name="y")
        tf.train.write_graph(y.graph, ".", "train.pbtxt")
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            tf.train.Saver().save(sess, "./model")
        freeze_graph("train.pbtxt", "", False, "./model", "y",
                     "", "", "frozen.pb", True, "")
    """
    kinds = ("GraphDef", "SaverDef", "MetaGraphDef")
    paths = (input_graph, input_saver, input_meta_graph)
    for path in filter(None, paths):
        if not files.Exists(path):
            print(f"Input file '{path}' does not exist!")
            return -1
    graph_def, saver_def, meta_graph_def = (
        read_message(path, getattr(protos, kind), input_binary) if path else None
        for path, kind in zip(paths, kinds, strict=True)
    )
    return freeze_graph_with_def_protos(
        graph_def, saver_def, input_checkpoint, output_node_names, restore_op_name,
        filename_tensor_name, output_graph, clear_devices, initializer_nodes,
        variable_names_whitelist, variable_names_blacklist, meta_graph_def,
        input_saved_model_dir, saved_model_tags, checkpoint_version,
    )  # fmt: skip


def read_message(path, message, binary):
    """A message of a file, binary or text."""
    content = files.read_file_to_string(path, binary_mode=True)
    with reported(path):
        if binary:
            return message.FromString(content)
        return text_format.Parse(content.decode("utf-8"), message())
