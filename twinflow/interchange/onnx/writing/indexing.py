"""Ops that take parts of arrays, sort them and find places."""

from typing import Any

import numpy as np

from twinflow.base import dtypes

_LAST = np.iinfo(np.int64).max
_FIRST = np.iinfo(np.int64).min


class _Cut:
    """What the entries of a strided slice mean for the axes of its input."""

    def __init__(self, w: Any, node: Any) -> None:
        self.w, self.node = w, node
        self.t, *self.parts = node.inputs
        self.strides = w.needed(node.inputs[3], "the strides").tolist()
        self.given = [w.known(p) for p in self.parts[:2]]
        self.taken: list = []  # (axis, place) of those that one index is taken of
        self.ranges: list = []  # (axis, place) of those that a range is taken of
        self.added: list = []  # axes of size 1 in the result
        self._sort()

    def _sort(self) -> None:
        axis, out, count = 0, 0, len(self.strides)
        for place in range(count):
            if self._flag("ellipsis_mask", place):
                later = range(place + 1, count)
                used = sum(not self._flag("new_axis_mask", p) for p in later)
                if self.t._shape is None:
                    self.w.refuse("the rank of what is sliced is not known")
                skipped = len(self.t._shape) - axis - used
                axis, out = axis + skipped, out + skipped
            elif self._flag("new_axis_mask", place):
                self.added.append(out)
                out += 1
            elif self._flag("shrink_axis_mask", place):
                self.taken.append((axis, place))
                axis += 1
            else:
                self.ranges.append((axis, place))
                axis, out = axis + 1, out + 1

    def _flag(self, mask: str, place: int) -> bool:
        return bool(self.node.attrs[mask] >> place & 1)

    def entry(self, which: int, place: int) -> str:
        """An entry of begin (0) or end (1), as a vector of one number."""
        w = self.w
        mask = ("begin_mask", "end_mask")[which]
        if self._flag(mask, place) and not self._flag("shrink_axis_mask", place):
            forward = self.strides[place] > 0
            ends = (0, _LAST) if forward else (_LAST, _FIRST)
            return w.ints([ends[which]])
        found = self.given[which]
        if found is not None:
            return w.ints([found[place]])
        return w.op("Gather", w.sizes(self.parts[which]), w.ints([place]))

    def write(self) -> str:
        """The name of the result."""
        w = self.w
        name = w.value(self.t)
        ranges = [(a, p) for a, p in self.ranges if not self._whole(p)]
        if ranges:
            ends = [self._joined([self.entry(k, p) for _, p in ranges]) for k in (0, 1)]
            axes = w.ints([a for a, _ in ranges])
            steps = w.ints([self.strides[p] for _, p in ranges])
            name = w.op("Slice", name, *ends, axes, steps)
        for axis, place in reversed(self.taken):
            index = self.entry(0, place)
            found = self.given[0]
            if found is not None:
                index = w.constant(np.int64(found[place]))
            else:
                index = w.op("Squeeze", index, w.ints([0]))
            name = w.op("Gather", name, index, axis=axis)
        if self.added:
            name = w.op("Unsqueeze", name, w.ints(self.added))
        return name

    def _whole(self, place: int) -> bool:
        both = all(self._flag(m, place) for m in ("begin_mask", "end_mask"))
        return both and self.strides[place] == 1

    def _joined(self, names: list) -> str:
        w = self.w
        if all(n in w.arrays for n in names):
            return w.ints(np.concatenate([w.arrays[n] for n in names]))
        return names[0] if len(names) == 1 else w.op("Concat", *names, axis=0)


def _strided_slice(w: Any, node: Any) -> str:
    return _Cut(w, node).write()


def _slice(w: Any, node: Any) -> str:
    t, begin, size = node.inputs
    starts, sizes = w.known(begin), w.known(size)
    axes = np.arange(len(t._shape)) if t._shape is not None else None
    more = [] if axes is None else [w.ints(axes)]
    if starts is not None and sizes is not None:
        ends = np.where(np.asarray(sizes) == -1, _LAST, np.add(starts, sizes))
        return w.op("Slice", w.value(t), w.ints(starts), w.ints(ends), *more)
    a, n = w.sizes(begin), w.sizes(size)
    ends = w.op("Add", a, n)
    if sizes is None or -1 in np.ravel(sizes):
        rest = w.op("Equal", n, w.constant(np.int64(-1)))
        ends = w.op("Where", rest, w.constant(np.int64(_LAST)), ends)
    return w.op("Slice", w.value(t), a, ends, *more)


def _gather(w: Any, node: Any) -> str:
    params, indices, *axis = node.inputs
    at = int(w.needed(axis[0], "the axis")) if axis else 0
    return w.op("Gather", _values(w, params), w.value(indices), axis=at)


