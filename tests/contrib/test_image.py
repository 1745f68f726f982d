"""tf.contrib.image against what TensorFlow 1.12 computed (image_numbers.json)."""

import json
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, eagerly, in_graph
from tests.ways import compiled
from twinflow.contrib.image import yiq

C = tf.contrib.image
NUMBERS = json.loads((Path(__file__).parent / "image_numbers.json").read_text())
RAMP = np.arange(1, 31, dtype=np.float32).reshape(1, 5, 6, 1)
IMAGES = np.random.RandomState(1).rand(2, 4, 5, 3).astype(np.float32)
FLOW = np.random.RandomState(5).randn(2, 4, 5, 2).astype(np.float32)
BENT = [1.1, 0.1, 0.2, 0.05, 0.9, -0.3, 0.01, 0.02]
POINTS, VALUES, ASKED = (
    np.random.RandomState(6 + i).rand(2, *s).astype(np.float32)
    for i, s in enumerate([(6, 3), (6, 2), (4, 3)])
)
SOURCE = np.array(
    [[[1, 1], [2, 3], [3, 1]], [[1, 2], [2, 3], [0, 1]]], np.float32
)  # fmt: skip
DEST = SOURCE + np.random.RandomState(9).randn(2, 3, 2).astype(np.float32) * 0.3
CALLS = {
    "rot": lambda: C.rotate(RAMP, 0.5),
    "rotb": lambda: C.rotate(RAMP, 0.5, "BILINEAR"),
    "rot3": lambda: C.rotate(IMAGES, [0.3, -1.0], "BILINEAR"),
    "rot2": lambda: C.rotate(RAMP[0, :, :, 0].astype(np.uint8), 1.2),
    "tr2": lambda: C.translate(IMAGES, [[1.5, 0.5], [0.0, 1.0]], "BILINEAR"),
    "proj": lambda: C.transform(RAMP, BENT, "BILINEAR"),
    "projn": lambda: C.transform(RAMP, BENT),
    "shape": lambda: C.transform(RAMP, BENT, output_shape=[3, 8]),
    "comp": lambda: C.compose_transforms(
        BENT, [[0.9, *BENT[1:6], 0.0, 0.02]],
        C.angles_to_projective_transforms(0.3, 5.0, 6.0),
    ),
    "cc": lambda: C.connected_components(np.random.RandomState(3).rand(2, 5, 7) > 0.5),
    "cci": lambda: C.connected_components(
        np.random.RandomState(4).randint(0, 3, (6, 6))
    ),
    "diw": lambda: C.dense_image_warp(tf.constant(IMAGES), tf.constant(FLOW)),
    "spl2": lambda: C.interpolate_spline(POINTS, VALUES, ASKED, 2),
    "spl3": lambda: C.interpolate_spline(POINTS, VALUES, ASKED, 3),
    "splr": lambda: C.interpolate_spline(POINTS, VALUES, ASKED, 2, 0.1),
    "siw3": lambda: C.sparse_image_warp(IMAGES, SOURCE, DEST, num_boundary_points=3),
}  # fmt: skip


def agree(found, key):
    found = found if isinstance(found, list | tuple) else [found]
    for array, (shape, dtype, values) in zip(found, NUMBERS[key], strict=True):
        assert list(array.shape) == shape and array.dtype == dtype
        np.testing.assert_allclose(array.ravel(), values, atol=1e-3)


@both
def test_values(run):
    for key, call in CALLS.items():
        agree(run(call), key)


def test_gradients():
    with tf.Graph().as_default(), tf.Session() as session:
        x, flow = tf.constant(IMAGES), tf.constant(FLOW)
        for key, y, of in (
            ("g", C.rotate(x, [0.3, -1.0], "BILINEAR"), [x]),
            ("gp", C.transform(x, BENT, "BILINEAR", [3, 8]), [x]),
            ("gd", C.dense_image_warp(x, flow), [x, flow]),
        ):
            agree(session.run(tf.gradients(tf.reduce_sum(y**2), of)), key)


def test_an_unknown_batch_and_the_compiled_engine():
    with compiled():
        agree(in_graph(CALLS["rot3"]), "rot3")

    def fed():
        x = tf.placeholder_with_default(IMAGES, [None, None, None, 3])
        return C.rotate(x, [0.3, -1.0], "BILINEAR")

    agree(in_graph(fed), "rot3")


def test_what_is_refused():
    for call, error, text in (
        (lambda: C.rotate(np.zeros(2), 1.0), TypeError, "rank between 2 and 4"),
        (lambda: C.transform(RAMP, np.zeros((1, 1, 8))), TypeError, "rank 1 or 2"),
        (lambda: C.rotate(RAMP.astype(np.int8), 1.0), TypeError, "Invalid dtype"),
        (lambda: C.transform(RAMP, BENT, output_shape=[3]), ValueError, "1-D Tensor"),
        (lambda: C.connected_components([1]), TypeError, "should have rank 2"),
        (
            lambda: C.dense_image_warp(RAMP[:, :1], np.zeros((1, 1, 6, 2))),
            ValueError,
            "at least batch",
        ),
    ):
        with pytest.raises(error, match=text), tf.Graph().as_default():
            call()


def test_colors_in_yiq_have_slopes():
    x = np.random.RandomState(0).rand(2, 3, 3).astype("f")
    by, dy = [x, 0.3, 1.2, 0.9], np.float32([1, -2, 0.5])

    def loss(*by):
        return tf.reduce_sum(yiq.adjust_hsv_in_yiq(*by) * dy)

    def slopes():
        inputs = [tf.constant(v) for v in by]
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            found = loss(*inputs)
        of_x, *of_numbers = tape.gradient(found, inputs)
        return tf.stack([tf.reduce_sum(of_x), *of_numbers])

    for i, slope in enumerate(eagerly(slopes)):
        ends = [
            eagerly(lambda: loss(*[v + h * (k == i) for k, v in enumerate(by)]))
            for h in (0.01, -0.01)
        ]
        np.testing.assert_allclose(slope, (ends[0] - ends[1]) / 0.02, rtol=0.02)


def test_colors_are_turned_in_yiq():
    x = np.random.RandomState(0).rand(2, 3, 3).astype("f")
    for mode in (eagerly, in_graph):
        found = mode(lambda: yiq.adjust_hsv_in_yiq(tf.constant(x), 0.3, 1.2, 0.9))
        np.testing.assert_allclose(found[0, 0], [0.489, 0.659, 0.477], atol=6e-4)
        np.testing.assert_allclose(found[1, 2], [-0.053, 0.072, 0.815], atol=6e-4)
    drawn = in_graph(
        lambda: yiq.random_hsv_in_yiq(tf.constant(x), 0.2, 0.5, 1.5, 0.8, 1.2, 1)
    )
    assert drawn.shape == x.shape
    with pytest.raises(ValueError, match="max_delta must be non-negative"):
        yiq.random_hsv_in_yiq(x, -1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="instead has 2 channels"):
        in_graph(lambda: yiq.adjust_hsv_in_yiq(tf.constant(x[..., :2]), 0.3))
