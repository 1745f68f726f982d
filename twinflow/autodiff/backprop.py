"""The way back: from records and incoming gradients to those of the sources.

One engine for tapes, graphs and functions; base.tape_record has the form of a record.

Note [Sparse gradients]: a gradient rule may give IndexedSlices, where most rows of a
gradient are zero. They are added up by joining their rows, once, before they are read;
a rule that gets them as ``dy`` may use them as a tensor, which makes them dense. A
dense gradient beside them joins with all its rows, as in TensorFlow: what
tf.clip_by_global_norm measures are all rows, those with the same index one by one.

Note [Sums in place]: native/walk_back.h writes the sum of two large gradients where one
of them lies, if nothing but the sum knows of it: no other reference to the tensor or
its array, no weak one, no id (a tape may know that), no tape that looks on, memory of
its own. A rule that can add to what has arrived gives an `Onto`; one that can do in one
pass what it and an `Onto` of an earlier record do in two gives an `Ahead`.
"""

from collections.abc import Sequence
from typing import Any

from twinflow.base import dispatch, dtypes, native
from twinflow.base.movement import laid_out
from twinflow.base.pieces import is_pieces
from twinflow.base.tape_record import Ahead, Late, Onto
from twinflow.base.tensor import Tensor
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.broadcast import is_repeated
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import Add, add
from twinflow.ops.core.index import IndexedSlices
from twinflow.ops.core.indexed_slices import joined
from twinflow.ops.core.infer import broadcast, same


def backprop(records: list, grads: dict, sources: list, consume: bool = False) -> dict:
    """Propagate `grads` through `records`, last record first.

    Args:
        records: a list of records, in the order of execution.
        grads: dict from tensor id to its incoming gradient; used up.
        sources: the ids whose gradients are wanted.
        consume: empty `records` on the way, which frees what they keep.
    Returns:
        dict from source id to gradient; ids that nothing reached are absent.
    """
    found: dict = {}
    left = records if consume else records.copy()
    _walk(left, grads, set(sources), found, _HOW)
    for i in sources:
        dx = grads.get(i)
        if dx is not None:
            found[i] = grads[i] = _read(dx)
    return found


def _walk_in_python(left: Any, grads: Any, wanted: Any, found: Any, *_: Any) -> None:
    while left:
        _step(grads, wanted, found, left.pop())


class _Parts:
    """IndexedSlices still to be joined, and dense gradients beside them."""

    __slots__ = ("parts",)

    def __init__(self, parts: Any) -> None:
        self.parts = parts

    def join(self) -> Any:
        return joined(self.parts)


def total(a: Any, b: Any) -> Any:
    """The sum of two gradients; sparse ones stay sparse (Note [Sparse gradients])."""
    if type(a) is Ahead:
        a.rest.append(_read(b) if type(b) is Ahead else b)
        return a
    if type(b) is Ahead:
        b.rest.append(a)
        return b
    if any(type(d) in (_Parts, IndexedSlices) for d in (a, b)):
        return _Parts([*_parts_of(a), *_parts_of(b)])
    return _plus(a, b)


def _read(d: Any) -> Any:
    """A gradient that has arrived, as it is read."""
    if type(d) is Ahead:
        found = d.tensor()
        for other in d.rest:
            found = total(found, other)
        d = found
    return d.join() if type(d) is _Parts else d


def joined_total(a: Any, b: Any) -> Any:
    """Their `total` for what does not join parts itself."""
    return _read(total(a, b))


def _parts_of(d: Any) -> list:
    return d.parts if type(d) is _Parts else [d]


def _plus(a: Tensor, b: Tensor) -> Tensor:
    return add_n([a, b]) if a.dtype is dtypes.variant else add(a, b)


def _step(grads: Any, wanted: set[int], found: dict, record: tuple) -> None:
    """Propagate through one record."""
    opened = _open(grads, wanted, found, record)
    if opened is None:
        return
    v, in_ids, kept, attrs, dy = opened
    for i, dx in zip(in_ids, v.back(kept, attrs, dy)):  # hot: no strict=
        if dx is None:
            continue
        if type(i) is int:
            old = grads.get(i)
            grads[i] = dx if old is None else total(old, dx)
        else:
            _add_list(grads, i, dx)


def _open(grads: Any, wanted: set[int], found: dict, record: tuple) -> tuple | None:
    """(vjp, ids of inputs, what is kept, attributes, dy); None if no dy arrived.

    native/walk_back.h opens the plain records itself.
    """
    v, in_ids, out, kept, attrs = record
    if type(out) is int:
        dy = grads.pop(out, None)
        if dy is None:
            return None
        dy = _read(dy)
        if out in wanted:
            found[out] = dy
        if type(kept) is Late:
            kept = kept.get()
        dy = _laid_out(v, dy)
    else:
        kept, dy = _several(v, out, kept, grads, wanted, found)
        if dy is None:
            return None
        dy = [_laid_out(v, d) for d in dy]
    return v, tuple(in_ids), kept, attrs, dy


def _laid_out(v: Any, dy: Any) -> Any:
    """`dy` for the rule `v`: see Note [Repeated gradients] in ops.core.broadcast."""
    if type(dy) is not dispatch.EagerTensor or not is_repeated(dy._a):
        return dy
    if _is_elementwise(getattr(v, "op", None)):  # functions' ways back have none
        return dy
    return dispatch.wrap(laid_out(dy._a), dy.dtype)


def _is_elementwise(op: Any) -> bool:
    return op is not None and op.infer in (same, broadcast) and is_pieces(op.np)


def _several(
    v: Any, out: Sequence, kept: Any, grads: Any, wanted: set, found: dict
) -> tuple:
    """What is kept and the gradients of several outputs; (_, None) if none arrived."""
    dys = [grads.pop(o, None) for o in out]
    dys = [_read(d) for d in dys]
    if all(d is None for d in dys):
        return None, None
    for o, d in zip(out, dys, strict=True):
        if o in wanted and d is not None:
            found[o] = d
    if type(kept) is Late:
        kept = kept.get()
    if v.none_ok:
        return kept, dys
    kept, blanks = kept
    pairs = zip(dys, blanks, strict=True)
    return kept, [zeros(*b) if d is None else d for d, b in pairs]


def _add_list(grads: Any, ids: tuple[int, ...], dxs: list[Tensor]) -> None:
    for i, dx in zip(ids, dxs, strict=True):
        if dx is not None and i:  # eager tensors that no tape watches have no id
            old = grads.get(i)
            grads[i] = dx if old is None else total(old, dx)


_walk = native.fast.walk_back if native.fast is not None else _walk_in_python
_HOW = (Late, Onto, Add.np, _plus, total, _open, _add_list, _laid_out)
