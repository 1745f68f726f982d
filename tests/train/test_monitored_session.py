"""Monitored sessions: hooks, checkpoints, resuming, and how they end."""

import os

import numpy as np
import pytest

import twinflow as tf
from twinflow.train import training_util


@pytest.fixture(autouse=True)
def model(graph):
    """w is multiplied by 0.8 in each step, from [1, 2]."""
    step = tf.train.get_or_create_global_step()
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    loss = tf.reduce_sum(w * w)
    tf.summary.scalar("loss", loss)
    tf.train.GradientDescentOptimizer(0.1).minimize(loss, step, name="train")
    yield
    tf.summary.FileWriterCache.clear()


def trained(folder, steps, **kwargs):
    """The losses before each step of a training of so many steps."""
    hooks = [tf.train.StopAtStepHook(num_steps=steps), *kwargs.pop("hooks", ())]
    losses = []
    session = tf.train.MonitoredTrainingSession(
        checkpoint_dir=str(folder), hooks=hooks, save_checkpoint_steps=2,
        save_summaries_steps=2, log_step_count_steps=2, **kwargs,
    )  # fmt: skip
    with session as sess:
        while not sess.should_stop():
            losses.append(float(sess.run(["Sum:0", "train"])[0]))
    return losses


class Notes(tf.train.SessionRunHook):
    """Notes what it is called with."""

    def __init__(self):
        self.calls = []

    def begin(self):
        self.calls.append("begin")

    def after_create_session(self, session, coord):
        self.calls.append("create")

    def before_run(self, run_context):
        self.calls.append("before")
        return tf.train.SessionRunArgs({"loss": "Sum:0"})

    def after_run(self, run_context, run_values):
        self.calls.append(("after", round(float(run_values.results["loss"]), 3)))

    def end(self, session):
        self.calls.append("end")


def test_training_saves_and_goes_on_where_it_was(tmp_path):
    notes = Notes()
    losses = trained(tmp_path, 3, hooks=[notes])
    np.testing.assert_allclose(losses, [5 * 0.64**i for i in range(3)], rtol=1e-5)
    assert notes.calls == [
        "begin", "create", "before", ("after", 5.0), "before", ("after", 3.2),
        "before", ("after", 2.048), "end",
    ]  # fmt: skip
    state = tf.train.get_checkpoint_state(str(tmp_path))
    names = [os.path.basename(path) for path in state.all_model_checkpoint_paths]
    assert names == ["model.ckpt-0", "model.ckpt-2", "model.ckpt-3"]
    assert {"graph.pbtxt", "model.ckpt-3.meta", "checkpoint"} < set(
        os.listdir(tmp_path)
    )
    np.testing.assert_allclose(trained(tmp_path, 1), [5 * 0.64**3], rtol=1e-5)


def test_summaries_and_steps_per_second_are_written(tmp_path):
    trained(tmp_path, 5)
    tf.summary.FileWriterCache.clear()
    (path,) = [f for f in os.listdir(tmp_path) if f.startswith("events")]
    events = list(tf.train.summary_iterator(str(tmp_path / path)))
    found = [(e.step, v.tag) for e in events for v in e.summary.value]
    assert [step for step, tag in found if tag == "loss"] == [1, 3, 5]
    assert {tag for _, tag in found} == {"loss", "global_step/sec"}
    kinds = {e.WhichOneof("what") for e in events}
    assert {"graph_def", "meta_graph_def", "session_log"} < kinds


def test_a_meta_graph_of_a_monitored_session_has_its_saver(tmp_path):
    trained(tmp_path, 1)
    with tf.Graph().as_default(), tf.Session() as sess:
        saver = tf.train.import_meta_graph(str(tmp_path / "model.ckpt-1.meta"))
        saver.restore(sess, tf.train.latest_checkpoint(str(tmp_path)))
        np.testing.assert_allclose(sess.run("w:0"), [0.8, 1.6], rtol=1e-6)
        assert len(tf.get_collection(tf.GraphKeys.SAVERS)) == 1


def test_the_end_of_the_input_ends_the_block_quietly():
    x = tf.data.Dataset.range(3).make_one_shot_iterator().get_next()
    seen, notes = [], Notes()
    with tf.train.MonitoredSession(hooks=[notes]) as sess:
        while not sess.should_stop():
            seen.append(int(sess.run(x)))
    assert seen == [0, 1, 2] and notes.calls[-1] == "end"
    with pytest.raises(RuntimeError, match="Session is already closed"):
        sess.run(x)
    assert not tf.get_default_graph().finalized


def test_errors_leave_the_block_and_hooks_are_not_ended():
    notes = Notes()
    with pytest.raises(ZeroDivisionError), tf.train.MonitoredSession(hooks=[notes]):
        raise ZeroDivisionError
    assert "end" not in notes.calls


