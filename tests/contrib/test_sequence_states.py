"""SequenceQueueingStateSaver and batch_sequences_with_states."""

import numpy as np
import pytest

import twinflow as tf


def test_pieces_and_their_states():
    training = tf.contrib.training
    with tf.Graph().as_default(), tf.Session() as session:
        x = np.arange(8.0).reshape(4, 2)
        saver = training.SequenceQueueingStateSaver(
            1, 2, 3, tf.constant("a"), {"x": x}, {"c": [5, 6]},
            {"s": np.zeros(2)}, capacity=1,
        )  # fmt: skip
        batch = saver.next_batch
        save = batch.save_state("s", batch.state("s") + 1)
        wanted = (
            batch.key, batch.next_key, batch.length, batch.sequence,
            batch.sequences["x"], batch.context["c"], batch.state("s"),
        )  # fmt: skip
        for _ in range(2):  # the second example has room when the first is done
            session.run(saver.prefetch_op)
            first, _ = session.run([wanted, save])
            second, _ = session.run([wanted, save])
            assert [first[0][0], first[1][0], second[1][0]] == [
                b"00000_of_00002:a", b"00001_of_00002:a", b"STOP:a",
            ]  # fmt: skip
            assert [p[2][0] for p in (first, second)] == [2, 1]
            np.testing.assert_array_equal([first[4][0], second[4][0]], [x[:2], x[2:]])
            np.testing.assert_array_equal(second[5], [[5, 6]])
            np.testing.assert_array_equal([first[6], second[6]], [[[0, 0]], [[1, 1]]])
        with pytest.raises(KeyError, match="state was not declared: t"):
            batch.save_state("t", 1)
        with pytest.raises(ValueError, match=r"Rank check failed for .*convert_s:0"):
            batch.save_state("s", [1.0])
        session.run(saver.close())
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(batch.key)


def test_threads_put_examples_in():
    with tf.Graph().as_default(), tf.Session() as session:
        sparse = tf.SparseTensor([[0, 1], [2, 0]], [3, 4], [3, 2])
        batch = tf.contrib.training.batch_sequences_with_states(
            tf.constant("key"), {"x": tf.constant([1.0, 2.0, 3.0]), "sp": sparse},
            {"c": sparse}, None, {"s": tf.constant(0.0)}, 2, 2, capacity=2,
            make_keys_unique=True,
        )  # fmt: skip
        total = batch.state("s") + tf.reduce_sum(batch.sequences["x"], 1)
        save = batch.save_state("s", total)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        wanted = (batch.sequences["sp"], batch.context["c"], batch.length, total)
        (rows, context, length, _), _ = session.run([wanted, save])
        np.testing.assert_array_equal(rows.indices, [[0, 0, 1], [1, 0, 1]])
        np.testing.assert_array_equal(rows.dense_shape, [2, 2, 2])
        np.testing.assert_array_equal(context.values, [3, 4, 3, 4])
        np.testing.assert_array_equal(length, [2, 2])
        (rows, _, length, sums), _ = session.run([wanted, save])
        np.testing.assert_array_equal(rows.indices, [[0, 0, 0], [1, 0, 0]])
        np.testing.assert_array_equal(length, [1, 1])
        np.testing.assert_array_equal(sums, [6, 6])
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=2)


def test_what_is_refused():
    make = tf.contrib.training.SequenceQueueingStateSaver
    with tf.Graph().as_default(), tf.Session() as session:
        n = tf.placeholder_with_default(4, [])
        saver = make(1, 3, 1, "k", {"x": tf.fill([n, 2], 1.0)}, {}, {"s": [0.0]})
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="multiple of: 3, but saw value: 4"
        ):
            session.run(saver.prefetch_op)
        with pytest.raises(ValueError, match="capacity 1 needs to be >= batch_size 2"):
            make(2, 3, 1, "k", {"x": tf.ones([3, 2])}, {}, {"s": [0.0]}, capacity=1)
        with pytest.raises(ValueError, match="initial_states may not be empty"):
            make(1, 3, 1, "k", {"x": tf.ones([3, 2])}, {}, {})
