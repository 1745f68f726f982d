"""Convolutions of images that are resized and mirrored at their borders first."""

from twinflow.base.op import bind_first, define
from twinflow.ops.arrays.padding import MirrorPad
from twinflow.ops.core.infer import Shaped
from twinflow.ops.image.check import by_shape
from twinflow.ops.image.resize import ResizeBilinear
from twinflow.ops.nn.conv import Conv2D

_PLAIN = {"data_format": "NHWC", "dilations": (1, 1, 1, 1)}


def _padded(input, paddings, filter, mode, strides, padding):
    pads = Shaped(MirrorPad.infer(input, paddings, mode=mode))
    return Conv2D.infer(pads, filter, strides=strides, padding=padding, **_PLAIN)


def _resized(input, size, paddings, filter, resize_align_corners, **attrs):
    image = Shaped(ResizeBilinear.infer(input, size, resize_align_corners))
    return _padded(image, paddings, filter, **attrs)


def _check(input, size, paddings, filter, resize_align_corners, **_):
    return ResizeBilinear.check(input, size, resize_align_corners)


def _convolved(pad, convolve):
    def run(input, paddings, filter, mode, strides, padding):
        mirrored = pad(input, paddings, mode=mode)
        return convolve(mirrored, filter, strides=strides, padding=padding, **_PLAIN)

    return run


def _after(resize, rest):
    def run(input, size, paddings, filter, resize_align_corners, **attrs):
        image = resize(input, size, resize_align_corners).astype(input.dtype)
        return rest(image, paddings, filter, **attrs)

    return run


def _on_numpy(xp):
    return _convolved(MirrorPad.kernel(xp), Conv2D.kernel(xp))


@bind_first
def _by_xla(jax, *inputs, **attrs):
    return _convolved(MirrorPad.kernel(jax.numpy), Conv2D.lower(jax))(*inputs, **attrs)


@bind_first
def _resized_by_xla(jax, *inputs, **attrs):
    rest = _convolved(MirrorPad.kernel(jax.numpy), Conv2D.lower(jax))
    return _after(ResizeBilinear.kernel(jax.numpy), rest)(*inputs, **attrs)


FusedPadConv2D = define(
    "FusedPadConv2D", on_host="paddings", infer=_padded, kernel=_on_numpy, lower=_by_xla
)
FusedResizeAndPadConv2D = define(
    "FusedResizeAndPadConv2D",
    on_host="size paddings",
    infer=_resized,
    kernel=lambda xp: _after(ResizeBilinear.kernel(xp), _on_numpy(xp)),
    lower=_resized_by_xla,
    **by_shape(_check, strict=False),
)
