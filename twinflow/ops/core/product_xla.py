"""The matrix products of base.products inside XLA's programs, on XLA's threads.

Those that XLA computes slowly: where the first matrix is transposed, and batches of
matrices. They are cut into parts as in base.products: the interpreter's numbers. XLA's
own products stay for others, on accelerators, where base.products has no
such way, and where this jaxlib does not take the calls.
"""

import functools
import math

import numpy as np

from twinflow.base import native, products
from twinflow.base.portable import is_portable
from twinflow.ops.core.xla_calls import accepted

_TARGET = "twinflow_product"
_MIDDLING = 2_097_152  # multiplications, as in native/products.h
_TYPES = (np.dtype(np.float32), np.dtype(np.float64))


def multiply(jax, a, b, transpose_a, transpose_b, otherwise):
    """The product of two traced matrices, or of as many as the first axes have.

    Args:
        transpose_a, transpose_b: exchange the last two axes first.
        otherwise: a function of a and b: XLA's way.
    """
    if not _takes(a, b, transpose_a, transpose_b) or not works(jax):
        return otherwise(a, b)
    flips = transpose_a, transpose_b
    shape = (*a.shape[:-2], *_sizes(a, b, *flips)[:2])
    call = functools.partial(_call, jax, shape=shape, flips=flips)
    return jax.lax.platform_dependent(a, b, cpu=call, default=otherwise)


def _sizes(a, b, transpose_a, transpose_b):
    """Rows, columns, and how many products are summed up for each."""
    m, k = a.shape[:-3:-1] if transpose_a else a.shape[-2:]
    return m, b.shape[-2 if transpose_b else -1], k


def _takes(a, b, transpose_a, transpose_b):
    if is_portable() or a.dtype != b.dtype or a.dtype not in _TYPES:
        return False  # the first first: sizes may be open
    m, n, k = _sizes(a, b, transpose_a, transpose_b)
    if m * n * k * math.prod(a.shape[:-2]) < _MIDDLING:
        return False
    if a.ndim == 2:
        return transpose_a and not transpose_b and max(m, n) >= 64 and min(m, n) >= 8
    return a.shape[:-2] == b.shape[:-2] and math.prod(a.shape[:-2]) > 1


def _call(jax, a, b, *, shape, flips):
    result = jax.ShapeDtypeStruct(shape, a.dtype)
    return jax.ffi.ffi_call(_TARGET, result)(a, b, flips=np.array(flips, np.int64))


@functools.cache
def works(jax):
    """Whether XLA takes the calls: it is asked once, with a small product."""
    if products.PRODUCTS[False, False] is not getattr(native.fast, "product", None):
        return False

    def small():
        call = functools.partial(_call, jax, shape=(1, 2), flips=(True, True))
        a, b = np.ones((3, 1), np.float32), np.ones((2, 3), np.float32)
        return np.asarray(jax.jit(call)(a, b)).tolist() == [[3.0, 3.0]]

    return accepted(jax, _TARGET, native.fast.product_for_xla, small)
