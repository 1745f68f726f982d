"""Convolutions, pooling and normalization, whose images are NCHW in ONNX."""

from typing import Any

import numpy as np


def last(r: Any, x: Any) -> Any:
    """A value with its channels behind."""
    return r.transposed(x, [0, *range(2, r.rank(x)), 1])


def first(r: Any, x: Any) -> Any:
    """A value with its channels before the places."""
    n = r.rank(x)
    return r.transposed(x, [0, n - 1, *range(1, n - 1)])


def _window(r: Any, node: Any, x: Any, fill: float, space: int) -> tuple:
    """The images, padded if the padding is not SAME, and the attributes."""
    wide = [1, *(node.get("strides") or [1] * space), 1]
    if node.get("auto_pad", "NOTSET") == "SAME_UPPER":
        return x, {"strides": wide, "padding": "SAME"}
    if node.get("auto_pad", "NOTSET") == "SAME_LOWER":
        r.refuse("auto_pad=SAME_LOWER has no counterpart")
    pads = node.get("pads") or [0] * (2 * space)
    if any(pads):
        table = np.zeros((space + 2, 2), np.int64)
        table[1:-1] = np.reshape(pads, (2, space)).T
        x = r.op("PadV2", x, table, r.like(fill, x))
    return x, {"strides": wide, "padding": "VALID"}


def _conv(r: Any, node: Any, x: Any, weights: Any, bias: Any = None) -> Any:
    space = r.rank(x) - 2
    x, attrs = _window(r, node, last(r, x), 0, space)
    attrs["dilations"] = [1, *(node.get("dilations") or [1] * space), 1]
    kernel = r.transposed(weights, [*range(2, space + 2), 1, 0])
    groups = node.get("group", 1)
    if space == 1:
        return first(r, _biased(r, _conv_1d(r, x, kernel, groups, attrs), bias))
    y = _grouped(r, x, kernel, groups, attrs, space)
    return first(r, _biased(r, y, bias))


def _conv_1d(r: Any, x: Any, kernel: Any, groups: int, attrs: dict) -> Any:
    """As images of height 1."""
    for k in ("strides", "dilations"):
        attrs[k] = [1, 1, *attrs[k][1:]]
    x, kernel = r.op("ExpandDims", x, 1), r.op("ExpandDims", kernel, 0)
    return r.op("Squeeze", _grouped(r, x, kernel, groups, attrs, 2), squeeze_dims=(1,))


