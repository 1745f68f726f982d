"""The C module's convolutions: NumPy's numbers, in both engines, on any threads."""

import threading

import jax
import numpy as np
import pytest

import twinflow as tf
from tests.children import words_of
from tests.support.cases import run_cases
from tests.ways import compiled
from twinflow.base import native
from twinflow.ops.nn import direct, direct_xla, im2col
from twinflow.ops.nn.window import spatial_windows

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "convolve"), reason="no C module, or it was built without"
)
# images, height, width, channels, outputs, filter, strides, dilations, padding
CASES = {
    "one channel": (3, 9, 31, 1, 32, (3, 3), (1, 1), (1, 1), "VALID"),
    "same": (2, 12, 15, 5, 7, (3, 3), (1, 1), (1, 1), "SAME"),
    "whole vectors": (5, 13, 13, 32, 64, (3, 3), (1, 1), (1, 1), "VALID"),
    "part of a vector": (2, 8, 20, 17, 33, (3, 2), (1, 1), (1, 1), "SAME"),
    "one output": (2, 16, 16, 3, 1, (5, 5), (1, 1), (1, 1), "SAME"),
    "even filter": (2, 6, 10, 8, 48, (2, 4), (1, 1), (1, 1), "SAME"),
    "strides": (2, 19, 23, 6, 20, (3, 3), (2, 3), (1, 1), "SAME"),
    "strides, valid": (2, 19, 24, 6, 20, (5, 3), (3, 2), (1, 1), "VALID"),
    "strides of one entry": (2, 9, 9, 16, 16, (1, 1), (2, 2), (1, 1), "SAME"),
    "dilations": (2, 17, 18, 4, 16, (3, 3), (1, 1), (2, 3), "SAME"),
    "dilated, valid": (1, 17, 18, 4, 16, (3, 2), (1, 1), (4, 2), "VALID"),
    "wider than the image": (2, 4, 5, 3, 16, (7, 9), (1, 1), (1, 1), "SAME"),
    "far beyond the image": (1, 4, 5, 3, 16, (3, 3), (1, 1), (9, 9), "SAME"),
    "one line": (4, 1, 50, 8, 24, (1, 5), (1, 1), (1, 1), "SAME"),
    "one column": (4, 50, 1, 8, 24, (5, 1), (1, 1), (1, 1), "SAME"),
    "many bands": (1, 70, 90, 24, 16, (3, 3), (1, 1), (1, 1), "SAME"),
    "strides beyond the filter": (2, 20, 21, 6, 20, (2, 3), (3, 4), (1, 1), "SAME"),
    "long strides": (1, 29, 31, 6, 20, (9, 9), (7, 8), (1, 1), "SAME"),
    "large filters": (2, 9, 8, 100, 200, (3, 3), (1, 1), (1, 1), "SAME"),
}


def problem(sizes):
    """x, w, dy, the Windows, and the layout as attributes, of random numbers."""
    n, h, w, c, k, filter, strides, dilations, padding = sizes
    layout = ((1, *strides, 1), padding, "NHWC", (1, *dilations, 1))
    axes = spatial_windows((n, h, w, c), filter, *layout)
    random = np.random.default_rng(h * w)
    shapes = (n, h, w, c), (*filter, c, k), (n, axes[0].count, axes[1].count, k)
    arrays = [random.standard_normal(s).astype(np.float32) for s in shapes]
    return *arrays, axes, layout


def kinds(x, w, dy, axes, layout):
    """[(operands, NumPy's result in float64, sizes for ours)]: y, dx, dw"""
    x64, w64, dy64 = (a.astype(float) for a in (x, w, dy))
    return [
        ((x, w), im2col.conv(x64, w64, *layout), direct.forward(x, w, axes)),
        ((dy, w), im2col.conv_input(x.shape, w64, dy64, *layout),
         direct.backward(w, dy, axes)),
        ((x, dy), im2col.conv_filter(x64, w.shape, dy64, *layout),
         direct.of_filter(x, dy, axes)),
    ]  # fmt: skip


def close(found, want, terms):
    scale = np.abs(want).max()  # of sums whose terms cancel
    np.testing.assert_allclose(found, want, 1e-5, 2e-7 * scale * terms**0.5)


@pytest.mark.parametrize("name", CASES)
def test_they_are_those_of_numpy(name):
    x, w, dy, axes, layout = problem(CASES[name])
    terms = w[..., 0].size, w[..., 0, :].size, dy[..., 0].size
    for count, ((a, b), want, sizes) in zip(terms, kinds(x, w, dy, axes, layout)):
        found = direct.convolve(a, b, want.shape, sizes)
        assert found.dtype == np.float32
        close(found, want, count)
        gaps = np.repeat(a, 2, axis=-1)[..., ::2]
        again = direct.convolve(gaps, b, want.shape, sizes)
        np.testing.assert_array_equal(again, found)


