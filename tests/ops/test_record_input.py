"""tensorflow.python.ops.data_flow_ops.RecordInput."""

import gc
import warnings

import pytest

import twinflow as tf
from twinflow.ops.queues.record_input import RecordInput


@pytest.fixture(autouse=True)
def readers_go():
    """An endless input holds a file open until it is collected, which Python tells."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def test_each_record_comes_once_an_epoch(tmp_path):
    for k in range(2):
        with tf.python_io.TFRecordWriter(str(tmp_path / f"r.{k}")) as file:
            for i in range(5):
                file.write(f"{k}-{i}".encode())
    with tf.Graph().as_default(), tf.Session() as s:
        one = RecordInput(str(tmp_path / "r.*"), 5, buffer_size=3, seed=1)
        batch = one.get_yield_op()
        for _ in range(2):
            assert len({*s.run(batch), *s.run(batch)}) == 10
        several = RecordInput(str(tmp_path / "r.*"), 2, batches=2).get_yield_op()
        found = s.run(several)
        assert [len(b) for b in found] == [2, 2]
