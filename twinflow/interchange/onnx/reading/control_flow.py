"""Loops and branches, and sequences, which are lists of tensors here."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.graph.cond import cond
from twinflow.graph.while_loop import while_loop
from twinflow.interchange.onnx.library import dtype_of
from twinflow.ops.core.constant import convert_to_tensor


@dataclass
class Elements:
    """A sequence: the list of tensors, and the dtype of its elements."""

    list: Any
    dtype: dtypes.DType


@dataclass
class Erased:
    """A sequence whose element at a place is about to be replaced."""

    elements: Elements
    place: Any


def _if(r: Any, node: Any, pred: Any) -> Any:
    known = r.array(pred)
    if known is not None:
        side = "then_branch" if known.all() else "else_branch"
        return r.body(node.get(side), [])
    kinds: list = []

    def branch(side: str) -> Any:
        def run() -> list:
            found = r.body(node.get(side), [])
            kinds[:] = [v.dtype if isinstance(v, Elements) else None for v in found]
            return [_plain(v) for v in found]

        return run

    pred = r.op("Reshape", pred, np.zeros(0, np.int32))
    found = cond(pred, branch("then_branch"), branch("else_branch"), strict=True)
    return [_wrapped(v, k) for v, k in zip(found, kinds)]


def _plain(value: Any) -> Any:
    return value.list if isinstance(value, Elements) else convert_to_tensor(value)


def _wrapped(value: Any, kind: Any) -> Any:
    return value if kind is None else Elements(value, kind)


def _loop(r: Any, node: Any, most: Any, first: Any, *start: Any) -> Any:
    graph = node.get("body")
    count = len(start)
    # What the body gives of every turn is pushed on lists, which are loop variables.
    rest = [dtype_of(o.type.tensor_type.elem_type) for o in graph.output[1 + count :]]
    start = (*start, *(_empty_of(r, kind) for kind in rest))
    kinds = [v.dtype if isinstance(v, Elements) else None for v in start]
    limit = None if most is None else r.op("Cast", most, DstT=dtypes.int64)

    def going(turn: Any, go: Any, *values: Any) -> Any:
        if limit is None:
            return go
        return r.op("LogicalAnd", go, r.op("Less", turn, limit))

    def turned(turn: Any, go: Any, *values: Any) -> list:
        given = [_wrapped(v, k) for v, k in zip(values, kinds)]
        go, *found = r.body(graph, [turn, go, *given[:count]])
        found[count:] = [
            _insert(r, node, seq, v) for seq, v in zip(given[count:], found[count:])
        ]
        return [r.op("Add", turn, np.int64(1)), convert_to_tensor(go)] + [
            _plain(v) for v in found
        ]

    begin = [np.int64(0), np.bool_(True) if first is None else first]
    begin = [convert_to_tensor(v) for v in begin] + [_plain(v) for v in start]
    shapes = [_open(v) for v in begin]
    _, _, *found = while_loop(going, turned, begin, shape_invariants=shapes)
    found = [_wrapped(v, k) for v, k in zip(found, kinds)]
    return found[:count] + [_stacked(r, v) for v in found[count:]]


def _stacked(r: Any, elements: Elements) -> Any:
    """The elements of a list as rows of a tensor."""
    return r.list_op("TensorListStack", elements.list, element_dtype=elements.dtype)


def _open(t: Any) -> Any:
    """The shape of a loop variable, whose sizes may change."""
    if t.dtype is dtypes.variant or t._shape is None:
        return t.shape
    return type(t.shape)([None] * len(t._shape))


# -------------------------------------------------------------------------- sequences
def _empty(r: Any, node: Any) -> Elements:
    dtype = dtype_of(node.get("dtype", 1))
    found = r.list_op("EmptyTensorList", np.int32(-1), element_dtype=dtype)
    return Elements(found, dtype)


def _made(r: Any, node: Any, *values: Any) -> Elements:
    found = _empty_of(r, r.dtype(values[0]))
    for v in values:
        found = Elements(r.list_op("TensorListPushBack", found.list, v), found.dtype)
    return found


def _empty_of(r: Any, dtype: Any) -> Elements:
    found = r.list_op("EmptyTensorList", np.int32(-1), element_dtype=dtype)
    return Elements(found, dtype)


def _insert(r: Any, node: Any, seq: Any, value: Any, place: Any = None) -> Elements:
    if isinstance(seq, Erased):
        elements = seq.elements
        at = r.op("Cast", seq.place, DstT=dtypes.int32)
        found = r.list_op("TensorListSetItem", elements.list, at, value)
        return Elements(found, elements.dtype)
    if place is not None:
        r.refuse("only the end of a sequence is inserted at")
    return Elements(r.list_op("TensorListPushBack", seq.list, value), seq.dtype)


def _erase(r: Any, node: Any, seq: Any, place: Any = None) -> Erased:
    if place is None:
        r.refuse("an element is only taken away to be replaced")
    return Erased(seq, place)


def _at(r: Any, node: Any, seq: Any, place: Any) -> Any:
    at = r.op("Cast", place, DstT=dtypes.int32)
    return r.list_op("TensorListGetItem", seq.list, at, element_dtype=seq.dtype)


def _joined(r: Any, node: Any, seq: Any) -> Any:
    if not node.get("new_axis", 0) or node.get("axis", 0):
        r.refuse("only new_axis=1 and axis=0 have a counterpart")
    return _stacked(r, seq)


def _split(r: Any, node: Any, x: Any, sizes: Any = None) -> Elements:
    if sizes is not None or node.get("keepdims", 1) or node.get("axis", 0):
        r.refuse("only single rows have a counterpart")
    shape = r.shape(x)
    rest = [-1 if s is None else s for s in shape[1:]] if shape else None
    like = np.int32(-1) if rest is None else np.array(rest, np.int32)
    found = r.list_op("TensorListFromTensor", x, like)
    return Elements(found, r.dtype(x))


def _length(r: Any, node: Any, seq: Any) -> Any:
    count = r.list_op("TensorListLength", seq.list)
    return r.op("Cast", count, DstT=dtypes.int64)


READERS = {
    "If": _if, "Loop": _loop, "SequenceEmpty": _empty, "SequenceConstruct": _made,
    "SequenceInsert": _insert, "SequenceErase": _erase, "SequenceAt": _at,
    "ConcatFromSequence": _joined, "SplitToSequence": _split, "SequenceLength": _length,
}  # fmt: skip
