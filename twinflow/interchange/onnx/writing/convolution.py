"""Convolutions and pooling: Note [Layouts] in interchange.onnx.writer."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.interchange.layout import Layout as _Layout
from twinflow.interchange.onnx.writing.products import reshaped


class Layout(_Layout):
    """Where a node has its images' axes, and how they get to where ONNX has them."""

    def into(self, w: Any, name: str) -> str:
        """A value with its channels first."""
        n = self.space
        return name if self.first else w.transpose(name, [0, n + 1, *range(1, n + 1)])

    def back(self, w: Any, name: str) -> str:
        """A value as the node has it."""
        n = self.space
        return name if self.first else w.transpose(name, [0, *range(2, n + 2), 1])


def window(w: Any, node: Any, layout: Layout, x: Any, kernel: list) -> dict:
    """The attributes that say how a window goes over the images."""
    strides = layout.places(node.attrs["strides"])
    dilations = layout.places(node.attrs.get("dilations") or [1] * (layout.space + 2))
    if layout.rest(node.attrs["strides"]) != [1, 1]:
        w.refuse("ONNX has no strides over the batch or the channels")
    attrs: dict = {"strides": strides}
    if set(dilations) != {1}:
        attrs["dilations"] = dilations
    if node.attrs["padding"] == "VALID":
        return attrs
    if set(dilations) == {1}:
        return {**attrs, "auto_pad": "SAME_UPPER"}
    return {**attrs, "pads": _pads(w, layout, x, kernel, strides, dilations)}


