"""The way back: from records and incoming gradients to those of the sources.

One engine for tapes, graphs and functions; see base.record for the form of a record.
"""

from twinflow.base.record import Late
from twinflow.ops.array import zeros
from twinflow.ops.elementwise import add


def backprop(records, grads, sources, consume=False):
    """Propagate `grads` through `records`, last record first.

    Args:
        records: a list of records, in the order of execution.
        grads: dict from tensor id to its incoming gradient; used up.
        sources: the ids whose gradients are wanted.
        consume: empty `records` on the way, which frees what they keep.
    Returns:
        dict from source id to gradient; ids that nothing reached are absent.
    """
    found = {}
    wanted = set(sources)
    for v, in_ids, out, kept, attrs in _reversed(records, consume):
        if type(out) is int:
            dy = grads.pop(out, None)
            if dy is None:
                continue
            if out in wanted:
                found[out] = dy
            if type(kept) is Late:
                kept = kept.get()
        else:
            dy = _several(out, grads, wanted, found)
            if dy is None:
                continue
            if type(kept) is Late:
                kept = kept.get()
            if not v.none_ok:
                kept, blanks = kept
                dy = [
                    zeros(*b) if d is None else d
                    for d, b in zip(dy, blanks, strict=True)
                ]
        for i, dx in zip(in_ids, v.back(kept, attrs, dy), strict=True):
            if dx is None:
                continue
            if type(i) is int:
                old = grads.get(i)
                grads[i] = dx if old is None else add(old, dx)
            else:
                _add_list(grads, i, dx)
    for i in wanted:
        if i in grads:
            found[i] = grads[i]
    return found


def _reversed(records, consume):
    if not consume:
        yield from reversed(records)
        return
    while records:
        yield records.pop()


def _several(out, grads, wanted, found):
    """The gradients of several outputs, or None if none arrived."""
    dys = [grads.pop(o, None) for o in out]
    if all(d is None for d in dys):
        return None
    found.update((o, d) for o, d in zip(out, dys, strict=True) if o in wanted and d is not None)
    return dys


def _add_list(grads, ids, dxs):
    for i, dx in zip(ids, dxs, strict=True):
        if dx is not None:
            old = grads.get(i)
            grads[i] = dx if old is None else add(old, dx)
