"""Convolutions in XLA, with one to three spatial axes: what blocks give as `lower`."""

from twinflow.base.op import bind_first
from twinflow.base.portable import is_portable
from twinflow.ops.core.infer import ints
from twinflow.ops.nn import direct
from twinflow.ops.nn.direct_xla import convolve
from twinflow.ops.nn.window import placed, spatial_windows


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
    if data_format[1] == "C" or is_portable():
        return None
    return find(a, b, axes)


@bind_first
def conv(jax, x, w, strides, padding, data_format, dilations):
    """y = x * w (a correlation, as TensorFlow has it)."""
    axes = spatial_windows(x.shape, w.shape, strides, padding, data_format, dilations)
    shape = placed(x.shape[0], [a.count for a in axes], w.shape[-1], data_format)
    if not w.size:  # XLA takes no empty windows
        return jax.numpy.zeros(shape, x.dtype)
    if _is_product(axes, data_format):
        return jax.numpy.tensordot(x, w.reshape(w.shape[-2:]), 1)

    def by_xla(x, w):
        return jax.lax.conv_general_dilated(
            x, w, _steps(axes), [(a.before, a.after) for a in axes],
            rhs_dilation=_dilations(axes),
            dimension_numbers=(data_format, _letters(axes) + "IO", data_format),
        )  # fmt: skip

    sizes = _direct(direct.forward, x, w, axes, data_format)
    return convolve(jax, x, w, shape, sizes, by_xla)


@bind_first
def conv_input(jax, sizes, w, dy, strides, padding, data_format, dilations):
    """dx: where every entry of x went, with what weight."""
    sizes = ints(sizes)
    if not (w.size and dy.size):
        return jax.numpy.zeros(sizes, dy.dtype)
    axes = spatial_windows(sizes, w.shape, strides, padding, data_format, dilations)
    if _is_product(axes, data_format):
        return jax.numpy.tensordot(dy, w.reshape(w.shape[-2:]).T, 1)

    def by_xla(dy, w):
        turned = jax.numpy.flip(w, tuple(range(len(axes))))
        pads = [w.turned_pads() for w in axes]
        return jax.lax.conv_general_dilated(
            dy, turned, (1,) * len(axes), pads, _steps(axes), _dilations(axes),
            dimension_numbers=(data_format, _letters(axes) + "OI", data_format),
        )  # fmt: skip

    found = _direct(direct.backward, w, dy, axes, data_format)
    return convolve(jax, dy, w, sizes, found, by_xla)


@bind_first
def conv_filter(jax, x, sizes, dy, strides, padding, data_format, dilations):
    """dw: the sum over all windows of x times dy."""
    sizes = ints(sizes)
    if not (x.size and dy.size):
        return jax.numpy.zeros(sizes, dy.dtype)
    axes = spatial_windows(x.shape, sizes, strides, padding, data_format, dilations)
    if _is_product(axes, data_format):
        entries = tuple(range(x.ndim - 1))
        return jax.numpy.tensordot(x, dy, (entries, entries)).reshape(sizes)
    at = _letters(axes)
    layout = (f"C{at}N", f"I{at}O", f"{at}NC")
    if data_format[1] == "C":
        layout = (f"CN{at}", f"IO{at}", f"{at}NC")

    def by_xla(x, dy):
        pads = [w.spare_pads() for w in axes]
        return jax.lax.conv_general_dilated(
            x, dy, _dilations(axes), pads, rhs_dilation=_steps(axes),
            dimension_numbers=layout,
        )  # fmt: skip

    found = _direct(direct.of_filter, x, dy, axes, data_format)
    return convolve(jax, x, dy, sizes, found, by_xla)
