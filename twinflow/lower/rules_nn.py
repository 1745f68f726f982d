"""Rules where XLA needs another form than the kernel: neural networks."""

import itertools
import math

import jax.numpy as jnp
import numpy as np
from jax import lax

from twinflow.lower.convolutions import convolve
from twinflow.ops.core.infer import ints, one_int
from twinflow.ops.core.magnitude import without_nan
from twinflow.ops.nn import direct
from twinflow.ops.nn.conv import placed
from twinflow.ops.nn.window import spatial, window


def _axes(sizes, filters, strides, padding, data_format, dilations):
    """The Windows of (depth,) height and width."""
    return [
        window(sizes[a], k, strides[a], dilations[a], padding)
        for a, k in zip(spatial(data_format), filters, strict=False)
    ]


def _steps(axes):
    return tuple(w.stride for w in axes)


def _dilations(axes):
    return tuple(w.dilation for w in axes)


def _letters(axes):
    return "DHW"[3 - len(axes) :]


def _is_product(axes, data_format):
    """Whether the convolution is a matrix product: XLA's is faster at that."""
    plain = all(w.k == w.stride == 1 and w.count == w.size for w in axes)
    return plain and data_format[1] != "C"


def _direct(find, a, b, axes, data_format):
    """The sizes for the C module's convolution, or None: it has its channels last."""
    return None if data_format[1] == "C" else find(a, b, axes)


def _conv(x, w, strides, padding, data_format, dilations):
    axes = _axes(x.shape, w.shape, strides, padding, data_format, dilations)
    if not w.size:  # XLA takes no empty windows
        counts = tuple(a.count for a in axes)
        return jnp.zeros(placed(x.shape[0], counts, w.shape[-1], data_format), x.dtype)
    if _is_product(axes, data_format):
        return jnp.tensordot(x, w.reshape(w.shape[-2:]), 1)

    def by_xla(x, w):
        return lax.conv_general_dilated(
            x, w, _steps(axes), [(a.before, a.after) for a in axes],
            rhs_dilation=_dilations(axes),
            dimension_numbers=(data_format, _letters(axes) + "IO", data_format),
        )  # fmt: skip

    sizes = _direct(direct.forward, x, w, axes, data_format)
    shape = placed(x.shape[0], [a.count for a in axes], w.shape[-1], data_format)
    return convolve(x, w, shape, sizes, by_xla)


def _spare(axes):
    """VALID windows may end before the axis does: pads that leave those entries out."""
    return [
        (w.before, (w.count - 1) * w.stride + 1 + _reach(w) - w.size - w.before)
        for w in axes
    ]


def _reach(w):
    return (w.k - 1) * w.dilation


def _turned(axes):
    """The pads that make the transposed windows give the size of the axis."""
    pads = []
    for w in axes:
        before = _reach(w) - w.before
        wide = (w.count - 1) * w.stride + 1
        pads.append((before, w.size + _reach(w) - wide - before))
    return pads


def _conv_input(sizes, w, dy, strides, padding, data_format, dilations):
    if not (w.size and dy.size):
        return jnp.zeros(ints(sizes), dy.dtype)
    axes = _axes(ints(sizes), w.shape, strides, padding, data_format, dilations)
    if _is_product(axes, data_format):
        return jnp.tensordot(dy, w.reshape(w.shape[-2:]).T, 1)

    def by_xla(dy, w):
        turned = jnp.flip(w, tuple(range(len(axes))))
        return lax.conv_general_dilated(
            dy, turned, (1,) * len(axes), _turned(axes), _steps(axes), _dilations(axes),
            dimension_numbers=(data_format, _letters(axes) + "OI", data_format),
        )  # fmt: skip

    found = _direct(direct.backward, w, dy, axes, data_format)
    return convolve(dy, w, tuple(ints(sizes)), found, by_xla)


