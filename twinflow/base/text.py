"""Bytes and text, whichever of the two a program has."""

import numbers
from typing import Any

import numpy as np

bytes_or_text_types = (bytes, str)
integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)


def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """The value as bytes.

    Raises:
        TypeError: it is neither bytes nor text.
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    return _known(bytes_or_text)


def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> Any:
    """The value as str; see `as_bytes`."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    return _known(bytes_or_text).decode(encoding)


as_str = as_text
_LONGEST = 2000  # characters of a value in an error


def brief(shown: str) -> str:
    """What is shown of a value, without its middle where it is very long."""
    if len(shown) <= _LONGEST:
        return shown
    left_out = len(shown) - _LONGEST
    return f"{shown[: _LONGEST - 200]} ... ({left_out} characters) ... {shown[-200:]}"


def _known(value: bytes) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError(f"Expected binary or unicode string, got {value!r}")
    return value


def as_str_any(value: str) -> str:
    """Any value as str: bytes are decoded, everything else goes through str()."""
    return as_str(value) if isinstance(value, bytes) else str(value)


def path_to_str(path: Any) -> str:
    """A path object as str; anything else as it is."""
    return as_str_any(path.__fspath__()) if hasattr(path, "__fspath__") else path
