"""Queues that are fed with rows: which rows, as TensorFlow 1.12 gives them."""

import collections

import numpy as np
import pytest

import twinflow as tf
from twinflow.estimator import feeding_queues as feeding
from twinflow.estimator import generated_feeds as generated

_ROWS = np.arange(10).reshape(5, 2)


@pytest.mark.parametrize(
    "batch, epochs, rows",
    [
        (2, 1, [[0, 1], [2, 3], [4]]),
        (3, 2, [[0, 1, 2], [3, 4, 0], [1, 2, 3], [4]]),
        (7, 2, [[0, 1, 2, 3, 4, 0, 1], [2, 3, 4]]),
        (12, 1, [[0, 1, 2, 3, 4]]),
    ],
)
def test_rows_of_passes(batch, epochs, rows):
    feed = feeding.ArrayFeedFn(["i", "v"], _ROWS, batch, num_epochs=epochs)
    for wanted in rows:
        found = feed()
        assert found["i"] == wanted
        np.testing.assert_array_equal(found["v"], _ROWS[wanted])
    with pytest.raises(tf.errors.OutOfRangeError, match=f"emitted {epochs} epochs."):
        feed()


def test_a_seeded_start():
    feed = feeding.ArrayFeedFn(["i", "v"], _ROWS, 2, random_start=True, seed=5)
    assert feed()["i"] == [4, 0]
    feed = feeding.ArrayFeedFn(["i", "v"], _ROWS, 2, random_start=True, seed=1234)
    assert feed()["i"] == [3, 4]


def test_a_queue_of_columns():
    columns = collections.OrderedDict(a=np.arange(3.0), b=np.zeros((3, 2), "int32"))
    with tf.Graph().as_default(), tf.Session() as session:
        queue = feeding.enqueue_data(columns, 10, num_epochs=1)
        assert queue.dtypes == [tf.int64, tf.float64, tf.int32]
        (summary,) = tf.get_collection("summaries")
        assert summary.op.name.endswith("fifo_queuefraction_over_0_of_10_full")
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        numbers, a, _ = session.run(queue.dequeue_up_to(5))
        np.testing.assert_array_equal(numbers, [0, 1, 2])
        np.testing.assert_array_equal(a, [0, 1, 2])
        coord.request_stop()
        coord.join(threads)
    with pytest.raises(TypeError, match="data must be either a numpy array"):
        feeding.enqueue_data([1], 10)


def test_generators_are_padded():
    """As TensorFlow 1.12 feeds them, recorded there."""

    def rows():
        for i in range(3):
            yield {"a": np.full(i + 1, i)}

    feed = generated.GeneratorFeedFn(["A"], rows, 2, pad_value=9, num_epochs=1)
    assert feed()["A"].tolist() == [[0, 9], [1, 1]]
    assert feed()["A"].tolist() == [[2, 2, 2], [0, 9, 9]]
    with pytest.raises(tf.errors.OutOfRangeError, match="Already emitted 1 epochs"):
        feed()
    with pytest.raises(ValueError, match="Array shapes must match"):
        generated.pad_if_needed([np.ones(1), np.ones((1, 1))])