def _conv_filter(x, sizes, dy, strides, padding, data_format, dilations):
    sizes = ints(sizes)
    if not (x.size and dy.size):
        return jnp.zeros(sizes, dy.dtype)
    axes = _axes(x.shape, sizes, strides, padding, data_format, dilations)
    if _is_product(axes, data_format):
        entries = tuple(range(x.ndim - 1))
        return jnp.tensordot(x, dy, (entries, entries)).reshape(sizes)
    at = _letters(axes)
    layout = (f"C{at}N", f"I{at}O", f"{at}NC")
    if data_format[1] == "C":
        layout = (f"CN{at}", f"IO{at}", f"{at}NC")

    def by_xla(x, dy):
        return lax.conv_general_dilated(
            x, dy, _dilations(axes), _spare(axes), rhs_dilation=_steps(axes),
            dimension_numbers=layout,
        )  # fmt: skip

    found = _direct(direct.of_filter, x, dy, axes, data_format)
    return convolve(x, dy, tuple(sizes), found, by_xla)


# ------------------------------------------------------------------ pooling
def _windows(shape, ksize, strides, padding):
    return [
        window(n, k, s, 1, padding)
        for n, k, s in zip(shape, ksize, strides, strict=True)
    ]


def _lowest(dtype):
    if jnp.issubdtype(dtype, jnp.integer):
        return np.array(np.iinfo(dtype).min, dtype)
    return np.array(-np.inf, dtype)


def _max_pool(x, ksize, strides, padding, data_format):
    return lax.reduce_window(x, _lowest(x.dtype), lax.max, ksize, strides, padding)


def _wide(x):
    return x.astype(jnp.float32) if x.dtype.itemsize < 4 else x


def _entries(windows, dtype):
    """How many entries of each window are there, not in the padding."""
    total = np.ones((), dtype)
    for w in windows:
        starts = np.arange(w.count)[:, None] * w.stride - w.before
        places = starts + np.arange(w.k)
        total = np.multiply.outer(total, ((places >= 0) & (places < w.size)).sum(1))
    return total.astype(dtype)


def _avg_pool(x, ksize, strides, padding, data_format):
    windows, wide = _windows(x.shape, ksize, strides, padding), _wide(x)
    zero = np.zeros((), wide.dtype)
    total = lax.reduce_window(wide, zero, lax.add, ksize, strides, padding)
    return (total / _entries(windows[1:], wide.dtype)).astype(x.dtype)


def _avg_pool_grad(shape, dy, ksize, strides, padding, data_format):
    windows, wide = _windows(ints(shape), ksize, strides, padding), _wide(dy)
    zero = np.zeros((), wide.dtype)
    wide = wide / _entries(windows[1:], wide.dtype)
    pads = [(*p, w.stride - 1) for p, w in zip(_turned(windows), windows, strict=True)]
    wide = lax.pad(wide, zero, pads)
    dx = lax.reduce_window(wide, zero, lax.add, ksize, (1,) * len(ksize), "VALID")
    return dx.astype(dy.dtype)


def _first_maxima(x, y, windows):
    """For each place in the window: (place, where it is the first largest entry)."""
    pads = [(before, after, 0) for before, after in _spare(windows)]
    padded = lax.pad(jnp.asarray(x), _lowest(x.dtype), pads)
    free = jnp.ones(y.shape, bool)
    for place in itertools.product(*(range(w.k) for w in windows)):
        chosen = (_picked(padded, place, windows) == y) & free
        for axis, (i, w) in enumerate(zip(place, windows, strict=True)):
            if w.before or w.after:
                at = np.arange(w.count) * w.stride - w.before + i
                inside = (at >= 0) & (at < w.size)
                chosen &= inside.reshape((-1,) + (1,) * (y.ndim - 1 - axis))
        free &= ~chosen
        yield place, chosen


def _picked(padded, place, windows):
    """Entry `place` of each window of the padded array."""
    stops = [
        i + (w.count - 1) * w.stride + 1 for i, w in zip(place, windows, strict=True)
    ]
    return lax.slice(padded, place, stops, [w.stride for w in windows])


