"""Nodes of GraphDefs that later versions of TensorFlow wrote.

Note [Newer versions]: newer_ops.txt holds what TensorFlow 2.21 has and 1.12 has not:
attributes of ops that both know, and ops. An attribute at its default says nothing, and
is dropped; so are those of _HARMLESS, whatever they say. A new op becomes one of 1.12
by another name (_RULES), or is built of several (graph.graph_def.newer_built).
"""

import functools
import importlib.resources
from collections.abc import Callable
from typing import Any

from twinflow.base import op_defs
from twinflow.base.op_defs import NO_DEFAULT, OpDef
from twinflow.formats import attr_values, protos

# Attributes without a meaning here: names for logs, hints for devices, the order of
# checks. "incompatible_shape_error" speaks of shapes for which there is an error here.
_HARMLESS = frozenset((
    "debug_name", "allowed_devices", "metadata", "grad_a", "grad_b", "grad_x", "grad_y",
    "bad_indices_policy", "incompatible_shape_error", "validate_shape", "config",
    "config_proto", "executor_type", "parallel_iterations", "output_shapes",
    "sparse_gradient", "is_async", "allow_missing_files",
))  # fmt: skip


@functools.cache
def _lines() -> dict[str, str]:
    path = importlib.resources.files("twinflow.graph.graph_def") / "newer_ops.txt"
    return op_defs.lines_of(path.read_text(encoding="utf-8"))


@functools.cache
def find(kind: str) -> OpDef | None:
    """What is new about an op; None if nothing is."""
    line = _lines().get(kind)
    return None if line is None else op_defs.parsed(line)


def is_dropped(kind: str, name: str, proto: Any) -> bool:
    """Whether an attribute that 1.12 does not know says nothing."""
    found = find(kind)
    attr = found.attrs.get(name) if found is not None else None
    if attr is None:
        return False
    if name in _HARMLESS:
        return True
    if attr.default is NO_DEFAULT:
        return False
    return proto == attr_values.to_proto(attr.default, attr.type)


def replaced(node_def: Any) -> Any:
    """The NodeDef of 1.12 to take for a NodeDef; itself if there is nothing to do."""
    rule = _RULES.get(node_def.op)
    return node_def if rule is None else rule(node_def)


def _named(kind: str, inputs: int | None = None) -> Callable:
    """Another op type, of the first inputs and of the attributes that it knows."""

    def rule(node_def: Any) -> Any:
        known = op_defs.find(kind).attrs
        control = [t for t in node_def.input if t[0] == "^"]
        plain = [t for t in node_def.input if t[0] != "^"]
        if kind == node_def.op and inputs in (None, len(plain)):
            return node_def
        new = protos.NodeDef(name=node_def.name, op=kind, device=node_def.device)
        new.input.extend([*plain[:inputs], *control])
        for name, value in node_def.attr.items():
            if name in known or name[0] == "_":
                new.attr[name].CopyFrom(value)
            elif name not in _OF_OTHERS and not is_dropped(node_def.op, name, value):
                raise ValueError(
                    f"{node_def.op} with {name} = {str(value).strip()} has no "
                    f"counterpart here: only {kind} of TensorFlow 1.12 is there."
                )
        return new

    return rule


_OF_OTHERS = ("Tout", "Ta", "Tb")  # what BatchMatMulV3 says, see _batch_matmul


def _batch_matmul(node_def: Any) -> Any:
    given = node_def.attr
    if len({given[name].type for name in ("Ta", "Tb", "Tout")}) > 1:
        raise ValueError("BatchMatMulV3 of inputs and outputs of different dtypes")
    new = _named("BatchMatMul")(node_def)
    new.attr["T"].CopyFrom(given["Ta"])
    return new


def _nothing(node_def: Any) -> Any:
    """A node that only waits for its inputs."""
    new = protos.NodeDef(name=node_def.name, op="NoOp", device=node_def.device)
    names = (t.removeprefix("^").partition(":")[0] for t in node_def.input)
    new.input.extend(f"^{name}" for name in names)
    return new


_RULES: dict[str, Any] = {
    "AddV2": _named("Add"),
    "BatchMatMulV2": _named("BatchMatMul"),
    "BatchMatMulV3": _batch_matmul,
    "CheckNumericsV2": _named("CheckNumerics"),
    "Snapshot": _named("Identity"),
    "SegmentMaxV2": _named("SegmentMax", 2),
    "SegmentMinV2": _named("SegmentMin", 2),
    "SegmentSumV2": _named("SegmentSum", 2),
    "SegmentProdV2": _named("SegmentProd", 2),
    "EmptyTensorList": _named("EmptyTensorList", 1),
    "TensorListPopBack": _named("TensorListPopBack", 1),
    "AnonymousHashTable": _named("HashTableV2"),
    "MutableDenseHashTableV2": _named("MutableDenseHashTableV2", 1),
    "DisableCopyOnRead": _nothing,
}
