"""tf.contrib.layers and slim beyond the golden programs: training and scopes."""

import functools
import json
import threading
import warnings

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.contrib.slim import training_loop
from twinflow.eager.mode import MODE

slim, layers = tf.contrib.slim, tf.contrib.layers


def problem():
    """A loss that a linear layer brings to 0."""
    tf.set_random_seed(1)
    x = tf.constant(np.random.RandomState(0).randn(20, 3), tf.float32)
    y = slim.fully_connected(x, 1, activation_fn=None)
    return tf.losses.mean_squared_error(tf.reduce_sum(x, 1, keepdims=True), y)


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"optimizer": "SGD"}, 9.5),
        ({"optimizer": tf.train.GradientDescentOptimizer}, 9.5),
        ({"optimizer": lambda rate: tf.train.GradientDescentOptimizer(rate)}, 9.5),
        ({"optimizer": "SGD", "clip_gradients": 0.1}, 9.99),
        ({"optimizer": "SGD", "gradient_multipliers": {"test:0": 0.5}}, 9.75),
        ({"optimizer": "Adam"}, 9.9),
    ],
)
def test_optimize_loss(options, value):
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("test", [], initializer=tf.constant_initializer(10.0))
        step = tf.train.get_or_create_global_step()
        train = layers.optimize_loss(tf.abs(v * 5.0), step, 0.1, **options)
        assert train.name == "OptimizeLoss/control_dependency:0"
        session.run(tf.global_variables_initializer())
        assert session.run(train) == 50
        np.testing.assert_allclose(session.run([v, step]), [value, 1], rtol=1e-6)


def test_optimize_loss_wants_an_optimizer():
    with tf.Graph().as_default():
        loss, step = tf.constant(1.0), tf.train.create_global_step()
        with pytest.raises(ValueError, match="should be one of"):
            layers.optimize_loss(loss, step, 0.1, "foo")
        with pytest.raises(ValueError, match="Unrecognized optimizer"):
            layers.optimize_loss(loss, step, 0.1, 3, name="other")


def test_training_goes_on_where_it_stopped(tmp_path):
    def run(steps):
        with tf.Graph().as_default():
            descent = tf.train.GradientDescentOptimizer(0.1)
            train_op = slim.learning.create_train_op(problem(), descent)
            return slim.learning.train(
                train_op, str(tmp_path), number_of_steps=steps, log_every_n_steps=0
            )

    first = run(5)
    assert run(30) < first / 100
    assert (tmp_path / "model.ckpt-30.index").exists()


def test_training_leaves_what_tensorboard_shows(tmp_path):
    with tf.Graph().as_default():
        loss = problem()
        tf.summary.scalar("loss", loss)
        descent = tf.train.GradientDescentOptimizer(0.1)
        train_op = slim.learning.create_train_op(loss, descent)
        slim.learning.train(
            train_op, str(tmp_path), number_of_steps=3, log_every_n_steps=0
        )
    assert (tmp_path / "graph.pbtxt").exists()
    assert (tmp_path / "model.ckpt-3.index").exists()
    (path,) = tmp_path.glob("events*")
    events = list(tf.train.summary_iterator(str(path)))
    assert any(e.HasField("graph_def") for e in events)
    assert "loss" in {v.tag for e in events for v in e.summary.value}


@pytest.mark.parametrize("logdir", [True, False], ids=["saved", "without a folder"])
def test_training_starts_the_queues(tmp_path, logdir):
    folder = str(tmp_path) if logdir else None
    with tf.Graph().as_default():
        x = tf.train.batch([tf.constant([2.0])], 4)
        w = tf.get_variable("w", initializer=5.0)
        loss = tf.reduce_mean(tf.square(w * x - 6))
        descent = tf.train.GradientDescentOptimizer(0.1)
        train_op = slim.learning.create_train_op(loss, descent)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            last = slim.learning.train(
                train_op, folder, number_of_steps=20, log_every_n_steps=0,
                session_config=tf.ConfigProto(operation_timeout_in_ms=30_000),
            )  # fmt: skip
    assert last < 1e-3


def test_training_ends_with_its_input(tmp_path):
    with tf.Graph().as_default():
        queue = tf.train.limit_epochs(tf.constant([2.0]), 3)
        descent = tf.train.GradientDescentOptimizer(0.1)
        train_op = slim.learning.create_train_op(problem() + 0 * queue[0], descent)
        slim.learning.train(train_op, str(tmp_path), number_of_steps=10)
    assert (tmp_path / "model.ckpt-3.index").exists()


