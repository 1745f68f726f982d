"""Who is right: the same op once more on the same inputs in float64."""

from typing import Any

import numpy as np

from twinflow.base.op_lookup import known_op
from twinflow.verification.events import Inner
from twinflow.verification.kept import Kept

_WIDER = {"f": np.float64, "c": np.complex128}


def who_is_right(i: Inner, j: Inner, a: Kept, b: Kept, ways: tuple) -> str:
    """A sentence on which of two results of an op is nearer to that in float64."""
    if i.stateful or i.type != j.type or i.attrs is None or a.array is None:
        return ""
    digests = [[k.digest for k in _flat(x.inputs)] for x in (i, j)]
    if j.inputs and digests[0] != digests[1]:
        return "Its inputs differ already; what differs first has no line of its own."
    try:
        exact = _computed(i)
    except Exception:
        return ""
    if b.array is None or exact.shape != a.shape or exact.dtype.kind not in "fc":
        return ""
    far = [float(np.abs(k.array - exact).max(initial=0.0)) for k in (a, b)]
    better = ways[0] if far[0] < far[1] else ways[1]
    return (
        f"In float64 the op gives {np.array2string(exact, threshold=6)}: {ways[0]} is "
        f"off by {far[0]:.3g}, {ways[1]} by {far[1]:.3g}; {better} is nearer."
    )


def _computed(op: Inner) -> Any:
    wide = [_wide(k) for k in op.inputs]
    found = known_op(op.type).np(*wide, **(op.attrs or {}))
    return np.asarray(found[0] if isinstance(found, list | tuple) else found)


def _wide(value: Any) -> Any:
    if isinstance(value, list):
        return [_wide(v) for v in value]
    kind = _WIDER.get(value.array.dtype.kind)
    return value.array if kind is None else value.array.astype(kind)


def _flat(inputs: list) -> list[Kept]:
    return [k for v in inputs for k in (v if isinstance(v, list) else [v])]
