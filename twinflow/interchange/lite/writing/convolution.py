"""Convolutions, pooling, products and normalisation, with the channels last."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinflow.interchange.layout import Layout as _Layout
from twinflow.interchange.lite.model import Value
from twinflow.interchange.lite.writing.elementwise import cast, number

_PADDINGS = {"SAME": 0, "VALID": 1}


class Layout(_Layout):
    """Where a node has its images' axes, and how they get to where TFLite has them."""

    def steps(self, w: Any, values: Sequence) -> list[int]:
        """Of a number for each axis those of the places; the others have to be 1."""
        if self.rest(values) != [1, 1]:
            w.refuse("it has no steps over the batch or the channels")
        return self.places(values)

    def last(self, w: Any, v: Value) -> Value:
        """A value with its channels last."""
        axes = range(2, self.space + 2)
        return w.transpose(v, [0, *axes, 1]) if self.first else v

    def order(self, values: Sequence) -> list:
        """A number for each axis, with that of the channels last."""
        values = list(values)
        return [values[0], *values[2:], values[1]] if self.first else values

    def made(self, w: Any, node: Any, kind: str, *given: Any, **options: Any) -> Value:
        """The result of an operator with the channels last, as the node has it."""
        if not self.first:
            return w.last(kind, *given, **options)
        n = self.space
        shape = self.order(node.outputs[0]._shape)
        found = w.op(kind, *given, shape=shape, dtype=given[-1].dtype, **options)
        return w.transpose(found, [0, n + 1, *range(1, n + 1)])


def _window(w: Any, node: Any, layout: Layout) -> dict:
    high, wide = layout.steps(w, node.attrs["strides"])
    padding = _PADDINGS.get(node.attrs["padding"])
    if padding is None:
        w.refuse("it pads by SAME and VALID alone")
    return {"padding": padding, "stride_h": high, "stride_w": wide}


def _dilated(w: Any, node: Any, layout: Layout) -> dict:
    high, wide = layout.steps(w, node.attrs.get("dilations") or [1] * 4)
    return {"dilation_h_factor": high, "dilation_w_factor": wide}


def _conv(w: Any, node: Any) -> Value:
    x, kernel = node.inputs
    layout = Layout(node, 2)
    options = _window(w, node, layout) | _dilated(w, node, layout)
    weights = w.transpose(w.value(kernel), [3, 0, 1, 2])
    given = layout.last(w, w.value(x)), weights
    return layout.made(w, node, "CONV_2D", *given, **options)


def _depthwise(w: Any, node: Any) -> Value:
    x, kernel = node.inputs
    layout = Layout(node, 2)
    options = _window(w, node, layout) | _dilated(w, node, layout)
    v = w.value(kernel)
    high, wide, channels, factor = v.shape
    weights = w.reshape(v, (1, high, wide, channels * factor))
    given = layout.last(w, w.value(x)), weights
    options["depth_multiplier"] = factor
    found = layout.made(w, node, "DEPTHWISE_CONV_2D", *given, **options)
    if set(_dilated(w, node, layout).values()) != {1}:
        w.made_last().version = 2
    return found


def _transposed(w: Any, node: Any) -> Value:
    sizes, kernel, x = node.inputs
    layout = Layout(node, 2)
    options = _window(w, node, layout)
    if set(_dilated(w, node, layout).values()) != {1}:
        w.refuse("it has it without dilations alone")
    shape = w.ints(layout.order(w.needed(sizes, "the shape of the result")))
    weights = w.transpose(w.value(kernel), [2, 0, 1, 3])
    given = shape, weights, layout.last(w, w.value(x))
    return layout.made(w, node, "TRANSPOSE_CONV", *given, **options)


def _conv3d(w: Any, node: Any) -> Value:
    layout = Layout(node, 3)
    x, kernel = w.values(node.inputs)
    given = layout.last(w, x), kernel
    return layout.made(w, node, "CONV_3D", *given, **_window3d(w, node, layout))


