"""Variables in parts: names, sharing, values, gradients and checkpoints."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.ops.core.partitioned import PartitionedVariable


@pytest.fixture
def sess():
    """A Session of a new graph, which is the default one."""
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


THREE = tf.fixed_size_partitioner(3)


def _made(**options):
    with tf.variable_scope("root", partitioner=THREE):
        return tf.get_variable("v", [7, 2], **options)


def test_parts_have_names_and_places(sess):
    v = _made()
    assert isinstance(v, PartitionedVariable) and len(v) == 3
    assert [p.name for p in v] == [f"root/v/part_{i}:0" for i in range(3)]
    specs = ["7 2 0,3:0,2", "7 2 3,2:0,2", "7 2 5,2:0,2"]
    assert [p._get_save_slice_info().spec for p in v] == specs
    with tf.variable_scope("root", reuse=True):
        assert tf.get_variable("v", [7, 2]) is v
    message = "specified partitions .2, 1. and found partitions .3, 1."
    with (
        tf.variable_scope("root", reuse=True, partitioner=tf.fixed_size_partitioner(2)),
        pytest.raises(ValueError, match=message),
    ):
        tf.get_variable("v", [7, 2])


def test_the_whole_is_a_tensor(sess):
    value = np.arange(14, dtype=np.float32).reshape(7, 2)
    with tf.variable_scope("root", partitioner=THREE):
        v = tf.get_variable("v", initializer=tf.constant(value))
    loss = tf.reduce_sum(tf.square(v))
    slopes = tf.gradients(loss, list(v))
    rows = tf.nn.embedding_lookup(v, [0, 1, 2, 3])
    sess.run(tf.global_variables_initializer())
    assert sess.run(v.as_tensor()).tolist() == value.tolist()
    assert np.concatenate(sess.run(slopes)).tolist() == (2 * value).tolist()
    mod = [value[0], value[3], value[5], value[1]]
    assert sess.run(rows).tolist() == np.array(mod).tolist()
    sess.run(v.assign(value + 1))
    assert sess.run(v.as_tensor()).tolist() == (value + 1).tolist()


def test_checkpoints_hold_one_tensor(sess, tmp_path):
    v = _made(initializer=tf.random_uniform_initializer(seed=1))
    step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(tf.square(v)))
    sess.run(tf.global_variables_initializer())
    sess.run(step)
    path = tf.train.Saver().save(sess, str(tmp_path / "model"))
    known = dict(tf.train.list_variables(path))
    assert known == {"root/v": [7, 2], "root/v/Momentum": [7, 2]}
    before = sess.run(v.as_tensor())
    assert tf.train.load_variable(path, "root/v").tolist() == before.tolist()
    with tf.Graph().as_default(), tf.Session() as other:
        whole = tf.get_variable("root/v", [7, 2])
        tf.train.Saver([whole]).restore(other, path)
        assert other.run(whole).tolist() == before.tolist()


def test_parts_come_back_from_the_whole(sess, tmp_path):
    v, start = _made(), np.arange(14.0).reshape(7, 2)
    for part, rows in zip(v, np.split(start, [3, 5])):
        part.load(rows, sess)
    path = tf.train.Saver().save(sess, str(tmp_path / "model"))
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().restore(sess, path)
    assert np.array_equal(sess.run(v.as_tensor()), start)
    with tf.Graph().as_default(), tf.Session() as other:
        tf.get_variable("root/v", [7, 1], partitioner=THREE)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"rhs shape= .7,2."):
            tf.train.Saver().restore(other, path)


def test_refusals(sess):
    for cuts, text in (
        ([2, 2], "Can only slice a variable along one dimension"),
        ([9, 1], "Cannot create 9 slices for size 4"),
        ([0, 1], "returned zero partitions"),
        ([2], "does not match the Variable's rank"),
        (2, "must return a sequence"),
    ):
        with pytest.raises(ValueError, match=text):
            tf.get_variable("x", [4, 4], partitioner=lambda cuts=cuts, **_: cuts)
    with pytest.raises(ValueError, match="must have the length"):
        tf.create_partitioned_variables([4], [1, 1], tf.ones([4]))


def test_lookups_train_the_rows_that_they_take(sess):
    """With momentum a row that is not looked up would go on; here each part has the
    slopes of its own rows."""
    with tf.variable_scope("root", partitioner=THREE):
        v = tf.get_variable("v", [7, 2], initializer=tf.ones_initializer())
    rows = tf.placeholder(tf.int32, [None])
    found = tf.nn.embedding_lookup(v, rows, "div")
    optimizer = tf.train.MomentumOptimizer(0.5, 0.5)
    pairs = optimizer.compute_gradients(tf.reduce_sum(found))
    assert [type(g).__name__ for g, _ in pairs] == ["IndexedSlices"] * 3
    step = optimizer.apply_gradients(pairs)
    sess.run(tf.global_variables_initializer())
    sess.run(step, {rows: [0, 3, 6]})
    sess.run(step, {rows: [3, 3]})
    whole = sess.run(v.as_tensor())
    assert whole[:, 0].tolist() == [0.5, 1.0, 1.0, -0.75, 1.0, 1.0, 0.5]


def test_parts_that_hold_at_least_so_many_bytes_are_counted_upwards():
    """[rows, 1] of float32 with parts of 16 bytes, as TensorFlow 1.12 counts them."""
    cut = tf.min_max_variable_partitioner(max_partitions=5, min_slice_size=16)
    found = [cut(tf.TensorShape([n, 1]), tf.float32) for n in (1, 4, 5, 8, 9, 16, 40)]
    assert found == [[n, 1] for n in (1, 1, 2, 2, 3, 4, 5)]
