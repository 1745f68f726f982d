"""OpHint: marked parts become single nodes, as in TensorFlow 1.12."""

import pytest

import twinflow as tf

L = tf.contrib.lite


def cool(x, **kept):
    hint = L.OpHint("Cool", **kept)
    return hint.add_output(tf.sin(hint.add_input(x)) * 2.0)


def outline(graph_def):
    """[(op, ops of its inputs)], of which UUIDs tell nothing."""
    ops = {node.name: node.op for node in graph_def.node}
    return [(n.op, [ops[i.partition(":")[0]] for i in n.input]) for n in graph_def.node]


def test_parts_become_nodes():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [2], name="x")
        tf.identity(cool(cool(x)), name="y")
        seen = []
        found = L.convert_op_hints_to_stubs(
            session, write_callback=lambda graph_def, text: seen.append(text)
        )
    assert outline(found) == [
        ("Placeholder", []), ("Identity", ["Placeholder"]), ("Cool", ["Identity"]),
        ("Identity", ["Cool"]), ("Identity", ["Identity"]), ("Cool", ["Identity"]),
        ("Identity", ["Cool"]), ("Identity", ["Identity"]),
    ]  # fmt: skip
    assert seen == ["initial", "initial"]
    assert L.convert_op_hints_to_stubs(graph_def=graph.as_graph_def()) == found
    assert list(found.node[2].attr["_tflite_input_indices"].list.i) == [0]


def stacked(x):
    hint = L.OpHint("Rows")
    kind = hint.AGGREGATE_STACK
    rows = [hint.add_input(a, tag="a", aggregate=kind) for a in tf.unstack(x)]
    c = hint.add_input(tf.constant(2.0), name="c")
    made = [hint.add_output(tf.exp(a * c), tag="o", aggregate=kind) for a in rows]
    return tf.stack(made)


def test_stacks_between_parts_go_away():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [3, 2], name="x")
        tf.identity(stacked(stacked(x)), name="y")
    found = L.convert_op_hints_to_stubs(graph_def=graph.as_graph_def())
    assert outline(found) == [
        ("Placeholder", []), ("Const", []), ("Identity", ["Const"]),
        ("Rows", ["Placeholder", "Identity"]), ("Const", []), ("Identity", ["Const"]),
        ("Rows", ["Rows", "Identity"]), ("Identity", ["Rows"]),
    ]  # fmt: skip  # as in TensorFlow 1.12


def test_the_first_and_the_last_of_several():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [3], name="x")
        hint = L.OpHint("Cell")
        state, made = x, []
        for _ in range(3):
            state = hint.add_input(state, "state", aggregate=hint.AGGREGATE_FIRST)
            state = tf.sin(state)
            made.append(hint.add_output(state, "out", aggregate=hint.AGGREGATE_LAST))
        tf.identity(made[-1], name="y")
    found = L.convert_op_hints_to_stubs(graph_def=graph.as_graph_def())
    assert outline(found) == [
        ("Placeholder", []), ("Identity", ["Placeholder"]), ("Cell", ["Identity"]),
        ("Identity", ["Cell"]), ("Identity", ["Identity"]),
    ]  # fmt: skip
    assert "-0-0-" in found.node[1].name and "-0-2-" in found.node[3].name


def test_mistakes():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2], name="x")
        with pytest.raises(ValueError, match="specify `aggregate` if using tag"):
            L.OpHint("f").add_input(x, tag="a")
        with pytest.raises(ValueError, match="specify `tag` if using aggregate"):
            L.OpHint("f").add_input(x, aggregate=L.OpHint.AGGREGATE_LAST)
        hint = L.OpHint("f")
        a, _ = hint.add_inputs(x, x, names=["a", "b"])
        with pytest.raises(ValueError, match="Index 1 was already used"):
            hint.add_input(x, index_override=1)
        hint.add_outputs(a + x)
    with pytest.raises(TypeError, match="uses input x not in input_nodes"):
        L.convert_op_hints_to_stubs(graph_def=graph.as_graph_def())
    with pytest.raises(ValueError, match="Must specify session or graph_def"):
        L.convert_op_hints_to_stubs()


def test_a_stub_becomes_a_custom_operator(tmp_path):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [1, 2], name="x")
        tf.nn.relu(cool(x, rate=0.5, times=3), name="y")
    found = L.convert_op_hints_to_stubs(graph_def=graph.as_graph_def())
    tf.train.write_graph(found, str(tmp_path), "g.pb", as_text=False)
    path = str(tmp_path / "g.pb")
    make = L.TFLiteConverter.from_frozen_graph
    with pytest.raises(ValueError, match="input_shapes must be defined"):
        make(path, ["x"], ["y"])
    made = make(path, ["x"], ["y"], {"x": [1, 2]})
    with pytest.raises(tf.errors.NotFoundError, match="Cool"):
        made.convert()
    made.allow_custom_ops = True
    model = made.convert()
    assert b"Cool" in model and b"rate" in model and b"times" in model
