"""Contract I: metrics that are objects."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.checkpoint.checkpoint import Checkpoint

tfe = tf.contrib.eager


def test_i01_the_mean_of_the_seed(eager):
    m = tfe.metrics.Mean("loss")
    m(0)
    m(5)
    assert m.result().numpy() == 2.5
    m([8, 9])
    assert m.result().numpy() == 5.5
    assert m.result().dtype == tf.float64


def test_i02_metrics_are_objects(eager):
    a, b = tfe.metrics.Mean(), tfe.metrics.Mean()
    a(1.0)
    b(3.0)
    assert (a.result().numpy(), b.result().numpy()) == (1.0, 3.0)
    assert [v.name for v in a.variables] == ["Mean/numer:0", "Mean/denom:0"]
    assert isinstance(a, tfe.metrics.Metric)


def test_i03_accuracy(eager):
    right = tfe.metrics.Accuracy()
    right(labels=tf.constant([1, 2, 3, 4]), predictions=tf.constant([1, 2, 3, 0]))
    assert right.result().numpy() == 0.75
    right(labels=tf.constant([1]), predictions=tf.constant([1]))
    np.testing.assert_allclose(right.result().numpy(), 0.8)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Shapes of labels and"):
        right(tf.constant([1]), tf.constant([1, 2]))


def test_i04_calls_return_their_inputs(eager):
    right = tfe.metrics.Accuracy()
    labels, found = tf.constant([1, 2]), tf.constant([1, 3])
    returned = right(labels, found, weights=tf.constant([1.0, 3.0]))
    assert returned[:2] == (labels, found) and right.result().numpy() == 0.25


def test_i04_metrics_start_again_and_add_up(eager):
    m, other = tfe.metrics.Mean(), tfe.metrics.Mean()
    m(1.0)
    other([2.0, 6.0])
    m.aggregate([other])
    assert m.value()().numpy() == 3.0
    m.init_variables()
    assert np.isnan(m.result().numpy())
    with pytest.raises(TypeError, match="All metrics must be the same type"):
        m.aggregate([tfe.metrics.Accuracy()])


def test_i04_in_a_graph(graph):
    m = tfe.metrics.Mean("loss")
    x = tf.placeholder(tf.float32)
    update, start, value = m(x), m.init_variables(), m.value()
    assert [v.name for v in tf.local_variables()] == ["loss/numer:0", "loss/denom:0"]
    with tf.Session() as sess:
        sess.run(start)
        for batch in (0.0, 5.0, [8.0, 9.0]):
            sess.run(update, {x: batch})
        assert sess.run(value) == 5.5
        sess.run(start)
        assert np.isnan(sess.run(value))


def updated(build, *batches):
    """The result of a metric in a graph after some batches."""
    metric = build()
    calls = [metric(*batch) for batch in batches]
    value = metric.result()
    with tf.Session() as sess:
        sess.run(metric.init_variables())
        for call in calls:
            sess.run(call)
        return sess.run(value)


def test_i01_in_a_graph(graph):
    found = updated(lambda: tfe.metrics.Mean("loss"), (0,), (5,), ([8, 9],))
    assert found == 5.5 and found.dtype == np.float64


def test_i02_in_a_graph(graph):
    a, b = tfe.metrics.Mean("a"), tfe.metrics.Mean("b")
    updates = a(1.0), b(3.0)
    assert [v.name for v in a.variables] == ["a/numer:0", "a/denom:0"]
    with pytest.raises(ValueError, match="Variable a/numer already exists"):
        tfe.metrics.Mean("a")(1.0)  # as in TensorFlow
    with tf.Session() as sess:
        sess.run([a.init_variables(), b.init_variables()])
        sess.run(updates)
        assert sess.run([a.result(), b.result()]) == [1.0, 3.0]


def test_i03_accuracy_in_a_graph(graph):
    found = updated(
        tfe.metrics.Accuracy,
        (tf.constant([1, 2, 3, 4]), tf.constant([1, 2, 3, 0])),
        (tf.constant([1]), tf.constant([1])),
    )
    np.testing.assert_allclose(found, 0.8)


def test_i04_calls_return_their_inputs_in_a_graph(graph):
    right = tfe.metrics.Accuracy()
    labels, found = tf.constant([1, 2]), tf.constant([1, 3])
    returned = right(labels, found, weights=tf.constant([1.0, 3.0]))
    with tf.Session() as sess:
        sess.run(right.init_variables())
        values = sess.run(returned[:2])  # which makes the update
        assert [v.tolist() for v in values] == [[1, 2], [1, 3]]
        assert sess.run(right.result()) == 0.25


def test_metrics_are_parts_of_checkpoints(eager, tmp_path):
    m = tfe.metrics.Mean("loss")
    m([1.0, 2.0])
    path = Checkpoint(metric=m).save(str(tmp_path / "ckpt"))
    names = dict(tf.train.list_variables(path))
    assert "metric/numer/.ATTRIBUTES/VARIABLE_VALUE" in names
    again = tfe.metrics.Mean("loss")
    status = Checkpoint(metric=again).restore(path)  # its variables are still to come
    again(6.0)
    status.assert_consumed()
    assert again.result().numpy() == 3.0