def test_a_step_of_ones_own_is_given_what_it_runs(tmp_path):
    seen = []

    def step(session, train_op, global_step, kwargs):
        seen.append((sorted(kwargs), session.run(kwargs["should_log"])))
        return slim.learning.train_step(session, train_op, global_step, kwargs)

    with tf.Graph().as_default():
        descent = tf.train.GradientDescentOptimizer(0.1)
        train_op = slim.learning.create_train_op(problem(), descent)
        slim.learning.train(
            train_op, str(tmp_path), step, number_of_steps=5, log_every_n_steps=2,
            trace_every_n_steps=2,
        )  # fmt: skip
    names = ["logdir", "should_log", "should_stop", "should_trace", "summary_writer"]
    assert seen == [(names, n % 2 == 0) for n in range(5)]
    traces = sorted(path.name for path in tmp_path.glob("tf_trace*"))
    assert traces == ["tf_trace-1.json", "tf_trace-3.json", "tf_trace-5.json"]
    assert json.loads((tmp_path / traces[0]).read_text())["traceEvents"]
    (path,) = tmp_path.glob("events*")
    events = list(tf.train.summary_iterator(str(path)))
    tags = [e.tagged_run_metadata.tag for e in events if e.tagged_run_metadata.tag]
    assert tags == ["run_metadata-1", "run_metadata-3", "run_metadata-5"]


def test_keyword_arguments_of_steps_are_the_callers(tmp_path):
    with tf.Graph().as_default():
        descent = tf.train.GradientDescentOptimizer(0.1)
        train_op = slim.learning.create_train_op(problem(), descent)
        step = tf.train.get_global_step()
        slim.learning.train(
            train_op, str(tmp_path), number_of_steps=50,
            train_step_kwargs={"should_stop": step >= 4},
        )  # fmt: skip
    assert (tmp_path / "model.ckpt-4.index").exists()


def test_training_goes_on_where_a_task_began_anew(tmp_path):
    calls = []

    def step(*args):
        calls.append(args)
        if len(calls) == 3:
            raise tf.errors.AbortedError(None, None, "a task began anew")
        return slim.learning.train_step(*args)

    with tf.Graph().as_default():
        descent = tf.train.GradientDescentOptimizer(0.1)
        train_op = slim.learning.create_train_op(problem(), descent)
        slim.learning.train(train_op, str(tmp_path), step, number_of_steps=4)
    assert len(calls) == 7  # it begins again: no checkpoint was due
    assert (tmp_path / "model.ckpt-4.index").exists()


def test_who_is_not_the_chief_starts_late():
    target = tf.train.Server.create_local_server().target
    steps = []

    def step(session, train_op, global_step, kwargs):
        steps.append(session.run(global_step))
        return 0.0, True

    with tf.Graph().as_default(), tf.device("/job:local/task:0"):
        tf.train.get_or_create_global_step()
        count = tf.assign_add(tf.train.get_global_step(), 1)
        more = {"is_chief": False, "startup_delay_steps": 3, "number_of_steps": 9}
        with tf.Session(target) as session:
            session.run(tf.global_variables_initializer())
            args = (tf.constant(0.0), None, step)
            late = threading.Thread(
                target=slim.learning.train, args=args, daemon=True,
                kwargs={**more, "graph": tf.get_default_graph(), "master": target},
            )  # fmt: skip
            late.start()
            late.join(1.5)
            assert late.is_alive() and not steps
            for _ in range(3):
                session.run(count)
            late.join(30)
    assert steps == [3]


def test_replicas_train_in_step(tmp_path, monkeypatch):
    # the chief's thread waits for gradients until the session ends
    short = functools.partial(training_loop.Supervisor, stop_grace_secs=0.1)
    monkeypatch.setattr(training_loop, "Supervisor", short)
    with tf.Graph().as_default():
        descent = tf.train.GradientDescentOptimizer(0.1)
        both = tf.train.SyncReplicasOptimizer(descent, 1, 1)
        train_op = slim.learning.create_train_op(problem(), both)
        last = slim.learning.train(
            train_op,
            str(tmp_path),
            number_of_steps=10,
            sync_optimizer=both,
            ignore_live_threads=True,
        )
    assert np.isfinite(last)
    assert (tmp_path / "model.ckpt-10.index").exists()


@pytest.mark.parametrize("given, text", [
    ({"logdir": None, "trace_every_n_steps": 2}, "Cannot provide trace_every_n_steps"),
    ({"logdir": None, "summary_op": None}, "Cannot provide summary_op"),
    ({"logdir": "x", "sync_optimizer": 3}, "must be a tf.train.SyncReplicasOptimizer"),
    ({"logdir": "x", "number_of_steps": -1}, "must be either None or a positive"),
    ({"logdir": "x", "sync_optimizer": [], "startup_delay_steps": 2}, "must be zero"),
])  # fmt: skip
def test_training_refuses(given, text):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=text):
        slim.learning.train(tf.constant(1.0), **given)


