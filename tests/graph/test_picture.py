"""Text trees and pictures of graphs, functions and models."""

import xml.etree.ElementTree as ElementTree

import pytest

import twinflow as tf
from twinflow.graph.picture import picture as pictures
from twinflow.graph.picture.drawing import of_graph
from twinflow.graph.picture.layout import lay_out
from twinflow.keras.utils import plotting


def training_graph():
    with tf.Graph().as_default() as found:
        x = tf.placeholder(tf.float32, [None, 8], name="x")
        with tf.variable_scope("layer"):
            w = tf.get_variable("w", [8, 4])
            h = tf.nn.relu(x @ w)

        def body(i, a):
            return i + 1, a * 2.0 + h

        _, h = tf.while_loop(lambda i, a: i < 5, body, (0, h))
        h = tf.cond(tf.reduce_sum(h) > 0, lambda: h * 2.0, lambda: h)
        tf.train.AdamOptimizer().minimize(tf.reduce_mean(h))
    return found


def leaves(box):
    for inner in box.boxes:
        if inner.boxes:
            yield from leaves(inner)
        else:
            yield inner


def containers(box):
    yield box
    for inner in box.boxes:
        yield from containers(inner)


TREE = """\
graph: 11 nodes, 1 variable of 6 numbers, 1 input
  x = input: float32[?, 2]
  layer/:
    w = variable: float32[2, 3]
    MatMul = MatMul(x, w): float32[?, 3]
    mul = Mul(MatMul, 2): float32[?, 3]"""


def test_a_graph_is_printed_as_a_tree():
    with tf.Graph().as_default() as found:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        with tf.variable_scope("layer"):
            w = tf.get_variable("w", [2, 3], initializer=tf.zeros_initializer())
            tf.multiply(tf.matmul(x, w), 2.0, name="mul")
    lines = str(found).splitlines()
    wanted = TREE.splitlines()[1:]
    assert lines[0].startswith("graph: ")
    for line, start in zip(lines[1:], wanted, strict=True):
        assert line.startswith(start)
        assert "test_picture.py:" in line or start.endswith("/:")


def test_what_is_too_much_is_folded():
    found = training_graph()
    for most in (12, 30, 60):
        lines = pictures.tree_text(found, most).splitlines()
        assert len(lines) <= most + 8
    assert "gradients/" in str(found)
    with tf.Graph().as_default() as large:
        x = tf.placeholder(tf.float32, [3])
        for _ in range(500):
            x = x + 1.0
    assert len(str(large).splitlines()) < 10
    assert "500 nodes inside" in str(large)


@pytest.mark.parametrize("most", [10, 30, 300])
def test_boxes_do_not_overlap_and_lie_in_their_containers(most):
    drawing = of_graph(training_graph(), most)
    lay_out(drawing)
    for around in containers(drawing.root):
        for i, a in enumerate(around.boxes):
            assert around.x <= a.x
            assert a.x + a.width <= around.x + around.width + 0.01
            assert around.y <= a.y
            assert a.y + a.height <= around.y + around.height + 0.01
            for b in around.boxes[i + 1 :]:
                beside = a.x + a.width <= b.x or b.x + b.width <= a.x
                below = a.y + a.height <= b.y or b.y + b.height <= a.y
                assert beside or below, (a.lines, b.lines)


def test_lines_begin_and_end_at_their_boxes():
    drawing = of_graph(training_graph(), 60)
    lay_out(drawing)
    assert drawing.lines
    for line in drawing.lines:
        for box, (x, y) in ((line.start, line.points[0]), (line.end, line.points[-1])):
            assert box.x <= x <= box.x + box.width
            assert min(abs(y - box.y), abs(y - box.y - box.height)) < 0.01


def test_the_svg_is_xml_with_shapes_and_lines_of_the_program():
    text = tf.picture(training_graph(), engine="own").svg()
    root = ElementTree.fromstring(text)
    texts = [
        "".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text")
    ]
    assert "float32[?, 4]" in texts
    assert {"layer", "while", "body", "condition", "if true"} <= set(texts)
    titles = "".join(
        "".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}title")
    )
    assert "tf.nn.relu(x @ w)" in titles


def test_names_that_xml_and_dot_take_as_signs_are_written_as_text():
    with tf.Graph().as_default() as found:
        tf.placeholder(tf.string, name="a")
        tf.add(tf.constant(['<&"\\']), "b")
    picture = tf.picture(found, engine="own")
    ElementTree.fromstring(picture.svg())
    assert picture.dot().count("{") == picture.dot().count("}")


def test_pictures_are_saved_without_graphviz(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "has_graphviz", lambda: False)
    picture = tf.picture(training_graph())
    for kind, start in ("svg", "<svg"), ("dot", "digraph"), ("txt", "graph:"):
        picture.save(tmp_path / f"a.{kind}")
        assert (tmp_path / f"a.{kind}").read_text().startswith(start)
    with pytest.raises(OSError, match=r"Graphviz.*'\.svg'"):
        picture.save(tmp_path / "a.png")
    with pytest.raises(OSError, match="Graphviz"):
        tf.picture(training_graph(), engine="dot")


def test_functions_are_printed_and_drawn():
    inner = tf.function(lambda x: tf.nn.relu(x))
    function = tf.function(lambda x: inner(x) * 2.0)
    assert "not called yet" in str(function)
    with pytest.raises(ValueError, match="not been called"):
        tf.picture(function)
    with tf.Graph().as_default():
        function(tf.ones([3]))
        assert "argument 0 = input: float32[3]" in str(function)
        assert "call of lambda_" in str(function)
        assert "<svg" in function._repr_html_()
    with pytest.raises(TypeError, match="Expected a graph"):
        tf.picture(3)


def test_models_are_drawn(tmp_path, monkeypatch):
    layers = tf.keras.layers
    with tf.Graph().as_default():
        given = tf.keras.Input([4])
        hidden = layers.Dense(4, name="hidden")(given)
        part = tf.keras.Sequential([layers.Dense(2, input_shape=[4])], name="part")
        model = tf.keras.Model(given, part(layers.add([given, hidden])))
        text = str(tf.picture(model))
        assert "hidden = Dense(input_1) -> (None, 4)" in text
        monkeypatch.setattr(plotting, "pydot", None)
        tf.keras.utils.plot_model(model, str(tmp_path / "m.svg"), show_shapes=True)
        root = ElementTree.parse(tmp_path / "m.svg").getroot()
        texts = ["".join(e.itertext()) for e in root.iter()]
        assert {"hidden", "part", "(?, 4)"} <= set(texts)
