"""Images: what the table of op cases cannot express."""

import numpy as np
import pytest

import twinflow as tf
from tests.support.op_cases.random import DRAWN  # noqa: F401 - loads the table
from tests.ways import WAYS, eager, run
from twinflow.base.errors import InvalidArgumentError
from twinflow.ops.image import components

RANDOM = np.random.RandomState(0)
PHOTO = RANDOM.uniform(0, 1, (2, 12, 9, 3)).astype(np.float32)
BOXES = np.array([[0.1, 0.2, 0.9, 0.8], [0.8, 0.0, 0.2, 1.0]], np.float32)


@pytest.fixture(autouse=True)
def eagerly():
    """Eager execution with a seed."""
    with eager():
        tf.set_random_seed(1)
        yield
        tf.set_random_seed(None)


def resizings(align):
    """Linear maps of a batch of images."""
    for name in ("bilinear", "bicubic", "nearest_neighbor"):
        resize = getattr(tf.image, f"resize_{name}")
        yield lambda x, resize=resize: resize(x, [7, 13], align)
    for method in ("bilinear", "nearest"):
        yield lambda x, method=method: tf.image.crop_and_resize(
            x, BOXES, [1, 0], [5, 6], method
        )


@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_gradients_are_the_transposes(align, dtype):
    """<f(x), w> = <x, gradient>, and the gradient's own slope is f again."""
    for f in resizings(align):
        x = tf.constant(PHOTO, dtype) if dtype == "float32" else tf.cast(PHOTO, dtype)
        y = f(x)
        w = tf.constant(RANDOM.uniform(0.5, 1, y.shape.as_list()), y.dtype.name)
        with tf.GradientTape() as outer:
            outer.watch(w)
            with tf.GradientTape() as inner:
                inner.watch(x)
                total = tf.reduce_sum(tf.cast(f(x) * w, tf.float32))
            dx = inner.gradient(total, x)
            assert dx.dtype is x.dtype
            again = tf.reduce_sum(dx * x)
        scale = np.abs(total.numpy())
        tolerance = 5e-3 if dtype == "float16" else 1e-5
        assert abs(again.numpy() - total.numpy()) <= tolerance * scale
        if dtype != "float16":
            slope = outer.gradient(again, w)
            np.testing.assert_allclose(slope.numpy(), y.numpy(), rtol=1e-5, atol=1e-5)


def test_the_gradient_of_boxes_is_a_slope():
    smooth = np.add.outer(np.arange(8.0), 2 * np.arange(9.0))[None, ..., None]
    image = tf.constant(smooth.astype(np.float32))
    boxes = tf.constant([[0.13, 0.21, 0.83, 0.78]])
    with tf.GradientTape() as tape:
        tape.watch(boxes)
        mean = tf.reduce_mean(tf.image.crop_and_resize(image, boxes, [0], [4, 4]))
    slope = tape.gradient(mean, boxes).numpy()[0]
    np.testing.assert_allclose(slope, [3.5, 8.0, 3.5, 8.0], rtol=1e-4)


def area(x):
    """An op without a gradient in TensorFlow 1.12."""
    return tf.image.resize_area(x, [3, 3])


@pytest.mark.parametrize(
    "f", [area, lambda x: tf.image.adjust_hue(x, 0.1)], ids=["area", "hue"]
)
def test_what_has_no_gradient_says_so(f):
    x = tf.constant(PHOTO)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(f(x))
    with pytest.raises(LookupError, match="No gradient defined for operation"):
        tape.gradient(y, x)


def test_contrast_has_a_gradient():
    x, factor = tf.constant(PHOTO), tf.constant(1.5)
    w = tf.constant(RANDOM.uniform(-1, 1, PHOTO.shape).astype(np.float32))
    with tf.GradientTape() as tape:
        tape.watch([x, factor])
        y = tf.reduce_sum(tf.image.adjust_contrast(x, factor) * w)
    dx, df = tape.gradient(y, [x, factor])
    mean = PHOTO.mean((1, 2), keepdims=True)
    np.testing.assert_allclose(df.numpy(), ((PHOTO - mean) * w.numpy()).sum(), 1e-3)
    means = w.numpy().mean((1, 2), keepdims=True)
    wanted = (w.numpy() - means) * 1.5 + means
    np.testing.assert_allclose(dx.numpy(), wanted, 1e-4, 1e-5)