def _values(w: Any, t: Any) -> str:
    return w.cell(t) if t.dtype is dtypes.resource else w.value(t)


def _gather_nd(w: Any, node: Any) -> str:
    params, indices = node.inputs
    return w.op("GatherND", w.value(params), w.sizes(indices))


def _scatter_nd(w: Any, node: Any) -> str:
    indices, updates, shape = node.inputs
    zero = w.constant(np.zeros((), updates.dtype.np))
    zeros = w.op("Expand", zero, w.sizes(shape))
    names = w.sizes(indices), w.value(updates)
    return w.op("ScatterND", zeros, *names, reduction="add")


def _scatter_add(w: Any, node: Any) -> str:
    t, indices, updates = node.inputs
    names = w.value(t), w.sizes(indices), w.value(updates)
    return w.op("ScatterND", *names, reduction="add")


def _top_k(w: Any, node: Any) -> list[str]:
    t, *count = node.inputs
    if count:
        n = w.known(count[0])
        k = w.ints([int(n)]) if n is not None else w.op(
            "Unsqueeze", w.sizes(count[0]), w.ints([0])
        )  # fmt: skip
    else:
        k = w.ints([node.attrs["k"]])
    values, places = w.ops("TopK", [w.value(t), k], 2, axis=-1)
    return [values, w.cast(places, dtypes.int32)]


def _arg(kind: str) -> Any:
    def write(w: Any, node: Any) -> str:
        t, axis = node.inputs
        at = int(w.needed(axis, "the axis"))
        name = w.op(kind, w.value(t), axis=at, keepdims=0)
        dtype = node.outputs[0].dtype
        return name if dtype is dtypes.int64 else w.cast(name, dtype)

    return write


def _where(w: Any, node: Any) -> str:
    return w.transpose(w.op("NonZero", w.value(node.inputs[0])), [1, 0])


def _reverse(w: Any, node: Any) -> str:
    t, axes = node.inputs
    axes = np.asarray(w.needed(axes, "the axes"))
    if axes.dtype == bool:
        axes = np.flatnonzero(axes)
    n = len(axes)
    if not n:
        return w.value(t)
    ends = [w.ints([v] * n) for v in (_LAST, _FIRST)]
    return w.op("Slice", w.value(t), *ends, w.ints(axes), w.ints([-1] * n))


def _reverse_sequence(w: Any, node: Any) -> str:
    """Each entry taken from the place that mirrors it, if it is within the length."""
    t, lengths = node.inputs
    time, batch = node.attrs["seq_dim"], node.attrs["batch_dim"]
    sizes = w.sizes(lengths)
    if {time, batch} == {0, 1}:
        return w.op(
            "ReverseSequence", w.value(t), sizes, time_axis=time, batch_axis=batch
        )
    axes = list(range(len(t._shape or ())))
    order = [batch, time] + [a for a in axes if a not in (batch, time)]
    name = w.transpose(w.value(t), order)
    name = w.op("ReverseSequence", name, sizes, time_axis=1, batch_axis=0)
    return w.transpose(name, np.argsort(order))


def _unique(w: Any, node: Any) -> list[str]:
    names = w.ops("Unique", [w.value(node.inputs[0])], 4, sorted=0)
    dtype = node.outputs[1].dtype
    picked = (0, 2, 3)[: len(node.outputs)]
    return [
        names[i] if i == 0 or dtype is dtypes.int64 else w.cast(names[i], dtype)
        for i in picked
    ]


def _in_top_k(w: Any, node: Any) -> str:
    """Fewer than k of the predictions are larger than that of the target."""
    scores, targets, *rest = node.inputs
    k = int(w.needed(rest[0], "k")) if rest else node.attrs["k"]
    name = w.value(scores)
    places = w.op("Unsqueeze", w.sizes(targets), w.ints([1]))
    own = w.op("GatherElements", name, places, axis=1)
    larger = w.op("Cast", w.op("Greater", name, own), to=w.element_type(dtypes.int64))
    count = w.op("ReduceSum", larger, w.ints([1]), keepdims=0)
    return w.op("Less", count, w.constant(np.int64(k)))


WRITERS = {
    "StridedSlice": _strided_slice, "Slice": _slice, "Gather": _gather,
    "GatherV2": _gather, "ResourceGather": _gather, "GatherNd": _gather_nd,
    "ScatterNd": _scatter_nd, "ScatterNdNonAliasingAdd": _scatter_add,
    "TopK": _top_k, "TopKV2": _top_k, "ArgMax": _arg("ArgMax"),
    "ArgMin": _arg("ArgMin"), "Where": _where, "Reverse": _reverse,
    "ReverseV2": _reverse, "ReverseSequence": _reverse_sequence, "Unique": _unique,
    "UniqueWithCounts": _unique, "InTopK": _in_top_k, "InTopKV2": _in_top_k,
}  # fmt: skip
