"""Sorted tables: files of (key, value) pairs, as checkpoints index their tensors by.

The format is LevelDB's. A file is data blocks, an empty meta block, an index block and
a footer; a block is followed by its compression (a byte, 0) and its masked checksum.

    block   entries, uint32 the places of restarts, uint32 their number
    entry   varint bytes shared with the key before, varint bytes of its own, varint
            bytes of the value, the rest of the key, the value
    footer  the places (varint offset, varint size) of the meta and the index block,
            zeros up to 40 bytes, the magic number

Every 16th key of a data block and every key of the index stands whole: a restart. An
index entry is a key not smaller than those of its block, and the place of the block.
"""

import struct

from twinflow.base import errors
from twinflow.formats.crc32c import masked_crc32c

_MAGIC = 0xDB4775248B80FB57
_FOOTER = 48
_BLOCK_SIZE, _RESTART_EVERY = 262144, 16


# ------------------------------------------------------------------ numbers
def varint(n):
    """A number in 7 bits a byte, lowest first; the 8th is set in all but the last."""
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def read_varint(data, place):
    """(the number at `place` of bytes, the place after it)."""
    n = shift = 0
    while True:
        byte = data[place]
        place += 1
        n |= (byte & 127) << shift
        if byte < 128:
            return n, place
        shift += 7


# ------------------------------------------------------------------ writing
class _Block:
    """The entries of a block being built."""

    def __init__(self, every):
        self.every, self.out, self.restarts, self.last = every, bytearray(), [0], b""
        self.since = 0

    def add(self, key, value):
        shared = 0
        if self.since < self.every:
            shared = _common(self.last, key)
        else:
            self.restarts.append(len(self.out))
            self.since = 0
        lengths = shared, len(key) - shared, len(value)
        self.out += b"".join(map(varint, lengths)) + key[shared:] + value
        self.last, self.since = key, self.since + 1

    def size(self):
        return len(self.out) + 4 * len(self.restarts) + 4

    def finish(self):
        count = len(self.restarts)
        return bytes(self.out) + struct.pack(f"<{count + 1}I", *self.restarts, count)


def _common(a, b):
    """How many bytes two keys share at their start."""
    pairs = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


def _between(last, following):
    """A short key from `last` on and below `following`; the shortest after `last`
    where nothing follows."""
    if following is None:
        i = next((i for i, byte in enumerate(last) if byte != 255), None)
        return last if i is None else last[:i] + bytes([last[i] + 1])
    i = _common(last, following)
    if i < min(len(last), len(following)) and last[i] + 1 < following[i]:
        return last[:i] + bytes([last[i] + 1])
    return last


def table(pairs):
    """The bytes of a table.

    Args:
        pairs: (key, value), both bytes; the keys ascend.
    """
    out, index, block = bytearray(), _Block(1), _Block(_RESTART_EVERY)
    waiting = None  # the place of a finished block whose index entry is to be written
    last = b""
    for key, value in pairs:
        if waiting is not None:
            index.add(_between(last, key), waiting)
            waiting = None
        block.add(key, value)
        last = key
        if block.size() >= _BLOCK_SIZE:
            waiting, block = _put(out, block), _Block(_RESTART_EVERY)
    if block.out:
        waiting = _put(out, block)
    meta = _put(out, _Block(_RESTART_EVERY))
    if waiting is not None:
        index.add(_between(last, None), waiting)
    places = meta + _put(out, index)
    return bytes(out) + places.ljust(_FOOTER - 8, b"\0") + struct.pack("<Q", _MAGIC)


def _put(out, block):
    """Append a block; its place as index entries have it."""
    data = block.finish() + b"\0"
    place = varint(len(out)) + varint(len(data) - 1)
    out += data + struct.pack("<I", masked_crc32c(data))
    return place


# ------------------------------------------------------------------ reading
def read_table(data, path):
    """The pairs of a table as a dict from key to value, in ascending order.

    Args:
        data: the bytes of the file. path: its name, for errors.
    Raises:
        DataLossError: this is no table, or it is damaged.
    """
    try:
        if len(data) < _FOOTER or struct.unpack("<Q", data[-8:])[0] != _MAGIC:
            raise errors.DataLossError(
                None, None, f"not an sstable (bad magic number): {path}"
            )
        footer = data[-_FOOTER:]
        place = read_varint(footer, read_varint(footer, 0)[1])[1]
        index = _entries(data, footer, place, path)
        return {
            key: value
            for _, where in index
            for key, value in _entries(data, where, 0, path)
        }
    except (IndexError, struct.error):
        raise errors.DataLossError(
            None, None, f"{path} is cut off or damaged: an entry ends outside it"
        ) from None


def _entries(data, where, place, path):
    """The pairs of the block whose place is written in `where`."""
    offset, place = read_varint(where, place)
    size, _ = read_varint(where, place)
    block = data[offset : offset + size + 1]
    (crc,) = struct.unpack("<I", data[offset + size + 1 : offset + size + 5])
    if masked_crc32c(block) != crc:
        raise errors.DataLossError(
            None, None, f"block checksum mismatch at byte {offset} of {path}"
        )
    if block[-1]:
        raise errors.UnimplementedError(
            None, None,
            f"{path} is compressed; write it without compression, as tf.train.Saver "
            "does",
        )  # fmt: skip
    (restarts,) = struct.unpack("<I", block[-5:-1])
    end, at, key, found = size - 4 * restarts - 4, 0, b"", []
    while at < end:
        shared, at = read_varint(block, at)
        own, at = read_varint(block, at)
        length, at = read_varint(block, at)
        key = key[:shared] + block[at : at + own]
        at += own + length
        found.append((key, block[at - length : at]))
    return found
