"""Rules where XLA needs another form than the kernel: depthwise convolutions.

One shifted product per entry of the filter: XLA fuses them into one loop, where its
grouped convolution goes channel by channel.
"""

import itertools

import jax.numpy as jnp
from jax import lax

from twinflow.ops.core.infer import ints
from twinflow.ops.nn.window import spatial, window


def _axes(sizes, filters, strides, padding, data_format, dilations):
    at = spatial(data_format)
    return [
        window(sizes[a], k, strides[a], dilations[a], padding)
        for a, k in zip(at, filters, strict=False)
    ]


def _last(x, data_format):
    return jnp.moveaxis(x, 1, -1) if data_format == "NCHW" else x


def _given(y, data_format):
    return jnp.moveaxis(y, -1, 1) if data_format == "NCHW" else y


def _padded(x, axes):
    pads = [(a.before, a.after) for a in axes]
    return jnp.pad(x, [(0, 0), *pads, (0, 0)])


def _entries(axes):
    """(entry of the filter, slices of the padded image) in turn."""
    for entry in itertools.product(*(range(a.k) for a in axes)):
        starts = [i * a.dilation for i, a in zip(entry, axes, strict=True)]
        yield (
            entry,
            tuple(
                slice(s, s + (a.count - 1) * a.stride + 1, a.stride)
                for s, a in zip(starts, axes, strict=True)
            ),
        )


def _each(x, m):
    """Each channel m times."""
    return jnp.repeat(x, m, axis=3) if m > 1 else x


def _conv(x, w, strides, padding, data_format, dilations):
    axes = _axes(x.shape, w.shape, strides, padding, data_format, dilations)
    x = _each(_padded(_last(x, data_format), axes), w.shape[3])
    counts = [a.count for a in axes]
    y = jnp.zeros((x.shape[0], *counts, x.shape[3]), x.dtype)
    for entry, (r, c) in _entries(axes):
        y = y + x[:, r, c] * w[entry].reshape(-1)
    return _given(y, data_format)


def _conv_input(sizes, w, dy, strides, padding, data_format, dilations):
    sizes = ints(sizes)
    if not w.size:
        return jnp.zeros(sizes, dy.dtype)
    axes = _axes(sizes, w.shape, strides, padding, data_format, dilations)
    dy, dx = _last(dy, data_format), None
    zero = jnp.zeros((), dy.dtype)
    for entry, places in _entries(axes):
        pads = [(0, 0, 0)]
        for a, place in zip(axes, places, strict=True):
            full = a.before + a.size + a.after
            pads.append((place.start, full - place.stop, a.stride - 1))
        part = lax.pad(dy * w[entry].reshape(-1), zero, [*pads, (0, 0, 0)])
        dx = part if dx is None else dx + part
    for i, a in enumerate(axes):
        dx = lax.slice_in_dim(dx, a.before, a.before + a.size, axis=i + 1)
    dx = dx.reshape(*dx.shape[:3], *w.shape[2:]).sum(4)
    return _given(dx, data_format)


def _conv_filter(x, sizes, dy, strides, padding, data_format, dilations):
    sizes = ints(sizes)
    if 0 in sizes:
        return jnp.zeros(sizes, dy.dtype)
    axes = _axes(x.shape, sizes, strides, padding, data_format, dilations)
    x = _each(_padded(_last(x, data_format), axes), sizes[3])
    dy = _last(dy, data_format)
    parts = [(x[:, r, c] * dy).sum((0, 1, 2)) for _, (r, c) in _entries(axes)]
    return jnp.stack(parts).reshape(sizes)


_NAME = "DepthwiseConv2dNative"
rules = {
    _NAME: _conv,
    f"{_NAME}BackpropInput": _conv_input,
    f"{_NAME}BackpropFilter": _conv_filter,
}
