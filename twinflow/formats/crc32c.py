"""CRC-32C (Castagnoli), the checksum of records and checkpoints (RFC 3720, B.4)."""

from google_crc32c import value as crc32c

__all__ = ["crc32c", "masked_crc32c"]

_ONES = 0xFFFFFFFF
_MASK_DELTA = 0xA282EAD8


def masked_crc32c(data):
    """The checksum as it stands beside the data: a checksum of checksums is no good.

    rotated right by 15 bits, plus 0xa282ead8, modulo 2**32
    """
    crc = crc32c(data)
    return (crc >> 15 | crc << 17) + _MASK_DELTA & _ONES