def case(random):
    """Convolutions of any small sizes, and both of their gradients."""
    n, h, w, k, *filter = (int(random.integers(1, m)) for m in (4, 14, 18, 40, 6, 6))
    c = int(random.choice([1, 2, 3, 5, 8, 16, 17, 32]))
    step = [tuple(int(v) for v in random.integers(1, 4, 2)), (1, 1)]
    strides, apart = step if random.random() < 0.6 else step[::-1]
    fits = all((f - 1) * d < s for f, d, s in zip(filter, apart, (h, w)))
    padding = str(random.choice(["SAME", "VALID"])) if fits else "SAME"
    x, w, dy, axes, layout = problem((n, h, w, c, k, filter, strides, apart, padding))
    terms = w[..., 0].size, w[..., 0, :].size, dy[..., 0].size
    for count, ((a, b), want, sizes) in zip(terms, kinds(x, w, dy, axes, layout)):
        if sizes is not None:
            found = direct.convolve(a, b, want.shape, sizes)
            close(found, want, count)


def test_random_cases():
    run_cases(case)


def test_strides_with_dilations_have_another_way_back():
    sizes = (2, 19, 23, 6, 20, (3, 3), (2, 1), (1, 2), "SAME")
    x, w, dy, axes, _ = problem(sizes)
    assert direct.backward(w, dy, axes) is None
    assert direct.forward(x, w, axes) and direct.of_filter(x, dy, axes)


def test_wide_filters_and_tiny_images_have_another_way_back():
    assert taken_by_of_filter(channels=256, size=8) is None
    assert taken_by_of_filter(channels=8, size=3) is None
    assert taken_by_of_filter(channels=128, size=8) is not None


def taken_by_of_filter(channels, size):
    sizes = (2, size, size, channels, channels, (3, 3), (1, 1), (1, 1), "SAME")
    x, _, dy, axes, _ = problem(sizes)
    return direct.of_filter(x, dy, axes)


@pytest.mark.parametrize("change", ["float64", "float16", "one entry", "empty"])
def test_the_others_are_left_alone(eager, change):
    x, w, _, axes, layout = problem(CASES["same"])
    if change == "one entry":
        w = w[:1, :1]
        axes = spatial_windows(x.shape, w.shape, *layout)
    elif change == "empty":
        x = x[:0]
    else:
        x, w = x.astype(change), w.astype(change)
    assert direct.forward(x, w, axes) is None
    y = tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME")
    assert y.shape == (*x.shape[:3], w.shape[3])


def test_xla_takes_the_calls():
    assert direct_xla.works(jax)


@pytest.mark.parametrize("name", CASES)
def test_both_engines_give_the_same_bits(eager, name):
    x, w, dy, _, (strides, padding, _, dilations) = problem(CASES[name])

    def both(x, w, dy):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.nn.conv2d(x, w, strides, padding, dilations=dilations)
        dx, dw = tape.gradient(y, [x, w], output_gradients=dy)
        return y, dx, dw

    args = [tf.constant(a) for a in (x, w, dy)]
    with compiled() as entries:
        by_xla = tf.contrib.eager.defun(both)(*args)
    texts = [e.executable.as_text() for e in entries]
    count = sum(t.count("@twinflow_convolution") for t in texts)
    assert count == 3
    for a, b in zip(both(*args), by_xla, strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_sizes_that_do_not_fit_are_refused():
    x, w, dy, axes, _ = problem(CASES["same"])
    sizes, out = direct.forward(x, w, axes), np.empty_like(dy)
    with pytest.raises(ValueError, match="do not fit"):
        native.fast.convolve(x, w, out[:1], sizes)
    with pytest.raises(ValueError, match="do not fit"):
        native.fast.convolve(x, w, out, (*sizes[:10], 0, *sizes[11:]))
    with pytest.raises(ValueError, match="do not fit"):
        native.fast.convolve(x, w, out, (3, *sizes[1:]))
    with pytest.raises(ValueError, match="a kind and 15 sizes"):
        native.fast.convolve(x, w, out, sizes[:5])
    with pytest.raises(TypeError, match="float32"):
        native.fast.convolve(x.astype(float), w, out, sizes)
    out.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        native.fast.convolve(x, w, out, sizes)


def test_threads_agree():
    x, w, dy, axes, layout = problem(CASES["whole vectors"])
    wants = [
        (args, want.shape, sizes, direct.convolve(*args, want.shape, sizes))
        for args, want, sizes in kinds(x, w, dy, axes, layout)
    ]
    same = []

    def work():
        for _ in range(30):
            for args, shape, sizes, want in wants:
                found = direct.convolve(*args, shape, sizes)
                same.append(np.array_equal(found, want))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(same) == 360 and all(same)


CHILD = """
import hashlib, sys
import numpy as np
from tests.ops import test_direct as t
print(t.direct.fast is None)
if t.direct.fast:
    for name in t.CASES:
        for args, want, sizes in t.kinds(*t.problem(t.CASES[name])):
            found = t.direct.convolve(*args, want.shape, sizes)
            t.close(found, want, args[0].size)
            print(hashlib.sha256(found.tobytes()).hexdigest())
"""


def test_the_result_does_not_depend_on_the_number_of_threads():
    one, three = (words_of(CHILD, OPENBLAS_NUM_THREADS=n) for n in "13")
    assert one == three


@pytest.mark.parametrize("floats", ["4", "8"])
def test_narrower_vectors_compute_the_same(floats):
    assert words_of(CHILD, TWINFLOW_VECTOR=floats)[0] == "False"


def test_the_environment_switches_it_off():
    assert words_of(CHILD, TWINFLOW_CONVOLUTIONS="0") == ["True"]
