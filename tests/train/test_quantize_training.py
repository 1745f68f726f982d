"""tf.train.do_quantize_training_on_graphdef, as TensorFlow 1.12 writes it."""

import numpy as np
import pytest

import twinflow as tf

X = np.float32([[0.1, -0.6, 0.45]])
W = np.float32([[1.0], [-2.0], [0.5]])


def rewritten(activation, num_bits):
    with tf.Graph().as_default() as graph:
        x = activation(tf.placeholder(tf.float32, [1, 3], name="x"), name="a")
        tf.matmul(x, tf.constant(W, name="w"), name="product")
    return tf.train.do_quantize_training_on_graphdef(graph.as_graph_def(), num_bits)


def run(graph_def, *feeds):
    with tf.Graph().as_default(), tf.Session() as session:
        (y,) = tf.import_graph_def(graph_def, return_elements=["product:0"], name="")
        return [session.run(y, {"x:0": feed}).item() for feed in feeds]


def test_ranges_that_are_known_are_constants():
    nodes = {node.name: node for node in rewritten(tf.nn.relu6, 4).node}
    assert list(nodes["product"].input) == [
        "a/QuantizeAndDequantizeV2", "w/QuantizeAndDequantizeV2",
    ]  # fmt: skip
    assert list(nodes["a/QuantizeAndDequantizeV2"].input) == [
        "a", "a/InputMin", "a/InputMax",
    ]  # fmt: skip
    assert not nodes["a/QuantizeAndDequantizeV2"].attr["signed_input"].b
    assert nodes["w/Min/AssignValue"].op == "Assign"


@pytest.mark.parametrize(
    ("activation", "expected"),
    [
        (tf.identity, [1.5000001, 1.7660251, -1.3523597]),
        (tf.nn.relu, [0.315, 0.5260500, -0.9020982]),
        (tf.nn.tanh, [1.5000001, 2.7142859, -1.5000001]),
    ],
)
def test_numbers_of_tensorflow(activation, expected):
    """Ranges follow what comes, unless the activation says what they are."""
    assert run(rewritten(activation, 4), X, 3 * X, -X) == pytest.approx(expected)


@pytest.mark.parametrize("bits", [0, 64])
def test_bits_are_checked(bits):
    message = r"num_bits should be in range \[1, 63\] but is: " + str(bits)
    with pytest.raises(tf.errors.OutOfRangeError, match=message):
        tf.train.do_quantize_training_on_graphdef(tf.GraphDef(), bits)
