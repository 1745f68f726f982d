"""A tensor that one node takes twice gets the sum of both gradients."""

import pytest

import twinflow as tf


@tf.custom_gradient
def _custom(a, b):
    return a * b, lambda dy: (dy * b, dy * a)


def _overridden(a, b):
    graph = tf.get_default_graph()
    with graph.gradient_override_map({"Mul": "ProductTwice"}):
        return tf.multiply(a, b)


def _eager_function(a, b):
    return tf.contrib.eager.py_func(lambda a, b: a * b, [a, b], tf.float32)


@tf.RegisterGradient("ProductTwice")
def _product(op, dy):
    return dy * op.inputs[1], dy * op.inputs[0]


@pytest.mark.parametrize(
    "product",
    [_custom, _overridden, _eager_function, tf.contrib.eager.defun(tf.multiply)],
)
def test_square(product):
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(3.0)
        assert sess.run(tf.gradients(product(x, x), [x])) == [6.0]
