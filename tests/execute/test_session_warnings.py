"""What a session warns about, once: growing graphs, updates not run, its config."""

import logging

import pytest

import twinflow as tf
from twinflow.execute import session_config


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def warnings_of(caplog, *words):
    texts = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    return [t for t in texts if all(w in t for w in words)]


def test_a_graph_that_grows_in_a_loop(caplog):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.Session() as session:
        for i in range(20):
            session.run(x[i % 2, 0])  # the line
    (text,) = warnings_of(caplog, "grows between runs")
    assert "test_session_warnings.py:26: session.run(x[i % 2, 0])  # the line" in text
    assert "'strided_slice_5/stack'" in text


def test_no_warning_where_nothing_or_something_else_grows(caplog):
    x = tf.placeholder(tf.float32, [])
    y = x + 1.0
    with tf.Session() as session:
        for i in range(30):
            session.run(y, {x: i})
        session.run(y * 2.0, {x: 1.0})
        session.run(y * 3.0, {x: 1.0})
        session.run([y, tf.square(y)], {x: 1.0})
        session.run(tf.exp(y), {x: 1.0})
        session.run(tf.sin(y), {x: 1.0})
        session.run(tf.cos(y), {x: 1.0})
    assert not warnings_of(caplog, "grows")


def _normalised(collect=True):
    """(a training op, the update of a moving average)."""
    x = tf.placeholder_with_default(tf.ones([4, 3]), [None, 3])
    w, mean = tf.Variable(tf.ones([3, 2])), tf.Variable([0.0, 0.0], trainable=False)
    h = tf.matmul(x, w)
    m = tf.reduce_mean(h, 0)
    update = mean.assign(mean * 0.9 + m * 0.1)
    if collect:
        tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
    loss = tf.reduce_sum((h - m) ** 2.0)
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss), update


def _train(op, runs, *more):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(runs):
            session.run([op, *more])


def test_updates_that_nobody_runs(caplog):
    op, update = _normalised()
    _train(op, 25)
    (text,) = warnings_of(caplog, "UPDATE_OPS")
    assert f"{update.op.name!r}" in text and "test_session_warnings.py:" in text


def test_no_warning_where_updates_run(caplog):
    op, update = _normalised()
    _train(op, 25, update)
    with tf.Session() as session:  # later, by themselves
        session.run(tf.global_variables_initializer())
        for _ in range(25):
            session.run(op)
            session.run(update)
    _train(op, 5)  # too short to tell
    assert not warnings_of(caplog, "UPDATE_OPS")


def test_updates_of_keras_layers(caplog):
    layer = tf.keras.layers.BatchNormalization()
    x = tf.ones([4, 3])
    y = layer(tf.matmul(x, tf.Variable(tf.ones([3, 2]))), training=True)
    op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y**2.0))
    assert not tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    _train(op, 25)
    assert len(warnings_of(caplog, "get_updates_for")) == 1


def test_settings_without_effect_are_named_once(caplog, monkeypatch):
    monkeypatch.setattr(session_config, "_said", set())
    options = tf.GPUOptions(allow_growth=True, force_gpu_compatible=True)
    for _ in range(2):
        config = tf.ConfigProto(
            gpu_options=options, intra_op_parallelism_threads=2,
            allow_soft_placement=True,
        )  # fmt: skip
        tf.Session(config=config).close()
    options = tf.RunOptions(report_tensor_allocations_upon_oom=True, timeout_in_ms=99)
    with tf.Session() as session:
        for _ in range(2):
            session.run(tf.constant(1.0), options=options)
    assert len(warnings_of(caplog, "RunOptions.report_tensor_allocations_upon")) == 1
    (text,) = warnings_of(caplog, "ConfigProto", "no effect")
    assert "gpu_options.force_gpu_compatible" in text and "intra_op" in text
    assert "allow_soft_placement" not in text
    assert "allow_growth" not in text  # memory grows as it is needed anyway


def test_placement_is_logged_on_demand(capsys):
    with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as session:
        session.run(tf.placeholder_with_default(1.0, [], name="p") + 1.0)
    place = "/job:localhost/replica:0/task:0/device:CPU:0"
    assert f"p: (PlaceholderWithDefault): {place}" in capsys.readouterr().err
