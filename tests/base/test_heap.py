"""The heap keeps what large arrays leave."""

import os
import subprocess
import sys

import pytest

from twinflow.base import heap

MANY = 1000  # pages: a step below would touch 3,000 new ones and more

EAGER = """
x = tf.ones([1000, 1000])
def step():
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.tanh(x * 2.0) + x)
    return tape.gradient(y, x)
"""
GRAPH = """
g = tf.Graph()
with g.as_default():
    x, w = tf.placeholder(tf.float32, [16384, 256]), tf.constant(np.eye(256, dtype="f"))
    y = x
    for _ in range(5):  # 16 MiB each, and as much for the gradient
        y = tf.tanh(tf.matmul(y, w))
    slope = tf.gradients(tf.reduce_sum(y), w)[0]
session, fed = tf.Session(graph=g), np.ones([16384, 256], np.float32)
step = lambda: session.run(slope, {x: fed})
"""
COUNT = """
import resource
import statistics
now, each = 0, []
for _ in range(17):
    step()
    before, now = now, resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    each.append(now - before)
print(int(statistics.median(each[4:])))
"""


def _faults(program, **settings):
    """How many pages most steps ask the system for; a few find an array moved."""
    start = "import numpy as np\nimport twinflow as tf\n"
    start += "" if program is GRAPH else "tf.enable_eager_execution()\n"
    left = {k: v for k, v in os.environ.items() if k not in heap.SETTINGS}
    done = subprocess.run(
        [sys.executable, "-c", start + program + COUNT],
        env={**left, **settings}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(done.stdout)


@pytest.mark.skipif(
    not heap.KEPT, reason="another C library than glibc, or set by hand"
)
class TestKeptHeap:
    """What a step takes it finds where the last one left it."""

    def test_eager(self):
        assert _faults(EAGER) < MANY

    def test_interpreted(self):
        assert _faults(GRAPH, TWINFLOW_COMPILE="never") < MANY

    def test_compiled(self):
        assert _faults(GRAPH, TWINFLOW_COMPILE="wait") < MANY

    def test_user_decides(self):
        assert _faults(EAGER, MALLOC_TRIM_THRESHOLD_="131072") > MANY


def test_small_machine():
    """Little memory, little kept; where it is not known, all as glibc would."""
    assert heap.kept_of(1 << 30) == 1 << 27
    assert heap.kept_of(1 << 40) == heap.MOST_KEPT
    assert heap.kept_of(0) == 0
