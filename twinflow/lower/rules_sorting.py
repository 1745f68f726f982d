"""Rules where XLA needs another form than the kernel: searching and rereading bits."""

import jax
import jax.numpy as jnp
from jax import lax

from twinflow.lower import rules_nn


def _bound(side):
    def rule(sorted_inputs, values, out_type):
        search = jax.vmap(lambda row, v: jnp.searchsorted(row, v, side=side))
        found = search(jnp.asarray(sorted_inputs), jnp.asarray(values))
        return found.astype(out_type.np)

    return rule


def _to_bytes(x):
    """uint8[..., itemsize]"""
    if x.dtype.kind == "c":
        x = jnp.stack([x.real, x.imag], -1)
        return lax.bitcast_convert_type(x, jnp.uint8).reshape(*x.shape[:-1], -1)
    return lax.bitcast_convert_type(x, jnp.uint8).reshape(*x.shape, -1)


def _of_bytes(x, dtype):
    if dtype.kind == "c":
        parts = x.reshape(*x.shape[:-1], 2, -1)
        parts = lax.bitcast_convert_type(parts, jnp.dtype(f"f{dtype.itemsize // 2}"))
        return lax.complex(parts[..., 0], parts[..., 1])
    return lax.bitcast_convert_type(x[..., 0] if dtype.itemsize == 1 else x, dtype)


def _bitcast(input, type):
    x, new = jnp.asarray(input), jnp.dtype(type.np)
    old = x.dtype.itemsize
    if old == new.itemsize and "c" not in (x.dtype.kind, new.kind):
        return lax.bitcast_convert_type(x, new)
    shape = x.shape[:-1] if old < new.itemsize else x.shape
    if old > new.itemsize:
        shape = (*shape, old // new.itemsize)
    if 0 in shape:
        return jnp.zeros(shape, new)
    return _of_bytes(_to_bytes(x).reshape(*shape, new.itemsize), new)


rules = {
    "LowerBound": _bound("left"),
    "UpperBound": _bound("right"),
    "Bitcast": _bitcast,
    "TopK": rules_nn.rules["TopKV2"],
}
