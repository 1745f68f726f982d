"""Rules where XLA needs another form than the kernel: conversions of dtypes."""

import jax.numpy as jnp
import numpy as np


def _cast(x, DstT):
    if DstT.is_bool or DstT.is_complex:
        return x.astype(DstT.np)
    x = jnp.real(x) if jnp.issubdtype(x.dtype, jnp.complexfloating) else x
    if DstT.is_integer and jnp.issubdtype(x.dtype, jnp.floating):
        wide = DstT.size == 8 or (DstT.size == 4 and DstT.is_unsigned)
        x = _cut_off(x, np.int64 if wide else np.int32)
    return x.astype(DstT.np)


def _cut_off(x, kind):
    """As x86 does it, and so NumPy and TensorFlow: what does not fit gives the least.

    XLA itself gives 0 for nan and the nearest integer for what is too large.
    """
    x = x.astype(jnp.float32) if x.dtype.itemsize < 4 else x
    least = np.iinfo(kind).min
    fits = (x >= float(least)) & (x < -float(least))
    return jnp.where(fits, jnp.where(fits, x, 0).astype(kind), kind(least))


rules: dict = {"Cast": _cast}
