"""Ops that make arrays and give them other shapes."""

from typing import Any

import numpy as np

from twinflow.base import dtypes


def rank(w: Any, t: Any) -> int:
    """The number of axes of a tensor, which has to be known."""
    if t._shape is None:
        w.refuse(f"the rank of {t.name} is not known")
    return len(t._shape)


def counted(t: Any) -> bool:
    """Whether all sizes of a tensor are known."""
    return t._shape is not None and None not in t._shape


def _shape(w: Any, node: Any) -> str:
    return shape_of(w, node.inputs[0], node.outputs[0].dtype)


def shape_of(w: Any, t: Any, dtype: Any) -> str:
    """The sizes of a tensor."""
    if counted(t):
        return w.constant(np.array(t._shape, dtype.np))
    name = w.op("Shape", w.value(t))
    return name if dtype is dtypes.int64 else w.cast(name, dtype)


def _shape_n(w: Any, node: Any) -> list[str]:
    return [shape_of(w, t, o.dtype) for t, o in zip(node.inputs, node.outputs)]


def _size(w: Any, node: Any) -> str:
    t, dtype = node.inputs[0], node.outputs[0].dtype
    if counted(t):
        return w.constant(np.array(np.prod(t._shape, dtype=int), dtype.np))
    name = w.op("Size", w.value(t))
    return name if dtype is dtypes.int64 else w.cast(name, dtype)


def _rank(w: Any, node: Any) -> str:
    t = node.inputs[0]
    if t._shape is not None:
        return w.constant(np.int32(len(t._shape)))
    count = w.op("Size", w.op("Shape", w.value(t)))
    return w.cast(count, dtypes.int32)


def _reshape(w: Any, node: Any) -> str:
    t, sizes = node.inputs
    found = w.known(sizes)
    zeros = found is None or 0 in np.ravel(found)
    attrs = {"allowzero": 1} if zeros else {}
    return w.op("Reshape", w.value(t), w.sizes(sizes), **attrs)


def _expand_dims(w: Any, node: Any) -> str:
    t, axis = node.inputs
    axis = int(w.needed(axis, "the axis"))
    return w.op("Unsqueeze", w.value(t), w.ints([axis]))


def _squeeze(w: Any, node: Any) -> str:
    t = node.inputs[0]
    axes = list(node.attrs["squeeze_dims"])
    if not axes and t._shape is not None:
        axes = [i for i, s in enumerate(t._shape) if s == 1]
        if not axes:
            return w.op("Identity", w.value(t))
    more = [w.ints(axes)] if axes else []
    return w.op("Squeeze", w.value(t), *more)


def _transpose(w: Any, node: Any) -> str:
    t, perm = node.inputs
    return w.transpose(w.value(t), w.needed(perm, "the permutation").tolist())


def concat(w: Any, names: list, axis: int) -> str:
    """Values joined along an axis, before their Transposes if they have one."""
    perms = {w.perm(name) for name in names}
    (perm,) = perms if len(perms) == 1 else (None,)
    if perm is None:
        return w.op("Concat", *names, axis=axis)
    before = [w.made[name].inputs[0] for name in names]
    return w.transpose(w.op("Concat", *before, axis=perm[axis]), perm)


def _concat(w: Any, node: Any) -> str:
    values, axis = node.args()
    return concat(w, w.values(values), int(w.needed(axis, "the axis")))


def _concat_old(w: Any, node: Any) -> str:
    axis, values = node.args()
    return concat(w, w.values(values), int(w.needed(axis, "the axis")))


def _pack(w: Any, node: Any) -> str:
    axis = node.attrs["axis"]
    names = [w.op("Unsqueeze", n, w.ints([axis])) for n in w.values(node.inputs)]
    return w.op("Concat", *names, axis=axis)


def _unpack(w: Any, node: Any) -> list[str]:
    axis, count = node.attrs["axis"], len(node.outputs)
    name = w.value(node.inputs[0])
    if count == 1:
        parts = [name]
    else:
        parts = w.ops("Split", [name], count, axis=axis, num_outputs=count)
    return [w.op("Squeeze", p, w.ints([axis])) for p in parts]


def _split(w: Any, node: Any) -> list[str]:
    axis, t = node.inputs
    axis, count = int(w.needed(axis, "the axis")), len(node.outputs)
    if count == 1:
        return [w.value(t)]
    return w.ops("Split", [w.value(t)], count, axis=axis, num_outputs=count)


