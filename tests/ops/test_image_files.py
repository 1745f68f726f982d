"""Image files: kinds that only the run knows, and what Pillow makes of ours."""

import io
import re

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager, run
from twinflow.base.errors import InvalidArgumentError, UnimplementedError
from twinflow.ops.image import files as image_files

COLORS = np.add.outer(np.arange(18) * 5, np.arange(23) * 4)[..., None]
COLORS = (COLORS + [0, 30, 60]).astype(np.uint8)
WAYS = ("eager", "function", "session")


@pytest.fixture(autouse=True)
def eagerly():
    """Eager execution."""
    with eager():
        yield


@pytest.fixture
def pillow():
    """Pillow's Image, or a skip."""
    return pytest.importorskip("PIL.Image")


def files(pillow):
    """{kind: bytes} of one picture."""
    found = {}
    for kind in ("PNG", "GIF", "BMP", "JPEG"):
        out = io.BytesIO()
        pillow.fromarray(COLORS).save(out, kind)
        found[kind] = out.getvalue()
    return found


@pytest.mark.parametrize("way", WAYS)
def test_the_kind_of_a_file_is_found(way, pillow):
    for kind, data in files(pillow).items():
        text = np.array(data, object)
        (found,) = run(way, lambda: lambda t: [tf.image.decode_image(t)], text)
        exact = kind in ("PNG", "BMP")
        assert found.shape == ((1, 18, 23, 3) if kind == "GIF" else (18, 23, 3))
        np.testing.assert_allclose(
            found.reshape(COLORS.shape).astype(int), COLORS, atol=0 if exact else 40
        )


@pytest.mark.parametrize("way", WAYS)
def test_what_is_no_image_is_refused(way, pillow):
    text = np.array(b"hello", object)
    with pytest.raises(InvalidArgumentError, match="Unable to decode bytes as JPEG"):
        run(way, lambda: lambda t: [tf.image.decode_image(t)], text)
    gif = np.array(files(pillow)["GIF"], object)
    with pytest.raises(InvalidArgumentError, match="when decoding GIF images"):
        run(way, lambda: lambda t: [tf.image.decode_image(t, channels=1)], gif)


def test_channels_of_decode_image():
    with pytest.raises(ValueError, match=re.escape("channels must be in (None, 0, 1")):
        tf.image.decode_image(b"", channels=2)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_pillow_reads_our_png_files(depth, pillow):
    noise = np.random.RandomState(depth).randint(0, 256, (9, 8, depth))
    steps = np.add.outer(np.arange(9), 3 * np.arange(8))[..., None] * np.ones(depth)
    for image in (noise.astype(np.uint8), steps.astype(np.uint8)):
        data = tf.image.encode_png(image).numpy()
        found = np.array(pillow.open(io.BytesIO(data))).reshape(image.shape)
        np.testing.assert_array_equal(found, image)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_deep_png_files_come_back(depth):
    noise = np.random.RandomState(depth).randint(0, 65536, (9, 8, depth))
    steps = np.add.outer(np.arange(9), 3 * np.arange(8))[..., None] * np.ones(depth)
    for image in (noise.astype(np.uint16), steps.astype(np.uint16)):
        data = tf.image.encode_png(image)
        found = tf.image.decode_png(data, dtype=tf.uint16)
        np.testing.assert_array_equal(found.numpy(), image)


def test_what_a_jpeg_file_says_of_itself(pillow):
    data = tf.image.encode_jpeg(
        COLORS, density_unit="cm", x_density=118, y_density=120, xmp_metadata=b"<x/>"
    ).numpy()
    assert tf.image.is_jpeg(data).numpy()
    assert tf.image.extract_jpeg_shape(data).numpy().tolist() == [18, 23, 3]
    info = pillow.open(io.BytesIO(data)).info
    assert info["jfif_unit"] == 2 and info["jfif_density"] == (118, 120)
    assert b"http://ns.adobe.com/xap/1.0/\0<x/>" in data


def test_jpeg_sizes_are_divided(pillow):
    data = files(pillow)["JPEG"]
    for ratio, shape in ((2, (9, 12)), (4, (5, 6)), (8, (3, 3))):
        found = tf.image.decode_jpeg(data, ratio=ratio).numpy()
        assert found.shape == (*shape, 3)
    gray = tf.image.decode_jpeg(data, channels=1).numpy()
    assert gray.shape == (18, 23, 1)


def test_a_jpeg_file_that_was_cut_off_can_be_filled_up(pillow):
    data = tf.image.encode_jpeg(np.tile(COLORS, (4, 4, 1))).numpy()
    cut = data[: len(data) * 3 // 4]
    with pytest.raises(InvalidArgumentError, match="Invalid JPEG data"):
        tf.image.decode_jpeg(cut)
    found = tf.image.decode_jpeg(cut, try_recover_truncated=True).numpy()
    np.testing.assert_array_equal(found[:8], tf.image.decode_jpeg(data).numpy()[:8])
    assert found.shape == (72, 92, 3)


def test_quality_is_lost_by_jpeg(pillow):
    noise = np.random.RandomState(0).randint(0, 256, (16, 16, 3)).astype(np.uint8)

    def loss(image, quality):
        found = tf.image.adjust_jpeg_quality(image, quality).numpy()
        return np.abs(found.astype(float) - image).mean()

    assert loss(noise, 5) > loss(noise, 95) + 5
    light = (noise / 255).astype(np.float32)
    assert tf.image.adjust_jpeg_quality(light, 50).dtype is tf.float32
    first, second = (
        tf.image.random_jpeg_quality(noise, 5, 95, seed=4).numpy() for _ in range(2)
    )
    np.testing.assert_array_equal(first, second)
    for bounds, text in (((-1, 5), "between 0 and 100"), ((7, 5), "must be less than")):
        with pytest.raises(ValueError, match=text):
            tf.image.random_jpeg_quality(noise, *bounds)


def test_without_pillow_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(image_files, "Image", None)
    for call in (
        lambda: tf.image.decode_jpeg(b"\xff\xd8\xff\xe0"),
        lambda: tf.image.encode_jpeg(COLORS),
        lambda: tf.image.decode_gif(b"GIF89a"),
    ):
        with pytest.raises(UnimplementedError, match=r"pip install twinflow\[image\]"):
            call()
