"""Ops of later versions of TensorFlow, built of several of ours.

See Note [Newer versions] in graph.graph_def.newer. A rule takes the NodeDef and its
input tensors, and gives the outputs, or None where the NodeDef itself will do.
"""

import functools
import string
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, op_defs
from twinflow.formats import attr_values
from twinflow.graph.graph_def import newer, newer_text
from twinflow.ops.arrays.passing import identity_n
from twinflow.ops.core.broadcast import broadcast_to
from twinflow.ops.core.compare import equal, where
from twinflow.ops.core.constant import cast, identity
from twinflow.ops.core.creation import range as numbers
from twinflow.ops.core.creation import zeros, zeros_like
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.shape_arithmetic import broadcast_dynamic_shape
from twinflow.ops.math.counting import bincount
from twinflow.ops.matrix import diagonal
from twinflow.ops.matrix.contraction import einsum
from twinflow.ops.nn.activation import leaky_relu
from twinflow.ops.nn.batch_norm import FusedBatchNormV2
from twinflow.ops.tensor_array import list_ops


def build(node_def: Any, name: str, inputs: list) -> Any:
    """The node that has the outputs of a NodeDef; None if no rule speaks of it.

    Args:
        node_def: the NodeDef. name: of the node. inputs: its tensors.
    """
    rule = RULES.get(node_def.op)
    if rule is None:
        return None
    mode = dispatch.current_mode()
    with mode.name_scope(name + "/"):
        outputs = rule(node_def, *inputs)
    if outputs is None:
        return None
    if len(outputs) > 1:
        return identity_n(outputs, name=name + "/")[0].op
    return identity(outputs[0], name=name + "/").op


def _refused(node_def: Any, what: str) -> ValueError:
    return ValueError(f"{node_def.op} with {what} has no counterpart here.")


def _attr(node_def: Any, name: str) -> Any:
    """An attribute, or its default: asking a NodeDef for one that it lacks adds it."""
    known = [op_defs.find(node_def.op), newer.find(node_def.op)]
    attr = next(f.attrs[name] for f in known if f is not None and name in f.attrs)
    if name not in node_def.attr:
        return attr.default
    return attr_values.from_proto(node_def.attr[name], attr.type)


# ------------------------------------------------------------------ choosing
def _select(node_def: Any, condition: Any, x: Any, y: Any) -> list:
    """where() of three tensors that are broadcast together."""
    parts = [condition, x, y]
    shapes = [t._shape for t in parts]
    alike = None not in shapes and shapes.count(shapes[0]) == 3
    if not alike or any(d is None for s in shapes for d in s):
        whole = functools.reduce(broadcast_dynamic_shape, map(shape, parts))
        parts = [broadcast_to(t, whole) for t in parts]
    return [where(*parts)]


def _mul_no_nan(node_def: Any, x: Any, y: Any) -> list:
    product = multiply(x, y)
    none = broadcast_to(equal(y, zeros_like(y)), shape(product))
    return [where(none, zeros_like(product), product)]


def _gather(node_def: Any, params: Any, indices: Any, axis: Any) -> Any:
    """Gathering in each batch: from all rows of `params`, numbered through."""
    batch = _attr(node_def, "batch_dims")
    if not batch:
        return None
    place, dims = axis._host_value(), params._shape
    if place is axis or dims is None or int(place) % len(dims) != batch or batch < 0:
        raise _refused(node_def, f"batch_dims = {batch} and another axis")
    sizes = shape(params, out_type=indices.dtype)
    count, rest = reduce_prod(sizes[:batch]), shape(params)[batch + 1 :]
    rows = reshape(params, concat([[-1], rest], 0))
    each = reshape(indices, stack([cast(count, dtypes.int32), -1]))
    first = multiply(numbers(count), sizes[batch])
    found = gather(rows, add(each, expand_dims(first, 1)))
    return [reshape(found, concat([shape(indices), rest], 0))]


# ------------------------------------------------------------------ products
def _einsum(node_def: Any, *inputs: Any) -> list:
    equation = _attr(node_def, "equation")
    return [einsum(_spelled(node_def, equation, inputs), *inputs)]


def _spelled(node_def: Any, equation: str, inputs: tuple) -> str:
    """An equation with letters in place of an ellipsis."""
    if "..." not in equation:
        return equation
    left, _, _ = equation.partition("->")
    counts = set()
    for part, t in zip(left.split(","), inputs, strict=True):
        if "..." in part:
            if t._shape is None:
                raise _refused(node_def, f"{equation!r} and an unknown rank")
            counts.add(len(t._shape) - len(part.replace("...", "")))
    if len(counts) != 1:
        raise _refused(node_def, f"{equation!r} and ellipses of different ranks")
    free = [c for c in string.ascii_letters if c not in equation]
    return equation.replace("...", "".join(free[: counts.pop()]))


