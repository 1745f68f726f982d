"""Tapes' records: what one eager call leaves for the way back.

A record is ``(vjp, in_ids, out_id, kept, attrs)``: `in_ids` holds the id of each wanted
input (a tuple of ids for a list input), `out_id` is one id, or a tuple of several. The
way back through a function that keeps more (a traced one) uses the same form.
"""

from collections.abc import Callable
from operator import is_
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.dispatch import next_id
from twinflow.base.frames import user_frames
from twinflow.base.vjp import vjp
from twinflow.base.watching import way_back

if TYPE_CHECKING:
    from twinflow.base.op import Op
    from twinflow.base.tensor import Tensor
    from twinflow.base.vjp import Vjp


LOGS: list = []  # histories of tapes that note every op (autodiff.reasons.history)


def record_unary(op: "Op", tapes: Any, x: Any, out: Any, attrs: Any) -> None:
    """Record a call of one tensor input and one output."""
    xid = x._id
    for tape in tapes:
        watched = tape.watched
        if xid in watched:
            v = op.vjps.get(1) or vjp(op, 1)
            if not out._id:
                out._id = next_id()
            oid = out._id
            watched.add(oid)
            tape.records.append((v, (xid,), oid, v.keep((x,), (out,)), attrs))


def record_binary(op: Any, tapes: Any, x: Any, y: Any, out: Any, attrs: Any) -> None:
    """Record a call of two tensor inputs and one output."""
    xid, yid = x._id, y._id
    for tape in tapes:
        watched = tape.watched
        mask = ((xid in watched) + 2 * (yid in watched)) & op.mask
        if mask:
            v = op.vjps.get(mask) or vjp(op, mask)
            if not out._id:
                out._id = next_id()
            oid = out._id
            watched.add(oid)
            ids = (xid, yid) if mask == 3 else (xid,) if mask == 1 else (yid,)
            tape.records.append((v, ids, oid, v.keep((x, y), (out,)), attrs))


def record(op: "Op", tapes: tuple, inputs: list, outputs: Any, attrs: dict) -> None:
    """Record any call.

    Args:
        op: the Op.
        tapes: the tapes of this thread's frame.
        inputs: tensors (lists for list inputs), host values at their places.
        outputs: the list of result tensors.
        attrs: the attributes of the call.
    """
    if LOGS:
        for tape in tapes:
            history = getattr(tape.records, "history", None)
            if history is not None:
                history.note(op, inputs, outputs)
    if not op.mask:
        return
    for tape in tapes:
        mask = _watched_mask(op, tape.watched, inputs)
        if mask:
            _append(op, tape, mask, inputs, outputs, attrs)


def record_watched(
    op: "Op", tapes: tuple, inputs: list, outputs: Any, attrs: dict
) -> None:
    """As `record`; ops on the way back will know the user's frames of now."""
    counts = [len(tape.records) for tape in tapes]
    record(op, tapes, inputs, outputs, attrs)
    frames = user_frames()
    for tape, count in zip(tapes, counts, strict=True):
        for i in range(count, len(tape.records)):
            v, *rest = tape.records[i]
            tape.records[i] = (v._replace(back=way_back(v.back, frames)), *rest)


def _watched_mask(op: "Op", watched: set[int], inputs: "list[Tensor]") -> int:
    mask = 0
    for i, rule in enumerate(op.rules):
        if rule is None:
            continue
        x = inputs[i]
        if type(x) is list:
            mask |= any(t._id in watched for t in x) << i
        else:
            mask |= (x._id in watched) << i
    return mask


def _append(
    op: "Op", tape: Any, mask: int, inputs: Any, outputs: Any, attrs: dict
) -> None:
    slopes = [t for t in outputs if _has_slope(t.dtype)]
    if not slopes:
        return
    v = vjp(op, mask)
    for t in outputs:
        t._id = t._id or next_id()
    tape.watched.update(t._id for t in slopes)
    ids = tuple(
        tuple(t._id for t in x) if type(x) is list else x._id
        for x in (inputs[i] for i in v.wanted)
    )
    late = outputs[0].symbolic
    kept = Late(v, inputs, outputs) if late else v.keep(inputs, outputs)
    out = outputs[0]._id if op.single else tuple(t._id for t in outputs)
    if not (op.single or late or op.none_ok):
        kept = (kept, tuple((t._shape, t.dtype) for t in outputs))
    tape.records.append((v, ids, out, kept, attrs))


def _has_slope(dtype: Any) -> bool:
    """Whether gradients go to values of a dtype: numbers, and lists of tensors."""
    return dtype.is_floating or dtype.is_complex or dtype.name == "variant"


class Late:
    """What a record in a graph keeps: nothing is evaluated before it is asked for."""

    __slots__ = ("inputs", "outputs", "vjp")

    def __init__(
        self, vjp: "Vjp", inputs: "list[Tensor]", outputs: "list[Tensor]"
    ) -> None:
        self.vjp, self.inputs, self.outputs = vjp, inputs, outputs

    def get(self) -> tuple:
        """What an eager record holds."""
        op = self.vjp.op
        ins = [
            x._host_value() if a.host and hasattr(x, "_host_value") else x
            for a, x in zip(op.sig.inputs, self.inputs, strict=True)
        ]
        kept = self.vjp.keep_later(ins, self.outputs)
        if op.single or op.none_ok:
            return kept
        return kept, tuple((t._shape_value(), t.dtype) for t in self.outputs)


class Onto:
    """A gradient still to be computed, so that it can be added where another one lies.

    Args:
        compute: ``(array or None) -> array``: the gradient, added to `array` in place;
            only the rules of eager tensors that no tape watches give it.
        dtype: that of the gradient. given: the arrays that it is computed from.
    """

    __slots__ = ("compute", "dtype", "given")

    def __init__(self, compute: Callable, dtype: Any, given: tuple = ()) -> None:
        self.compute, self.dtype, self.given = compute, dtype, given

    def __call__(self, old: Any) -> Any:
        """True if it is in `old` now, an array or else, or its tensor."""
        if type(old) is Ahead and old.brings(self.given):
            return True
        array = old if type(old) is np.ndarray else None
        found = self.compute(array)
        return True if found is array else dispatch.wrap(found, self.dtype)


class Ahead:
    """A gradient with what an `Onto` will add to it, if one does: both in one pass.

    Args:
        whole: an array with both, which nobody else has.
        due: the arrays that the other one is computed from.
        part: gives the gradient alone, for when the other one never comes or is
            computed from something else.
        dtype: that of the gradient.
    """

    __slots__ = ("_came", "_due", "_part", "_whole", "dtype", "rest")

    def __init__(self, whole: Any, due: tuple, part: Callable, dtype: Any) -> None:
        self._whole, self._due, self._part, self.dtype = whole, due, part, dtype
        self._came = False
        self.rest: list = []  # other gradients to be added

    def brings(self, given: tuple) -> bool:
        """Whether this has the gradient that is computed from arrays; only once."""
        same = len(given) == len(self._due) and all(map(is_, given, self._due))
        came, self._came = self._came, self._came or same
        return same and not came

    def tensor(self) -> "Tensor":
        """The gradient without `rest`, after all that may come."""
        return dispatch.wrap(self._whole if self._came else self._part(), self.dtype)
