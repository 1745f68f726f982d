"""Nodes of GraphDefs of earlier versions, as nodes of this one."""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors, op_defs
from twinflow.formats import protos
from twinflow.graph.graph_def.parts import Parts

_SCALAR_MEANS_UNKNOWN = 21  # the last version that wrote unknown shapes as scalars
_OURS = ("MatrixExponential",)  # which tf.linalg.expm makes


def replaced(node_def: Any, version: int) -> list:
    """The NodeDefs to take for a NodeDef: itself, or newer ones; the last has its name.

    Args:
        version: that of the program that wrote the GraphDef.
    Raises:
        UnimplementedError: that version should not have the op any more.
    """
    rule = _RULES.get(node_def.op)
    if rule is None:
        return [node_def]
    check_removed(op_defs.find(node_def.op), version)
    return rule(node_def, version)


def check_removed(found: Any, version: Any) -> None:
    """Refuse an op that the version of the GraphDef does not have any more.

    Raises:
        UnimplementedError: see above.
    """
    gone = found.removed and version >= found.removed[0]
    if gone and found.name not in _OURS:
        raise errors.UnimplementedError(
            None, None,
            f"Op {found.name} is not available in GraphDef version {version}. It has "
            f"been removed in version {found.removed[0]}. {found.removed[1]}.",
        )  # fmt: skip


def _placeholder(node_def: Any, version: int) -> list:
    if version > _SCALAR_MEANS_UNKNOWN:
        return [node_def]
    new = protos.NodeDef()
    new.CopyFrom(node_def)
    shape = new.attr["shape"].shape
    shape.unknown_rank = shape.unknown_rank or not shape.dim
    return [new]


def _renamed(kind: str) -> Callable:
    def rule(node_def: Any, version: Any) -> list:
        new = protos.NodeDef()
        new.CopyFrom(node_def)
        new.op = kind
        return [new]

    return rule


def _batch_norm(node_def: Any, version: Any) -> Any:
    """result = (t - m) / sqrt(v + epsilon) * gamma + beta"""
    t, m, v, beta, gamma = node_def.input[:5]
    dtype = dtypes.as_dtype(node_def.attr["T"].type)
    epsilon = np.asarray(node_def.attr["variance_epsilon"].f, dtype.np)
    parts = Parts(node_def)
    parts.add("epsilon", "Const", value=epsilon, dtype=dtype)
    scale = parts.add("add", "Add", v, f"{node_def.name}/epsilon", T=dtype)
    scale = parts.add("Rsqrt", "Rsqrt", scale, T=dtype)
    if node_def.attr["scale_after_normalization"].b:
        scale = parts.add("mul", "Mul", scale, gamma, T=dtype)
    moved = parts.add("sub", "Sub", t, m, T=dtype)
    scaled = parts.add("mul_1", "Mul", moved, scale, T=dtype)
    parts.add("", "Add", scaled, beta, T=dtype)
    return parts.made


def _clip(node_def: Any, version: Any) -> Any:
    """The op that tf.clip_by_value made for a while."""
    t, least, greatest = node_def.input[:3]
    dtype = dtypes.as_dtype(node_def.attr["T"].type)
    parts = Parts(node_def)
    below = parts.add("Minimum", "Minimum", t, greatest, T=dtype)
    parts.add("", "Maximum", below, least, T=dtype)
    return parts.made


_RULES: dict[str, Any] = {
    "Placeholder": _placeholder,
    "PlaceholderV2": _renamed("Placeholder"),
    "BatchNormWithGlobalNormalization": _batch_norm,
    "ClipByValue": _clip,
}
