"""A pass that several devices share, and the threads of a pool."""

import pytest

import twinflow as tf
from tests.modes import graph  # noqa: F401
from twinflow.data.experimental.thread_pools import (
    PrivateThreadPool,
    override_threadpool,
)
from twinflow.data.iterators.multi_device import MultiDeviceIterator

_DEVICES = ["/cpu:0", "/cpu:1"]


@pytest.mark.usefixtures("graph")
@pytest.mark.parametrize("count", [4, 5])
def test_devices_take_turns(count):
    iterator = MultiDeviceIterator(tf.data.Dataset.range(count), _DEVICES)
    elements = iterator.get_next()
    assert [(e.dtype, e.shape.as_list()) for e in elements] == [(tf.int64, [])] * 2
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
        for _ in range(2):
            session.run(iterator.initializer)
            assert session.run(elements) == [0, 1]
            assert session.run(elements) == [2, 3]
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(elements)


@pytest.mark.usefixtures("graph")
def test_what_others_have_not_taken_waits():
    iterator = MultiDeviceIterator(tf.data.Dataset.range(6), _DEVICES)
    first, second = (iterator.get_next(d) for d in _DEVICES)
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
        session.run(iterator.initializer)
        assert [session.run(first) for _ in range(3)] == [0, 2, 4]
        assert [session.run(second) for _ in range(3)] == [1, 3, 5]


def test_eagerly():
    iterator = MultiDeviceIterator(tf.data.Dataset.range(2), _DEVICES[:1] * 2)
    assert [int(x) for x in iterator.get_next()] == [0, 1]
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        iterator.get_next()
    with pytest.raises(ValueError, match="does not have an initializer"):
        iterator.initializer


def test_maps_have_no_more_threads_than_the_pool(monkeypatch):
    seen = []

    def spy(source, function, workers):
        seen.append(workers)
        return source

    monkeypatch.setattr("twinflow.data.pipeline.parallel.mapped_in_parallel", spy)
    dataset = tf.data.Dataset.range(3).map(lambda x: x + 1, num_parallel_calls=8)
    found = [int(x) for x in override_threadpool(dataset, PrivateThreadPool(2))]
    assert found == [0, 1, 2] and seen == [2]
