"""Image files to arrays and back: JPEG, GIF and PNG, by Pillow and simplejpeg.

Note [Quick JPEG]: both have libjpeg-turbo inside and give the same pixels. simplejpeg
leaves out a copy of them and lets go of Python's lock from the first byte to the last;
what it does not like, damaged files above all, is given to Pillow, which decides. Of
a part of a picture it decodes no rows below: the frame header says that there are none.
"""

import io
import struct

import numpy as np

from twinflow.base import errors
from twinflow.ops.image import png as image_png

try:
    from PIL import Image, ImageSequence, UnidentifiedImageError
    from PIL.Image import DecompressionBombError
except ImportError:  # an optional dependency
    Image = None
    UnidentifiedImageError = DecompressionBombError = OSError

try:
    import simplejpeg
except ImportError:  # an optional dependency
    simplejpeg = None

JPEG, PNG, GIF = "JPEG", "PNG", "GIF"
DAMAGED = (
    OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, struct.error,
    UnidentifiedImageError, DecompressionBombError, MemoryError, OverflowError,
    image_png.zlib.error,
)  # fmt: skip
_MAGIC = ((b"\xff\xd8\xff", JPEG), (image_png.SIGNATURE, PNG), (b"GIF8", GIF))
_GRAY = np.array([9797, 19234, 3737])  # libpng's 15-bit weights
_MOST_BYTES = 1 << 31
_MOST_PACKED = 1100  # times that deflate makes something shorter, at most
_MOST_PIXELS = 10_000  # that a byte of a JPEG file may stand for
_END = b"\xff\xd9"
_QUICK = ("YCbCr", "Gray")  # the others have more than one meaning


def kind_of(data):
    """JPEG, PNG, GIF, or None."""
    return next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)


def pillow():
    """Pillow's module, or an error that says how to get it."""
    if Image is None:
        raise errors.UnimplementedError(
            None,
            None,
            "JPEG, GIF and PNG files need Pillow, which is not installed: "
            "`pip install twinflow[image]`, or `pip install Pillow`.",
        )
    return Image


def _open(data):
    return pillow().open(io.BytesIO(data))


