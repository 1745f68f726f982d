"""Tables that programs insert into, in checkpoints; names recorded from 1.12."""

import twinflow as tf


def test_a_table_is_saved_and_comes_back(tmp_path):
    path = str(tmp_path / "m")
    with tf.Graph().as_default(), tf.Session() as sess:
        table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="t")
        dense = tf.contrib.lookup.MutableDenseHashTable(
            tf.int64, tf.float32, [0.0, 0.0], empty_key=0, name="d"
        )
        tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, checkpoint=False)
        saver = tf.train.Saver()
        sess.run([table.insert(["a"], [1]), dense.insert([2], [[3.0, 4.0]])])
        saver.save(sess, path)
        sess.run([table.insert(["a", "b"], [7, 8]), dense.insert([2], [[0.0, 0.0]])])
        saver.restore(sess, path)
        assert sess.run(table.lookup(["a", "b"])).tolist() == [1, -1]
        assert sess.run(dense.lookup([2])).tolist() == [[3.0, 4.0]]
    keys = [key for key, _ in tf.train.list_variables(path)]
    assert keys == ["d-keys", "d-values", "t-keys", "t-values"]
