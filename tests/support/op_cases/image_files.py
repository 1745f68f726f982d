"""Rows of ops.image: png, bmp, decode and encode.

The files are made here, by Pillow or byte by byte; without Pillow there are no rows of
what needs it, and tests/ops/test_image_files.py says so.
"""

import io
import struct
import zlib

import numpy as np

from tests.support.op_cases.table import case, covered, error
from twinflow.base import dtypes
from twinflow.ops.image import files as image_files
from twinflow.ops.image import png as image_png

Image = image_files.Image
_random = np.random.RandomState(0)
SMOOTH = np.add.outer(np.arange(18) * 5, np.arange(23) * 4)[..., None]
SMOOTH = (SMOOTH + [0, 30, 60]).astype(np.uint8)
NOISE = _random.randint(0, 256, (5, 7, 4)).astype(np.uint8)
DEEP = _random.randint(0, 65536, (5, 7, 4)).astype(np.uint16)


def written(array, kind, **how):
    """The bytes of a file that Pillow writes."""
    out = io.BytesIO()
    if array.shape[2] == 1:
        array = array[..., 0]
    Image.fromarray(array).save(out, kind, **how)
    return out.getvalue()


def read(data):
    """The pixels of a file as Pillow reads them."""
    found = np.array(Image.open(io.BytesIO(data)))
    return found[..., None] if found.ndim == 2 else found


# ------------------------------------------------------------------ BMP
def bmp(image, from_above=False):
    """The bytes of a BMP file."""
    height, width, depth = image.shape
    rows = image[..., [2, 1, 0, 3][:depth]] if depth > 1 else image
    rows = rows if from_above else rows[::-1]
    gap = b"\0" * (-width * depth % 4)
    body = b"".join(row.tobytes() + gap for row in rows)
    height = -height if from_above else height
    head = struct.pack("<iiiHHiiiiii", 40, width, height, 1, 8 * depth, *[0] * 6)
    return b"BM" + struct.pack("<iii", 54 + len(body), 0, 54) + head + body


def short(wanted, found):
    """The message about a BMP file that was cut off."""
    return f"Incomplete bmp content, requires at least {wanted} bytes, got {found}"


for depth in (1, 3, 4):
    for above in (False, True):
        image = np.ascontiguousarray(NOISE[..., :depth])
        case(
            "DecodeBmp", bmp(image, above), reference=image, data_dependent=True,
            errors=[
                error(b"BM", text="requires at least 32 bytes to find the header"),
                error([b""], text="contents must be scalar, got shape [1]"),
                error(b"", channels=2, text="channels must be 0, 1, 3 or 4, got 2"),
                error(bmp(NOISE), channels=3, text="does not match bits per pixel"),
                error(bmp(NOISE)[:100], text=short(194, 100)),
            ],
        )  # fmt: skip


# ------------------------------------------------------------------ PNG
def encoded(image, compression):
    """The bytes of a file; that it is one, tests/ops/test_image_files.py says."""
    return np.array(image_png.encode(image, compression), object)


BAD_PNG = [
    error(b"hello", text="Expected image (JPEG, PNG, or GIF), got unknown format"),
    error(b"", text="Expected image (JPEG, PNG, or GIF), got empty file"),
    error([b""], text="contents must be scalar, got shape [1]"),
    error(b"\x89PNG\r\n\x1a\njunkjunk", text="Invalid PNG header, data size 16"),
    error(b"", channels=2, text="channels must be 0, 1, 3, or 4, got 2"),
]
BAD_SHAPES = [
    error(NOISE[0], text="image must be 3-dimensional[7,4]"),
    error(np.zeros((2, 2, 5), np.uint8), text="image must have 1, 2, 3, or 4 channels"),
    error(NOISE, compression=10, text="compression should be in [-1,9], got 10"),
]
for image in (NOISE, DEEP):
    for depth in (1, 2, 3, 4):
        part = np.ascontiguousarray(image[..., :depth])
        case(
            "EncodePng", part, reference=encoded, attrs={"compression": 9},
            errors=BAD_SHAPES,
        )  # fmt: skip


def deep_png(image, kind):
    """A PNG file with 16 bits a color and one filter for all rows."""
    height, width, depth = image.shape
    rows = image.astype(">u2").reshape(height, -1).view(np.uint8).astype(int)
    step = 2 * depth
    left = np.pad(rows, [(0, 0), (step, 0)])[:, :-step]
    up = np.pad(rows, [(1, 0), (0, 0)])[:-1]
    corner = np.pad(up, [(0, 0), (step, 0)])[:, :-step]
    near = [abs(left + up - corner - v) for v in (left, up, corner)]
    paeth = np.choose(np.argmin(near, 0), [left, up, corner])
    guess = [np.zeros_like(rows), left, up, (left + up) // 2, paeth][kind]
    lines = b"".join(bytes([kind]) + bytes(r) for r in ((rows - guess) % 256).tolist())
    color = {1: 0, 2: 4, 3: 2, 4: 6}[depth]
    head = struct.pack(">IIBBBBB", width, height, 16, color, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b))
        for n, b in parts
    )