def _transposed3d(w: Any, node: Any) -> Value:
    layout = Layout(node, 3)
    sizes, kernel, x = node.inputs
    shape = w.ints(layout.order(w.needed(sizes, "the shape of the result")))
    given = shape, w.value(kernel), layout.last(w, w.value(x))
    options = _window3d(w, node, layout)
    return layout.made(w, node, "CONV_3D_TRANSPOSE", *given, **options)


def _window3d(w: Any, node: Any, layout: Layout) -> dict:
    deep, high, wide = layout.steps(w, node.attrs["strides"])
    options = {
        "padding": _PADDINGS[node.attrs["padding"]], "stride_d": deep,
        "stride_h": high, "stride_w": wide,
    }  # fmt: skip
    dilations = layout.steps(w, node.attrs.get("dilations") or [1] * 5)
    names = (f"dilation_{axis}_factor" for axis in "dhw")
    options |= zip(names, dilations, strict=True)
    return options


def _pool(kind: str) -> Callable:
    def write(w: Any, node: Any) -> Value:
        layout = Layout(node, 2)
        high, wide = layout.steps(w, node.attrs["ksize"])
        options = _window(w, node, layout)
        options |= {"filter_height": high, "filter_width": wide}
        x = layout.last(w, w.value(node.inputs[0]))
        return layout.made(w, node, kind, x, **options)

    return write


def _pool3d(kind: str) -> Callable:
    """Pooled over height and width, and then over depth."""

    def write(w: Any, node: Any) -> Value:
        layout = Layout(node, 3)
        v = layout.last(w, w.value(node.inputs[0]))
        batch, deep, high, wide, channels = v.shape
        _, to_deep, to_high, to_wide, _ = layout.order(node.outputs[0]._shape)
        sizes, steps = (layout.steps(w, node.attrs[k]) for k in ("ksize", "strides"))
        v = w.reshape(v, (batch * deep, high, wide, channels))
        shape = (batch * deep, to_high, to_wide, channels)
        v = _pooled(w, kind, node, v, shape, sizes[1:], steps[1:])
        v = w.reshape(v, (batch, deep, to_high * to_wide, channels))
        shape = (batch, to_deep, to_high * to_wide, channels)
        v = _pooled(w, kind, node, v, shape, (sizes[0], 1), (steps[0], 1))
        v = w.reshape(v, (batch, to_deep, to_high, to_wide, channels))
        return w.transpose(v, [0, 4, 1, 2, 3]) if layout.first else v

    return write


def _pooled(
    w: Any, kind: str, node: Any, v: Value, shape: tuple, sizes: Any, steps: Any
) -> Value:
    return w.op(
        kind, v, shape=shape, padding=_PADDINGS[node.attrs["padding"]],
        filter_height=sizes[0], filter_width=sizes[1], stride_h=steps[0],
        stride_w=steps[1],
    )  # fmt: skip


# ----------------------------------------------------------------------------- products
def _mat_mul(w: Any, node: Any) -> Value:
    a, b = w.values(node.inputs)
    a = w.transpose(a, [1, 0]) if node.attrs["transpose_a"] else a
    b = b if node.attrs["transpose_b"] else w.transpose(b, [1, 0])
    return w.last("FULLY_CONNECTED", a, b)


def _batch_mat_mul(w: Any, node: Any) -> Value:
    flags = {k: bool(node.attrs[k]) for k in ("adj_x", "adj_y")}
    return w.last("BATCH_MATMUL", *w.values(node.inputs), **flags)


def _bias_add(w: Any, node: Any) -> Value:
    v, bias = w.values(node.inputs)
    rank = len(v.shape)
    if node.attrs.get("data_format") == "NCHW" and rank > 2:
        bias = w.reshape(bias, (bias.shape[0],) + (1,) * (rank - 2))
    return w.last("ADD", v, bias)


def _l2_loss(w: Any, node: Any) -> Value:
    v = w.value(node.inputs[0])
    axes = w.ints(range(len(v.shape)))
    total = w.op("SUM", w.op("MUL", v, v), axes, shape=())
    return w.op("MUL", total, number(w, v, 0.5))


