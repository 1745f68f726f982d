"""tf.contrib.memory_stats: what the process has allocated."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from twinflow.base import heap

memory = tf.contrib.memory_stats
SIZE = 1 << 26  # bytes


@pytest.mark.skipif(not hasattr(heap._libc, "mallinfo2"), reason="needs glibc 2.33")
@pytest.mark.parametrize("graph", [False, True])
def test_in_use(graph):
    """An array adds its bytes while it is there."""

    def now():
        if not graph:
            with ways.eager():
                return int(memory.BytesInUse())
        with tf.Graph().as_default(), tf.Session() as session:
            return int(session.run(memory.BytesInUse()))

    before = now()
    array = np.zeros(SIZE, np.uint8)
    assert now() - before == pytest.approx(SIZE, rel=0.2)
    del array
    assert abs(now() - before) < SIZE / 5


def test_limits():
    """What is in use fits below the most, and that below the machine's memory."""
    with ways.eager():
        used, most = memory.BytesInUse(), memory.MaxBytesInUse()
        limit = memory.BytesLimit()
    assert {used.dtype, most.dtype, limit.dtype} == {tf.int64}
    assert 0 < int(used) <= int(most) < int(limit)
