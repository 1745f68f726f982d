"""Images resized and turned round in C: the numbers are those of NumPy."""

import io

import numpy as np
import pytest
from PIL import Image

import twinflow as tf
from tests.support.cases import run_cases
from twinflow.base import dispatch, errors, pictures
from twinflow.eager.mode import MODE
from twinflow.ops.image import files as image_files

RANDOM = np.random.default_rng(0)
SIZES = [
    ((1, 300, 280, 3), (224, 224)), ((2, 100, 333, 1), (224, 57)),
    ((3, 64, 64, 4), (65, 128)), ((1, 1, 1, 3), (90, 90)), ((4, 200, 9, 3), (300, 300)),
]  # fmt: skip


@pytest.fixture(autouse=True)
def eager():
    with dispatch.entered(MODE):
        yield


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("shape, size", SIZES)
def test_resized_images_are_numpys_to_the_last_bit(
    kind, align, shape, size, monkeypatch
):
    x = (RANDOM.random(shape) * 255).astype(kind)
    resize = lambda: tf.image.resize_bilinear(x, size, align_corners=align).numpy()
    found = resize()
    monkeypatch.setattr(pictures, "_fast", None)
    np.testing.assert_array_equal(found, resize(), strict=True)


def case(random):
    """Any small images to any size, of which none is left to NumPy."""
    shape = [int(v) for v in random.integers(1, [4, 40, 40, 6])]
    size = [int(v) for v in random.integers(1, 60, 2)]
    x = (random.random(shape) * 255).astype(random.choice(["uint8", "float32"]))
    align = bool(random.random() < 0.5)
    least, pictures._LARGE = pictures._LARGE, 1
    try:
        found = tf.image.resize_bilinear(x, size, align_corners=align).numpy()
        fast, pictures._fast = pictures._fast, None
        try:
            wanted = tf.image.resize_bilinear(x, size, align_corners=align).numpy()
        finally:
            pictures._fast = fast
    finally:
        pictures._LARGE = least
    np.testing.assert_array_equal(found, wanted, strict=True)


def test_random_cases():
    run_cases(case)


def test_views_are_resized_like_copies():
    x = RANDOM.random((1, 80, 90, 3)).astype(np.float32)[:, ::2, 10:]
    resize = lambda x: tf.image.resize_bilinear(x, [50, 60]).numpy()
    np.testing.assert_array_equal(resize(x), resize(x.copy()))


@pytest.mark.parametrize("kind", [np.uint8, np.float32, np.float64])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_images_turned_round(kind, channels):
    x = (RANDOM.random((130, 140, channels)) * 255).astype(kind)
    np.testing.assert_array_equal(tf.reverse(x, [1]).numpy(), x[:, ::-1])
    np.testing.assert_array_equal(tf.reverse(x, [0, 2]).numpy(), x[::-1, :, ::-1])


def jpeg(mode="RGB", **options):
    out = io.BytesIO()
    picture = RANDOM.integers(0, 256, (37, 53, 3), np.uint8)
    Image.fromarray(picture).convert(mode).save(out, "JPEG", **options)
    return out.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize("channels", [0, 1, 3])
@pytest.mark.parametrize("options", [
    {}, {"progressive": True}, {"subsampling": 0}, {"subsampling": 1}, {"quality": 20},
], ids=str)  # fmt: skip
def test_both_decoders_give_the_same_pixels(mode, channels, options, monkeypatch):
    pytest.importorskip("simplejpeg")
    data = jpeg(mode, **options)
    quick = image_files._quick_jpeg(data, channels, None)
    monkeypatch.setattr(image_files, "simplejpeg", None)
    pillows = image_files.decode_jpeg(data, channels)
    np.testing.assert_array_equal(quick, pillows, strict=True)


@pytest.mark.parametrize("options", [
    {}, {"subsampling": 0}, {"subsampling": 1}, {"restart_marker_blocks": 2},
    {"progressive": True},
], ids=str)  # fmt: skip
def test_rows_below_a_part_are_not_decoded(options):
    pytest.importorskip("simplejpeg")
    data, sizes = jpeg(**options), set()
    for channels in (1, 3):
        whole = image_files.decode_jpeg(data, channels)
        for rows in range(1, 38):
            part = image_files.decode_jpeg(data, channels, rows=rows)
            np.testing.assert_array_equal(part[:rows], whole[:rows])
            sizes.add(len(part))
    assert (min(sizes) < 37) != ("progressive" in options)
    cropped = tf.image.decode_and_crop_jpeg(data, [3, 4, 5, 6], channels=3)
    np.testing.assert_array_equal(cropped, whole[3:8, 4:10])
    assert image_files._of_rows(data[:-2], 5) == data[:-2]  # cut off: all is looked at


def test_what_is_damaged_or_unusual_is_pillows():
    pytest.importorskip("simplejpeg")
    whole = jpeg()
    assert image_files._quick_jpeg(whole[: len(whole) // 2], 3, None) is None
    assert image_files._quick_jpeg(jpeg("CMYK"), 3, None) is None
    with pytest.raises(errors.InvalidArgumentError, match="Invalid JPEG data"):
        tf.image.decode_jpeg(whole[: len(whole) // 2])


def test_more_pixels_than_pillow_takes_are_refused(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 500)
    with pytest.raises(errors.InvalidArgumentError, match="Invalid JPEG data"):
        tf.image.decode_jpeg(jpeg())
