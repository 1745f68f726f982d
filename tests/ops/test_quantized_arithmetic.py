"""The integers of quantised sums, products and norms are those of TensorFlow 1.12."""

import json

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, eagerly, in_graph
from tests.ops.quantized_arithmetic import FILE, plain, programs
from twinflow.compat.door import generated

WANTED = json.loads(FILE.read_text())


def _function(family, name):
    return generated.function(f"python.ops.gen_{family}_ops", name)


PROGRAMS = programs(tf, _function)


@pytest.mark.parametrize("name", sorted(WANTED))
def test_integers_are_those_of_tensorflow(name):
    found = eagerly(lambda: list(_listed(PROGRAMS[name]())))
    assert len(found) == len(WANTED[name])
    for part, want in zip(found, WANTED[name], strict=True):
        if part.dtype == np.float32:
            np.testing.assert_allclose(plain(part), want, rtol=2e-7)
        else:
            assert plain(part) == want


def _listed(results):
    return results if isinstance(results, list | tuple) else [results]


def test_graphs_give_the_same():
    names = ["add", "mul", "bias", "instances", "batch_True", "resized_False"]
    found = in_graph(lambda: [list(PROGRAMS[n]()) for n in names])
    for name, parts in zip(names, found, strict=True):
        assert plain(parts[0]) == WANTED[name][0]


@both
def test_functions_of_contrib(run):
    def build():
        contrib = tf.contrib.quantization
        x = tf.quantize([-1.0, 2.0, 5.0], -1.0, 5.0, tf.quint8, "MIN_FIRST")
        total = contrib.quantized_add(x[0], x[0], x[1], x[2], x[1], x[2])
        image = tf.reshape(tf.range(4.0), [1, 2, 2, 1])
        larger = contrib.quantized_resize_bilinear(image, [1, 4], 0.0, 3.0)
        return [tf.dequantize(*total, mode="MIN_FIRST"), larger.resized_images]

    total, larger = run(build)
    np.testing.assert_allclose(total, [-2, 4, 10], atol=0.03)
    assert larger.ravel().tolist() == [0, 0.5, 1, 1]


@both
def test_large_integers_between_pixels(run):
    image = np.array([0, 2**29, -(2**29), 7], np.int32).reshape(1, 2, 2, 1)

    def build():
        q = tf.bitcast(tf.constant(image), tf.qint32)
        resized = _function("image", "quantized_resize_bilinear")
        return resized(q, [2, 4], -1.0, 3.0)[0]

    found = np.array(plain(run(build))).reshape(2, 4)
    want = [[0, 2**28, 2**29, 2**29], [-(2**29), -(2**28), 7, 7]]
    assert np.abs(found - want).max() <= 4


@both
def test_rounding_to_given_steps(run):
    def build():
        x = tf.constant([-7.0, -1.2, 0.3, 5.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = _function("array", "quantize_and_dequantize")(
                x, num_bits=3, range_given=True, input_min=-6.0, input_max=2.0
            )
        return [y, tape.gradient(y, x)]

    y, slope = run(build)
    assert y.tolist() == [-6.0, -1.5, 0.0, 4.5] and slope.tolist() == [1] * 4