def _grouped(r: Any, x: Any, kernel: Any, groups: int, attrs: dict, space: int) -> Any:
    kind = "Conv2D" if space == 2 else "Conv3D"
    if groups == 1:
        return r.op(kind, x, kernel, **attrs)
    each, outs = r.shape(kernel)[-2:]
    if each == 1 and space == 2:
        high, wide = r.shape(kernel)[:2]
        kernel = r.reshaped(kernel, np.array([high, wide, groups, outs // groups]))
        return r.op("DepthwiseConv2dNative", x, kernel, **attrs)
    xs = r.op("Split", np.int32(space + 1), x, num_split=groups)
    kernels = r.op("Split", np.int32(space + 1), kernel, num_split=groups)
    ys = [r.op(kind, a, k, **attrs) for a, k in zip(xs, kernels)]
    return r.op("ConcatV2", ys, np.int32(space + 1))


def _biased(r: Any, y: Any, bias: Any) -> Any:
    return y if bias is None else r.op("BiasAdd", y, bias)


def _transposed(r: Any, node: Any, x: Any, weights: Any, bias: Any = None) -> Any:
    space = r.rank(x) - 2
    if node.get("group", 1) != 1 or space == 1 or node.get("output_shape"):
        r.refuse("groups, an output_shape and single rows have no counterpart")
    if node.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID"):
        r.refuse("auto_pad has no counterpart")
    x = last(r, x)
    kernel = r.transposed(weights, [*range(2, space + 2), 1, 0])
    strides = node.get("strides") or [1] * space
    rates = node.get("dilations") or [1] * space
    more = node.get("output_padding") or [0] * space
    pads = np.reshape(node.get("pads") or [0] * (2 * space), (2, space))
    sizes, ends = r.sizes(x), []
    for i in range(space):
        reach = (r.shape(kernel)[i] - 1) * rates[i] + 1
        size = r.op("StridedSlice", sizes, [i + 1], [i + 2], [1])
        grown = r.op("Mul", r.op("Sub", size, np.int64(1)), np.int64(strides[i]))
        ends.append(r.op("Add", grown, np.int64(reach + more[i])))
    batch = r.op("StridedSlice", sizes, [0], [1], [1])
    channels = np.array([r.shape(kernel)[-2]], np.int64)
    full = r.op("ConcatV2", [batch, *ends, channels], np.int32(0))
    full = r.op("Cast", full, DstT=r.dtype(np.int32(0)))
    kind = "Conv2DBackpropInput" if space == 2 else "Conv3DBackpropInputV2"
    y = r.op(
        kind, full, kernel, x, strides=[1, *strides, 1], padding="VALID",
        dilations=[1, *rates, 1],
    )  # fmt: skip
    if pads.any():
        begin = np.array([0, *pads[0], 0])
        end = np.array([0, *(-pads[1]), 0])
        mask = sum(1 << i for i, e in enumerate(end) if e == 0)
        y = r.op("StridedSlice", y, begin, end, np.ones(space + 2, int), end_mask=mask)
    return first(r, _biased(r, y, bias))


def _pool(kind: str, fill: float) -> Any:
    def read(r: Any, node: Any, x: Any) -> Any:
        space = r.rank(x) - 2
        rates = node.get("dilations") or [1]
        other = node.get("ceil_mode", 0) or node.get("storage_order", 0)
        if other or set(rates) != {1}:
            r.refuse("ceil_mode, dilations and storage_order have no counterpart")
        x = last(r, x)
        images, attrs = _window(r, node, x, fill, space)
        counted = images is not x and kind == "AvgPool"
        if counted and not node.get("count_include_pad", 0):
            ones = r.op("OnesLike", x)
            share = _windows(r, node, kind, _window(r, node, ones, 0, space)[0], attrs)
            y = _windows(r, node, kind, images, attrs)
            return first(r, r.op("RealDiv", y, share))
        return first(r, _windows(r, node, kind, images, attrs))

    return read


def _windows(r: Any, node: Any, kind: str, x: Any, attrs: dict) -> Any:
    kernel = [1, *node.get("kernel_shape"), 1]
    if len(kernel) == 3:  # rows, as images of height 1
        wide = {**attrs, "strides": [1, *attrs["strides"]]}
        x = r.op("ExpandDims", x, 1)
        y = r.op(kind, x, ksize=[1, *kernel], **wide)
        return r.op("Squeeze", y, squeeze_dims=(1,))
    return r.op(kind if len(kernel) == 4 else f"{kind}3D", x, ksize=kernel, **attrs)


def _global(kind: str) -> Any:
    def read(r: Any, node: Any, x: Any) -> Any:
        axes = np.arange(2, r.rank(x), dtype=np.int32)
        return r.op(kind, x, axes, keep_dims=True)

    return read


def _channels(r: Any, x: Any, rank: int) -> Any:
    return r.reshaped(x, np.array([-1] + [1] * (rank - 2), np.int64))


def _batch_norm(
    r: Any, node: Any, x: Any, scale: Any, offset: Any, mean: Any, variance: Any
) -> Any:
    if node.get("training_mode", 0):
        r.refuse("training_mode has no counterpart")
    epsilon = r.like(node.get("epsilon", 1e-5), x)
    factor = r.op("Mul", scale, r.op("Rsqrt", r.op("Add", variance, epsilon)))
    rest = r.op("Sub", offset, r.op("Mul", mean, factor))
    factor, rest = (_channels(r, v, r.rank(x)) for v in (factor, rest))
    return r.op("Add", r.op("Mul", x, factor), rest)


def _layer_norm(r: Any, node: Any, x: Any, scale: Any, offset: Any = None) -> Any:
    axis = node.get("axis", -1) % r.rank(x)
    y = _standard(r, x, range(axis, r.rank(x)), node.get("epsilon", 1e-5))
    y = r.op("Mul", y, scale)
    return y if offset is None else r.op("Add", y, offset)


def _instance_norm(r: Any, node: Any, x: Any, scale: Any, offset: Any) -> Any:
    rank = r.rank(x)
    y = _standard(r, x, range(2, rank), node.get("epsilon", 1e-5))
    y = r.op("Mul", y, _channels(r, scale, rank))
    return r.op("Add", y, _channels(r, offset, rank))


def _standard(r: Any, x: Any, axes: Any, epsilon: float) -> Any:
    axes = np.array(axes, np.int32)
    d = r.op("Sub", x, r.op("Mean", x, axes, keep_dims=True))
    variance = r.op("Mean", r.op("Square", d), axes, keep_dims=True)
    return r.op("Mul", d, r.op("Rsqrt", r.op("Add", variance, r.like(epsilon, x))))


def _lrn(r: Any, node: Any, x: Any) -> Any:
    size = node.get("size")
    attrs = {
        "depth_radius": size // 2, "alpha": node.get("alpha", 1e-4) / size,
        "beta": node.get("beta", 0.75), "bias": node.get("bias", 1.0),
    }  # fmt: skip
    return first(r, r.op("LRN", last(r, x), **attrs))


def _resize(
    r: Any, node: Any, x: Any, roi: Any = None, scales: Any = None, sizes: Any = None
) -> Any:
    mode = node.get("mode", "nearest")
    where = node.get("coordinate_transformation_mode", "half_pixel")
    kinds = {"linear": "ResizeBilinear", "nearest": "ResizeNearestNeighbor"}
    if mode not in kinds or where not in ("asymmetric", "align_corners"):
        r.refuse(f"mode='{mode}' with '{where}' has no counterpart")
    aligned = where == "align_corners"
    wanted = "round_prefer_ceil" if aligned else "floor"
    if mode == "nearest" and node.get("nearest_mode", "round_prefer_floor") != wanted:
        r.refuse(f"nearest with '{where}' takes nearest_mode='{wanted}' alone")
    if sizes is not None and r.shape(sizes):
        size = r.op("StridedSlice", sizes, [-2], [0], [1], end_mask=1)
    else:
        factors = r.numbers(scales, "the scales")[-2:]
        space = r.op("StridedSlice", r.sizes(x), [2], [4], [1])
        grown = r.op("Mul", r.op("Cast", space, DstT=r.dtype(0.0)), np.array(factors))
        size = r.op("Floor", grown)
    size = r.op("Cast", size, DstT=r.dtype(np.int32(0)))
    return first(r, r.op(kinds[mode], last(r, x), size, align_corners=aligned))


READERS = {
    "Conv": _conv, "ConvTranspose": _transposed, "MaxPool": _pool("MaxPool", -np.inf),
    "AveragePool": _pool("AvgPool", 0), "GlobalAveragePool": _global("Mean"),
    "GlobalMaxPool": _global("Max"), "BatchNormalization": _batch_norm,
    "LayerNormalization": _layer_norm, "InstanceNormalization": _instance_norm,
    "LRN": _lrn, "Resize": _resize,
}  # fmt: skip
