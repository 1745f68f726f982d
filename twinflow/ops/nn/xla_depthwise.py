"""Depthwise convolutions in XLA: what their blocks give as `lower`.

One shifted product per entry of the filter: XLA fuses them into one loop, where its
grouped convolution goes channel by channel.
"""

from twinflow.base.op import bind_first
from twinflow.ops.core.infer import ints
from twinflow.ops.nn.window import filter_entries, spatial_windows


def _last(jax, x, data_format):
    return jax.numpy.moveaxis(x, 1, -1) if data_format == "NCHW" else x


def _given(jax, y, data_format):
    return jax.numpy.moveaxis(y, -1, 1) if data_format == "NCHW" else y


def _parts(jax, x, axes):
    """(entry of the filter, the part of the image that it meets) in turn."""
    pads = [(a.before, a.after) for a in axes]
    x = jax.numpy.pad(x, [(0, 0), *pads, (0, 0)])
    for entry in filter_entries(axes):
        rows, columns = (a.steps(i) for a, i in zip(axes, entry, strict=True))
        yield entry, x[:, rows, columns]


def _each(jax, x, m):
    """Each channel m times."""
    return jax.numpy.repeat(x, m, axis=3) if m != 1 else x


@bind_first
def conv(jax, x, w, strides, padding, data_format, dilations):
    """y: each channel of x with its own filters."""
    axes = spatial_windows(x.shape, w.shape, strides, padding, data_format, dilations)
    x = _each(jax, _last(jax, x, data_format), w.shape[3])
    y = jax.numpy.zeros((x.shape[0], *(a.count for a in axes), x.shape[3]), x.dtype)
    for entry, part in _parts(jax, x, axes):
        y = y + part * w[entry].reshape(-1)
    return _given(jax, y, data_format)


@bind_first
def conv_input(jax, sizes, w, dy, strides, padding, data_format, dilations):
    """dx: each entry of dy times the filter, added where it came from."""
    sizes = ints(sizes)
    if not w.size:
        return jax.numpy.zeros(sizes, dy.dtype)
    axes = spatial_windows(sizes, w.shape, strides, padding, data_format, dilations)
    dy, dx = _last(jax, dy, data_format), None
    zero = jax.numpy.zeros((), dy.dtype)
    for entry in filter_entries(axes):
        pads = [a.pads(i) for a, i in zip(axes, entry, strict=True)]
        part = dy * w[entry].reshape(-1)
        part = jax.lax.pad(part, zero, [(0, 0, 0), *pads, (0, 0, 0)])
        dx = part if dx is None else dx + part
    dx = dx.reshape(*dx.shape[:3], *w.shape[2:]).sum(4)
    return _given(jax, dx, data_format)


@bind_first
def conv_filter(jax, x, sizes, dy, strides, padding, data_format, dilations):
    """dw: for each entry of the filter the sum of x, moved, times dy."""
    sizes = ints(sizes)
    if 0 in sizes:
        return jax.numpy.zeros(sizes, dy.dtype)
    axes = spatial_windows(x.shape, sizes, strides, padding, data_format, dilations)
    x = _each(jax, _last(jax, x, data_format), sizes[3])
    dy = _last(jax, dy, data_format)
    sums = [(part * dy).sum((0, 1, 2)) for _, part in _parts(jax, x, axes)]
    return jax.numpy.stack(sums).reshape(sizes)