def test_updates_run_with_the_step():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([[1.0, 2.0], [3.0, 6.0]])
        y = slim.batch_norm(slim.fully_connected(x, 2, None), decay=0.5)
        train_op = slim.learning.create_train_op(
            tf.reduce_sum(y * y), tf.train.GradientDescentOptimizer(0.1)
        )
        session.run(tf.global_variables_initializer())
        session.run(train_op)
        (mean,) = slim.get_variables_by_name("moving_mean")
        assert np.any(session.run(mean))


def test_argument_scopes_are_of_their_thread():
    @slim.add_arg_scope
    def f(a=1):
        return a

    found = []
    with slim.arg_scope([f], a=2):
        thread = threading.Thread(target=lambda: found.append(f()))
        thread.start()
        thread.join()
        assert (found, f()) == ([1], 2)


def test_older_losses_take_predictions_first():
    with tf.Graph().as_default(), tf.Session() as session:
        p, y = tf.constant([[1.0, 2.0]]), tf.constant([[1.0, 4.0]])
        assert session.run(slim.losses.mean_squared_error(p, y)) == 2
        assert session.run(slim.losses.hinge_loss(p, y / y)).tolist() == [[0, 0]]
        total = slim.losses.get_total_loss()
        assert session.run(total) == 2


def test_layers_work_eagerly():
    with dispatch.entered(MODE):
        assert slim.fully_connected(tf.ones([2, 3]), 4).shape == (2, 4)
        x = tf.constant([[1.0], [3.0]])
        close = {"rtol": 1e-3}
        np.testing.assert_allclose(slim.batch_norm(x), [[-1], [1]], **close)
        y = slim.batch_norm(x, updates_collections=None, is_training=False)
        np.testing.assert_allclose(y, x, **close)


@pytest.mark.parametrize("given, wanted", [
    (None, ["global_norm/gradient_norm", "loss", "global_norm/clipped_gradient_norm"]),
    (["gradients", "loss"], ["loss", "gradients/h/kernel_0"]),
    (tf.contrib.layers.OPTIMIZER_SUMMARIES, [
        "global_norm/gradient_norm", "loss", "gradients/h/kernel_0",
        "gradient_norm/h/kernel_0", "global_norm/clipped_gradient_norm",
    ]),
])  # fmt: skip
def test_optimize_loss_makes_the_summaries_it_is_asked_for(given, wanted):
    """Names and order are those of TensorFlow 1.12."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.get_variable("h/kernel", initializer=[1.0, 2.0])
        tf.contrib.layers.optimize_loss(
            tf.reduce_sum(x * x), tf.train.create_global_step(), 0.1, "SGD",
            summaries=given, clip_gradients=1.0,
        )  # fmt: skip
        found = tf.get_collection(tf.GraphKeys.SUMMARIES)
        assert [t.op.name for t in found] == [f"OptimizeLoss/{n}" for n in wanted]
        sess.run(tf.global_variables_initializer())
        values = tf.Summary.FromString(sess.run(tf.summary.merge_all())).value
    numbers = {v.tag: v.simple_value for v in values}
    norm = numbers.get("OptimizeLoss/global_norm/gradient_norm", 20**0.5)
    clipped = numbers.get("OptimizeLoss/global_norm/clipped_gradient_norm", 1)
    np.testing.assert_allclose([norm, clipped], [20**0.5, 1], rtol=1e-6)


def test_optimize_loss_knows_its_summaries():
    with tf.Graph().as_default():
        loss, step = tf.get_variable("x", initializer=1.0) ** 2, tf.constant(0)
        with pytest.raises(ValueError, match=r"one of \[learning_rate, loss.*you prov"):
            tf.contrib.layers.optimize_loss(loss, step, 0.1, "SGD", summaries=["los"])


def test_adaptive_clipping_follows_the_norms():
    """Recorded from TensorFlow 1.12."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.get_variable("x", initializer=[3.0, 4.0])
        scale = tf.placeholder(tf.float32, [])
        clip = tf.contrib.slim.adaptive_clipping_fn(0.5, decay=0.5, epsilon=1e-2)
        (grad, _), _ = clip([(x * scale, x), (x, x)])
        sess.run(tf.global_variables_initializer())
        found = [sess.run(grad, {scale: v})[0] for v in (1, 1, 1, 2, 50)]
    np.testing.assert_allclose(found, [1.12898, 1.84166, 3, 4.22704, 26.62297], 1e-5)
