"""tf.contrib.training.train and its evaluations, and what tests read of summaries."""

import pytest

import twinflow as tf

T, S = tf.contrib.training, tf.contrib.testing


def test_training_and_evaluating(tmp_path):
    folder = str(tmp_path)
    with tf.Graph().as_default():
        step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        tf.summary.scalar("double", 2 * step)
        hooks = [tf.train.StopAtStepHook(3)]
        assert T.train(step, folder, hooks=hooks, save_summaries_steps=1) == 3
        with pytest.raises(ValueError, match="logdir cannot be None when save_summ"):
            T.train(step, None)
    assert S.simple_values_from_events(S.latest_events(folder), ["double"])["double"]
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        seen = tf.get_local_variable("seen", [], initializer=tf.zeros_initializer())
        found = T.evaluate_repeatedly(
            folder, eval_ops=tf.assign_add(seen, 1.0), final_ops=[step, seen],
            hooks=[T.StopAfterNEvalsHook(4)], max_number_of_evaluations=1,
        )  # fmt: skip
        assert found == [3, 4.0]
    assert list(T.checkpoints_iterator(str(tmp_path / "none"), timeout=0)) == []


def test_a_writer_that_keeps():
    S.FakeSummaryWriter.install()
    try:
        writer = tf.summary.FileWriterCache.get("kept")
        with pytest.raises(ValueError, match="already installed"):
            S.FakeSummaryWriter.install()
    finally:
        S.FakeSummaryWriter.uninstall()
        tf.summary.FileWriterCache.clear()
    summary = tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=2.0)])
    writer.add_summary(summary.SerializeToString(), 7)
    writer.assert_summaries(tf.test.TestCase(), "kept", None, {7: {"loss": 2.0}})
    with pytest.raises(AssertionError):
        writer.assert_summaries(tf.test.TestCase(), "kept", None, {8: {}})
    with pytest.raises(ValueError, match="Expected tags"):
        S.assert_summary(["other"], {}, summary)
