"""Calls that fail on the CPU fail alike on an accelerator; run by test_devices.py."""

import re

import numpy as np

import twinflow as tf
from tests.support import op_cases  # noqa: F401 - loads the rows
from tests.support.op_cases.table import CASES, cast_samples
from tests.support.op_checks import call

tf.enable_eager_execution()


def outcome(row, inputs, attrs):
    """The class and text of the error of a call."""
    try:
        out = call(row, inputs, attrs)
        values = [np.asarray(t) for t in out]
    except Exception as error:
        return type(error).__name__, re.sub(r"id=\d+", "id", str(error))
    return "no error", values


def as_tensors(value, make):
    """Arrays of numbers as tensors; everything else as it is."""
    if isinstance(value, list) and any(isinstance(v, np.ndarray) for v in value):
        return [as_tensors(v, make) for v in value]
    if isinstance(value, np.ndarray) and value.dtype.kind not in "OSU":
        return make(value)
    return value


def compare(row, inputs, attrs):
    """(where it ran, what came on the accelerator, what comes on the CPU)"""

    def tensors(gpu):
        make = (lambda a: tf.constant(a).gpu()) if gpu else tf.constant
        made = [as_tensors(x, make) for x in inputs]
        return [
            x if i in row.static else t for i, (x, t) in enumerate(zip(inputs, made))
        ]

    wanted, again = outcome(row, inputs, attrs), outcome(row, tensors(False), attrs)
    yield "inputs", outcome(row, tensors(True), attrs), again
    with tf.device("/gpu:0"):
        yield "scope", outcome(row, inputs, attrs), wanted


count, differences = 0, []
for row in CASES:
    for bad in row.errors:
        inputs = [cast_samples(x, np.float32) for x in bad.inputs]
        for how, found, wanted in compare(row, inputs, {**row.attrs, **bad.attrs}):
            count += 1
            if found != wanted and wanted[0] != "no error":
                differences.append(f"{row.name} ({how}): {found} for {wanted}")

# What the rows leave out: values that a kernel of jax.numpy clips, wraps or ignores.
g = tf.constant([1.0, 2.0]).gpu()
for bad in (
    lambda: tf.gather(g, [5]),
    lambda: tf.gather(g, tf.constant([-1]).gpu()),
    lambda: tf.constant(7).gpu() // 0,
    lambda: tf.constant(7).gpu() % tf.constant(0),
    lambda: tf.scatter_nd(tf.constant([[9]]).gpu(), tf.constant([1.0]), [2]),
    lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.constant([5]).gpu(), logits=tf.ones([1, 3])
    ),
):
    count += 1
    try:
        differences.append(f"no error: {bad()}")
    except (tf.errors.InvalidArgumentError, ZeroDivisionError):
        pass

v = tf.contrib.eager.Variable([1.0, 2.0])
with tf.device("/gpu:0"):
    w = tf.contrib.eager.Variable([1.0, 2.0])
for variable in (v, w):
    try:
        tf.scatter_update(variable, tf.constant([7]).gpu(), tf.constant([1.0]))
        differences.append("a scatter beyond the end")
    except tf.errors.InvalidArgumentError:
        assert variable.numpy().tolist() == [1.0, 2.0]

assert count > 100, count
assert not differences, "\n".join(differences)
print("ok")