def _split_v(w: Any, node: Any) -> list[str]:
    t, sizes, axis = node.inputs
    axis, count = int(w.needed(axis, "the axis")), len(node.outputs)
    found = w.known(sizes)
    if found is not None and -1 in found:
        total = t._shape[axis] if t._shape else None
        if total is None:
            w.refuse("one of the sizes is not known")
        found = np.where(found == -1, total - (np.sum(found) + 1), found)
    sizes = w.sizes(sizes) if found is None else w.ints(found)
    return w.ops("Split", [w.value(t), sizes], count, axis=axis)


def _tile(w: Any, node: Any) -> str:
    t, repeats = node.inputs
    return w.op("Tile", w.value(t), w.sizes(repeats))


def _fill(w: Any, node: Any) -> str:
    sizes, value = node.inputs
    return w.op("Expand", w.value(value), w.sizes(sizes))


def _broadcast_to(w: Any, node: Any) -> str:
    t, sizes = node.inputs
    return w.op("Expand", w.value(t), w.sizes(sizes))


def _filled_like(number: int) -> Any:
    def write(w: Any, node: Any) -> str:
        t = node.inputs[0]
        value = np.asarray(number, t.dtype.base_dtype.np)
        if counted(t):
            return w.constant(np.full(t._shape, value))
        return w.op("Expand", w.constant(value), w.op("Shape", w.value(t)))

    return write


def _range(w: Any, node: Any) -> str:
    return w.op("Range", *w.values(node.inputs))


def _lin_space(w: Any, node: Any) -> str:
    start, stop, count = node.inputs
    n = int(w.needed(count, "the number of values"))
    dtype = start.dtype.np
    a, b = w.value(start), w.value(stop)
    if n == 1:
        return w.op("Unsqueeze", a, w.ints([0]))
    step = w.op("Div", w.op("Sub", b, a), w.constant(np.asarray(n - 1, dtype)))
    return w.op("Add", a, w.op("Mul", w.constant(np.arange(n, dtype=dtype)), step))


def _pad(w: Any, node: Any, mode: str = "constant") -> str:
    t, paddings, *value = node.inputs
    name, found = w.value(t), w.known(paddings)
    more = w.values(value)
    perm = w.perm(name)
    if found is None:
        flat = w.op("Reshape", w.op("Transpose", w.sizes(paddings), perm=[1, 0]),
                    w.ints([-1]))  # fmt: skip
        return w.op("Pad", name, flat, *more, mode=mode)
    found = np.asarray(found)
    if perm is not None and len(perm) == len(found):
        before = found[np.argsort(perm)]
        source = w.made[name].inputs[0]
        y = w.op("Pad", source, w.ints(before.T.ravel()), *more, mode=mode)
        return w.transpose(y, perm)
    return w.op("Pad", name, w.ints(found.T.ravel()), *more, mode=mode)


def _mirror_pad(w: Any, node: Any) -> str:
    mode = node.attrs["mode"]
    if mode == "REFLECT":
        return _pad(w, node, "reflect")
    x, paddings = node.inputs
    pairs = w.needed(paddings, "how much is padded").tolist()
    name = w.value(x)
    for axis, (before, after) in enumerate(pairs):
        parts = [name]
        if before:
            parts.insert(0, _mirrored(w, name, axis, before - 1, _BEFORE_ALL))
        if after:
            parts.append(_mirrored(w, name, axis, -1, -after - 1))
        name = w.op("Concat", *parts, axis=axis) if len(parts) > 1 else name
    return name


_BEFORE_ALL = -(1 << 31)  # the end of a slice that goes back to the first element


def _mirrored(w: Any, name: str, axis: int, first: int, end: int) -> str:
    """Elements of an axis backwards."""
    ends = w.ints([first]), w.ints([end]), w.ints([axis]), w.ints([-1])
    return w.op("Slice", name, *ends)


def _one_hot(w: Any, node: Any) -> str:
    """On where the index is the place; what is not in 0 .. depth-1 is off."""
    indices, depth, on, off = node.inputs
    axis = node.attrs["axis"]
    r = rank(w, indices)
    axis = r if axis == -1 else axis
    n = w.known(depth)
    zero, one = w.constant(np.int64(0)), w.constant(np.int64(1))
    if n is not None:
        places = w.ints(np.arange(int(n)))
    else:
        places = w.op("Range", zero, w.sizes(depth), one)
    places = w.op("Reshape", places, w.ints([-1] + [1] * (r - axis)))
    found = w.op("Unsqueeze", w.sizes(indices), w.ints([axis]))
    return w.op("Where", w.op("Equal", found, places), w.value(on), w.value(off))


def _cum_sum(w: Any, node: Any) -> str:
    t, axis = node.inputs
    flags = {k: int(node.attrs[k]) for k in ("exclusive", "reverse")}
    return w.op("CumSum", w.value(t), w.sizes(axis), **flags)


