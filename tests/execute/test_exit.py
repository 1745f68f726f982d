"""A program that ends while a compilation is under way ends at once, as it wants to."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """
import sys, time
import twinflow as tf
from twinflow.execute import tiers
tf.enable_eager_execution()
tiers.TINY = 0.0

@tf.contrib.eager.defun
def f(x):
    for i in range(1500):
        x = tf.sin(x) * tf.matmul(x, x) + tf.exp(-x) * float(i)
    return x

x = tf.ones([8, 8])
for _ in range(tiers.HOT_CALLS + 1):
    f(x)
while not tiers.WORKER.doing:
    time.sleep(0.001)
time.sleep({wait})
assert tiers.WORKER.doing
print(time.time(), flush=True)
{end}
"""


@pytest.mark.parametrize("wait", [0.0, 0.8])
@pytest.mark.parametrize(
    "end, code, words",
    [
        ("", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("raise KeyError('mine')", 1, "KeyError: 'mine'"),
    ],
)
def test_ending_during_a_compilation(end, code, words, wait):
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(end=end, wait=wait)],
        env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert words in done.stderr and (words or not done.stderr)
    assert time.time() - float(done.stdout) < 3.0