def test_the_error_of_a_thread_comes_out():
    class Failing(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            coord.request_stop(ValueError("of a thread"))

    with tf.train.SingularMonitoredSession(hooks=[Failing()]) as sess:
        with pytest.raises(ValueError, match="of a thread"):
            sess.should_stop()
        assert sess.run("Sum:0") == 5.0
        sess._coordinated_creator.coord.clear_stop()


def test_a_lost_session_is_made_anew():
    class Losing(tf.train.SessionRunHook):
        lost = 0

        def after_run(self, run_context, run_values):
            if not self.lost:
                self.lost = 1
                raise tf.errors.AbortedError(None, None, "lost")

    with tf.train.MonitoredSession(hooks=[Losing()]) as sess:
        assert sess.run("Sum:0") == 5.0
    with tf.train.SingularMonitoredSession(hooks=[Losing()]) as sess:
        with pytest.raises(tf.errors.AbortedError):
            sess.run("Sum:0")
        assert sess.raw_session().run("Sum:0") == 5.0


def test_hooks_feed():
    x = tf.placeholder_with_default(1.0, [])
    y = x + 1.0
    feed = tf.train.FeedFnHook(lambda: {x: 5.0})
    with tf.train.MonitoredSession(hooks=[feed]) as sess:
        assert sess.run(y) == 6.0
        with pytest.raises(RuntimeError, match="fed by a SessionRunHook and user"):
            sess.run(y, {x: 2.0})
    twice = tf.train.MonitoredSession(hooks=[feed, feed])
    with twice as sess, pytest.raises(RuntimeError, match="fed by two hooks"):
        sess.run(y)


def test_final_ops_and_nan(caplog):
    final = tf.train.FinalOpsHook("Sum:0")
    with tf.train.MonitoredSession(hooks=[final]) as sess:
        sess.run("train")
    assert round(float(final.final_ops_values), 3) == 3.2
    loss = tf.constant(np.nan)
    failing = tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(loss)])
    error = tf.train.NanLossDuringTrainingError
    with pytest.raises(error, match="NaN loss"), failing as sess:
        sess.run("train")
    hook = tf.train.NanTensorHook(loss, fail_on_nan_loss=False)
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        sess.run("train")
        assert sess.should_stop()


def test_tensors_are_logged(caplog):
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.INFO)
    try:
        hook = tf.train.LoggingTensorHook({"loss": "Sum:0"}, every_n_iter=2)
        with tf.train.MonitoredSession(hooks=[hook]) as sess:
            for _ in range(3):
                sess.run("train")
    finally:
        tf.logging.set_verbosity(level)
    lines = [record.getMessage() for record in caplog.records]
    found = [line.split(" (")[0] for line in lines if "loss =" in line]
    assert found == ["loss = 5.0", "loss = 2.0479999"]


def test_run_step_fn():
    with tf.train.MonitoredSession() as sess:
        found = sess.run_step_fn(lambda step_context: step_context.session.run("Sum:0"))
        assert found == 5.0
        with pytest.raises(ValueError, match="may either have one `step_context`"):
            sess.run_step_fn(lambda x: x)
        sess.run_step_fn(lambda step_context: step_context.request_stop())
        pytest.fail("a step function that asks for the end leaves the block")
    assert sess.should_stop()


@pytest.mark.parametrize("args, text", [
    ({}, "Either every_secs or every_steps"),
    ({"every_secs": 1, "every_steps": 1}, "Can not provide both"),
])  # fmt: skip
def test_timers_need_one_number(args, text):
    with pytest.raises(ValueError, match=text):
        tf.train.SecondOrStepTimer(**args)


def test_several_savers_must_be_told_apart():
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver())
    with pytest.raises(RuntimeError, match="More than one item in collection savers"):
        tf.train.Scaffold().finalize()


def test_an_init_fn_that_leaves_something_out_is_told():
    v = tf.get_variable("v", initializer=1.0)
    scaffold = tf.train.Scaffold(init_op=v.initializer)
    with pytest.raises(RuntimeError, match="not initialized: global_step, w"):
        tf.train.MonitoredTrainingSession(scaffold=scaffold)


def test_final_ops_of_an_ended_input(caplog):
    read = tf.data.Dataset.range(0).make_one_shot_iterator().get_next()
    hook = tf.train.FinalOpsHook(read)
    with tf.Session() as sess, pytest.raises(tf.errors.OutOfRangeError):
        hook.end(sess)
    assert "dependency back to some input source" in caplog.text


def test_steps_per_second_are_named_after_the_step(tmp_path):
    keys = [tf.GraphKeys.GLOBAL_STEP, tf.GraphKeys.GLOBAL_VARIABLES]
    hook = tf.train.StepCounterHook(output_dir=str(tmp_path))
    with tf.Graph().as_default():
        with tf.variable_scope("bar"):
            tf.get_variable("foo", initializer=0, trainable=False, collections=keys)
        hook.begin()
    assert hook._summary_tag == "bar/foo/sec"


def test_hooks_made_after_the_train_op_read_the_step_before_it(tmp_path):
    """TensorFlow writes summaries at 1, 6 and 11, whatever was made first."""
    scaffold, seen = tf.train.Scaffold(), []
    saving = tf.train.SummarySaverHook(5, output_dir=str(tmp_path), scaffold=scaffold)

    class Steps(tf.train.SessionRunHook):
        def begin(self):
            self.read = training_util.get_or_create_global_step_read()

        def before_run(self, run_context):
            return tf.train.SessionRunArgs(self.read)

        def after_run(self, run_context, run_values):
            seen.append(int(run_values.results))

    hooks = [tf.train.StopAtStepHook(last_step=12), saving, Steps()]
    creator = tf.train.ChiefSessionCreator(scaffold)
    with tf.train.MonitoredSession(creator, hooks) as sess:
        while not sess.should_stop():
            sess.run("train")
    tf.summary.FileWriterCache.clear()
    assert seen == list(range(12))
    (path,) = os.listdir(tmp_path)
    events = tf.train.summary_iterator(str(tmp_path / path))
    assert [e.step for e in events for v in e.summary.value] == [1, 6, 11]