# ------------------------------------------------------------------------ normalisation
def _batch_norm(w: Any, node: Any) -> list:
    """x * factor + rest, of constants where that can be."""
    x, *weights = node.inputs
    layout = Layout(node, len(x._shape) - 2)
    v = layout.last(w, w.value(x))
    epsilon = node.attrs["epsilon"]
    found = [w.known(t) for t in weights]
    if not node.attrs["is_training"] and all(a is not None for a in found):
        scale, offset, mean, variance = (a.astype(np.float64) for a in found)
        factor = scale / np.sqrt(variance + epsilon)
        parts = factor, offset - mean * factor
        factor, rest = (w.constant(p.astype(np.float32)) for p in parts)
    else:
        factor, rest = _computed(w, node, v, w.values(weights), epsilon)
    y = layout.made(w, node, "ADD", w.op("MUL", v, factor), rest)
    return [y]


def _computed(w: Any, node: Any, v: Value, weights: list, epsilon: float) -> tuple:
    scale, offset, *moments = weights
    if node.attrs["is_training"]:
        axes = w.ints(range(len(v.shape) - 1))
        mean = w.op("MEAN", v, axes, shape=v.shape[-1:])
        d = w.op("SUB", v, mean)
        moments = [mean, w.op("MEAN", w.op("MUL", d, d), axes, shape=v.shape[-1:])]
    mean, variance = moments
    root = w.op("RSQRT", w.op("ADD", variance, number(w, variance, epsilon)))
    factor = w.op("MUL", scale, root)
    return factor, w.op("SUB", offset, w.op("MUL", mean, factor))


def _lrn(w: Any, node: Any) -> Value:
    options = {k: node.attrs[k] for k in ("bias", "alpha", "beta")}
    options["radius"] = node.attrs["depth_radius"]
    return w.last("LOCAL_RESPONSE_NORMALIZATION", w.value(node.inputs[0]), **options)


# --------------------------------------------------------------- reductions and images
def _reduction(kind: str) -> Callable:
    def write(w: Any, node: Any) -> Value:
        t, axes = node.inputs
        axes = w.ints(np.ravel(w.needed(axes, "the axes")))
        return w.last(kind, w.value(t), axes, keep_dims=bool(node.attrs["keep_dims"]))

    return write


def _resize(kind: str) -> Callable:
    def write(w: Any, node: Any) -> Value:
        images, size = node.inputs
        v = w.value(images)
        v = cast(w, v, np.float32) if kind == "RESIZE_BILINEAR" else v
        flags = {k: bool(node.attrs.get(k)) for k in _CORNERS}
        return w.last(kind, v, w.ints(w.needed(size, "the size")), **flags)

    return write


_CORNERS = ("align_corners", "half_pixel_centers")
WRITERS = {
    "All": _reduction("REDUCE_ALL"), "Any": _reduction("REDUCE_ANY"),
    "AvgPool": _pool("AVERAGE_POOL_2D"), "AvgPool3D": _pool3d("AVERAGE_POOL_2D"),
    "BatchMatMul": _batch_mat_mul,
    "BatchMatMulV2": _batch_mat_mul, "BiasAdd": _bias_add, "BiasAddV1": _bias_add,
    "Conv2D": _conv, "Conv2DBackpropInput": _transposed, "Conv3D": _conv3d,
    "Conv3DBackpropInputV2": _transposed3d,
    "DepthwiseConv2dNative": _depthwise, "FusedBatchNorm": _batch_norm,
    "FusedBatchNormV2": _batch_norm, "L2Loss": _l2_loss, "LRN": _lrn,
    "MatMul": _mat_mul, "Max": _reduction("REDUCE_MAX"),
    "MaxPool": _pool("MAX_POOL_2D"), "MaxPool3D": _pool3d("MAX_POOL_2D"),
    "Mean": _reduction("MEAN"),
    "Min": _reduction("REDUCE_MIN"), "Prod": _reduction("REDUCE_PROD"),
    "ResizeBilinear": _resize("RESIZE_BILINEAR"),
    "ResizeNearestNeighbor": _resize("RESIZE_NEAREST_NEIGHBOR"),
    "Sum": _reduction("SUM"),
}  # fmt: skip
