"""PNG files in plain Python and NumPy: what Pillow has no modes for, 16 bits a color.

Reference: Portable Network Graphics specification, second edition (W3C 2003).
"""

import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}  # channels -> gray, gray + alpha, RGB, RGBA
_CHANNELS = {kind: n for n, kind in _COLOR_TYPES.items()}
_PASSES = (  # Adam7: (first row, first column, row step, column step)
    (0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
    (1, 0, 2, 1),
)  # fmt: skip


# ------------------------------------------------------------------ writing
def encode(image, level):
    """The bytes of a PNG file.

    Args:
        image: uint8 or uint16 [height, width, 1 to 4 channels], not empty.
        level: how much zlib shall compress, -1 to 9.
    """
    height, width, channels = image.shape
    depth = 8 * image.dtype.itemsize
    kind = _COLOR_TYPES[channels]
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    rows = image.astype(image.dtype.newbyteorder(">")).reshape(height, -1)
    body = zlib.compress(_filtered(rows.view(np.uint8), channels * depth // 8), level)
    chunks = (b"IHDR", header), (b"IDAT", body), (b"IEND", b"")
    return SIGNATURE + b"".join(_chunk(*c) for c in chunks)


def _chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + _sum(name + body)


def _sum(data):
    return struct.pack(">I", zlib.crc32(data))


def _filtered(rows, step):
    """Each row as differences to what is left or above, whichever are smallest."""
    up = np.zeros_like(rows)
    up[1:] = rows[:-1]
    left, corner = (np.zeros_like(rows) for _ in range(2))
    left[:, step:], corner[:, step:] = rows[:, :-step], up[:, :-step]
    mean = ((left.astype(np.uint16) + up) // 2).astype(np.uint8)
    guesses = (np.zeros_like(rows), left, up, mean, _paeth(left, up, corner))
    tries = np.stack([rows - g for g in guesses])
    cost = np.abs(tries.view(np.int8).astype(np.int32)).sum(2)
    best = cost.argmin(0)
    out = np.empty((len(rows), rows.shape[1] + 1), np.uint8)
    out[:, 0], out[:, 1:] = best, tries[best, np.arange(len(rows))]
    return out.tobytes()


def _paeth(a, b, c):
    """Whichever of left, above and their corner is nearest to left + above - corner."""
    x, y, z = (v.astype(np.int16) for v in (a, b, c))
    pa, pb, pc = np.abs(y - z), np.abs(x - z), np.abs(x + y - 2 * z)
    return np.where((pa <= pb) & (pa <= pc), a, np.where(pb <= pc, b, c))


# ------------------------------------------------------------------ reading
def is_deep(data):
    """Whether a PNG file has 16 bits a color."""
    return data[12:16] == b"IHDR" and data[24:25] == b"\x10"


def least_bytes(data):
    """How many bytes the pixels of a PNG file have before they are compressed."""
    width, height, depth, kind = struct.unpack_from(">IIBB", data, 16)
    return height * (1 + width * depth * {2: 3, 4: 2, 6: 4}.get(kind, 1) // 8)


def decode_deep(data):
    """uint16[height, width, channels] of a file with 16 bits a color.

    Raises:
        ValueError, struct.error, zlib.error: the file is damaged.
    """
    chunks = list(_chunks(data))
    fields = struct.unpack(">IIBBBBB", chunks[0][1])
    width, height, _, kind, _, _, interlaced = fields
    channels = _CHANNELS[kind]
    packed = b"".join(body for name, body in chunks if name == b"IDAT")
    least = 2 * channels * height * width  # and a byte a row
    raw = zlib.decompressobj().decompress(packed, 2 * least + (1 << 16))
    if len(raw) < least:
        raise ValueError(f"{len(raw)} bytes are not {height} x {width} pixels")
    out, at = np.zeros((height, width, channels), np.uint16), 0
    for y, x, dy, dx in _PASSES if interlaced else ((0, 0, 1, 1),):
        part = out[y::dy, x::dx]
        if part.size:
            rows, at = _unfiltered(raw, at, part.shape)
            part[...] = rows
    return out


def _chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        if len(body) != size or data[at + 8 + size : at + 12 + size] != _sum(
            name + body
        ):
            raise ValueError("a chunk is damaged")
        yield name, body
        at += 12 + size


def _unfiltered(raw, at, shape):
    """(uint16 of `shape`, where the next part begins)."""
    height, width, channels = shape
    step, size = 2 * channels, 2 * channels * width
    data = np.frombuffer(raw, np.uint8, height * (size + 1), at)
    out, above = np.empty((height, size), np.uint8), np.zeros(size, np.uint8)
    for row, line in zip(out, data.reshape(height, size + 1)):
        row[:] = above = _row(int(line[0]), line[1:], above, step)
    return out.view(">u2").reshape(shape), at + height * (size + 1)


def _row(kind, line, above, step):
    """One row from its differences."""
    if kind == 0:
        return line
    if kind == 1:
        return np.cumsum(line.reshape(-1, step), 0, np.uint8).ravel()
    if kind == 2:
        return line + above
    if kind not in (3, 4):
        raise ValueError(f"there is no filter {kind}")
    guess = _mean_of if kind == 3 else _nearest_of
    out, up = [0] * step + line.tolist(), [0] * step + above.tolist()
    for i in range(step, len(out)):
        out[i] = (out[i] + guess(out[i - step], up[i], up[i - step])) & 255
    return np.array(out[step:], np.uint8)


def _mean_of(a, b, c):
    return (a + b) // 2


def _nearest_of(a, b, c):
    pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    if pa <= pb and pa <= pc:
        return a
    return b if pb <= pc else c