for kind in range(5):
    part = np.ascontiguousarray(DEEP[..., : 1 + kind % 4])
    case(
        "DecodePng", deep_png(part, kind), reference=part, attrs={
            "dtype": dtypes.uint16,
        }, data_dependent=True,
        errors=[error(deep_png(part, kind)[:60], text="Invalid PNG data, size 60")],
    )  # fmt: skip
    case(
        "DecodePng", deep_png(part, kind), reference=(part >> 8).astype(np.uint8),
        data_dependent=True,
    )  # fmt: skip


# ------------------------------------------------------------------ with Pillow
def gray(x):
    """libpng's weights."""
    mixed = x[..., :3].astype(int) @ [9797, 19234, 3737] >> 15
    return mixed.astype(np.uint8)[..., None]


BAD_JPEG = [
    *BAD_PNG[:3],
    error(b"\xff\xd8\xffjunk", text="Invalid JPEG data or crop window, data size 7"),
    error(b"", ratio=3, text="ratio must be 1, 2, 4, or 8, got 3"),
    error(b"", dct_method="X", text="dct_method must be one of {'', 'INTEGER_FAST'"),
    error(b"\xff\xd8\xff", channels=4, text="channels must be 0, 1, or 3 for JPEG"),
]
ENCODED = [
    error(SMOOTH[0], text="image must be 3-dimensional[23,3]"),
    error(NOISE, text="image must have 1 or 3 channels, got [5,7,4]"),
    error(SMOOTH, format="grayscale", text="expects 1 channels, got [18,23,3]"),
    error(SMOOTH, format="x", text="Value for attr 'format' of \"x\" is not in the"),
    error(SMOOTH, quality=101, text="quality must be in [0,100], got 101"),
]


def pillow_rows():
    """What can only be checked where Pillow is."""
    files = written(SMOOTH, "PNG"), written(SMOOTH, "JPEG"), written(SMOOTH, "GIF")
    png, jpeg, gif = files
    opaque = np.dstack([SMOOTH, np.full(SMOOTH.shape[:2], 255, np.uint8)])
    for channels, image in ((0, SMOOTH), (1, gray(SMOOTH)), (3, SMOOTH), (4, opaque)):
        case(
            "DecodePng", png, reference=image, attrs={"channels": channels},
            data_dependent=True, errors=BAD_PNG,
        )  # fmt: skip
    case(
        "DecodePng", png, reference=SMOOTH * np.uint16(257), data_dependent=True,
        attrs={"dtype": dtypes.uint16},
        errors=[error(jpeg, text="JPEG does not support uint16 output")],
    )  # fmt: skip
    case("DecodeJpeg", jpeg, reference=read(jpeg), data_dependent=True, errors=BAD_JPEG)
    case("DecodeJpeg", png, reference=SMOOTH, data_dependent=True)
    case(
        "DecodeAndCropJpeg", jpeg, [2, 3, 5, 4], reference=read(jpeg)[2:7, 3:7],
        data_dependent=True, errors=[
            error(jpeg, [2, 3, 5], text="crop_size must have four elements [3]"),
            error(jpeg, [2, 3, 5, 40], text="Invalid JPEG data or crop window"),
            error(jpeg, [0, 0, 0, 0], text="Invalid JPEG data or crop window"),
        ],
    )  # fmt: skip
    for kind in (dtypes.int32, dtypes.int64):
        case(
            "ExtractJpegShape", jpeg, reference=np.array([18, 23, 3], kind.np),
            attrs={"output_type": kind},
            errors=[error(png, text=f"Invalid JPEG data, size {len(png)}")],
        )  # fmt: skip
    frames = np.array(Image.open(io.BytesIO(gif)).convert("RGB"))[None]
    case(
        "DecodeGif", gif, reference=frames, data_dependent=True,
        errors=[error(b"GIF89a", text="Invalid GIF data (size 6), failed to open gif")],
    )  # fmt: skip
    case("DecodePng", gif, reference=frames[0], data_dependent=True)
    quality = {"quality": 90, "subsampling": 2, "dpi": (300, 300)}
    case(
        "EncodeJpeg", SMOOTH, attrs={"quality": 90}, errors=ENCODED,
        reference=np.array(written(SMOOTH, "JPEG", **quality), object),
    )  # fmt: skip


if Image is None:
    for op in ("DecodeJpeg", "DecodeAndCropJpeg", "DecodeGif", "ExtractJpegShape",
               "EncodeJpeg"):  # fmt: skip
        covered(op, "tests/ops/test_image_files.py, where Pillow is missing")
else:
    pillow_rows()
