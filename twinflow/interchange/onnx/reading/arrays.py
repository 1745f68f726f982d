"""Nodes that make arrays, give them other shapes, and take parts of them."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.interchange.onnx.library import dtype_of

_FAR = np.iinfo(np.int32).max


def _constant(r: Any, node: Any) -> Any:
    for name, dtype in (("value_float", "f4"), ("value_floats", "f4"),
                        ("value_int", "i8"), ("value_ints", "i8")):  # fmt: skip
        if name in node.attrs:
            return np.asarray(node.get(name), dtype)
    if "value" not in node.attrs:
        r.refuse("only numbers are read")
    return node.get("value")


def _shape(r: Any, node: Any, x: Any) -> Any:
    n = r.rank(x) if "end" in node.attrs or node.get("start", 0) else None
    sizes = r.sizes(x)
    if n is None:
        return sizes
    start, end, _ = slice(node.get("start", 0), node.get("end")).indices(n)
    return r.op("StridedSlice", sizes, [start], [end], [1])


def _size(r: Any, node: Any, x: Any) -> Any:
    return r.op("Size", x, out_type=dtypes.int64)


def _reshape(r: Any, node: Any, x: Any, sizes: Any) -> Any:
    found = r.array(sizes)
    if node.get("allowzero", 0) or found is None or 0 not in found:
        return r.reshaped(x, sizes)
    own = r.shape(x)
    merged = [own[i] if s == 0 and own else s for i, s in enumerate(found)]
    if None not in merged:
        return r.reshaped(x, np.array(merged, np.int64))
    if merged.count(None) == 1 and -1 not in merged:
        return r.reshaped(x, np.array([-1 if s is None else s for s in merged]))
    sizes = r.sizes(x)
    parts = [
        r.op("StridedSlice", sizes, [i], [i + 1], [1]) if s is None
        else np.array([s], np.int64) for i, s in enumerate(merged)
    ]  # fmt: skip
    return r.reshaped(x, r.op("ConcatV2", parts, np.int32(0)))


def _flatten(r: Any, node: Any, x: Any) -> Any:
    axis, shape = node.get("axis", 1), r.shape(x)
    if axis == 0:
        return r.reshaped(x, np.array([1, -1]))
    if shape is not None and None not in shape[axis:]:
        return r.reshaped(x, np.array([-1, np.prod(shape[axis:], dtype=int)]))
    lead = r.op("StridedSlice", r.sizes(x), [0], [axis], [1])
    rows = r.op("Prod", lead, [0], keep_dims=True)
    return r.reshaped(x, r.op("ConcatV2", [rows, np.array([-1])], np.int32(0)))


def _axes(r: Any, node: Any, given: Any) -> Any:
    return node.get("axes") if given is None else r.numbers(given, "the axes")


def _unsqueeze(r: Any, node: Any, x: Any, axes: Any = None) -> Any:
    found = _axes(r, node, axes)
    rank = r.rank(x) + len(found)
    for axis in sorted(a % rank for a in found):
        x = r.op("ExpandDims", x, np.int32(axis))
    return x


def _squeeze(r: Any, node: Any, x: Any, axes: Any = None) -> Any:
    return r.op("Squeeze", x, squeeze_dims=tuple(_axes(r, node, axes) or ()))


def _transpose(r: Any, node: Any, x: Any) -> Any:
    return r.transposed(x, node.get("perm") or list(range(r.rank(x)))[::-1])


def _concat(r: Any, node: Any, *values: Any) -> Any:
    return r.op("ConcatV2", list(values), np.int32(node.get("axis")))


def _split(r: Any, node: Any, x: Any, sizes: Any = None) -> Any:
    axis, count = node.get("axis", 0), len(node.outputs)
    sizes = node.get("split") if sizes is None else r.numbers(sizes, "the sizes")
    size = (r.shape(x) or (None,))[axis] if r.shape(x) else None
    if sizes is None and size is not None and size % count:
        most = -(-size // count)
        sizes = [most] * (count - 1) + [size - most * (count - 1)]
    if sizes is None:
        return r.op("Split", np.int32(axis), x, num_split=count)
    sizes = np.array(sizes, np.int64)
    return r.op("SplitV", x, sizes, np.int32(axis), num_split=count)


def _expand(r: Any, node: Any, x: Any, sizes: Any) -> Any:
    """To the shape that x and `sizes` have together."""
    if r.shape(x) == ():
        return r.op("Fill", sizes, x)
    known = r.array(sizes)
    if known is not None and r.shape(x) is not None and len(known) >= r.rank(x):
        tail = known[len(known) - r.rank(x) :] if r.rank(x) else known[:0]
        if all(s is not None and s in (1, k) for s, k in zip(r.shape(x), tail)):
            return r.op("BroadcastTo", x, np.asarray(known))
    return r.op("BroadcastTo", x, r.op("BroadcastArgs", r.sizes(x), sizes))


def _constant_of_shape(r: Any, node: Any, sizes: Any) -> Any:
    value = np.ravel(node.get("value", np.zeros(1, np.float32)))[0]
    return r.op("Fill", sizes, value)


def _range(r: Any, node: Any, *ends: Any) -> Any:
    return r.op("Range", *ends, Tidx=r.dtype(ends[0]))


def _tile(r: Any, node: Any, x: Any, repeats: Any) -> Any:
    return r.op("Tile", x, repeats)


def _pad(r: Any, node: Any, x: Any, pads: Any = None, *rest: Any) -> Any:
    value, axes = (*rest, None, None)[:2]
    mode = node.get("mode", "constant")
    pads = r.op("Reshape", node.get("pads") if pads is None else pads, [2, -1])
    pads = r.op("Transpose", pads, [1, 0])
    if axes is not None:
        wide = np.zeros((r.rank(x), 2), np.int64)
        wide[r.numbers(axes)] = np.reshape(r.numbers(pads, "the padding"), (-1, 2))
        pads = wide
    known = r.array(pads)
    if known is not None and (known < 0).any():
        starts = np.maximum(-known[:, 0], 0)
        ends = [int(p[1]) if p[1] < 0 else _FAR for p in known]
        x = r.op("StridedSlice", x, starts, np.array(ends), np.ones(len(known), int))
        pads = np.maximum(known, 0)
    if mode == "reflect":
        return r.op("MirrorPad", x, pads, mode="REFLECT")
    if mode != "constant":
        r.refuse(f"the mode '{mode}' has no counterpart")
    fill = r.like(node.get("value", 0), x) if value is None else value
    return r.op("PadV2", x, pads, r.op("Reshape", fill, np.zeros(0, np.int32)))


def _slice(r: Any, node: Any, x: Any, *parts: Any) -> Any:
    if not parts:
        names = ("starts", "ends", "axes")
        parts = tuple(np.array(node.get(n)) for n in names if node.get(n) is not None)
    starts, ends, axes, steps = (*parts, None, None)[:4]
    n = r.shape(starts)[0]
    axes = list(range(n)) if axes is None else r.numbers(axes, "the axes")
    steps = [1] * n if steps is None else r.numbers(steps, "the steps")
    order = [a % r.rank(x) for a in axes] if min(axes, default=0) < 0 else axes
    wide = max(order, default=-1) + 1
    masks = [sum(1 << a for a in range(wide) if a not in order)] * 2
    begin, b = _placed(r, starts, order, wide)
    end, e = _placed(r, ends, order, wide)
    strides = [1] * wide
    for a, s in zip(order, steps):
        strides[a] = int(s)
    return r.op(
        "StridedSlice", x, begin, end, np.array(strides, np.int64),
        begin_mask=masks[0] | b, end_mask=masks[1] | e,
    )  # fmt: skip


def _placed(r: Any, values: Any, order: list, wide: int) -> tuple:
    """An end for each axis, and the mask of those that are beyond all sizes."""
    known, mask = r.array(values), 0
    if known is None:
        parts: list = [np.zeros(1, np.int64)] * wide
        whole = r.op("Cast", values, DstT=dtypes.int64)
        for i, a in enumerate(order):
            parts[a] = r.op("StridedSlice", whole, [i], [i + 1], [1])
        return r.op("ConcatV2", parts, np.int32(0)), 0
    found = np.zeros(wide, np.int64)
    for a, v in zip(order, np.ravel(known)):
        far = abs(int(v)) >= _FAR
        mask |= far << a
        found[a] = 0 if far else v
    return found, mask


def _gather(r: Any, node: Any, x: Any, indices: Any) -> Any:
    axis = node.get("axis", 0)
    known = r.array(indices)
    if known is not None and (known < 0).any():
        sizes = r.shape(x)
        if sizes is None or sizes[axis] is None:
            size = r.op("GatherV2", r.sizes(x), np.int64(axis % r.rank(x)), np.int32(0))
            negative = np.asarray(known < 0, known.dtype)
            size = r.op("Cast", size, DstT=r.dtype(indices))
            indices = r.op("Add", known, r.op("Mul", negative, size))
        else:
            indices = known % sizes[axis]
    return r.op("GatherV2", x, indices, np.int32(axis))


def _gather_nd(r: Any, node: Any, x: Any, indices: Any) -> Any:
    if node.get("batch_dims", 0):
        r.refuse("batch_dims has no counterpart")
    return r.op("GatherNd", x, indices)


def _gather_elements(r: Any, node: Any, x: Any, indices: Any) -> Any:
    """An element for each index, in the last axis of as many rows."""
    rank = r.rank(x)
    if node.get("axis", 0) % rank != rank - 1 or rank != 2:
        r.refuse("only the last axis of a matrix is read")
    rows = r.op("Range", np.int64(0), r.op("Size", r.op(
        "StridedSlice", x, [0, 0], [0, 1], [1, 1], begin_mask=1, end_mask=1,
        shrink_axis_mask=2), out_type=dtypes.int64), np.int64(1), Tidx=dtypes.int64,
    )  # fmt: skip
    places = r.op("Cast", indices, DstT=dtypes.int64)
    zeros = r.op("ZerosLike", places)
    rows = r.op("Add", zeros, r.op("ExpandDims", rows, np.int32(1)))
    return r.op("GatherNd", x, r.op("Pack", [rows, places], axis=2))


def _scatter_nd(r: Any, node: Any, x: Any, indices: Any, updates: Any) -> Any:
    kind = node.get("reduction", "none")
    if kind == "add":
        return r.op("ScatterNdNonAliasingAdd", x, indices, updates)
    if kind != "none":
        r.refuse(f"reduction='{kind}' has no counterpart")
    old = r.op("GatherNd", x, indices)
    return r.op("ScatterNdNonAliasingAdd", x, indices, r.op("Sub", updates, old))


def _one_hot(r: Any, node: Any, indices: Any, depth: Any, values: Any) -> Any:
    off, on = (r.op("GatherV2", values, np.int32(i), np.int32(0)) for i in (0, 1))
    count = np.int32(r.numbers(depth, "the depth")[0])
    if r.dtype(indices).is_floating:
        indices = r.op("Cast", indices, DstT=dtypes.int64)
    indices = r.op("FloorMod", indices, r.like(count, indices))
    return r.op("OneHot", indices, count, on, off, axis=node.get("axis", -1))


def _cum_sum(r: Any, node: Any, x: Any, axis: Any) -> Any:
    flags = {k: bool(node.get(k, 0)) for k in ("exclusive", "reverse")}
    return r.op("Cumsum", x, np.int32(r.numbers(axis, "the axis")[0]), **flags)


def _trilu(r: Any, node: Any, x: Any, k: Any = None) -> Any:
    k = 0 if k is None else r.numbers(k, "k")[0]
    upper = node.get("upper", 1)
    if (k > 0) if upper else (k < 0):
        r.refuse("a diagonal beyond the main one has no counterpart")
    ends = (-k, -1) if upper else (-1, k)
    return r.op("MatrixBandPart", x, *(np.int64(e) for e in ends))


def _blocks(kind: str) -> Any:
    def read(r: Any, node: Any, x: Any) -> Any:
        if node.get("mode", "DCR") != "DCR":
            r.refuse("the mode CRD has no counterpart")
        x = r.transposed(x, [0, 2, 3, 1])
        y = r.op(kind, x, block_size=node.get("blocksize"))
        return r.transposed(y, [0, 3, 1, 2])

    return read


def _non_zero(r: Any, node: Any, x: Any) -> Any:
    if r.dtype(x) is not dtypes.bool:
        x = r.op("NotEqual", x, r.like(0, x))
    return r.transposed(r.op("Where", x), [1, 0])


def _reverse_sequence(r: Any, node: Any, x: Any, lengths: Any) -> Any:
    axes = node.get("time_axis", 0), node.get("batch_axis", 1)
    return r.op("ReverseSequence", x, lengths, seq_dim=axes[0], batch_dim=axes[1])


def _random(kind: str, scaled: Any) -> Any:
    def read(r: Any, node: Any, like: Any = None) -> Any:
        sizes = np.array(node.get("shape")) if like is None else r.sizes(like)
        dtype = dtype_of(node.get("dtype", 1))
        y = r.op(kind, sizes, dtype=dtype)
        a, b = scaled(node)
        return r.op("Add", r.op("Mul", y, r.like(a, y)), r.like(b, y))

    return read


def _ends(node: Any) -> tuple:
    low, high = node.get("low", 0.0), node.get("high", 1.0)
    return high - low, low


def _bell(node: Any) -> tuple:
    return node.get("scale", 1.0), node.get("mean", 0.0)


READERS = {
    "Constant": _constant, "Shape": _shape, "Size": _size, "Reshape": _reshape,
    "Flatten": _flatten, "Unsqueeze": _unsqueeze, "Squeeze": _squeeze,
    "Transpose": _transpose, "Concat": _concat, "Split": _split, "Expand": _expand,
    "ConstantOfShape": _constant_of_shape, "Range": _range, "Tile": _tile, "Pad": _pad,
    "Slice": _slice, "Gather": _gather, "GatherND": _gather_nd,
    "GatherElements": _gather_elements, "ScatterND": _scatter_nd, "OneHot": _one_hot,
    "CumSum": _cum_sum, "Trilu": _trilu, "NonZero": _non_zero,
    "SpaceToDepth": _blocks("SpaceToDepth"), "DepthToSpace": _blocks("DepthToSpace"),
    "ReverseSequence": _reverse_sequence,
    "RandomUniform": _random("RandomUniform", _ends),
    "RandomUniformLike": _random("RandomUniform", _ends),
    "RandomNormal": _random("RandomStandardNormal", _bell),
    "RandomNormalLike": _random("RandomStandardNormal", _bell),
}  # fmt: skip
