"""What programs and TensorFlow's own tests ask of graphs, nodes and tensors."""

import pytest

import twinflow as tf
from twinflow.compat.door import resolve


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as found:
        yield found


def public(cls):
    """The public members of a class of TensorFlow 1.12, by the table of the door."""
    lines = _TABLE[cls].split()
    return [name for name in lines if name]


_TABLE = {
    "Graph": """add_to_collection add_to_collections as_default as_graph_def
        as_graph_element building_function clear_collection collections colocate_with
        container control_dependencies create_op device finalize finalized
        get_all_collection_keys get_collection get_collection_ref get_name_scope
        get_operation_by_name get_operations get_tensor_by_name gradient_override_map
        graph_def_versions is_feedable is_fetchable name_scope prevent_feeding
        prevent_fetching seed switch_to_thread_local unique_name version""",
    "Operation": """colocation_groups control_inputs device get_attr graph inputs name
        node_def op_def outputs run traceback traceback_with_start_lines type values""",
    "Tensor": """OVERLOADABLE_OPERATORS consumers device dtype eval get_shape graph name
        op set_shape shape value_index""",
    "Session": """as_default close graph graph_def list_devices make_callable
        partial_run partial_run_setup reset run sess_str""",
    "OpError": "error_code message node_def op",
    "TensorShape": """as_list as_proto assert_has_rank assert_is_compatible_with
        assert_is_fully_defined assert_same_rank concatenate dims is_compatible_with
        is_fully_defined merge_with most_specific_compatible_shape ndims num_elements
        with_rank with_rank_at_least with_rank_at_most""",
}


def test_every_public_member_is_there(graph):
    t = tf.constant([1.0])
    things = {
        "Graph": graph, "Operation": t.op, "Tensor": t, "Session": tf.Session(),
        "OpError": tf.errors.OpError(None, None, "", 1), "TensorShape": t.shape,
    }  # fmt: skip
    missing = [
        f"{kind}.{name}"
        for kind, thing in things.items()
        for name in public(kind)
        if not hasattr(thing, name)
    ]
    assert not missing
    interactive = tf.InteractiveSession
    assert all(hasattr(interactive, n) for n in public("Session") if n != "graph")


def test_traceback_is_a_list_of_tuples():
    op = tf.constant(1.0).op  # this line
    file, line, function, text = op.traceback[-1]
    assert file.endswith("test_surface.py") and function.startswith("test_traceback")
    assert text == "op = tf.constant(1.0).op  # this line"
    assert op.traceback_with_start_lines[-1][:2] == (file, line)
    assert op.traceback_with_start_lines[-1][4] == line - 1


def test_scopes_that_mark(graph):
    a = tf.constant(1.0, name="a")
    with tf.device("/job:j/cpu:2"):
        b = tf.constant(2.0, name="b")
    with tf.colocate_with(a), tf.colocate_with(b):
        c = tf.constant(3.0)
    assert c.op.colocation_groups() == [b"loc:@a", b"loc:@b"] and c.device == b.device
    with graph._kernel_label_map({"Const": "fast"}):
        assert tf.constant(1.0).op.get_attr("_kernel") == b"fast"
    with graph._attr_scope({"_n": lambda op: tf.AttrValue(i=len(op.name))}):
        assert tf.constant(1.0, name="five5").op.get_attr("_n") == 5
    for wrong in ({1: 2}, {"a": 3}, 3):
        with pytest.raises(TypeError, match="mapping strings"):
            graph._attr_scope(wrong)
    assert tf.constant(1.0).op.get_attr("dtype") is tf.float32


def test_colocation_with_another_device_is_logged(caplog):
    with tf.device("/cpu:1"):
        a = tf.constant(1.0)
    with tf.colocate_with(a), tf.device("/cpu:2"):
        assert tf.constant(1.0).device == "/device:CPU:2"
    assert "Tried to colocate" in caplog.text


def test_device_functions_see_whole_nodes():
    seen = []

    def place(op):
        seen.append((op.name, op.type, [t.dtype for t in op.outputs]))
        return "/cpu:0"

    with tf.device(place):
        tf.constant(1.0, name="x")
    assert seen == [("x", "Const", [tf.float32])]


def test_inputs_of_two_graphs(graph):
    a = tf.constant(1.0, name="a")
    with tf.Graph().as_default():
        other = tf.constant(2.0, name="o")
    words = r'Tensor\("o:0".*must be from the same graph as Tensor\("a:0"'
    for make in (lambda: a + other, lambda: tf.add_n([a, other])):
        with pytest.raises(ValueError, match=words):
            make()


def test_nodes_by_op_type(graph):
    a = tf.constant([[1.0, 2.0]], name="a")
    node = graph.create_op("MatMul", [a, a], [tf.float32], name="m", attrs={
        "transpose_a": tf.AttrValue(b=False), "transpose_b": tf.AttrValue(b=True),
    })  # fmt: skip
    assert node.name == "m" and node.outputs[0].shape.as_list() == [1, 1]
    with tf.Session() as session:
        assert session.run(node.outputs[0]).tolist() == [[5.0]]
    with graph.name_scope("s"), tf.control_dependencies([a]):
        again = graph.create_op("Neg", [node.outputs[0]], [tf.float32])
    assert again.name == "s/Neg" and again.control_inputs == [a.op]
    with pytest.raises(TypeError, match="Input #0 is not a tensor"):
        graph.create_op("Neg", [1.0], [tf.float32])


def test_blocks_of_graphs_nest():
    one, two = tf.Graph().as_default(), tf.Graph().as_default()
    one.__enter__()
    two.__enter__()
    with pytest.raises(AssertionError, match="Nesting violated for default stack"):
        one.__exit__(None, None, None)
    with pytest.raises(AssertionError, match="Nesting violated"):
        two.__exit__(None, None, None)


def test_the_door_has_the_names_of_tests():
    for name in (
        "_default_graph_stack", "_default_session_stack", "_get_graph_from_inputs",
        "_assert_same_graph", "uid", "default_session", "colocate_with", "container",
    ):  # fmt: skip
        assert resolve.attribute("python.framework.ops", name) is not None
    strip = resolve.attribute("python.framework.ops", "strip_name_scope")
    put = resolve.attribute("python.framework.ops", "prepend_name_scope")
    assert [strip(n, "a") for n in ("a/b", "^a/b", "loc:@a/b")] == ["b", "^b", "loc:@b"]
    assert [put(n, "a") for n in ("b", "^b", "loc:@b")] == ["a/b", "^a/b", "loc:@a/b"]
