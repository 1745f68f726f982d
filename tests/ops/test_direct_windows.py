"""Windows of images by native/windows.c: NumPy's numbers, in any vectors."""

import numpy as np
import pytest

import twinflow as tf
from tests.support.cases import run_cases, run_narrow
from twinflow.base import native
from twinflow.ops.nn import depthwise, direct_windows, pool_windows
from twinflow.ops.nn.window import pool_axes, spatial_windows

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "windows"), reason="there is no C module"
)
ODD = (np.nan, np.inf, -np.inf, -0.0, 1e-40)


def numbers(random, shape, odd=True):
    x = np.round(random.standard_normal(shape), random.choice([0, 1, 6]))
    if odd and random.random() < 0.3:
        x[random.random(shape) < 0.02] = random.choice(ODD)
    x = x.astype(np.float32)
    return x if random.random() < 0.8 else np.repeat(x, 2, axis=-1)[..., ::2]


def layout_of(random, dilated=False):
    """Images, and windows over them."""
    c = int(random.choice([16, 17, 24, 31, 32, 33, 48, 64]))
    shape = (*(int(v) for v in random.integers(1, [4, 20, 24])), c)
    k, strides = (tuple(map(int, random.integers(1, [6, 6]))) for _ in range(2))
    apart = tuple(map(int, random.integers(1, [4, 4]))) if dilated else (1, 1)
    padding = str(random.choice(["SAME", "VALID"]))
    if any((f - 1) * d + 1 > n for f, d, n in zip(k, apart, shape[1:])):
        padding = "SAME"
    return shape, k, strides, apart, padding


def by_numpy(function, *args):
    """What `function` gives without the C module."""
    fast, direct_windows._fast = direct_windows._fast, None
    try:
        return function(*args)
    finally:
        direct_windows._fast = fast


def compare(function, *args, terms=0, scale=0.0):
    """Equal bits, or within the rounding of sums of so many terms."""
    with np.errstate(all="ignore"):
        found, wanted = function(*args), by_numpy(function, *args)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    near = 2e-7 * scale * terms
    np.testing.assert_allclose(found, wanted, 1e-6 if terms else 0, near)


def pools(random):
    shape, k, strides, _, padding = layout_of(random)
    layout = ((1, *k, 1), (1, *strides, 1), padding, "NHWC")
    x = numbers(random, shape)
    y = by_numpy(pool_windows.max_pool, x, *layout)
    dy = numbers(random, y.shape, odd=False)
    terms, scale = k[0] * k[1], 5.0
    compare(pool_windows.max_pool, x, *layout)
    compare(pool_windows.max_pool_grad, x, y, dy, *layout, terms=terms, scale=scale)
    compare(pool_windows.avg_pool_grad, shape, dy, *layout, terms=terms, scale=scale)
    finite = np.where(np.isfinite(x), x, 1).astype(np.float32)
    compare(pool_windows.avg_pool, finite, *layout, terms=terms, scale=scale)


def convolutions(random):
    shape, k, strides, apart, padding = layout_of(random, dilated=True)
    m = int(random.choice([1, 1, 1, 2, 3]))
    layout = ((1, *strides, 1), padding, "NHWC", (1, *apart, 1))
    filter = (*k, shape[3], m)
    axes = spatial_windows(shape, filter, *layout)
    dy = numbers(random, (shape[0], *(a.count for a in axes), shape[3] * m), odd=False)
    x, w = numbers(random, shape, odd=False), numbers(random, filter, odd=False)
    terms = k[0] * k[1] * m
    compare(depthwise.conv, x, w, *layout, terms=terms, scale=10.0)
    compare(depthwise.conv_input, shape, w, dy, *layout, terms=terms, scale=10.0)
    terms = dy[..., 0].size
    compare(depthwise.conv_filter, x, filter, dy, *layout, terms=terms**0.5, scale=10.0)


def case(random):
    (pools if random.random() < 0.5 else convolutions)(random)


def test_they_are_those_of_numpy():
    run_cases(case)


@pytest.mark.parametrize("width", ["4", "8"])
def test_narrow_vectors_too(width):
    run_narrow(__name__, width)


def test_threads_do_not_matter(monkeypatch):
    random = np.random.default_rng(0)
    x = random.standard_normal((9, 33, 32, 40)).astype(np.float32)
    w, sizes = x[:3, :3, 0, :, None], (1, 3, 3, 1)
    layout = (1, 2, 2, 1), "SAME", "NHWC"
    y = pool_windows.max_pool(x, sizes, *layout)

    def results(x, y):
        return [
            pool_windows.max_pool_grad(x, y, y, sizes, *layout),
            pool_windows.avg_pool(x, sizes, *layout),
            depthwise.conv(x, w, (1, 1, 1, 1), *layout[1:], (1, 1, 1, 1)),
        ]

    for whole, one in zip(results(x, y), results(x[4:5], y[4:5])):  # one on one thread
        np.testing.assert_array_equal(whole[4:5], one)


def test_eager_gradients_are_those_of_numpy(eager):
    random = np.random.default_rng(1)
    x = tf.constant(random.standard_normal((2, 16, 16, 32)).astype(np.float32))
    w = tf.constant(random.standard_normal((3, 3, 32, 2)).astype(np.float32))
    dx, dw = both(x, w)
    for a, b in zip((dx, dw), by_numpy(both, x, w)):
        np.testing.assert_allclose(a, b, 1e-4, 1e-4)


def both(x, w):
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME")
        y = tf.nn.max_pool(y, [1, 3, 3, 1], [1, 2, 2, 1], "SAME")
        y = tf.nn.avg_pool(y, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    return [g.numpy() for g in tape.gradient(y, [x, w])]


def test_sizes_that_do_not_fit_are_refused():
    x = np.ones((1, 4, 4, 16), np.float32)
    axes = pool_axes(x.shape, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")[1:3]
    out = np.empty((1, 2, 2, 16), np.float32)
    with pytest.raises(ValueError, match="sizes"):
        direct_windows._call(0, x.shape, axes, x, out[:, :1])
    with pytest.raises(ValueError, match="sizes"):
        direct_windows._call(0, (1, 4, 4, 15), axes, x[..., :15], out[..., :15].copy())
    with pytest.raises(TypeError, match="float32"):
        direct_windows._call(0, x.shape, axes, x.astype(int), out)
    with pytest.raises(ValueError, match="sizes"):
        direct_windows._call(7, x.shape, axes, x, out)
