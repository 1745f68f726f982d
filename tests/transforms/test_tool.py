"""TransformGraph; the nodes, numbers and texts are those of TensorFlow 1.12's tool."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.transforms.parsing import transforms_of
from twinflow.transforms.tool import TABLE, TransformGraph
from twinflow.transforms.weights import const

W = np.random.RandomState(0).randn(3, 3, 2, 3).astype(np.float32)
X = np.random.RandomState(1).randn(1, 4, 4, 2).astype(np.float32)


@pytest.fixture(scope="module")
def graph_def():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [1, 4, 4, 2], name="x")
        c = tf.nn.conv2d(x, tf.constant(W, name="w"), [1] * 4, "SAME", name="conv")
        m = tf.multiply(c, tf.constant([1.0, 2.0, 3.0], name="scale"), name="mul")
        i = tf.identity(m, name="ident")
        sums = []
        for end in ("", "_b"):
            one, two = (
                tf.constant(v, name=n + end) for v, n in ((1.0, "one"), (2.0, "two"))
            )
            sums.append(
                tf.add(i, tf.add(one, two, name="three" + end), name="add" + end)
            )
        with tf.control_dependencies([x]):
            tf.constant(3.0, name="unused")
        tf.check_numerics(tf.add(*sums, name="sum"), "no", name="check")
    return graph.as_graph_def()


def _transformed(graph_def, *texts):
    """The nodes, {name: (type, inputs)}, and what they compute."""
    found = TransformGraph(graph_def, ["x"], ["check"], list(texts))
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(found, name="")
        value = session.run("check:0", {"x:0": X})
    return {n.name: (n.op, list(n.input)) for n in found.node}, value


@pytest.fixture(scope="module")
def value(graph_def):
    return _transformed(graph_def)[1]


CUTS = {  # text: the nodes that go, and those that come
    "strip_unused_nodes": ("unused", ""),
    "remove_nodes(op=Identity, op=CheckNumerics)": ("ident", ""),
    "fold_batch_norms": ("conv scale", ""),
    "fold_constants(ignore_errors=true)": ("one two one_b two_b unused", ""),
    "sort_by_execution_order": ("", ""),
    "merge_duplicate_nodes": ("one_b two_b three_b add_b", ""),
    "add_default_attributes remove_device remove_control_dependencies": ("", ""),
    "quantize_weights(minimum_size=4)": (
        "", "w_quantized_const w_quantized_min w_quantized_max",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", CUTS)
def test_numbers_stay(graph_def, value, text):
    nodes, found = _transformed(graph_def, text)
    gone, come = (set(words.split()) for words in CUTS[text])
    assert nodes.keys() == {n.name for n in graph_def.node} - gone | come
    np.testing.assert_allclose(found, value, 1e-5, 1e-5 if not come else 0.5)


def test_nodes_that_change(graph_def):
    nodes, _ = _transformed(graph_def, "fold_batch_norms")
    assert nodes["mul"] == ("Conv2D", ["x", "w"])
    nodes, _ = _transformed(graph_def, "merge_duplicate_nodes")
    assert nodes["sum"] == ("Add", ["add", "add"])
    nodes, _ = _transformed(graph_def, "fold_constants")
    assert nodes["three"] == ("Const", [])
    nodes, _ = _transformed(graph_def, "obfuscate_names")
    assert nodes["1"] == ("Conv2D", ["x", "0"]) and nodes["a"] == ("Const", [])
    nodes, found = _transformed(graph_def, "rename_op(old_op_name=Add,new_op_name=Sub)")
    assert nodes["sum"][0] == "Sub" and not found.any()
    found = TransformGraph(graph_def, [], [], ['set_device(device="/cpu:0")'])
    assert {n.device for n in found.node} == {"/cpu:0"}
    text = "rename_attribute(op_name=Add,old_attribute_name=T,new_attribute_name=U)"
    found = TransformGraph(
        graph_def, [], [], [text, "remove_attribute(attribute_name=T)"]
    )
    assert {k for n in found.node if n.op in ("Add", "Mul") for k in n.attr} == {"U"}


def test_strip_makes_placeholders(graph_def):
    text = 'strip_unused_nodes(name=mul, type_for_name=float, shape_for_name="1,4,4,3")'
    found = TransformGraph(graph_def, ["mul"], ["check"], [text])
    (made,) = [n for n in found.node if n.name == "mul"]
    assert made.op == "Placeholder" and "w" not in {n.name for n in found.node}
    sizes = [d.size for d in made.attr["shape"].shape.dim]
    assert (made.attr["dtype"].type, sizes) == (1, [1, 4, 4, 3])


def test_round_weights(graph_def):
    """Sixteen elements and more, to the middles of equal parts of their range."""
    found = TransformGraph(graph_def, ["x"], ["check"], ["round_weights(num_steps=4)"])
    arrays = {n.name: tf.make_ndarray(n.attr["value"].tensor)
              for n in found.node if n.op == "Const"}  # fmt: skip
    np.testing.assert_allclose(
        arrays["w"].ravel()[:6],
        [1.6669114, 0.4612255, 0.4612255, 1.6669114, 1.6669114, -0.7444606], 1e-5,
    )  # fmt: skip
    np.testing.assert_array_equal(arrays["scale"], [1.0, 2.0, 3.0])


def test_quantize_weights():
    graph_def, values = tf.GraphDef(), np.linspace(-1, 1, 1998).reshape(3, -1)[:, :600]
    graph_def.node.append(const("big", values.astype(np.float32)))
    found = TransformGraph(graph_def, [], ["big"], ["quantize_weights"])
    kept, low, high, back = found.node
    assert back.op == "Dequantize" and back.attr["mode"].s == b"MIN_FIRST"
    data = np.frombuffer(kept.attr["value"].tensor.tensor_content, np.uint8)
    assert [data[i] for i in (0, 2, 3, 4, 100, 331, 665)] == [0, 0, 1, 1, 13, 44, 97]
    ends = [tf.make_ndarray(n.attr["value"].tensor).item() for n in (low, high)]
    np.testing.assert_allclose(ends, [-1.0, 0.93390083])


def test_fold_old_batch_norms():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [1, 4, 4, 2], name="x")
        c = tf.nn.conv2d(x, tf.constant(W), [1] * 4, "SAME")
        parts = [tf.constant(v) for v in ([1.0, 2.0, 3.0], [0.1, 0.2, 0.3])]
        parts += [tf.constant(v) for v in ([0.5, 0.6, 0.7], [1.1, 1.2, 1.3])]
        y, _, _ = tf.nn.fused_batch_norm(c, *parts, is_training=False)
        tf.identity(y, name="check")
    graph_def = graph.as_graph_def()
    before = _transformed(graph_def)[1]
    nodes, after = _transformed(graph_def, "fold_old_batch_norms")
    assert {op for op, _ in nodes.values()} == {
        "Placeholder", "Const", "Conv2D", "BiasAdd", "Identity",
    }  # fmt: skip
    np.testing.assert_allclose(after, before, 1e-5, 1e-5)


def test_insert_logging(graph_def, capfd):
    text = 'insert_logging(op=Mul, show_name=true, show_op=true, message="hi")'
    nodes, _ = _transformed(graph_def, text)
    assert nodes["ident"][1] == ["mul__print__:0"]
    assert ";Mul;;mul__print__;hi[[[[" in capfd.readouterr().err


@pytest.mark.parametrize(("text", "error"), [
    ("nope", "Transform 'nope' not recognized."),
    ("set_device(device=a:0)", "Looking for parameter name, but found :0"),
    ("rename_op", "expects exactly one 'old_op_name' and 'new_op_name' argument"),
    ("round_weights(num_steps=x)", "Couldn't interpret the num_steps argument as a n"),
    ("fold_constants(ignore_errors=perhaps)", "ignore_errors argument as a bool"),
    ("strip_unused_nodes(type=nothing)", "Couldn't understand type argument 'nothing'"),
])  # fmt: skip
def test_what_is_refused(graph_def, text, error):
    with pytest.raises(tf.errors.InvalidArgumentError, match=error):
        TransformGraph(graph_def, ["mul"], ["check"], [text])
    with pytest.raises(tf.errors.UnimplementedError, match=r"only in TensorFlow.s own"):
        TransformGraph(graph_def, [], [], ["quantize_nodes"])


def test_texts():
    found = transforms_of("a(b=1, b='2 3') c  d()")
    assert [name for name, _ in found] == ["a", "c", "d"]
    assert found[0][1].all("b") == ["1", "2 3"]
    assert len(TABLE) == 19
