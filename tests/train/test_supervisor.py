"""Supervisor: sessions with threads that save, and basic_train_loop."""

import os
import time

import numpy as np
import pytest

import twinflow as tf
from tests import threads


def build(graph):
    """w is multiplied by 0.8 in each step, from [1, 2]: (step, loss, train op)."""
    with graph.as_default():
        step = tf.train.get_or_create_global_step()
        w = tf.get_variable("w", initializer=[1.0, 2.0])
        loss = tf.reduce_sum(w * w)
        tf.summary.scalar("loss", loss)
        return step, loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)


def waited(condition):
    """Wait until something is so."""
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)


def test_training_is_saved_by_threads_and_goes_on(tmp_path):
    folder, losses = str(tmp_path), []
    for steps in 3, 2:
        graph = tf.Graph()
        step, loss, train = build(graph)
        with graph.as_default():
            sv = tf.train.Supervisor(logdir=folder, save_model_secs=0.05)
            with sv.managed_session() as sess:
                for _ in range(steps):
                    losses.append(float(sess.run([loss, train])[0]))
                prefix = f"{sv.save_path}-{sess.run(step)}"
                waited(lambda p=prefix: tf.train.latest_checkpoint(folder) == p)
    np.testing.assert_allclose(losses, [5 * 0.64**i for i in range(5)], rtol=1e-5)
    kinds, tags = [], set()
    for name in sorted(os.listdir(folder)):
        if "tfevents" in name:
            for e in tf.train.summary_iterator(os.path.join(folder, name)):
                kinds.append(e.WhichOneof("what"))
                tags |= {v.tag for v in e.summary.value}
    assert kinds[:4] == ["file_version", "graph_def", "meta_graph_def", "session_log"]
    assert tags == {"loss", "global_step/sec"}
    assert {"checkpoint", "graph.pbtxt"} < set(os.listdir(folder))


def test_basic_train_loop_calls_until_the_stop(graph, tmp_path):
    _, loss, train = build(graph)
    sv = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0)
    seen = []

    def step(sess, *args, **kwargs):
        seen.append((float(sess.run([loss, train])[0]), args, kwargs))
        if len(seen) == 2:
            sv.request_stop()

    tf.train.basic_train_loop(sv, step, args=(1,), kwargs={"a": 2})
    assert [s[1:] for s in seen] == [((1,), {"a": 2})] * 2
    np.testing.assert_allclose([s[0] for s in seen], [5, 3.2], rtol=1e-6)
    assert not any("ckpt" in name for name in os.listdir(tmp_path))


def test_a_lost_session_is_made_anew(graph):
    build(graph)
    sv, calls = tf.train.Supervisor(logdir=None), []

    def step(sess):
        calls.append(sess)
        if len(calls) == 1:
            raise tf.errors.AbortedError(None, None, "lost")
        sv.request_stop()

    tf.train.basic_train_loop(sv, step)
    assert len(calls) == 2 and calls[0] is not calls[1]


def test_errors_come_out_and_the_end_of_the_input_does_not(graph):
    build(graph)
    sv = tf.train.Supervisor(logdir=None)
    with pytest.raises(ZeroDivisionError), sv.managed_session():
        raise ZeroDivisionError
    with sv.managed_session():
        raise tf.errors.OutOfRangeError(None, None, "end")
    with pytest.raises(KeyError), sv.managed_session() as sess:
        sv.loop(0, {}.__getitem__, ["of a thread"]).join()
        assert sv.should_stop() and sess is not None


def test_what_is_given_is_used(graph, tmp_path):
    v = tf.get_variable("v", initializer=1.0)
    graph.add_to_collection(tf.GraphKeys.SUMMARY_OP, tf.summary.scalar("value", v))
    sv = tf.train.Supervisor(
        logdir=str(tmp_path), init_fn=lambda s: v.load(5.0, s), save_summaries_secs=0,
        save_model_secs=0,
    )  # fmt: skip
    assert sv.global_step is None and graph.finalized
    with sv.managed_session() as sess:
        assert sess.run(v) == 5.0
        sv.summary_computed(sess, sess.run(sv.summary_op), 7)
    (name,) = [n for n in os.listdir(tmp_path) if "tfevents" in n]
    events = tf.train.summary_iterator(str(tmp_path / name))
    assert [(e.step, v.tag) for e in events for v in e.summary.value] == [(7, "value")]


def test_what_does_not_do_is_said(graph):
    build(graph)
    sv = tf.train.Supervisor(logdir=None)
    with pytest.raises(RuntimeError, match="requires a summary writer"):
        sv.summary_computed(None, b"")
    with pytest.raises(ValueError, match="must have their device set"):
        tf.train.Supervisor(is_chief=False)


def test_it_is_not_for_eager_mode(eager):
    with pytest.raises(RuntimeError, match=r"save with tf\.train\.Checkpoint"):
        tf.train.Supervisor()


def test_threads_of_queues_and_services_end_with_the_session(graph, tmp_path):
    before = threads.others()
    names = tf.train.string_input_producer(["a", "b"], shuffle=False)
    found = tf.train.batch([names.dequeue()], 3)
    tf.train.get_or_create_global_step()
    sv = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=60)
    with sv.managed_session() as sess:
        assert sess.run(found).tolist() == [b"a", b"b", b"a"]
        assert len(threads.others()) > len(before)
    threads.check_none_stays(before)
    with sv.managed_session() as sess:  # a second one starts them again
        assert sess.run(found).tolist() == [b"a", b"b", b"a"]
    threads.check_none_stays(before)
