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


def ended(program):
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


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
    done = ended(PROGRAM.format(end=end, wait=wait))
    assert done.returncode == code, done.stderr
    assert words in done.stderr and (words or not done.stderr)
    assert time.time() - float(done.stdout) < 3.0


BUSY = """
import atexit, threading, time

def spin():
    while True:
        sum(range(300))
        time.sleep(0.0002)

def naps():
    for _ in range(300):
        time.sleep(0.0005)

atexit.register(naps)  # runs after twinflow's own, which is registered later
for _ in range(2):
    threading.Thread(target=spin, daemon=True).start()
"""


@pytest.mark.parametrize("wait", [0.0, 0.1])
def test_ending_beside_other_threads(wait):
    program = BUSY + PROGRAM.format(end="", wait=wait)
    assert ended(program).returncode == 0