def augmented(images):
    """A pipeline as users write it."""
    x = tf.image.resize_images(images, [10, 10])
    x = tf.image.random_flip_left_right(x, seed=1)
    x = tf.image.crop_to_bounding_box(x, 1, 2, 8, 6)
    x = tf.image.random_brightness(x, 0.2, seed=2)
    x = tf.image.random_saturation(tf.clip_by_value(x, 0.0, 1.0), 0.5, 1.5, seed=3)
    x = tf.image.random_hue(x, 0.1, seed=4)
    x = tf.image.random_contrast(x, 0.5, 1.5, seed=5)
    x = tf.image.resize_image_with_crop_or_pad(x, 7, 9)
    x = tf.image.rot90(x)
    first = tf.image.per_image_standardization(x[0])
    flipped = tf.image.random_flip_up_down(first, seed=6)
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        tf.shape(flipped), [[[0.2, 0.2, 0.8, 0.8]]], seed=7
    )
    return x, flipped, begin, size


def pipeline():
    """The pipeline, seeded anew."""
    tf.set_random_seed(1)
    return augmented


def test_a_pipeline_is_the_same_in_every_way():
    wanted = run("eager", pipeline, PHOTO)
    assert [a.shape for a in wanted[:2]] == [(2, 9, 7, 3), (9, 7, 3)]
    for way in WAYS[1:]:
        for a, b in zip(wanted, run(way, pipeline, PHOTO)):
            np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-4, err_msg=way)


def test_unknown_sizes_stay_unknown_and_known_ones_known():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, None, 3])
        n = tf.placeholder(tf.int32, [])
        found = [
            tf.image.resize_images(x, [4, 5]),
            tf.image.resize_images(x, [n, 5]),
            tf.image.flip_left_right(x),
            tf.image.central_crop(x, 0.5),
            tf.image.crop_to_bounding_box(x, 0, 0, 2, n),
            tf.image.resize_image_with_crop_or_pad(x, 6, 7),
            tf.image.rot90(x, n),
            tf.image.random_flip_up_down(tf.placeholder(tf.float32)),
        ]
        shapes = [t.shape.as_list() for t in found]
        assert shapes == [
            [4, 5, 3], [None, 5, 3], [None, None, 3], [None, None, 3], [2, None, 3],
            [6, 7, 3], [None, None, 3], [None, None, None],
        ]  # fmt: skip
        feed = {x: PHOTO[0], n: 3}
        with tf.Session() as session:
            values = session.run(found[:-1], feed)
            with pytest.raises(InvalidArgumentError, match="width must be >= target"):
                session.run(found[4], {x: PHOTO[0], n: 30})
    assert [v.shape for v in values][1::3] == [(3, 5, 3), (2, 3, 3)]
    np.testing.assert_array_equal(values[6], np.rot90(PHOTO[0], 3))


def test_each_image_of_a_batch_is_flipped_on_its_own():
    many = np.broadcast_to(np.arange(3.0)[:, None], (200, 1, 3, 1)).astype(np.float32)
    found = tf.image.random_flip_left_right(many, seed=3).numpy()
    turned = found[:, 0, 0, 0] == 2
    assert 60 < turned.sum() < 140
    np.testing.assert_array_equal(found[turned], np.flip(many[turned], 2))
    np.testing.assert_array_equal(found[~turned], many[~turned])


def test_noise_around_a_glimpse_is_drawn_from_the_image():
    image = RANDOM.normal(5, 2, (1, 30, 30, 1)).astype(np.float32)
    for uniform in (True, False):
        noise = tf.image.extract_glimpse(
            image, [90, 90], [[9.0, 9.0]], uniform_noise=uniform
        ).numpy()
        assert image.min() <= noise.min() < noise.max() <= image.max()
        middle = (image.min() + image.max()) / 2 if uniform else image.mean()
        assert abs(noise.mean() - middle) < 0.2
    again = [tf.image.extract_glimpse(image, [9, 9], [[9.0, 9.0]]) for _ in range(2)]
    assert not np.array_equal(again[0].numpy(), again[1].numpy())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tf.image.random_brightness(PHOTO, -1.0), "must be non-negative"),
        (lambda: tf.image.random_hue(PHOTO, 0.6), "max_delta must be <= 0.5."),
        (lambda: tf.image.random_contrast(PHOTO, 1.0, 1.0), "upper must be > lower."),
        (lambda: tf.image.random_saturation(PHOTO, -1.0, 1.0), "lower must be non-neg"),
        (lambda: tf.image.ssim(PHOTO, PHOTO[:, :11], 1.0), "are incompatible"),
        (lambda: tf.image.psnr(PHOTO, np.zeros((3, 12, 9, 3)), 1.0), "Incompatible"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises((ValueError, InvalidArgumentError), match=message):
        call()


@pytest.mark.parametrize(
    "odd", [[], [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-40, 3e38]]
)
def test_distances_from_the_least_on(odd):
    random = np.random.default_rng(1)
    for size in range(9, 300, 13):
        x = random.integers(-3, 4, size).astype(np.float32)
        x[: len(odd)] = odd
        x = random.permutation(x)
        wanted = np.argsort(x, kind="stable")
        np.testing.assert_array_equal(components._ascending(x), wanted)
