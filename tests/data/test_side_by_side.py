"""parallel_interleave: several datasets read in threads, in turns or as they come."""

import threading

import numpy as np
import pytest

import twinflow as tf
from tests.modes import graph  # noqa: F401

_repeated = lambda x: tf.data.Dataset.from_tensors(x).repeat(x)


def read(values, *args, **kwargs):
    dataset = tf.data.Dataset.from_tensor_slices(np.array(values, np.int64))
    interleave = tf.data.experimental.parallel_interleave(_repeated, *args, **kwargs)
    return dataset.apply(interleave)


def rows(dataset):
    element, found = dataset.make_one_shot_iterator().get_next(), []
    with tf.Session() as session, pytest.raises(tf.errors.OutOfRangeError):
        while True:
            found.append(int(session.run(element)))
    return found


# In the order of TensorFlow 1.12, recorded there.
@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize(
    "values, args, wanted",
    [
        ([4, 5, 6], (2, 2), [4, 4, 5, 5, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 6]),
        ([1, 0, 2, 0, 0, 3], (3, 1), [1, 2, 2, 3, 3, 3]),
        ([], (3, 1), []),
    ],
)
def test_in_turns(values, args, wanted):
    assert rows(read(values, *args)) == wanted
    assert sorted(rows(read(values, *args, sloppy=True))) == sorted(wanted)


@pytest.mark.usefixtures("graph")
def test_sloppily_what_is_there_comes_first():
    go = threading.Event()

    def wait(x):
        if x == 1:
            go.wait(10)
        return x

    def make(x):
        return tf.data.Dataset.from_tensors(x).map(
            lambda y: tf.py_func(wait, [y], tf.int64)
        )

    dataset = tf.data.Dataset.range(1, 3).apply(
        tf.data.experimental.parallel_interleave(make, 2, sloppy=True)
    )
    element = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        assert session.run(element) == 2
        go.set()
        assert session.run(element) == 1


@pytest.mark.usefixtures("graph")
def test_numbers_are_checked():
    for kwargs, text in [
        ({"cycle_length": 0}, "cycle_length"),
        ({"cycle_length": 1, "block_length": 0}, "block_length"),
        ({"cycle_length": 1, "buffer_output_elements": 0}, "buffer_output_elements"),
        ({"cycle_length": 1, "prefetch_input_elements": -1}, "prefetch_input_elements"),
    ]:
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            rows(read([1], **kwargs))


@pytest.mark.usefixtures("graph")
def test_places_come_back():
    dataset = read([4, 5, 6, 2], 2, 2)
    iterator = dataset.make_initializable_iterator()
    element = iterator.get_next()
    saveable = tf.data.experimental.make_saveable_from_iterator(iterator)
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, saveable)
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(iterator.initializer)
        first = [session.run(element) for _ in range(7)]
        path = saver.save(session, f"{tf.test.get_temp_dir()}/interleaved")
        rest = [session.run(element) for _ in range(10)]
        saver.restore(session, path)
        assert [session.run(element) for _ in range(10)] == rest
    assert sorted([*first, *rest]) == sorted([4] * 4 + [5] * 5 + [6] * 6 + [2] * 2)
