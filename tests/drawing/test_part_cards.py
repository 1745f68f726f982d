"""Cards of sparse values, optimizers and sessions, in both modes."""

import re

import twinflow as tf
from tests import modes

eager = modes.eager


def _text(card):
    return " ".join(re.sub(r"<[^>]*>", " ", card._repr_html_()).split())


def _sparse():
    return tf.SparseTensor([[0, 0], [1, 2]], [1.5, 2.5], [2, 3])


def test_sparse_tensor_eagerly(eager):
    text = _text(_sparse())
    assert text.startswith("tf.SparseTensor part dtype shape indices int64 [2, 2]")
    assert text.endswith("elements index value [0, 0] 1.5 [1, 2] 2.5")


def test_many_elements_are_counted(eager):
    text = _text(tf.IndexedSlices(tf.ones([100, 3]), tf.range(100)))
    assert "tf.IndexedSlices" in text and text.endswith("… and 92 more")


def test_nothing_runs_in_a_graph():
    with tf.Graph().as_default() as graph:
        sparse = _sparse()
        before = len(graph.get_operations())
        assert "values float32 [2]" in _text(sparse) and "elements" not in _text(sparse)
        assert len(graph.get_operations()) == before


def test_optimizer():
    with tf.Graph().as_default():
        optimizer = tf.train.AdamOptimizer(0.25)
        optimizer.minimize(tf.get_variable("v", []) ** 2)
        text = _text(optimizer)
    assert text.startswith("tf.train.AdamOptimizer")
    assert "lr 0.25" in text and "beta1 0.9" in text
    assert text.endswith("slot variables m 1 v 1")


def test_session():
    with tf.Graph().as_default():
        tf.get_variable("v", [], initializer=tf.zeros_initializer())
        session = tf.Session()
        text = _text(session)
        session.close()
    assert "tf.Session state open operations" in text and "variables 1" in text
    assert "state closed" in _text(session)
