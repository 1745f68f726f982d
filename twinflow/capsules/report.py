"""What a capsule says, and what came of running it: as text and as plain data."""

from typing import Any

import numpy as np

from twinflow.base.frames import line_number, source_line
from twinflow.base.state import Cell
from twinflow.capsules.lines import clean
from twinflow.capsules.replaying import Capsule, Outcome
from twinflow.capsules.values import Lost

_SHOWN = 60  # entries of a value that are printed
_FRAMES = 6


def told(capsule: Capsule) -> list[str]:
    """The lines about a capsule: the op, the user's lines, values, the error."""
    versions = capsule.versions
    failure, node = capsule.failure, capsule.node
    written = f"{capsule.path}: written {versions.get('written', '')} by"
    lines = [
        f"{clean(written)} twinflow {clean(versions.get('twinflow', '?'))}, "
        f"NumPy {clean(versions.get('numpy', '?'))}, "
        f"Python {clean(versions.get('python', '?'))}",
        f"{_what(capsule)}: {clean(failure['op'])} {clean(node.name)!r}"
        f"{where(capsule)} {_ending(capsule)}",
    ]
    lines += _lines_of(capsule.frames, "made at")
    lines += _lines_of(capsule.forward, "gradient of")
    lines += _lines_of(capsule.stack, "run at")
    specs = node.opdef.sig.inputs
    for i, value in enumerate(capsule.inputs):
        name = specs[i].name if i < len(specs) else "input"
        lines.append(f"  inputs[{i}] {name}: {shown(value)}")
    for i, value in enumerate(capsule.outputs or ()):
        lines.append(f"  outputs[{i}]: {shown(value)}")
    if capsule.error is not None:
        kind, text = capsule.error
        first, *rest = text.splitlines() or [""]
        lines.append(f"  {clean(kind)}: {clean(first)}")
        lines += [f"    {clean(s)}" for s in rest[:20]]
    if capsule.lost:
        lines.append(
            f"  {capsule.lost} older ops of the step did not fit into the file"
        )
    return lines


def _what(capsule: Capsule) -> str:
    if capsule.kind == "eager":
        return "an eager step"
    name = f" {clean(capsule.name)!r}" if capsule.kind == "function" else ""
    return {"run": "a run of a session", "function": f"the function{name}"}.get(
        capsule.kind, "a step"
    )


def _ending(capsule: Capsule) -> str:
    return "failed" if capsule.error else "gave the first nan or inf"


def where(capsule: Capsule) -> str:
    """Inside of what the op ran: ` in while[2]`."""
    parts = []
    for kind, name, trip, part in capsule.place:
        name = clean(name)
        if kind == "loop":
            parts.append(f"{name}[{trip}]{' cond' if part == 'cond' else ''}")
        elif kind == "branch":
            parts.append(f"{name}({bool(trip)})")
        elif kind == "function":
            parts.append(f"function {name}")
    return f" in {' > '.join(parts)}" if parts else ""


def _lines_of(pairs: tuple, title: str) -> list[str]:
    lines = []
    for i, pair in enumerate(pairs[:_FRAMES]):
        code = pair[0]
        head = f"  {title if not i else '':<12}"
        lines.append(f"{head}{code.co_filename}({line_number(pair)}){code.co_name}()")
        lines.append(f"{'':<14}-> {source_line(pair)}")
    return lines


def shown(value: Any) -> str:
    """A value in some words."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(v) for v in value) + "]"
    if isinstance(value, Cell):
        inner = shown(value._array) if value._array is not None else "no value"
        return f"variable {clean(str(value.name))}: {inner}"
    if isinstance(value, Lost):
        return clean(repr(value))
    if not isinstance(value, np.ndarray | np.generic):
        return clean(repr(value))
    kind = "string" if value.dtype.kind in "OSU" else value.dtype.name
    text = np.array2string(
        np.asarray(value), threshold=_SHOWN, edgeitems=3, separator=", "
    )
    dims = ",".join(map(str, np.shape(value)))
    return f"{kind}[{dims}] " + clean(" ".join(text.split()))


def verdict(capsule: Capsule, outcome: Outcome) -> list[str]:
    """The lines about a run."""
    if outcome.reproduced:
        return ["reproduced: the same op, on the same values bit for bit, did the same"]
    if outcome.reached:
        parts = []
        if not outcome.same_inputs:
            parts.append("it had other inputs")
        if outcome.same_outputs is False:
            parts.append("it gave another value")
        if capsule.error is not None and outcome.error is None:
            parts.append("it did not fail")
        elif capsule.error is not None and not parts:
            kind, text = outcome.error or ("", "")
            parts.append(f"it raised {kind}: {clean(text.splitlines()[0])}")
        return [f"not reproduced: the op ran, but {' and '.join(parts)}"]
    lines = ["not reproduced: the run did not come to that op"]
    if outcome.first is not None:
        run, error = outcome.first
        text = clean(str(getattr(error, "message", error)).splitlines()[0])
        lines.append(f"  {run.op.type} {run.name!r} failed before: {text}")
    return lines


def as_json(capsule: Capsule, outcome: Outcome | None, missing: str = "") -> dict:
    """All of it as plain data."""
    error = capsule.error
    found: dict = {
        "file": capsule.path,
        "versions": capsule.versions,
        "kind": capsule.failure["kind"],
        "step": capsule.kind,
        "op": capsule.failure["op"],
        "name": capsule.node.name,
        "place": where(capsule).removeprefix(" in "),
        "iterations": [t for k, _, t, _ in capsule.place if k == "loop"],
        "lines": _places(capsule.frames),
        "gradient_of": _places(capsule.forward),
        "stack": _places(capsule.stack),
        "inputs": [shown(v) for v in capsule.inputs],
        "outputs": capsule.outputs and [shown(v) for v in capsule.outputs],
        "error": error and {"type": error[0], "text": error[1]},
        "left_out": [shown(v) for v in capsule.left_out],
    }
    if outcome is None:
        return {**found, "reproduced": None, "missing": missing}
    now = outcome.error
    found.update(
        reproduced=outcome.reproduced, reached=outcome.reached,
        same_inputs=outcome.same_inputs, same_outputs=outcome.same_outputs,
        error_now=now and {"type": now[0], "text": now[1]},
    )  # fmt: skip
    return found


def _places(pairs: tuple) -> list[dict]:
    return [
        {
            "file": code.co_filename, "line": line_number(pair),
            "function": code.co_name, "text": source_line(pair),
        }
        for pair in pairs for code in (pair[0],)
    ]  # fmt: skip