# ------------------------------------------------------------------ JPEG
def decode_jpeg(data, channels, ratio=1, recover=False, rows=None):
    """uint8[height, width, channels]; 0 channels = those of the file, at most 3.

    Args:
        ratio: 1, 2, 4 or 8: the size is divided by it.
        recover: fill up what is missing of a file that was cut off.
        rows: how many are wanted at least; all if not given.
    """
    if simplejpeg is not None and ratio == 1 and not recover:
        found = _quick_jpeg(data, channels, rows)
        if found is not None:
            return found
    image = _open(data + _END if recover else data)
    if channels == 1 and image.mode == "CMYK":
        raise ValueError("CMYK has no gray")
    if image.width * image.height > _MOST_PIXELS * len(data):
        raise ValueError("the file is too short for its pixels")
    gray = channels == 1 or (not channels and image.mode == "L")
    mode, (width, height) = "L" if gray else "RGB", image.size
    small = max(1, width // ratio), max(1, height // ratio)
    image.draft(mode if image.mode != "CMYK" else "CMYK", small)
    return _array(image.convert(mode))


def _quick_jpeg(data, channels, rows):
    """The pixels by simplejpeg, or None."""
    try:
        height, width, colors, _ = simplejpeg.decode_jpeg_header(data)
        most = min(_MOST_PIXELS * len(data), getattr(Image, "MAX_IMAGE_PIXELS", 0) or 0)
        if colors not in _QUICK or height * width > most:
            return None
        gray = channels == 1 or (not channels and colors == "Gray")
        some = data if rows is None or rows >= height else _of_rows(data, rows)
        whole = some is data  # else there is data below, which is no damage
        return simplejpeg.decode_jpeg(some, "GRAY" if gray else "RGB", strict=whole)
    except (ValueError, struct.error):
        return None


def _of_rows(data, rows):
    """A file that ends some blocks below `rows`; itself if it is none of the usual.

    Its pixels are the same: blocks follow each other from the top, and smoothed colors
    heed the next ones only.
    """
    at, frame = 2, None
    while (marker := struct.unpack_from(">H", data, at)[0]) != 0xFFDA:
        frame = at if marker in _FRAMES else frame
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    if frame is None or data[frame + 1] > 0xC1 or data[frame + 9] != data[at + 4]:
        return data  # progressive, or a color after the other
    if not data.endswith(_END):
        return data
    count = data[frame + 9]
    block = 8 * max(data[frame + 11 + 3 * i] & 15 for i in range(count))
    kept = -(-rows // block) * block + block
    height = struct.pack(">H", min(kept, *struct.unpack_from(">H", data, frame + 5)))
    return data[: frame + 5] + height + data[frame + 7 :]


def _array(image):
    a = np.array(image)
    return a[..., None] if a.ndim == 2 else a


def jpeg_shape(data):
    """(height, width, channels) from the frame header of a JPEG file."""
    at = 2
    while True:
        marker, size = struct.unpack_from(">HH", data, at)
        if marker in _FRAMES:
            height, width, channels = struct.unpack_from(">HHB", data, at + 5)
            return height, width, channels
        if marker >> 8 != 0xFF or marker == 0xFFDA:
            raise ValueError("there is no frame header")
        at += 2 + size


_FRAMES = {0xFFC0 + i for i in range(16)} - {0xFFC4, 0xFFC8, 0xFFCC}


def encode_jpeg(image, quality, progressive, optimize, downsample, unit, density, xmp):
    """The bytes of a JPEG file.

    Args:
        image: uint8[height, width, 1 or 3]. unit: 1 = inch, 2 = centimetre.
        density: (pixels per unit across, down). xmp: bytes of metadata.
    """
    out = io.BytesIO()
    picture = pillow().fromarray(image[..., 0] if image.shape[2] == 1 else image)
    picture.save(
        out, JPEG, quality=max(quality, 1), progressive=progressive, optimize=optimize,
        subsampling=2 if downsample else 0, dpi=(1, 1),
    )  # fmt: skip
    data = out.getvalue()
    head = data[:11] + b"\x01\x01" + struct.pack(">BHH", unit, *density)
    if xmp:
        body = b"http://ns.adobe.com/xap/1.0/\0" + xmp
        xmp = b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
    return head + data[18:20] + xmp + data[20:]


# ------------------------------------------------------------------ GIF
def decode_gif(data):
    """uint8[frames, height, width, 3].

    Raises:
        ValueError, OSError: the file is damaged.
    """
    try:
        frames = ImageSequence.Iterator(_open(data))
    except UnidentifiedImageError:  # whose words name an object in memory
        raise ValueError("failed to open gif file") from None
    try:
        return np.stack(list(_bounded(frames)))
    except DAMAGED as error:
        raise ValueError(f"failed to slurp gif file: {error}") from None


def _bounded(frames):
    """The pixels of frames, as long as they are no more than 2 GB."""
    left = _MOST_BYTES
    for frame in frames:
        left -= 3 * frame.width * frame.height
        if left < 0:
            raise ValueError("its frames have more than 2 GB")
        yield _array(frame.convert("RGB"))


# ------------------------------------------------------------------ PNG
def decode_png(data, channels, deep):
    """uint8 (uint16 if `deep`) [height, width, channels]; 0 = those of the file."""
    if image_png.least_bytes(data) > _MOST_PACKED * len(data):
        raise ValueError("the file is too short for its pixels")
    if image_png.is_deep(data):
        image = _with_channels(image_png.decode_deep(data), channels)
        return image if deep else (image >> 8).astype(np.uint8)
    image = _with_channels(_shallow(_open(data), channels), channels)
    return image * np.uint16(257) if deep else image


def _shallow(image, channels):
    """The pixels of a file with up to 8 bits a color, with the alpha it has."""
    transparent = "transparency" in image.info
    if image.mode == "P":
        wanted = transparent and channels in (0, 2, 4)
        return _array(image.convert("RGBA" if wanted else "RGB"))
    if transparent and channels in (2, 4):
        return _array(image.convert("RGBA" if image.mode == "RGB" else "LA"))
    return _array(image.convert("L") if image.mode == "1" else image)


def _with_channels(image, wanted):
    """Gray or colored, with alpha or without, as `wanted` says; 0 = as it is."""
    n = image.shape[2]
    wanted = wanted or n
    color, alpha = image[..., : n - 1 + n % 2], image[..., n - 1 + n % 2 :]
    if wanted < 3 <= n:
        color = _gray(color)
    elif wanted >= 3 > n:
        color = np.repeat(color, 3, 2)
    if wanted % 2:
        return np.ascontiguousarray(color)
    if not alpha.size:
        alpha = np.full((*image.shape[:2], 1), np.iinfo(image.dtype).max, image.dtype)
    return np.concatenate([color, alpha], 2)


def _gray(color):
    """libpng's weighted sum; pixels that are gray already stay."""
    half = 1 << 14 if color.dtype == np.uint16 else 0
    mixed = (color.astype(np.int64) @ _GRAY + half) >> 15
    first = color[..., 0]
    same = (first == color[..., 1]) & (first == color[..., 2])
    return np.where(same, first, mixed.astype(color.dtype))[..., None]