def _pads(
    w: Any, layout: Layout, x: Any, kernel: list, strides: list, dilations: list
) -> list:
    """What SAME adds before and behind; runtimes do not reckon it with dilations."""
    sizes = layout.places([0 if s is None else s for s in x._shape])
    before, behind = [], []
    for size, k, s, d in zip(sizes, kernel, strides, dilations):
        if s > 1 and not size:
            w.refuse("strides with dilations need images of known sizes")
        steps = -(-size // s) - 1 if s > 1 else size - 1
        total = max(steps * s + (k - 1) * d + 1 - size, 0)
        before.append(total // 2)
        behind.append(total - total // 2)
    return before + behind


def _conv(space: int) -> Callable:
    def write(w: Any, node: Any) -> str:
        x, kernel = node.inputs
        layout = Layout(node, space)
        attrs = window(w, node, layout, x, _kernel_sizes(w, kernel, space))
        weights = w.transpose(w.value(kernel), [space + 1, space, *range(space)])
        return layout.back(
            w, w.op("Conv", layout.into(w, w.value(x)), weights, **attrs)
        )

    return write


def _kernel_sizes(w: Any, kernel: Any, space: int) -> list:
    sizes = (kernel._shape or (None,))[:space]
    if None in sizes:
        w.refuse("the sizes of its kernel are not known")
    return list(sizes)


def _depthwise(w: Any, node: Any) -> str:
    x, kernel = node.inputs
    layout = Layout(node, 2)
    high, wide, channels, factor = kernel._shape or (None,) * 4
    if None in (high, wide, channels, factor):
        w.refuse("the sizes of its kernel are not known")
    attrs = window(w, node, layout, x, [high, wide])
    weights = w.transpose(w.value(kernel), [2, 3, 0, 1])
    weights = reshaped(w, weights, [channels * factor, 1, high, wide])
    name = layout.into(w, w.value(x))
    return layout.back(w, w.op("Conv", name, weights, group=channels, **attrs))


def _transposed(space: int) -> Callable:
    def write(w: Any, node: Any) -> str:
        sizes, kernel, x = node.inputs
        layout = Layout(node, space)
        ks = _kernel_sizes(w, kernel, space)
        attrs = _transposed_window(w, node, layout, x, sizes, ks)
        weights = w.transpose(w.value(kernel), [space + 1, space, *range(space)])
        name = layout.into(w, w.value(x))
        return layout.back(w, w.op("ConvTranspose", name, weights, **attrs))

    return write


def _transposed_window(
    w: Any, node: Any, layout: Layout, x: Any, sizes: Any, kernel: list
) -> dict:
    strides = layout.places(node.attrs["strides"])
    dilations = layout.places(node.attrs.get("dilations") or [1] * (layout.space + 2))
    outs = _or_zero(layout, node.outputs[0]._shape)
    found = w.known(sizes)
    if found is not None:
        outs = layout.places(found)
    same = node.attrs["padding"] == "SAME"
    before, behind, more = [], [], []
    ends = zip(_or_zero(layout, x._shape), outs, kernel, strides, dilations)
    for size, out, k, s, d in ends:
        reach = (k - 1) * d + 1
        if size and out:
            total = max((size - 1) * s + reach - out, 0) if same else 0
            rest = out - ((size - 1) * s + reach - total)
        else:  # what all layers ask for: size * s, and what the kernel reaches beyond
            total = max(reach - s, 0) if same else 0
            rest = max(s - reach, 0)
        before.append(total // 2)
        behind.append(total - total // 2)
        more.append(rest)
    attrs = {"strides": strides, "pads": before + behind, "dilations": dilations}
    return {**attrs, "output_padding": more} if any(more) else attrs


def _or_zero(layout: Layout, shape: Any) -> list:
    """The sizes of the places, 0 where they are not known."""
    wide = shape or (None,) * (layout.space + 2)
    return layout.places([0 if s is None else s for s in wide])


def _pool(kind: str, space: int) -> Callable:
    def write(w: Any, node: Any) -> str:
        x, layout = node.inputs[0], Layout(node, space)
        if layout.rest(node.attrs["ksize"]) != [1, 1]:
            w.refuse("ONNX pools over places alone")
        kernel = layout.places(node.attrs["ksize"])
        attrs = window(w, node, layout, x, kernel)
        name = layout.into(w, w.value(x))
        return layout.back(w, w.op(kind, name, kernel_shape=kernel, **attrs))

    return write


def _batch_norm(w: Any, node: Any) -> list:
    x, *weights = node.inputs
    layout = Layout(node, len(x._shape or (0,) * 4) - 2)
    name = layout.into(w, w.value(x))
    scale, offset = w.values(weights[:2])
    if node.attrs["is_training"]:
        return _batch_norm_of_batch(w, node, layout, name, (scale, offset))
    mean, variance = w.values(weights[2:])
    names = (name, scale, offset, mean, variance)
    y = w.op("BatchNormalization", *names, epsilon=node.attrs["epsilon"])
    return [layout.back(w, y), mean, variance, mean, variance]


def _batch_norm_of_batch(
    w: Any, node: Any, layout: Layout, x: str, weights: tuple
) -> list:
    """Normalized by the mean and variance of the batch itself."""
    dtype = node.inputs[0].dtype.np
    space = layout.space
    axes = w.ints([0, *range(2, space + 2)])
    mean = w.op("ReduceMean", x, axes, keepdims=1)
    d = w.op("Sub", x, mean)
    variance = w.op("ReduceMean", w.op("Mul", d, d), axes, keepdims=1)
    epsilon = w.constant(np.asarray(node.attrs["epsilon"], dtype))
    y = w.op("Div", d, w.op("Sqrt", w.op("Add", variance, epsilon)))
    scale, offset = (reshaped(w, v, [1, -1] + [1] * space) for v in weights)
    y = w.op("Add", w.op("Mul", y, scale), offset)
    flat = [w.op("Reshape", v, w.ints([-1])) for v in (mean, variance)]
    count = w.cast(w.op("Div", w.op("Size", x), w.op("Size", flat[0])), dtypes.float32)
    one = w.constant(np.float32(1))
    rest = w.op("Max", w.op("Sub", count, one), one)
    unbiased = w.op("Mul", flat[1], w.op("Div", count, rest))
    return [layout.back(w, y), flat[0], unbiased, flat[0], flat[1]]


def _normalized(w: Any, node: Any) -> str:
    x, mean, variance, offset, scale = w.values(node.inputs)
    epsilon = w.constant(np.asarray(node.attrs["epsilon"], node.inputs[0].dtype.np))
    root = w.same("Sqrt", w.same("Add", variance, epsilon))
    y = w.same("Div", w.same("Sub", x, mean), root)
    return w.same("Add", w.same("Mul", y, scale), offset)


def _lrn(w: Any, node: Any) -> str:
    layout, a = Layout(node, 2), node.attrs
    size = 2 * a["depth_radius"] + 1
    attrs = {"alpha": a["alpha"] * size, "beta": a["beta"], "bias": a["bias"]}
    name = layout.into(w, w.value(node.inputs[0]))
    return layout.back(w, w.op("LRN", name, size=size, **attrs))


WRITERS = {
    "Conv2D": _conv(2), "Conv3D": _conv(3), "DepthwiseConv2dNative": _depthwise,
    "Conv2DBackpropInput": _transposed(2), "Conv3DBackpropInputV2": _transposed(3),
    "MaxPool": _pool("MaxPool", 2), "MaxPool3D": _pool("MaxPool", 3),
    "AvgPool": _pool("AveragePool", 2), "AvgPool3D": _pool("AveragePool", 3),
    "FusedBatchNorm": _batch_norm, "FusedBatchNormV2": _batch_norm,
    "TwinNormalized": _normalized, "LRN": _lrn,
}  # fmt: skip
