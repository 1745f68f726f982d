"""tf.contrib.model_pruning: masks move as in TensorFlow 1.12, and can be taken out."""

import numpy as np
import pytest

import twinflow as tf

pruning = tf.contrib.model_pruning


def _masked(name, size):
    with tf.variable_scope(name) as scope:
        values = np.arange(1, size * size + 1, dtype=np.float32).reshape(size, size)
        return pruning.apply_mask(tf.get_variable("weights", initializer=values), scope)


def _moved(settings, steps):
    with tf.Graph().as_default(), tf.Session() as sess:
        _masked("a", 3)
        _masked("b", 4)
        step = tf.train.get_or_create_global_step()
        spec = pruning.get_pruning_hparams().parse(settings)
        op = pruning.Pruning(spec).conditional_mask_update_op()
        on, masks, thresholds = (
            tf.assign_add(step, 1), pruning.get_masks(), pruning.get_thresholds()
        )  # fmt: skip
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            sess.run(op)
            sess.run(on)
        return sess.run([masks, thresholds])


def test_masks_follow_the_function():
    settings = "target_sparsity=.5,sparsity_function_end_step=4,pruning_frequency=1"
    (_, b), (_, threshold) = _moved(settings + ",threshold_decay=0.0", 2)
    assert (int(b.sum()), threshold) == (11, 5.0)
    (_, b), (_, threshold) = _moved(settings + ",threshold_decay=0.0", 5)
    assert (int(b.sum()), threshold) == (8, 8.0)


def test_weights_have_targets_and_blocks_of_their_own():
    settings = (
        "begin_pruning_step=2,target_sparsity=.6,sparsity_function_end_step=4,"
        "pruning_frequency=2,threshold_decay=0.3,weight_sparsity_map=[b/weights:.75]"
    )
    (_, b), (_, threshold) = _moved(settings, 3)
    assert (int(b.sum()), threshold) == (9, pytest.approx(7.7))
    blocks = "block_height=2,block_width=2,pruning_frequency=1,threshold_decay=0.0"
    (_, b), _ = _moved(f"{blocks},sparsity_function_end_step=2", 3)
    assert b.tolist() == [[0.0, 0.0, 1.0, 1.0]] * 2 + [[1.0] * 4] * 2


def test_settings_are_checked():
    with tf.Graph().as_default():
        for text in (
            "begin_pruning_step=-1", "begin_pruning_step=5,end_pruning_step=2",
            "threshold_decay=1.0", "target_sparsity=1.5",
        ):  # fmt: skip
            spec = pruning.get_pruning_hparams().parse(text)
            with pytest.raises(ValueError, match=r"Illegal|must"):
                pruning.Pruning(spec)


def test_layers_and_cells_have_masks():
    with tf.Graph().as_default():
        y = pruning.masked_conv2d(tf.ones([2, 4, 4, 3]), 2, [3, 3], scope="c")
        pruning.masked_fully_connected(tf.layers.flatten(y), 3, scope="f")
        for cell in pruning.MaskedBasicLSTMCell(3), pruning.MaskedLSTMCell(3):
            cell(tf.ones([1, 2]), cell.zero_state(1, tf.float32))
        assert [m.op.name for m in pruning.get_masks()] == [
            "c/mask", "f/mask", "masked_basic_lstm_cell/mask", "masked_lstm_cell/mask"
        ]  # fmt: skip
        assert len(tf.trainable_variables()) == 8
        assert all(g is not None for g in tf.gradients(y, pruning.get_weights()[:1]))


def test_masks_are_taken_out(tmp_path):
    with tf.Graph().as_default() as g, tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 4], "x")
        y = tf.identity(pruning.masked_fully_connected(x, 2), "y")
        sess.run(tf.global_variables_initializer())
        sess.run(tf.assign(pruning.get_masks()[0], np.eye(4, 2)))
        wanted = sess.run(y, {x: np.ones([1, 4])})
        tf.train.Saver().save(sess, str(tmp_path / "model"))
        assert g is tf.get_default_graph()
    frozen = pruning.graph_def_from_checkpoint(str(tmp_path), ["y"])
    bare = pruning.strip_pruning_vars_fn(frozen, ["y"])
    assert not any("mask/" in node.name for node in bare.node)
    with tf.Graph().as_default(), tf.Session() as sess:
        (y,) = tf.import_graph_def(bare, return_elements=["y:0"], name="")
        np.testing.assert_allclose(sess.run(y, {"x:0": np.ones([1, 4])}), wanted)
    with pytest.raises(ValueError, match="Could not find a checkpoint"):
        pruning.graph_def_from_checkpoint(str(tmp_path / "no"), ["y"])
