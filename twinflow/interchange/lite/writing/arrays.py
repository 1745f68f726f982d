"""Ops that make arrays, give them other shapes, join them and take them apart."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.interchange.lite.model import Value, type_number
from twinflow.interchange.lite.writing.elementwise import cast

_MIRRORS = {"REFLECT": 0, "SYMMETRIC": 1}


def _axis(value: Any, rank: int) -> int:
    return int(value) % rank if rank else 0


def _reshape(w: Any, node: Any) -> Value:
    t, sizes = node.inputs
    sizes = np.asarray(w.needed(sizes, "the new shape"), np.int32)
    return w.last("RESHAPE", w.value(t), w.ints(sizes), new_shape=sizes)


def _flat(w: Any, node: Any) -> Value:
    """The elements as they are, in the shape that is known of the result."""
    shape = node.outputs[0]._shape
    if shape is None or None in shape:
        w.refuse("its shape is not known")
    sizes = np.asarray(shape, np.int32)
    return w.last("RESHAPE", w.value(node.inputs[0]), w.ints(sizes), new_shape=sizes)


def _squeeze(w: Any, node: Any) -> Value:
    axes = list(node.attrs["squeeze_dims"])
    return w.last("SQUEEZE", w.value(node.inputs[0]), squeeze_dims=axes)


def _transpose(w: Any, node: Any) -> Value:
    t, perm = node.inputs
    perm = w.needed(perm, "the order of axes")
    return w.last("TRANSPOSE", w.value(t), w.ints(perm))


def _concat(w: Any, node: Any) -> Value:
    values, axis = node.args()
    axis = _axis(w.needed(axis, "the axis"), len(values[0]._shape))
    if len(values) == 1:
        return w.value(values[0])
    return w.last("CONCATENATION", *w.values(values), axis=axis)


def _pack(w: Any, node: Any) -> Value:
    count = len(node.inputs)
    axis = _axis(node.attrs["axis"], len(node.outputs[0]._shape))
    return w.last("PACK", *w.values(node.inputs), values_count=count, axis=axis)


def outs(w: Any, node: Any) -> list[Value]:
    """A new Value for each output of a node."""
    return [w.fresh(t) for t in node.outputs]


def _unpack(w: Any, node: Any) -> list[Value]:
    axis = _axis(node.attrs["axis"], len(node.inputs[0]._shape))
    options = {"num": len(node.outputs), "axis": axis}
    return w.ops("UNPACK", [w.value(node.inputs[0])], outs(w, node), **options)


def _split(w: Any, node: Any) -> list[Value]:
    axis, t = node.inputs
    axis = w.ints(_axis(w.needed(axis, "the axis"), len(t._shape)))
    count = len(node.outputs)
    return w.ops("SPLIT", [axis, w.value(t)], outs(w, node), num_splits=count)


def _split_v(w: Any, node: Any) -> list[Value]:
    t, sizes, axis = node.inputs
    axis = w.ints(_axis(w.needed(axis, "the axis"), len(t._shape)))
    sizes = w.ints(w.needed(sizes, "how it is split"))
    given, count = [w.value(t), sizes, axis], len(node.outputs)
    return w.ops("SPLIT_V", given, outs(w, node), num_splits=count)


def _tile(w: Any, node: Any) -> Value:
    t, repeats = node.inputs
    return w.last("TILE", w.value(t), w.ints(w.needed(repeats, "the repeats")))


def _fill(w: Any, node: Any) -> Value:
    sizes, value = node.inputs
    return w.last("FILL", w.ints(w.needed(sizes, "the shape")), w.value(value))


def _broadcast(w: Any, node: Any) -> Value:
    t, sizes = node.inputs
    sizes = w.ints(w.needed(sizes, "the shape"))
    return w.last("BROADCAST_TO", w.value(t), sizes)


def _filled_like(number: int) -> Callable:
    def write(w: Any, node: Any) -> Value:
        t = node.inputs[0]
        if t._shape is None or None in t._shape:
            w.refuse("the shape of its input is not known")
        return w.constant(np.full(t._shape, number, t.dtype.base_dtype.np))

    return write


def _range(w: Any, node: Any) -> Value:
    return w.last("RANGE", *w.values(node.inputs))


def _pad(w: Any, node: Any) -> Value:
    t, paddings, *value = node.inputs
    found = w.ints(w.needed(paddings, "how much is padded"))
    kind = "PADV2" if value else "PAD"
    return w.last(kind, w.value(t), found, *w.values(value))


def _mirror_pad(w: Any, node: Any) -> Value:
    t, paddings = node.inputs
    found = w.ints(w.needed(paddings, "how much is padded"))
    return w.last("MIRROR_PAD", w.value(t), found, mode=_MIRRORS[node.attrs["mode"]])


def _one_hot(w: Any, node: Any) -> Value:
    indices, depth, on, off = node.inputs
    depth = w.ints(w.needed(depth, "the depth"))
    given = [w.value(indices), depth, w.value(on), w.value(off)]
    return w.last("ONE_HOT", *given, axis=node.attrs["axis"])


def _cum_sum(w: Any, node: Any) -> Value:
    t, axis = node.inputs
    flags = {k: bool(node.attrs[k]) for k in ("exclusive", "reverse")}
    return w.last("CUMSUM", w.value(t), w.ints(w.needed(axis, "the axis")), **flags)


def _batches(kind: str) -> Callable:
    def write(w: Any, node: Any) -> Value:
        t, *parts = node.inputs
        numbers = [w.ints(w.needed(p, "the blocks")) for p in parts]
        return w.last(kind, w.value(t), *numbers)

    return write


def _blocks(kind: str) -> Callable:
    def write(w: Any, node: Any) -> Value:
        v, size = w.value(node.inputs[0]), node.attrs["block_size"]
        if node.attrs.get("data_format", "NHWC") != "NHWC":
            w.refuse("it has images with the channels last alone")
        return w.last(kind, v, block_size=size)

    return write


def _strided_slice(w: Any, node: Any) -> Value:
    """A slice that says something of every axis; new axes come with a RESHAPE."""
    t, *parts = node.inputs
    begin, end, strides = (w.needed(p, "what is sliced").tolist() for p in parts)
    places, axis, first = [], 0, True
    rank, count = len(t._shape), len(strides)
    masks = {k: node.attrs[f"{k}_mask"] for k in _MASKS}
    flag = lambda mask, place: bool(masks[mask] >> place & 1)
    shrunk = 0
    for place in range(count):
        if flag("ellipsis", place) and first:
            later = range(place + 1, count)
            used = sum(not flag("new_axis", p) for p in later)
            wide = rank - axis - used
            places += [(0, n, 1) for n in t._shape[axis : axis + wide]]
            axis, first = axis + wide, False
        elif not flag("new_axis", place):
            size, step = t._shape[axis], strides[place]
            if flag("shrink_axis", place):
                at = begin[place] % size
                places.append((at, at + 1, 1))
                shrunk |= 1 << axis
            else:
                ends = [None if flag(m, place) else v[place]
                        for m, v in (("begin", begin), ("end", end))]  # fmt: skip
                a, b, _ = slice(*ends, step).indices(size)
                places.append((a, b, step))
            axis += 1
    places += [(0, n, 1) for n in t._shape[axis:]]
    return _sliced(w, node, w.value(t), places, shrunk, masks["new_axis"] != 0)


_MASKS = ("begin", "end", "ellipsis", "new_axis", "shrink_axis")


def _sliced(
    w: Any, node: Any, v: Value, places: list, shrunk: int, added: bool
) -> Value:
    """A slice by (begin, end, step) of each axis."""
    backwards = sum(1 << i for i, (_, b, s) in enumerate(places) if s < 0 and b < 0)
    columns = [w.ints([p[i] for p in places]) for i in range(3)]
    pairs = enumerate(zip(places, v.shape))
    whole = sum(1 << i for i, (p, n) in pairs if p == (0, n, 1) and n != 1)
    options = {"begin_mask": whole, "end_mask": backwards | whole,
               "shrink_axis_mask": shrunk}  # fmt: skip
    if not added:
        return w.last("STRIDED_SLICE", v, *columns, **options)
    sizes = [len(range(*p)) for i, p in enumerate(places) if not shrunk >> i & 1]
    found = w.op("STRIDED_SLICE", v, *columns, shape=sizes, **options)
    return w.reshape(found, node.outputs[0]._shape)


def _slice(w: Any, node: Any) -> Value:
    t, begin, size = node.inputs
    starts, sizes = (w.ints(w.needed(p, "what is sliced")) for p in (begin, size))
    return w.last("SLICE", w.value(t), starts, sizes)


def _gather(w: Any, node: Any) -> Value:
    params, indices, *axis = node.inputs
    at = int(w.needed(axis[0], "the axis")) if axis else 0
    return w.last("GATHER", w.value(params), w.value(indices), axis=at)


def _gather_nd(w: Any, node: Any) -> Value:
    return w.last("GATHER_ND", *w.values(node.inputs))


def _scatter_nd(w: Any, node: Any) -> Value:
    indices, updates, shape = node.inputs
    sizes = w.ints(w.needed(shape, "the shape"))
    return w.last("SCATTER_ND", w.value(indices), w.value(updates), sizes)


def _top_k(w: Any, node: Any) -> list[Value]:
    t, *count = node.inputs
    k = w.needed(count[0], "k") if count else node.attrs["k"]
    return w.ops("TOPK_V2", [w.value(t), w.ints(k)], outs(w, node))


def _arg(kind: str) -> Callable:
    def write(w: Any, node: Any) -> Value:
        t, axis = node.inputs
        axis = w.ints(w.needed(axis, "the axis"))
        number = type_number(node.outputs[0].dtype.np)
        return w.last(kind, w.value(t), axis, output_type=number)

    return write


def _reverse(w: Any, node: Any) -> Value:
    t, axes = node.inputs
    found = np.asarray(w.needed(axes, "the axes"))
    found = np.flatnonzero(found) if found.dtype == bool else found
    v = w.value(t)
    for axis in found.ravel().tolist():  # one axis at a time is what it can
        v = w.op("REVERSE_V2", v, w.ints([_axis(axis, len(v.shape))]), shape=v.shape)
    return v


def _reverse_sequence(w: Any, node: Any) -> Value:
    axes = {"seq_dim": node.attrs["seq_dim"], "batch_dim": node.attrs["batch_dim"]}
    return w.last("REVERSE_SEQUENCE", *w.values(node.inputs), **axes)


def _where(w: Any, node: Any) -> Value:
    v = w.value(node.inputs[0])
    return w.last("WHERE", v if v.dtype == bool else cast(w, v, bool))


def _unique(w: Any, node: Any) -> list[Value]:
    number = type_number(node.outputs[1].dtype.np)
    given = [w.value(node.inputs[0])]
    return w.ops("UNIQUE", given, outs(w, node), idx_out_type=number)


WRITERS = {
    "ArgMax": _arg("ARG_MAX"), "ArgMin": _arg("ARG_MIN"),
    "BatchToSpaceND": _batches("BATCH_TO_SPACE_ND"), "BroadcastTo": _broadcast,
    "ConcatV2": _concat, "Cumsum": _cum_sum, "DepthToSpace": _blocks("DEPTH_TO_SPACE"),
    "ExpandDims": _flat, "Fill": _fill, "Gather": _gather, "GatherNd": _gather_nd,
    "GatherV2": _gather, "MirrorPad": _mirror_pad, "OneHot": _one_hot,
    "OnesLike": _filled_like(1), "Pack": _pack, "Pad": _pad, "PadV2": _pad,
    "Range": _range, "Reshape": _reshape, "Reverse": _reverse,
    "ReverseSequence": _reverse_sequence, "ReverseV2": _reverse,
    "ScatterNd": _scatter_nd, "Slice": _slice,
    "SpaceToBatchND": _batches("SPACE_TO_BATCH_ND"),
    "SpaceToDepth": _blocks("SPACE_TO_DEPTH"), "Split": _split, "SplitV": _split_v,
    "Squeeze": _squeeze, "StridedSlice": _strided_slice, "Tile": _tile,
    "TopK": _top_k, "TopKV2": _top_k, "Transpose": _transpose, "Unique": _unique,
    "Unpack": _unpack, "Where": _where, "ZerosLike": _filled_like(0),
}  # fmt: skip