# ------------------------------------------------------------------ nn
def _batch_norm(node_def: Any, x: Any, scale: Any, offset: Any, *rest: Any) -> list:
    """FusedBatchNormV2; a moving average besides, and a sixth output for GPUs."""
    (mean, variance), factor = rest, _attr(node_def, "exponential_avg_factor")
    names = ("epsilon", "data_format", "is_training")
    attrs = {name: _attr(node_def, name) for name in names}
    inputs = (x, scale, offset, mean, variance)
    if not attrs["is_training"] or factor == 1:
        made = dispatch.apply(FusedBatchNormV2, inputs, attrs)
        return [*made, zeros([0], dtypes.float32)]
    unused = zeros([0], mean.dtype)
    made = dispatch.apply(FusedBatchNormV2, (*inputs[:3], unused, unused), attrs)
    moved = [
        add(multiply(old, 1 - factor), multiply(new, factor))
        for old, new in zip((mean, variance), made[1:3], strict=True)
    ]
    return [made[0], *moved, *made[3:], zeros([0], dtypes.float32)]


def _leaky(node_def: Any, features: Any) -> list:
    return [leaky_relu(features, _attr(node_def, "alpha"))]


def _bincount(node_def: Any, values: Any, size: Any, weights: Any) -> list:
    rank = None if values._shape is None else len(values._shape)
    if rank != 1 or _attr(node_def, "binary_output"):
        raise _refused(node_def, "matrices or binary_output")
    least = cast(size, dtypes.int32)
    given = weights if weights._shape != (0,) else None
    kind = _attr(node_def, "T")
    return [bincount(cast(values, dtypes.int32), given, least, least, kind)]


# ------------------------------------------------------------------ diagonals
def _diagonal(make: Callable, count: int, *wanted: int) -> Callable:
    """The main diagonal, of as many inputs; other diagonals have no op here.

    Args:
        wanted: what the inputs behind these must say: k, numbers of rows, columns.
    """

    def rule(node_def: Any, *inputs: Any) -> list:
        for t, value in zip(inputs[count:], wanted, strict=False):
            said = t._host_value()
            if said is t or np.any(np.asarray(said) != value):
                raise _refused(node_def, "another diagonal than the main one")
        return [make(*inputs[:count])]

    return rule


# ------------------------------------------------------------------ lists
def _shaped(t: Any, dims: Any, rows: bool) -> list:
    """A tensor whose elements (or itself) have a shape that an input says."""
    said = dims._host_value()
    if said is not dims and said.ndim:
        known = [None if d < 0 else int(d) for d in said]
        t.set_shape([None, *known] if rows else known)
    return [t]


def _reserve(node_def: Any, element_shape: Any, count: Any) -> list:
    return [list_ops.reserved(element_shape, count, _attr(node_def, "element_dtype"))]


def _list_get(node_def: Any, handle: Any, index: Any, dims: Any = None) -> Any:
    if dims is None:
        return None
    found = list_ops.item_at(handle, index, _attr(node_def, "element_dtype"))
    return _shaped(found, dims, False)


def _list_stack(node_def: Any, handle: Any, dims: Any = None) -> Any:
    return (
        None
        if dims is None
        else _shaped(
            list_ops.stack(handle, _attr(node_def, "element_dtype")), dims, True
        )
    )


def _list_gather(node_def: Any, handle: Any, indices: Any, dims: Any = None) -> Any:
    if dims is None:
        return None
    found = list_ops.gather(handle, indices, _attr(node_def, "element_dtype"))
    return _shaped(found, dims, True)


RULES: dict[str, Callable] = {
    **newer_text.RULES,
    "SelectV2": _select,
    "MulNoNan": _mul_no_nan,
    "Einsum": _einsum,
    "FusedBatchNormV3": _batch_norm,
    "LeakyRelu": _leaky,
    "DenseBincount": _bincount,
    "GatherV2": _gather,
    "TensorListReserve": _reserve,
    "TensorListGetItem": _list_get,
    "TensorListStack": _list_stack,
    "TensorListGather": _list_gather,
    "MatrixDiagV2": _diagonal(diagonal.matrix_diag, 1, 0, -1, -1),
    "MatrixDiagV3": _diagonal(diagonal.matrix_diag, 1, 0, -1, -1),
    "MatrixDiagPartV2": _diagonal(diagonal.matrix_diag_part, 1, 0),
    "MatrixDiagPartV3": _diagonal(diagonal.matrix_diag_part, 1, 0),
    "MatrixSetDiagV2": _diagonal(diagonal.matrix_set_diag, 2, 0),
    "MatrixSetDiagV3": _diagonal(diagonal.matrix_set_diag, 2, 0),
}