def _band_part(w: Any, node: Any) -> str:
    t, lower, upper = node.inputs
    below, above = (int(w.needed(n, "a number of diagonals")) for n in (lower, upper))
    name = w.value(t)
    if below >= 0:
        name = w.op("Trilu", name, w.constant(np.int64(-below)), upper=1)
    if above >= 0:
        name = w.op("Trilu", name, w.constant(np.int64(above)), upper=0)
    return name


def _space_to_batch(w: Any, node: Any) -> str:
    t, block, paddings = node.inputs
    block = w.needed(block, "the block")
    pads = w.needed(paddings, "the padding")
    m, r = len(block), rank(w, t)
    pads = np.concatenate([np.zeros((1, 2), int), pads, np.zeros((r - m - 1, 2), int)])
    name = w.op("Pad", w.value(t), w.ints(pads.T.ravel()))
    sizes = _known_sizes(w, t)
    sizes = [s + int(p.sum()) for s, p in zip(sizes, pads[1:])]
    space, rest = sizes[:m], sizes[m:]
    split = [v for s, b in zip(space, block) for v in (s // int(b), int(b))]
    name = w.op("Reshape", name, w.ints([-1, *split, *rest]))
    perm = [2 * i + 2 for i in range(m)] + [0] + [2 * i + 1 for i in range(m)]
    perm += range(2 * m + 1, 2 * m + 1 + len(rest))
    name = w.transpose(name, perm)
    return w.op("Reshape", name, w.ints([-1, *split[::2], *rest]))


def _batch_to_space(w: Any, node: Any) -> str:
    t, block, crops = node.inputs
    block, crops = w.needed(block, "the block"), w.needed(crops, "the crops")
    m = len(block)
    sizes = _known_sizes(w, t)
    space, rest = sizes[:m], sizes[m:]
    name = w.op("Reshape", w.value(t), w.ints([*block, -1, *space, *rest]))
    perm = [m] + [a for i in range(m) for a in (m + 1 + i, i)]
    perm += range(2 * m + 1, 2 * m + 1 + len(rest))
    wide = [s * int(b) for s, b in zip(space, block)]
    name = w.op("Reshape", w.transpose(name, perm), w.ints([-1, *wide, *rest]))
    ends = [s - int(c) for s, c in zip(wide, crops[:, 1])]
    ends = [w.ints(v) for v in (crops[:, 0], ends, np.arange(1, m + 1))]
    return w.op("Slice", name, *ends)


def _known_sizes(w: Any, t: Any) -> list:
    """The sizes behind the batch."""
    if t._shape is None or None in t._shape[1:]:
        w.refuse(f"the sizes of {t.name} have to be known, those of the batch apart")
    return list(t._shape[1:])


def _blocks(kind: str) -> Any:
    def write(w: Any, node: Any) -> str:
        name, size = w.value(node.inputs[0]), node.attrs["block_size"]
        attrs = {"mode": "DCR"} if kind == "DepthToSpace" else {}
        first = node.attrs["data_format"] == "NCHW"
        name = name if first else w.transpose(name, [0, 3, 1, 2])
        y = w.op(kind, name, blocksize=size, **attrs)
        return y if first else w.transpose(y, [0, 2, 3, 1])

    return write


def _broadcast_args(w: Any, node: Any) -> str:
    """The shape of zeros of both shapes, added up."""
    zero = w.constant(np.float32(0))
    zeros = [w.op("Expand", zero, w.sizes(t)) for t in node.inputs]
    return w.cast(w.op("Shape", w.op("Add", *zeros)), node.outputs[0].dtype)


WRITERS = {
    "Shape": _shape, "ShapeN": _shape_n, "Size": _size,
    "Rank": _rank, "Reshape": _reshape, "ExpandDims": _expand_dims,
    "Squeeze": _squeeze, "Transpose": _transpose, "ConcatV2": _concat,
    "Concat": _concat_old, "Pack": _pack, "Unpack": _unpack,
    "Split": _split, "SplitV": _split_v, "Tile": _tile, "Fill": _fill,
    "BroadcastTo": _broadcast_to, "ZerosLike": _filled_like(0),
    "OnesLike": _filled_like(1), "Range": _range, "LinSpace": _lin_space, "Pad": _pad,
    "PadV2": _pad, "MirrorPad": _mirror_pad, "OneHot": _one_hot, "Cumsum": _cum_sum,
    "MatrixBandPart": _band_part, "SpaceToBatchND": _space_to_batch,
    "BatchToSpaceND": _batch_to_space, "SpaceToDepth": _blocks("SpaceToDepth"),
    "DepthToSpace": _blocks("DepthToSpace"), "BroadcastArgs": _broadcast_args,
}  # fmt: skip
