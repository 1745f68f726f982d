"""The ops on barriers; all run on the host."""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import InferError, define
from twinflow.ops.core.infer import ranked, same_dim, scalar, text
from twinflow.ops.core.versions import nothing


def _define(kind, infer, kernel, attrs=None, **facts):
    return define(kind, infer, host=kernel, attrs=attrs, stateful=True, **facts)


def _handle(cell, component_types, shapes, **_):
    if cell.types != component_types:
        raise invalid(
            f"Shared barrier '{cell.name}' has component types "
            f"{_names(cell.types)} but requested component types were "
            f"{_names(component_types)}"
        )
    if cell.shapes and cell.shapes != shapes:
        raise invalid(
            f"Shared barrier '{cell.name}' has component shapes {_texts(cell.shapes)} "
            f"but requested component shapes were {_texts(shapes)}"
        )
    return cell


def _names(types):
    return ", ".join(t.name for t in types)


def _texts(shapes):
    return "[" + ",".join(map(text, shapes)) + "]"


Barrier = _define("Barrier", scalar, _handle, {"cell": None}, cell="cell")


def _insert_shapes(handle, keys, values, component_index):
    """One value a key."""
    ranked(keys._shape, 1)
    if values._shape is None or keys._shape is None:
        return []
    if not values._shape:
        raise InferError("Shape must be at least rank 1 but is rank 0")
    same_dim(keys._shape[0], values._shape[0], None, keys._shape, values._shape[:1])
    return []


def _insert(cell, keys, values, component_index):
    if not np.ndim(keys) or not np.ndim(values) or len(keys) != len(values):
        raise invalid(
            f"keys.shape: {text(np.shape(keys))} must be a vector of as many entries "
            f"as values.shape: {text(np.shape(values))} has rows"
        )
    cell.insert(component_index, keys, values)
    return ()


BarrierInsertMany = _define("BarrierInsertMany", _insert_shapes, _insert)


def _taken_shapes(*_, component_types, **__):
    return [None] * (2 + len(component_types))


def _take(cell, num_elements, allow_small_batch, **_):
    indices, keys, values = cell.take(int(num_elements), allow_small_batch)
    return [indices, keys, *values]


BarrierTakeMany = _define("BarrierTakeMany", _taken_shapes, _take)


def _close(cell, cancel_pending_enqueues):
    cell.close(cancel_pending_enqueues)
    return ()


BarrierClose = _define("BarrierClose", nothing, _close)
BarrierReadySize = _define(
    "BarrierReadySize", scalar, lambda cell: np.int32(cell.size())
)
BarrierIncompleteSize = _define(
    "BarrierIncompleteSize", scalar, lambda cell: np.int32(len(cell.waiting))
)
