"""Quantised numbers, compared with what TensorFlow 1.12 gave for the same."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both
from twinflow.compat.door import generated

X = np.array([-7.0, -5.3, -1.0, -0.02, 0.0, 0.3, 2.5, 6.2, 9.0], np.float32)


@both
def test_fake_quantisation_and_its_gradients(run):
    def build():
        x, low, high = tf.constant(X), tf.constant(-3.1), tf.constant(4.7)
        with tf.GradientTape() as tape:
            tape.watch([x, low, high])
            y = tf.fake_quant_with_min_max_vars(x, low, high, num_bits=4)
            z = tf.reduce_sum(y * np.arange(1, 10, dtype=np.float32))
        return [y, *tape.gradient(z, [x, low, high])]

    y, by_x, by_low, by_high = run(build)
    step = np.float32(7.8) / np.float32(15)  # -6 and 9 steps around 0
    want = np.clip(np.floor(X / step + 0.5), -6, 9) * step
    np.testing.assert_allclose(y, want, rtol=1e-5, atol=1e-6)
    assert by_x.tolist() == [0, 0, 3, 4, 5, 6, 7, 0, 0]
    assert by_low == 3.0 and by_high == 17.0


@both
def test_fake_quantisation_by_channels(run):
    def build():
        x = tf.constant(X.reshape(3, 3))
        low, high = tf.constant([-1.0, -2.0, 0.5]), tf.constant([1.0, 3.0, 5.0])
        with tf.GradientTape() as tape:
            tape.watch([x, low, high])
            y = tf.fake_quant_with_min_max_vars_per_channel(x, low, high)
            z = tf.reduce_sum(y * X.reshape(3, 3))
        return [y, *tape.gradient(z, [low, high]), tf.fake_quant_with_min_max_args(X)]

    y, by_low, by_high, args = run(build)
    want = [-0.99607849, -2.0, 0.0], [-0.02352941, 0.0, 0.3], [1.0039215, 3.0, 4.5]
    np.testing.assert_allclose(y, want, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(by_low, X[:3], rtol=1e-6)
    np.testing.assert_allclose(by_high, X[6:], rtol=1e-6)
    assert args[3] == 0 and abs(args[-1] - 6.0) < 0.05


@pytest.mark.parametrize(
    "dtype, quantized_mode, want",
    [
        ("quint8", "MIN_COMBINED", [0, 0, 74, 99, 99, 106, 161, 253, 255]),
        (
            "qint16",
            "SCALED",
            [-32768, -27566, -5201, -104, 0, 1560, 13003, 32247, 32767],
        ),
    ],
)
def test_quantize_and_back(eager, dtype, quantized_mode, want):
    q = tf.quantize(X, -4.0, 6.3, getattr(tf, dtype), quantized_mode)
    assert np.asarray(q.output.numpy()).tolist() == want
    back = tf.dequantize(q.output, q.output_min, q.output_max, quantized_mode).numpy()
    low, high = q.output_min.numpy(), q.output_max.numpy()
    np.testing.assert_allclose(back, np.clip(X, low, high), atol=0.03)


def _quantized(a, low, high):
    return tf.quantize(a, low, high, tf.quint8, "MIN_FIRST")


def test_products_are_near_those_of_floats(eager):
    rng = np.random.RandomState(0)
    image = rng.rand(1, 4, 4, 2).astype(np.float32) * 3 - 1
    weights = rng.rand(2, 2, 2, 3).astype(np.float32) - 0.5
    x, w = _quantized(image, -1.0, 2.0), _quantized(weights, -0.5, 0.5)
    out = tf.nn.quantized_conv2d(
        x[0], w[0], x[1], x[2], w[1], w[2], [1, 1, 1, 1], "SAME"
    )
    want = tf.nn.conv2d(image, weights, [1, 1, 1, 1], "SAME").numpy()
    found = tf.dequantize(*out, mode="MIN_FIRST").numpy()
    np.testing.assert_allclose(found, want, atol=0.05)
    math = lambda name: generated.function("python.ops.gen_math_ops", name)
    small = math("quantize_down_and_shrink_range")(*out, tf.quint8)
    again = tf.dequantize(*small, mode="MIN_FIRST").numpy()
    np.testing.assert_allclose(again, want, atol=0.05)
    ends = math("requantization_range")(*out)
    asked = math("requantize")(*out, *ends, tf.quint8)
    np.testing.assert_allclose(
        tf.dequantize(*asked, mode="MIN_FIRST").numpy(), want, atol=0.05
    )
    a, b = (
        _quantized(image[0, :, :, 0], -1.0, 2.0),
        _quantized(image[0, :, :, 1], -1.0, 2.0),
    )
    ranges = a[1], a[2], b[1], b[2]
    product = math("quantized_mat_mul")(a[0], b[0], *ranges, transpose_b=True)
    want = image[0, :, :, 0] @ image[0, :, :, 1].T
    found = tf.dequantize(*product, mode="MIN_FIRST").numpy()
    np.testing.assert_allclose(found, want, atol=0.1)


@pytest.mark.parametrize("depth", [3, 1023, 1041, 4001])
def test_products_are_exact_however_many_are_added(eager, depth):
    """Where float32 holds all sums (of at most 2**24), and where it does not."""
    rng, ends = np.random.RandomState(0), [-1.0, 1.0] * 2
    a = rng.randint(0, 256, (2, depth)).astype(np.uint8)
    b = rng.randint(0, 2, (depth, 2)).astype(np.uint8)  # nearly -128 each
    a[0] = 1  # -127: sums of odd numbers
    wanted = (a.astype(int) - 128) @ (b.astype(int) - 128)
    x, w = (tf.bitcast(tf.constant(v), tf.quint8) for v in (a, b))
    product = generated.function("python.ops.gen_math_ops", "quantized_mat_mul")
    image, weights = tf.reshape(x, [2, 1, 1, depth]), tf.reshape(w, [1, 1, depth, 2])
    for found, *_ in (
        product(x, w, *ends),
        tf.nn.quantized_conv2d(image, weights, *ends, [1, 1, 1, 1], "SAME"),
    ):
        whole = tf.bitcast(found, tf.int32).numpy().reshape(2, 2)
        np.testing.assert_array_equal(whole, wanted)


def test_windows_activations_and_shapes(eager):
    image = np.linspace(-1, 2, 16, dtype=np.float32).reshape(1, 4, 4, 1)
    x = _quantized(image, -1.0, 2.0)
    floats = lambda q: tf.dequantize(*q, mode="MIN_FIRST").numpy()
    nn = lambda name: generated.function("python.ops.gen_nn_ops", name)
    sizes = [1, 2, 2, 1], [1, 2, 2, 1], "SAME"
    for quantized, plain in (
        (tf.nn.quantized_max_pool(*x, *sizes), tf.nn.max_pool(image, *sizes)),
        (tf.nn.quantized_avg_pool(*x, *sizes), tf.nn.avg_pool(image, *sizes)),
        (nn("quantized_relu")(*x), tf.nn.relu(image)),
        (nn("quantized_relu6")(*x), tf.nn.relu6(image)),
        (tf.nn.quantized_relu_x(x[0], 1.5, *x[1:]), np.clip(image, 0, 1.5)),
    ):
        np.testing.assert_allclose(floats(quantized), np.asarray(plain), atol=0.02)
    arrays = "python.ops.gen_array_ops"
    flat = generated.function(arrays, "quantized_reshape")(x[0], [16], *x[1:])
    assert flat[0].shape.as_list() == [16]
    joined = tf.quantized_concat(3, [x[0], x[0]], [-1.0, -1.0], [2.0, 2.0])
    assert joined[0].shape.as_list() == [1, 4, 4, 2]


def test_errors(eager):
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be larger than"):
        tf.quantize(X, 4.0, 3.0, tf.quint8)
    with pytest.raises(tf.errors.InvalidArgumentError, match="was: 1 >= 1"):
        tf.fake_quant_with_min_max_args(X, 1.0, 1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="between 2 and 16"):
        tf.fake_quant_with_min_max_args(X, 1.0, 2.0, 1)


@both
def test_rounding_to_the_steps_of_a_range(run):
    arrays = "python.ops.gen_array_ops"

    def build():
        second = generated.function(arrays, "quantize_and_dequantize_v2")
        third = generated.function(arrays, "quantize_and_dequantize_v3")
        x = tf.constant(X)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = second(x, -6.0, 2.0, num_bits=3, range_given=True)
        return [
            y, tape.gradient(y, x), third(x, -6.0, 2.0, 3),
            second(x, 0.0, 0.0, num_bits=3),
        ]  # fmt: skip

    y, slope, same, whole = run(build)
    assert y.tolist() == same.tolist() == [-6, -6, -1.5, 0, 0, 0, 3, 4.5, 4.5]
    assert slope.tolist() == [1] * 9
    assert whole.tolist() == [-6, -6, 0, 0, 0, 0, 3, 6, 9]
