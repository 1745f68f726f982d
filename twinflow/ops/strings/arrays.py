"""String tensors are arrays of bytes objects: how kernels make and walk them."""

import numpy as np


def filled(values, shape):
    """An array of strings.

    Args:
        values: an iterable of bytes in row-major order. shape: a tuple.
    """
    values = list(values)
    out = np.empty(len(values), object)
    out[:] = values
    return out.reshape(shape)


def mapped(function):
    """The kernel that applies ``bytes -> bytes`` to every element."""
    return lambda a: filled(map(function, flat(a)), np.shape(a))


def flat(array):
    """The elements as a list, row by row."""
    return np.asarray(array, object).ravel().tolist()


def one(array):
    """The value of a scalar."""
    return np.asarray(array)[()]


def as_bytes(value):
    """An attribute that may be given as text."""
    return value.encode("utf-8") if isinstance(value, str) else bytes(value)


def as_text(value):
    """An attribute or scalar string as text; bytes that are no UTF-8 are kept."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value
