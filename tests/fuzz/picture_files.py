"""Readers of pictures."""

import zlib

import numpy as np
from PIL import Image

import twinflow as tf
from tests.fuzz.readers import READERS, Reader, eagerly, reader
from twinflow.base import dispatch
from twinflow.eager.mode import MODE

K = tf.keras


def _picture(form, mode="RGB", **options):
    def make(folder):
        numbers = np.random.RandomState(0).randint(0, 255, (9, 7, 4), np.uint8)
        image = Image.fromarray(numbers, "RGBA").convert(mode)
        if form == "GIF":
            options.update(save_all=True, append_images=[image.rotate(90)])
        image.save(folder / "picture", form, **options)
        return [folder / "picture"]

    return make


@eagerly
def _decoded(folder):
    data = (folder / "picture").read_bytes()
    if data.startswith(b"BM"):
        tf.image.decode_bmp(data)
    tf.image.decode_image(data)


def _deep_png(folder):
    with dispatch.entered(MODE):
        image = tf.constant(np.arange(60, dtype=np.uint16).reshape(5, 4, 3) * 999)
        (folder / "picture").write_bytes(tf.image.encode_png(image).numpy())
    return [folder / "picture"]


def _bare_chunks(data):
    """A PNG file without the checksums of its chunks."""
    out, at = [data[:8]], 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        out.append(data[at : at + 8 + size])
        at += 12 + size
    return b"".join(out)


def _with_sums(data):
    out, at = [data[:8]], 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        chunk = data[at : at + 8 + size]
        out.append(chunk + zlib.crc32(chunk[4:]).to_bytes(4, "big"))
        at += 8 + size
    return b"".join(out)


_CHUNKS = {"unpacked": _bare_chunks, "packed": _with_sums}
for _name, _make, _options in (
    ("png", _picture("PNG"), {}), ("jpeg", _picture("JPEG"), {}),
    ("gif", _picture("GIF", "P"), {}), ("bmp", _picture("BMP"), {}),
    ("png_chunks", _picture("PNG", "P"), _CHUNKS), ("png_deep", _deep_png, {}),
    ("png_deep_chunks", _deep_png, _CHUNKS),
):  # fmt: skip
    READERS[_name] = Reader(_make, _decoded, False, **_options)


@reader(_picture("PNG"))
def load_img(folder):
    K.preprocessing.image.load_img(str(folder / "picture"))
