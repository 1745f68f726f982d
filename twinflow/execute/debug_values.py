"""What debug ops make of a tensor, and the counters and folders of debugged runs."""

import weakref
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors

_runs: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
_steps: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def next_run_of(session: Any) -> int:
    """The number of a session's debugged run."""
    found = _runs.get(session, 0)
    _runs[session] = found + 1
    return found


def next_step_of(plan: Any) -> int:
    """How often what is fetched was run with dumps before."""
    found = _steps.get(plan, 0)
    _steps[plan] = found + 1
    return found


def folder_of(device: str) -> str:
    """The folder of a device's dumps."""
    return "_tfdbg_device_" + device.replace(":", "_").replace("/", ",")


def debugged(kind: str, attributes: str, value: Any) -> Any:
    """What a debug op gives.

    Args:
        kind: its type. attributes: as in "lower_bound=-1.0;mute_if_healthy=true".
        value: ndarray.
    Returns:
        ndarray; None where the op is mute.
    Raises:
        tf.errors.InvalidArgumentError: the op does not take this dtype.
        tf.errors.UnimplementedError: there is no such debug op.
    """
    value = np.asarray(value)
    if kind == "DebugIdentity":
        return value
    if kind not in ("DebugNanCount", "DebugNumericSummary"):
        raise errors.UnimplementedError(
            None, None,
            f"There is no debug op {kind!r}: use DebugIdentity, DebugNanCount or "
            "DebugNumericSummary.",
        )  # fmt: skip
    numbers = value.dtype.kind in "iufb" or value.dtype.name == "bfloat16"
    if not numbers or (kind == "DebugNanCount" and value.dtype.kind == "b"):
        raise errors.InvalidArgumentError(
            None, None, f"{kind} takes numbers, but the tensor is {value.dtype}"
        )
    if kind == "DebugNanCount":
        nans = np.isnan(value) if value.dtype.kind not in "iu" else np.False_
        return np.array([np.sum(nans)], np.int64)
    return _numeric_summary(value, _attributes(attributes))


def is_gated(attributes: str) -> bool:
    """Whether a debug op waits to be asked for, by a server."""
    return _attributes(attributes).get("gated_grpc", "false").lower() == "true"


def add_debug_nodes(graph: Any, watches: Any, device: str) -> None:
    """Add the debug ops of a run to the GraphDef of a device."""
    known = {node.name: node for node in graph.node}
    for watch in watches:
        node, slot = watch.node_name, watch.output_slot
        copy = graph.node.add(name=f"__copy_{node}_{slot}", op="Copy", device=device)
        copy.input.append(f"{node}:{slot}" if slot else node)
        for i, op in enumerate(watch.debug_ops):
            kind, _, attributes = op.partition("(")
            made = graph.node.add(
                name=f"__dbg_{node}:{slot}_{i}_{kind}", op=kind, device=device
            )
            made.input.append(copy.name)
            made.attr["tensor_name"].s = f"{node}:{slot}".encode()
            made.attr["device_name"].s = device.encode()
            made.attr["debug_urls"].list.s.extend(u.encode() for u in watch.debug_urls)
            made.attr["gated_grpc"].b = is_gated(attributes.rstrip(")"))
            for name in ("T", "dtype"):
                if node in known and name in known[node].attr:
                    for one in copy, made:
                        one.attr["T"].CopyFrom(known[node].attr[name])


def _attributes(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(";") if "=" in part)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _numeric_summary(value: np.ndarray, attributes: dict[str, str]) -> Any:
    """Counts of kinds of numbers, their extent and moments, the dtype and the shape."""
    low = float(attributes.get("lower_bound", "-inf"))
    high = float(attributes.get("upper_bound", "inf"))
    x = value.astype(np.float64)
    finite = x[np.isfinite(x)]
    nans = int(np.isnan(x).sum())
    below = int((x <= low).sum() if low == -np.inf else (x < low).sum())
    above = int((x >= high).sum() if high == np.inf else (x > high).sum())
    inside = x[(x > low) & (x < high)] if x.size else x
    kinds = [(inside < 0).sum(), (inside == 0).sum(), (inside > 0).sum()]
    mute = attributes.get("mute_if_healthy", "false").lower() == "true"
    if mute and not (nans or below or above):
        return None
    if finite.size:
        extent = [finite.min(), finite.max(), finite.mean(), finite.var()]
    else:
        extent = [np.inf, -np.inf, np.nan, np.nan]
    kind = dtypes.as_dtype(value.dtype).as_datatype_enum
    counts = [1.0, value.size, nans, below, *kinds, above]
    return np.array([*counts, *extent, kind, value.ndim, *value.shape], np.float64)