def _max_pool_grad(x, y, dy, ksize, strides, padding, data_format):
    windows, zero = _windows(x.shape, ksize, strides, padding), np.zeros((), dy.dtype)
    if all(w.k == w.stride and not w.before for w in windows):
        return _side_by_side(x, y, dy, windows)
    dx = jnp.zeros(x.shape, dy.dtype)
    for place, chosen in _first_maxima(x, y, windows):
        pads = []
        for i, w in zip(place, windows, strict=True):
            wide = (w.count - 1) * w.stride + 1
            pads.append((i - w.before, w.size - wide - i + w.before, w.stride - 1))
        dx += lax.pad(jnp.where(chosen, dy, zero), zero, pads)
    return dx


def _side_by_side(x, y, dy, windows):
    """dx where windows touch but do not overlap, each axis cut into them.

    The first largest entry of a window is found as a number, so that one loop writes
    dx: half the time of adding up an array for each place in the window.
    """
    pads = [(0, w.count * w.k - w.size, 0) for w in windows]
    ks = tuple(w.k for w in windows)
    cut = lax.pad(jnp.asarray(x), _lowest(x.dtype), pads)
    cut = cut.reshape([n for w in windows for n in (w.count, w.k)])
    first = jnp.full(y.shape, math.prod(ks), np.int32)
    for i, place in reversed(list(enumerate(itertools.product(*map(range, ks))))):
        entry = cut[tuple(part for p in place for part in (slice(None), p))]
        first = jnp.where(entry == y, np.int32(i), first)
    inner = range(1, 2 * len(ks), 2)
    places = np.arange(math.prod(ks), dtype=np.int32)
    places = places.reshape([n for k in ks for n in (1, k)])
    chosen = lax.expand_dims(first, inner) == places
    zero = np.zeros((), dy.dtype)
    spread = jnp.where(chosen, lax.expand_dims(dy, inner), zero)
    whole = spread.reshape([w.count * w.k for w in windows])
    return lax.pad(whole, zero, [(0, -high, 0) for _, high, _ in pads])


def _max_pool_grad_grad(x, y, dx, ksize, strides, padding, data_format):
    windows, zero = _windows(x.shape, ksize, strides, padding), np.zeros((), dx.dtype)
    pads = [(before, after, 0) for before, after in _spare(windows)]
    padded = lax.pad(jnp.asarray(dx), zero, pads)
    dy = jnp.zeros(y.shape, dx.dtype)
    for place, chosen in _first_maxima(x, y, windows):
        dy += jnp.where(chosen, _picked(padded, place, windows), zero)
    return dy


def _top_k(x, k, sorted):
    given = x
    # XLA orders -0 below 0; as they are equal, the first of them comes first. And nan
    # is the largest, whatever its sign.
    x = jnp.where(x == 0, np.zeros((), x.dtype), x)
    if jnp.issubdtype(x.dtype, jnp.floating):
        x = jnp.where(jnp.isnan(x), jnp.asarray(np.nan, x.dtype), x)
    if one_int(k) != 1 or not x.shape[-1]:
        return lax.top_k(x, one_int(k))
    places = jnp.argmax(without_nan(jnp, x, "argmax"), -1)[..., None]
    return jnp.take_along_axis(given, places, -1), places.astype(jnp.int32)


rules = {
    "Conv2D": _conv,
    "Conv2DBackpropInput": _conv_input,
    "Conv2DBackpropFilter": _conv_filter,
    "Conv3D": _conv,
    "Conv3DBackpropInputV2": _conv_input,
    "Conv3DBackpropFilterV2": _conv_filter,
    "MaxPool": _max_pool,
    "MaxPoolGrad": _max_pool_grad,
    "MaxPoolGradGrad": _max_pool_grad_grad,
    "MaxPool3D": _max_pool,
    "MaxPool3DGrad": _max_pool_grad,
    "MaxPool3DGradGrad": _max_pool_grad_grad,
    "AvgPool": _avg_pool,
    "AvgPoolGrad": _avg_pool_grad,
    "AvgPool3D": _avg_pool,
    "AvgPool3DGrad": _avg_pool_grad,
    "TopKV2": _top_k,
}
